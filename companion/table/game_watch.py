"""Watch over a table's game for a game of cards: changes by others, and entries of people."""

import asyncio

from companion.rules.game import State
from companion.table.table import Table


class GameWatch:
    """Watch over the game of a table.

    `known` is the state that the game of cards goes by.
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
        """End what waits: something was entered, or has changed."""
        self._woken.set()

    async def wait(self) -> None:
        """Wait until something is entered, or changes."""
        self._woken.clear()
        await self._woken.wait()
