"""Decoder of a data line, with the tolerances of real LEDs."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tests.support.simavr_harness import HERTZ

LONGEST_ZERO: Final = 500
"""Nanoseconds: a 0 is high for less."""

SHORTEST_ONE: Final = 650
"""Nanoseconds: a 1 is high for more."""

LONGEST_LOW: Final = 5_000
"""Nanoseconds: within a frame the line is low for less."""

LATCH: Final = 280_000
"""Nanoseconds: between frames it is low for more."""

_NANOSECONDS: Final = 10**9 / HERTZ


class UnreadableError(Exception):
    """A signal that LEDs may not be able to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A frame on the line: its bytes, and the seconds of its beginning and its end."""

    data: bytes
    began: float
    ended: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulses:
    """Times of the line in nanoseconds: each rise, its high time, and the low time after it."""

    rises: NDArray[np.float64]
    high: NDArray[np.float64]
    low: NDArray[np.float64]

    @property
    def falls(self) -> NDArray[np.float64]:
        """The times at which it fell."""
        return self.rises + self.high


def pulses(edges: NDArray[np.uint64]) -> Pulses:
    """Read edges of a line that is low before and after; the last low has no end.

    Raises:
        UnreadableError: the line is high before or after.
    """
    times = (edges >> 1).astype(np.float64) * _NANOSECONDS
    alternating = np.arange(1, len(edges) + 1, dtype=np.uint64) & 1
    if len(edges) % 2 or (edges & 1 != alternating).any():
        raise UnreadableError("the line is not low before and after")
    rises, falls = times[::2], times[1::2]
    return Pulses(rises=rises, high=falls - rises, low=np.append(rises[1:], np.inf) - falls)


def decode(edges: NDArray[np.uint64], *, is_cut: bool = False) -> list[Shown]:
    """Return the frames in the edges; with `is_cut`, only whole bytes of the last frame.

    Raises:
        UnreadableError: there is something on the line outside the tolerances.
    """
    line = pulses(edges[: len(edges) // 2 * 2] if is_cut else edges)
    if not len(line.high):
        return []
    if ((line.high >= LONGEST_ZERO) & (line.high <= SHORTEST_ONE)).any():
        raise UnreadableError("a bit is neither 0 nor 1")
    if ((line.low >= LONGEST_LOW) & (line.low <= LATCH)).any():
        raise UnreadableError("the line is low for too long for a bit and too short for a latch")
    ends = np.flatnonzero(line.low > LATCH) + 1
    if is_cut:
        ends[-1] -= (ends[-1] - (ends[-2] if len(ends) > 1 else 0)) % 8
    starts = np.concatenate(([0], ends[:-1]))
    return [
        _frame(line, int(start), int(end))
        for start, end in zip(starts, ends, strict=True)
        if start < end
    ]


def _frame(line: Pulses, start: int, end: int) -> Shown:
    if (end - start) % 8:
        raise UnreadableError(f"{end - start} bits are no whole bytes")
    bits = line.high[start:end] > SHORTEST_ONE
    return Shown(
        data=np.packbits(bits).tobytes(),
        began=float(line.rises[start]) / 1e9,
        ended=float(line.falls[end - 1]) / 1e9,
    )
