"""Rate limits: a burst at once, then a rate a second. No clock."""

from collections import OrderedDict
from typing import Final

CALLER_LIMIT: Final = 1024
"""Callers that are told apart; the one idle longest is forgotten."""


class RateLimiter:
    """Limit for each caller, which is remembered with the time of its last request.

    `rate` a second on the average, `burst` at once.
    """

    def __init__(self, *, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, now: float) -> float:
        """Take one request. Return the seconds that the caller must wait, 0.0 if none.

        >>> pace = RateLimiter(rate=10, burst=2)
        >>> [pace.take("192.168.1.7", 0.0) for _ in range(3)]
        [0.0, 0.0, 0.1]
        """
        left, since = self._left.pop(caller, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        wait = max(0.0, (1 - left) / self._rate)
        self._left[caller] = (left if wait else left - 1, now)
        if len(self._left) > CALLER_LIMIT:
            self._left.popitem(last=False)
        return wait
