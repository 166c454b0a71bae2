"""The time for which tests wait: a bound for a busy machine, not a measure."""

import asyncio
from collections.abc import Callable
from typing import Final

TIMEOUT_S: Final = 60
"""Seconds after which it will not come."""


async def until(true: Callable[[], object], changed: asyncio.Event) -> None:
    """Wait until a condition is true; it is checked whenever an event is set."""
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            changed.clear()
            if true():
                return
            await changed.wait()
