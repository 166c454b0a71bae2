"""The pace of a table at which players choose: its pauses, and how their choices are awaited."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from companion.players.match.steps import Answer

Sleep: TypeAlias = Callable[[float], Awaitable[None]]
Think: TypeAlias = Callable[[Callable[[], Answer]], Awaitable[Answer]]

DEAL_PAUSE_S: Final = 2.5
"""Seconds before a hand is dealt."""

CARD_PAUSE_S: Final = 1.2
"""Seconds after each card played and each line, so that people can follow."""


def at_speed(speed: float, sleep: Sleep = asyncio.sleep) -> Sleep:
    """Return a sleep for tables that play `speed` times as fast."""
    return lambda seconds: sleep(seconds / speed)
