"""Dither: a strip alternates two neighbouring byte values to show a brightness between them.

Dither of n bits repeats a cycle of 2**n frames, and counts light in steps of 1 / 2**n of a byte.
With 2 bits, 9 steps are 9/4 of a byte: byte 3 in one frame of four, byte 2 in the other three.

If all colours rose to the higher byte in the same frame, the current would jump. So the colours
take turns. Each frame has a rank (`_order`). The first colour of the first LED gets the higher byte
from rank 0 on, in as many frames as it needs. The next colour continues with the next rank; rank 0
follows the last rank. The totals of any two frames differ by at most 1:

>>> nine_quarters = np.full((1, 3), 9, np.uint16)
>>> [dithered(nine_quarters, bits=2, turn=turn)[0].tolist() for turn in range(4)]
[[3, 2, 2], [2, 2, 3], [2, 3, 2], [2, 2, 2]]

Light between two steps is shown by neighbouring LEDs: of those with equal light, some round up and
the others down, so that their average is right (`thresholds`). `DitherPace` chooses as many bits as
the real frame rate of a strip allows.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.strips.protocol import Frame
from hardware.strips.scale import Pixels

MAX_BITS: Final = 3  # the longest cycle has 8 frames

_FINEST_BITS: Final = 5
"""Frames and neighbours together let many LEDs of equal light show steps of 2**-5 byte."""

SLOWEST_CYCLE_HZ: Final = 50  # the eye does not see a cycle of this rate or faster


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameCycle:
    """Frames to repeat in turn; their mean is the light to show.

    `parts` has an array for each power supply: pixels if `bits` is 0, else steps of 1 / 2**bits of
    a byte. `channels` has, for each of these arrays, the slices of its channels.
    """

    parts: Sequence[Pixels]
    channels: Sequence[Sequence[slice]]
    bits: int = 0
    _made: dict[int, Frame] = field(default_factory=dict)

    @property
    def moves(self) -> bool:
        mask = (1 << self.bits) - 1
        return self.bits > 0 and any((steps & mask).any() for steps in self.parts)

    def frame(self, turn: int) -> Frame:
        """Return frame number `turn` modulo the length of the cycle."""
        if not self.bits:
            return self.still()
        turn %= 1 << self.bits
        if turn not in self._made:
            parts = [dithered(steps, self.bits, turn) for steps in self.parts]
            self._made[turn] = self._cut(parts)
        return self._made[turn]

    def still(self) -> Frame:
        if not self.bits:
            return self._cut(self.parts)
        half = 1 << (self.bits - 1)
        return self._cut([((steps + half) >> self.bits).astype(np.uint8) for steps in self.parts])

    def _cut(self, parts: Sequence[Pixels]) -> Frame:
        cut = zip(parts, self.channels, strict=True)
        return tuple(pixels[channel] for pixels, channels in cut for channel in channels)


def bits_at(frames_per_second: float) -> int:
    """Return the bits of dither that a frame rate allows, at most `MAX_BITS`.

    >>> [bits_at(rate) for rate in (99, 100, 199, 200, 400, 5000)]
    [0, 1, 1, 2, 3, 3]
    """
    if frames_per_second < SLOWEST_CYCLE_HZ:
        return 0
    return min(math.floor(math.log2(frames_per_second / SLOWEST_CYCLE_HZ)), MAX_BITS)


def dithered(steps: NDArray[np.uint16], bits: int, turn: int) -> NDArray[np.uint8]:
    """Return frame `turn`, as bytes, of the cycle that shows steps of 1 / 2**bits of a byte."""
    length = 1 << bits
    parts = (steps & (length - 1)).ravel()
    ends = np.cumsum(parts, dtype=np.uint16)  # it wraps at 2**16, a multiple of 2**bits
    since_start = (_order(bits)[turn % length] - (ends - parts)) & np.uint16(length - 1)
    raised = (since_start < parts).reshape(steps.shape)
    whole: NDArray[np.uint8] = (steps >> bits).astype(np.uint8)
    whole += raised
    return whole


def thresholds(light: NDArray[np.float32], bits: int) -> NDArray[np.float32]:
    """Return the threshold of each LED, from 0 to 1, shape (LEDs, 1).

    An LED rounds a part of a step up if the part is at least its threshold.

    The thresholds of neighbouring LEDs with equal light are spread evenly, so that their average
    shows light between two steps. An LED without an equal neighbour rounds to the nearest step.

    >>> thresholds(np.repeat([[0.1] * 3, [0.2] * 3], [4, 1], axis=0), bits=2).ravel().tolist()
    [0.125, 0.625, 0.375, 0.875, 0.5]
    """
    same = np.logical_and.reduce(light[1:] == light[:-1], axis=1)
    starts = np.concatenate([[0], np.flatnonzero(~same) + 1])
    lengths = np.diff(starts, append=len(light))
    table = _spread(bits)
    rows = np.minimum(np.log2(lengths).astype(np.intp), len(table) - 1)
    place = np.arange(len(light)) - np.repeat(starts, lengths)
    return table[np.repeat(rows, lengths), place % table.shape[1], None]


@cache
def _order(bits: int) -> NDArray[np.uint16]:
    """Return 0 to 2**bits - 1, each with its bits reversed: [0, 2, 1, 3] for two bits."""
    places = [int(f"{frame:0{bits}b}"[::-1], 2) for frame in range(1 << bits)]
    return np.array(places, np.uint16)


@cache
def _spread(bits: int) -> NDArray[np.float32]:
    """Return thresholds along runs of LEDs with equal light; row n is for 2**n LEDs or more."""
    most = _FINEST_BITS - bits
    rows = [
        np.tile((_order(n) + 0.5) / (1 << n), 1 << (most - n)).astype(np.float32)
        for n in range(most + 1)
    ]
    return np.array(rows)


RETRY_S: Final = 60.0
"""Seconds until a strip that was too slow for its highest number of bits tries it again."""

_MEASURED_FRAMES: Final = 100
_MARGIN: Final = 1.1  # factor on SLOWEST_CYCLE_HZ, so that small delays do no harm


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
