"""Commands of a game of cards, carried out at a table: a count is shown before it is pegged."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from companion.lights import ghost
from companion.rules.game import Command, Entry, Peg, State
from companion.table.narration import Sleep
from companion.table.table import Table


class GameWatch:
    """Watch over the game of a table.

    `known` is the state for which the last step of the cards was made.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._woken = asyncio.Event()
        self.known: State = table.state

    @property
    def is_changed(self) -> bool:
        """True if the game has changed since its state was noted."""
        return self._table.state is not self.known

    def note_state(self) -> bool:
        changed, self.known = self.is_changed, self._table.state
        return changed

    def wake(self) -> None:
        """End `wait`, as something was entered or has changed."""
        self._woken.set()

    async def wait(self) -> None:
        """Wait until something is entered, or changes."""
        self._woken.clear()
        await self._woken.wait()


GHOST_PAUSE_S: Final = 1.2  # seconds from where a count would land to the walk there
ZONE_PAUSE_S: Final = 3.0  # such seconds before a count that ends in a zone
READING_PAUSE_S: Final = 0.8  # seconds after the pegs have come to rest


@dataclass(frozen=True, slots=True, kw_only=True)
class Pegging:
    """Pegs of a game of cards; `content` returns the cards as the journal stores them."""

    table: Table
    watch: GameWatch
    content: Callable[[], bytes | None]
    sleep: Sleep

    async def execute(self, command: Command) -> Entry:
        return await self.table.execute(command, cards=self.content())

    async def show_and_peg(self, count: Peg) -> Entry | None:
        """Show the landing of a count, then peg it; None if a change has made it impossible."""
        while self._may_count(count.side):
            before = self.table.state
            with self._announced(count):
                fate = ghost(before, count.side, count.points)
                await self.sleep(ZONE_PAUSE_S if fate and fate.kind else GHOST_PAUSE_S)
                if self.table.state is before:
                    return await self.execute(count)
        return None

    async def rest(self) -> None:
        """Wait until the pegs are at rest, and people have read the line."""
        still = self.table.news.view.motion.end - self.table.clock()
        await self.sleep(max(0.0, still) + READING_PAUSE_S)

    def _may_count(self, side: int) -> bool:
        """Return True if a side still counts in the hand that the cards are dealt for."""
        state, known = self.table.state, self.watch.known
        same = (state.setup, state.hand, state.dealer) == (known.setup, known.hand, known.dealer)
        out = not same or state.winner is not None
        return not (out or state.pegs(side).folded or state.pegs(side).boxed)

    @contextmanager
    def _announced(self, count: Peg) -> Iterator[None]:
        self.table.announce(count)
        try:
            yield
        finally:
            self.table.announce(None)
