"""The thread in which players choose, and the pace of their table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias, TypeVar

from companion.players.match.steps import Answer

_Chosen = TypeVar("_Chosen")
Sleep: TypeAlias = Callable[[float], Awaitable[None]]
Think: TypeAlias = Callable[[Callable[[], Answer]], Awaitable[Answer]]


def at_speed(speed: float, sleep: Sleep = asyncio.sleep) -> Sleep:
    """Return a sleep for tables that play `speed` times as fast."""
    return lambda seconds: sleep(seconds / speed)


class PlayerThread:
    """A thread in which players choose, while the table goes on.

    It has ended, once closed, when the thought under way is done; nobody waits for that.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "player")

    async def think(self, choose: Callable[[], _Chosen]) -> _Chosen:
        """Return the choice, made in the thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, choose)

    def close(self) -> None:
        """Take no more thoughts."""
        self._thread.shutdown(wait=False, cancel_futures=True)
