"""The pace of a table at which players choose: its pauses, and how their choices are awaited."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeAlias, TypeVar

Sleep: TypeAlias = Callable[[float], Awaitable[None]]
_Chosen = TypeVar("_Chosen")


class Think(Protocol):
    """Calls of a choice that takes time, each awaited without holding up the event loop."""

    async def __call__(self, choose: Callable[[], _Chosen], /) -> _Chosen:
        """Return what `choose` returns."""


DEAL_PAUSE_S: Final = 2.5
"""Seconds before a hand is dealt."""

CARD_PAUSE_S: Final = 1.2
"""Seconds after each card played and each line, so that people can follow."""


def at_speed(speed: float, sleep: Sleep = asyncio.sleep) -> Sleep:
    """Return a sleep for tables that play `speed` times as fast."""
    return lambda seconds: sleep(seconds / speed)
