"""Conversion of the board's clock to host time, from the arrival times of its messages.

A message cannot arrive before it is sent, so the smallest difference between arrival time and time
stamp is the best estimate. It may grow slowly, because the clocks drift; and no message is assumed
to take longer than `MAX_DELAY_S`.
"""

from math import inf
from typing import Final

MAX_DRIFT: Final = 0.01
"""Largest relative error of a board's clock; ceramic resonators have half of it."""

MAX_DELAY_S: Final = 0.25
"""A delay that seems longer is an error of the estimate."""

_WRAP: Final = 1 << 32
_TICK_S: Final = 1e-3


class BoardClock:
    """Estimator of host times from the board's time stamps.

    >>> clock = BoardClock()
    >>> clock.synchronise(5_000, now=100.0)
    >>> clock.synchronise(5_500, now=100.75)  # a quarter of a second late
    >>> f"{clock.time_of(5_500):.1f}"
    '100.5'
    """

    def __init__(self) -> None:
        self._ticks = 0
        self._received_at = -inf
        self._ahead = inf

    def synchronise(self, stamp: int, *, now: float) -> None:
        """Update the estimate from the time stamp of a message received at `now`."""
        self._ticks = self._unwrapped(stamp)
        ahead = now - self._ticks * _TICK_S
        drifted = self._ahead + MAX_DRIFT * (now - self._received_at)
        self._ahead = max(min(ahead, drifted), ahead - MAX_DELAY_S)
        self._received_at = now

    def time_of(self, stamp: int) -> float:
        """Return the host time of a stamp within 24 days of the latest message."""
        return self._unwrapped(stamp) * _TICK_S + self._ahead

    def _unwrapped(self, stamp: int) -> int:
        since = (stamp - self._ticks) % _WRAP
        return self._ticks + (since if since < _WRAP // 2 else since - _WRAP)
