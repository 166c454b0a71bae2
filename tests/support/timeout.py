"""The time that a test waits for what comes: a bound for a busy machine, never a measure."""

import asyncio
from collections.abc import Callable
from typing import Final

TIMEOUT_S: Final = 60
"""Seconds after which it will not come."""


async def until(true: Callable[[], object], changed: asyncio.Event) -> None:
    """Wait until something is true, looking whenever an event is set."""
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            changed.clear()
            if true():
                return
            await changed.wait()
