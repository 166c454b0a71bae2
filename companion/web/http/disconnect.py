"""Disconnects of callers that wait for an answer, and tasks that end with the wait."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from starlette.types import Receive


async def has_left(receive: Receive) -> None:
    """Wait until the caller of a request, whose body has been read, is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def running(*waits: Coroutine[Any, Any, object]) -> AsyncIterator[list[asyncio.Task[object]]]:
    """Run coroutines as tasks until the block ends; those that still run are cancelled then."""
    tasks = [asyncio.create_task(each) for each in waits]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
