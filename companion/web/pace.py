"""How fast somebody may change things: so many at once, then so many a second. No clock."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

RATE: Final = 10.0
"""Changes a second (D.4), on the average."""
BURST: Final = 20.0
"""Changes that may come at once."""
MOST_CALLERS: Final = 1024
"""Callers that are told apart; who has been quiet longest is forgotten."""


class Pace:
    """Remembers, for each caller, how many changes it has left and when that was."""

    def __init__(self, *, rate: float = RATE, burst: float = BURST) -> None:
        self._rate, self._burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, now: float) -> float:
        """Seconds that a caller must wait before this change; 0.0 takes it.

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
