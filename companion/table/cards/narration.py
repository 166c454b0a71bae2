"""Narration of a card game at a table: a line of commentary for each event, and pauses."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol, TypeAlias, TypeVar

from companion.commentary import CommentaryLine, Commentator
from companion.players.steps import Announce, Apply
from companion.rules.cards import Card, Part
from companion.rules.deal import Count, Played
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.game import Entry

Sleep: TypeAlias = Callable[[float], Awaitable[None]]
_Chosen = TypeVar("_Chosen")


class Think(Protocol):
    """Function that makes a slow choice without blocking the event loop."""

    async def __call__(self, choose: Callable[[], _Chosen], /) -> _Chosen:
        """Return what `choose` returns."""


DEAL_PAUSE_S: Final = 2.5  # seconds before a hand is dealt
CARD_PAUSE_S: Final = 1.2  # seconds after each card played and each line, so that people can follow


def at_speed(speed: float, sleep: Sleep = asyncio.sleep) -> Sleep:
    """Return a function that sleeps for the given seconds divided by `speed`."""
    return lambda seconds: sleep(seconds / speed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Narration:
    """Lines of commentary of one game; `narrate` is called with each."""

    commentator: Commentator
    narrate: Callable[[CommentaryLine], None]
    sleep: Sleep

    def _say(self, tell: Callable[[Commentator], str]) -> CommentaryLine:
        """Return the line that `tell` makes; narrate it if it has text."""
        line = CommentaryLine(tell(self.commentator), tell)
        if line.text:
            self.narrate(line)
        return line

    async def cards(self, step: Announce) -> None:
        for event in step.public_events:
            said = self._say(partial(Commentator.cards, event=event))
            if said.text or isinstance(event, Played):
                await self.sleep(CARD_PAUSE_S)

    def cut(self, cuts: Mapping[int, Card]) -> CommentaryLine:
        return self._say(partial(Commentator.cut, cuts=cuts))

    async def zero_count(self, count: DeclaredCount) -> None:
        zero = Count(seat=count.seat, points=0, why=count.why)
        self._say(partial(Commentator.count, count=zero))
        await self.sleep(CARD_PAUSE_S)

    def worth(self, count: DeclaredCount, parts: Sequence[Part]) -> None:
        self._say(partial(Commentator.worth, count=count, parts=parts))

    def entry(self, entry: Entry, step: Apply | None = None) -> None:
        """Narrate an entry of the game; if `step` counts cards, name these cards."""

        def tell(words: Commentator) -> str:
            line = step and step.count and words.count(step.count, step.cause, entry.events)
            return line or words.entry(entry)

        self._say(tell)
