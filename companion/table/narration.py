"""Narration of a game of cards at a table: each event in words, with time to follow it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from companion.commentary import CommentaryLine, Commentator
from companion.players.match.steps import Announce, Apply
from companion.rules.cards import Card
from companion.rules.deal import Count, Played
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.game import Entry
from companion.table.pace import CARD_PAUSE_S, Sleep


@dataclass(frozen=True, slots=True, kw_only=True)
class Narration:
    """Lines of commentary of one game; `narrate` is called with each."""

    commentator: Commentator
    narrate: Callable[[str], None]
    sleep: Sleep

    def _say(self, tell: Callable[[Commentator], str]) -> CommentaryLine:
        """Narrate a line unless it is empty. Return it."""
        line = CommentaryLine(tell, self.commentator)
        if line:
            self.narrate(line)
        return line

    async def cards(self, step: Announce) -> None:
        for event in step.public_events:
            said = self._say(partial(Commentator.cards, event=event))
            if said or isinstance(event, Played):
                await self.sleep(CARD_PAUSE_S)

    def cut(self, cuts: Mapping[int, Card]) -> str:
        return self._say(partial(Commentator.cut, cuts=cuts))

    async def zero_count(self, count: DeclaredCount) -> None:
        zero = Count(seat=count.seat, points=0, why=count.why)
        self._say(partial(Commentator.count, count=zero))
        await self.sleep(CARD_PAUSE_S)

    def entry(self, entry: Entry, step: Apply | None = None) -> None:
        """Narrate an entry of the game, as a count of cards if a step made it one."""

        def tell(words: Commentator) -> str:
            line = step and step.count and words.count(step.count, step.cause, entry.events)
            return line or words.entry(entry)

        self._say(tell)
