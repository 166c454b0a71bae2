"""Strips without hardware, which validate frames as strictly as real strips."""

from collections import deque
from collections.abc import Callable, Sequence

from hardware.strips.protocol import Frame, Strip, StripSpec

Listener = Callable[[float, Frame], None]


class NullStrip(Strip):
    """Strip that validates frames and drops them."""

    def _start(self) -> None:
        """Do nothing."""

    def _send(self, frame: Frame) -> None:
        """Drop the frame."""

    def _stop(self) -> None:
        """Do nothing."""


class VirtualStrip(NullStrip):
    """Strip in memory: it records its last `keep` frames with their times, and calls listeners."""

    def __init__(self, spec: StripSpec, *, clock: Callable[[], float], keep: int = 1) -> None:
        super().__init__(spec)
        self._clock = clock
        self._record: deque[tuple[float, Frame]] = deque(maxlen=keep)
        self._listeners: tuple[Listener, ...] = ()

    @property
    def frames(self) -> Sequence[tuple[float, Frame]]:
        return tuple(self._record)

    @property
    def last(self) -> Frame | None:
        record = self.frames
        return record[-1][1] if record else None

    def listen(self, listener: Listener) -> None:
        self._listeners = (*self._listeners, listener)

    def _send(self, frame: Frame) -> None:
        shown = self._clock(), tuple(pixels.copy() for pixels in frame)
        self._record.append(shown)
        for listener in self._listeners:
            listener(*shown)
