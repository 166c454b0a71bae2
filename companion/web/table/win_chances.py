"""Win chances of a running game for the stream, computed beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from companion.players.values.win_chance import win_chances
from companion.rules.game import State
from companion.worker import Worker


class WinChances:
    """Win chances of the last state asked for; for use in the event loop.

    The first ones of a board take seconds on a small machine: its tables are computed then.

    Args:
        changed: called when the chances of a state have come.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._worker = Worker("win-chances")
        self._wanted: State | None = None
        self._known: State | None = None
        self._chances: dict[int, float] = {}
        self._task: asyncio.Task[None] | None = None

    def of(self, state: State) -> dict[str, float] | None:
        """Return the chances by team; those of the state before until they come, or None."""
        self._wanted = state
        if state is not self._known and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._compute())
        if self._known is None or self._known.setup is not state.setup:
            return None
        return {str(team): chance for team, chance in self._chances.items()}

    async def _compute(self) -> None:
        while self._wanted is not None and self._known is not self._wanted:
            state = self._wanted
            self._chances = await self._worker.do(partial(win_chances, state))
            self._known = state
            self._changed()
