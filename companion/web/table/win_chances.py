"""Win chances (win probabilities) of a running game, computed in a separate thread."""

import asyncio
from collections.abc import Callable
from functools import partial

from companion.players.values.win_chance import win_chances
from companion.rules.game import State
from companion.worker import Worker


class WinChances:
    """Win chances of the latest state; for use in the event loop.

    The first computation for a board takes seconds on a Raspberry Pi, since it also makes
    look-up tables of win probabilities. `changed` is called after each computation.
    """

    def __init__(self, changed: Callable[[], None], worker: Worker) -> None:
        self._changed, self._worker = changed, worker
        self._wanted: tuple[State, object] | None = None
        self._known: tuple[State, object] | None = None
        self._chances: dict[int, float] = {}
        self._task: asyncio.Task[None] | None = None

    def of(self, state: State, demo: object = None) -> dict[int, float] | None:
        """Return the chances by side, or None if no chances of this game are computed yet.

        While the chances of `state` are being computed, older chances of its game are returned.
        `demo` is the running demo, in which computers play; None if the table shows its own game.
        """
        self._wanted = (state, demo)
        if not self._is_known() and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._compute())
        if self._known is None:
            return None
        before, its_demo = self._known
        if before is not state and not (its_demo is demo and _may_stand_for(before, state)):
            return None
        return self._chances

    def _is_known(self) -> bool:
        return bool(self._known and self._wanted and self._known[0] is self._wanted[0])

    async def _compute(self) -> None:
        while self._wanted is not None and not self._is_known():
            state, demo = self._wanted
            self._chances = await self._worker.do(partial(win_chances, state))
            self._known = (state, demo)
            self._changed()


def _may_stand_for(before: State, state: State) -> bool:
    """Return True if both states are of the same game, and nobody has won it."""
    fewer, more = sorted((before.counts, state.counts))
    is_begun_anew = fewer == 0 and more > 1
    return (
        before.setup is state.setup and before.winner is state.winner is None and not is_begun_anew
    )
