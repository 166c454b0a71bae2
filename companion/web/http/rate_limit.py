"""How fast somebody may ask for things: so many at once, then so many a second. No clock."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

MOST_CALLERS: Final = 1024
"""Callers that are told apart; who has been quiet longest is forgotten."""


class Pace:
    """Remembers, for each caller, how much it has left and when that was.

    `rate` a second on the average, `burst` at once.
    """

    def __init__(self, *, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, now: float) -> float:
        """Seconds that a caller must wait; 0.0 lets it.

        >>> pace = Pace(rate=10, burst=2)
        >>> [pace.take("192.168.1.7", 0.0) for _ in range(3)]
        [0.0, 0.0, 0.1]
        """
        left, since = self._left.pop(caller, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        wait = max(0.0, (1 - left) / self._rate)
        self._left[caller] = (left if wait else left - 1, now)
        if len(self._left) > MOST_CALLERS:
            self._left.popitem(last=False)
        return wait
