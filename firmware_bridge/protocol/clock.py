"""The board's clock told in host seconds, from when its messages arrive. No clock of its own.

A message is never read before it was sent: the smallest difference between arrival and the clock
in it is the best one known. The board's clock may drift, so that the difference is allowed to grow
slowly; and a message is never taken to have been on its way for longer than `MOST_DELAY`.
"""

from __future__ import annotations

from math import inf
from typing import Final

DRIFT: Final = 0.01
"""Seconds that a board's clock may go wrong in one: a ceramic resonator has half of that."""

MOST_DELAY: Final = 0.25
"""Seconds that a message may be late before the clock is thought to be slow instead."""

_WRAP: Final = 1 << 32
_SECOND: Final = 1e-3


class BoardClock:
    """Stamps in, host times out.

    >>> clock = BoardClock()
    >>> clock.hear(5_000, now=100.0)
    >>> clock.hear(5_500, now=100.75)  # a quarter of a second late
    >>> f"{clock.time_of(5_500):.1f}"
    '100.5'
    """

    def __init__(self) -> None:
        self._ticks = 0
        self._heard_at = -inf
        self._ahead = inf

    def hear(self, stamp: int, *, now: float) -> None:
        """Take the clock of a message that has been read at `now`."""
        self._ticks = self._unwrapped(stamp)
        ahead = now - self._ticks * _SECOND
        drifted = self._ahead + DRIFT * (now - self._heard_at)
        self._ahead = max(min(ahead, drifted), ahead - MOST_DELAY)
        self._heard_at = now

    def time_of(self, stamp: int) -> float:
        """The host's time at a stamp, which lies within 24 days of the latest one heard."""
        return self._unwrapped(stamp) * _SECOND + self._ahead

    def _unwrapped(self, stamp: int) -> int:
        since = (stamp - self._ticks) % _WRAP
        return self._ticks + (since if since < _WRAP // 2 else since - _WRAP)
