"""Limits of a run: the time for which tests wait, and the number of examples of a search.

The time is long enough for a busy machine, and measures nothing. A search has few examples, but
many in the profile `deep`.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from hypothesis import HealthCheck, settings

TIMEOUT_S: Final = 60
"""Seconds after which a wait fails."""


async def until(true: Callable[[], object], changed: asyncio.Event) -> None:
    """Wait until a condition is true; it is checked whenever an event is set."""
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            changed.clear()
            if true():
                return
            await changed.wait()


TIMELESS: Final = (HealthCheck.too_slow,)
"""The checks that would fail a search for how busy the machine is."""
SHARED_FIXTURES: Final = (*TIMELESS, HealthCheck.function_scoped_fixture)
"""These, and that for fixtures of a test that all its examples may share."""


def share(of_usual: float) -> int:
    """Return that share of the examples which the run gives a search."""
    return max(1, round(settings().max_examples * of_usual))
