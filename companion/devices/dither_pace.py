"""Bits of dither for a strip: as many as its real frame rate allows.

Dither with n bits shows light between two bytes by a cycle of 2**n frames (`hardware.dither`).
"""

from typing import Final

from hardware.dither import SLOWEST_CYCLE_HZ, bits_at

RETRY_S: Final = 60.0
"""Seconds after which a strip that was too slow for some bits tries all bits again."""

_MEASURED_FRAMES: Final = 100
_MARGIN: Final = 1.1  # factor on SLOWEST_CYCLE_HZ for the rate of cycles, if the wire allows it


class DitherPace:
    """Bits of dither in use, and the interval between frames.

    `wire_seconds` is the time of one frame on the wire. The real frame rate, with all delays, is
    measured over a hundred frames.
    """

    def __init__(self, wire_seconds: float) -> None:
        self._wire_seconds = wire_seconds
        self._most = self.bits = bits_at(1 / wire_seconds)
        self._begun: float | None = None
        self._frames = 0
        self._retry = 0.0

    @property
    def interval(self) -> float:
        return max(self._wire_seconds, 1 / (SLOWEST_CYCLE_HZ * _MARGIN * (1 << self.bits)))

    def note_frame(self, t: float) -> None:
        if self._begun is None:
            self._begun, self._frames = t, 0
            return
        self._frames += 1
        if self._frames < _MEASURED_FRAMES:
            return
        reached = bits_at(self._frames / (t - self._begun)) if t > self._begun else self._most
        if reached < self.bits:
            self.bits, self._retry = reached, t + RETRY_S
        self.pause()

    def pause(self) -> None:
        self._begun = None

    def retry(self, t: float) -> None:
        if self.bits < self._most and t >= self._retry:
            self.bits = self._most
