"""Demo: computers play game after game at a table of their own, without files.

The demo only shows its views on the lights of the real table; the game there does not change. After
a game the lights show the win for 8 s, then the pegs after each hand for 0.8 s (the path of the
game), then a light show of 20 s. Half of the games begin with all pegs shortly before a zone, so
that a guest soon sees what a zone does.
"""

import asyncio
import logging
import random
from collections import deque
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from itertools import pairwise
from typing import Final

from companion.commentary import CommentaryLine, Commentator
from companion.journal.resume import Accepted
from companion.journal.setup import GameRequest
from companion.journal.writer import Journal
from companion.lights import View, plan
from companion.players import Player
from companion.rules.game import Deal, Entry, SetPegs, State
from companion.table.cards.card_commands import Sleep, Think
from companion.table.cards.card_game import DealtGame
from companion.table.panel.modes import Idle
from companion.table.panel.panel import Panel
from companion.table.table import Table
from hardware.debounce import Debouncer

LINE_LIMIT: Final = 12  # lines of commentary that are kept
WIN_PAUSE_S: Final = 8.0  # seconds in which a win is shown

PATH_STEP_S: Final = 0.8
"""Seconds for each hand when the path of the last game is shown."""

LIGHT_SHOW_S: Final = 20.0  # seconds of the light show before the next game
NEAR_ZONE_SHARE: Final = 0.5  # share of the games that begin with all pegs shortly before a zone

NEAR_HOLES: Final = (2, 7)
"""Fewest and most holes from a front peg to the zone, and from a back peg to its front peg."""

_log = logging.getLogger(__name__)


class Stage(StrEnum):
    """Part of the demo that is shown: a game, the path of that game, or the light show."""

    PLAY = "play"
    PATH = "path"
    SHOW = "show"


class _Onlooker:
    """Stand-in for the lights of the demo's table: `show` is a function that gets each view."""

    brightness = 1.0

    def __init__(self, shown: Callable[[View], None]) -> None:
        self.show = shown


class Demo:
    """Games of computers against each other, shown on the lights of a real table.

    Args:
        request: the board, the sides and the rules of every game.
        players: the player of each seat, from 1 on.
        show: called with each view.
        narrate: called with each line of commentary; `lines` has the last lines.
        changed: called after each change.
        sleep: waits for pauses, which a fast demo may shorten.
        wait: waits for pauses that must stay long, so that lights do not flash; default `sleep`.

    `names` has the names of the players by seat. `table` has the running or last game; it is None
    before the first game.
    """

    def __init__(
        self,
        request: GameRequest,
        players: Mapping[int, Player],
        commentator: Commentator,
        *,
        show: Callable[[View], None],
        narrate: Callable[[CommentaryLine], None],
        changed: Callable[[], None],
        rng: random.Random,
        think: Think,
        clock: Callable[[], float],
        calm: bool = False,
        speed: float = 1.0,
        sleep: Sleep = asyncio.sleep,
        wait: Sleep | None = None,
    ) -> None:
        self._request, self._players, self._commentator = request, players, commentator
        self._show, self._on_line, self._changed = show, narrate, changed
        self._rng, self._think = rng, think
        self._calm, self._speed = calm, speed
        self._clock, self._sleep, self._wait = clock, sleep, wait or sleep
        self.names = {seat: commentator.board.player(seat) for seat in players}
        self._path: list[State] = []
        self.table: Table | None = None
        self.game: DealtGame | None = None
        self.stage = Stage.PLAY
        self.lines: deque[CommentaryLine] = deque(maxlen=LINE_LIMIT)

    @property
    def accepted(self) -> Accepted | None:
        """The newest command of the game, or None."""
        accepted = self.table.queue.accepted if self.table else ()
        return accepted[-1] if accepted else None

    async def run(self, games: int | None = None) -> None:
        """Play `games` games, or until cancelled; between two games show path and light show."""
        played = 0
        while games is None or played < games:
            if played:
                await self._between()
            await self._play()
            played += 1

    async def _place_near_zone(self, table: Table) -> None:
        track = table.state.setup.track
        boxes = [zone.box[0] for zone in track.zones]
        reached = [box for box in boxes if 2 * NEAR_HOLES[1] < box < track.finish]
        if not reached or self._rng.random() >= NEAR_ZONE_SHARE:
            return
        box = self._rng.choice(reached)
        for side in table.state.setup.sides:
            front = box - self._rng.randint(*NEAR_HOLES)
            back = front - self._rng.randint(*NEAR_HOLES)
            entry = await table.execute(SetPegs(side=side, front=front, back=back))
            say = partial(Commentator.entry, entry=entry)
            self._tell(CommentaryLine(say(self._commentator), say))

    async def _play(self) -> None:
        self.stage = Stage.PLAY
        journal = Journal(None, now=self._clock)  # the times of its rows are never read
        history, seq = journal.begin(self._request)
        start = history.state
        self._path = [start, start]  # `_note` replaces the second state during the first hand
        table = self.table = Table(
            history,
            Panel(start, actions={}, lanes=start.setup.track.lanes, idle=Idle()),
            journal,
            _Onlooker(self._show),
            seq=seq,
            debouncer=Debouncer(),
            calm=self._calm,
            speed=self._speed,
            clock=self._clock,
        )
        table.changed.subscribe(self._changed)
        table.queue.acknowledged.subscribe(self._note)
        self.game = DealtGame(
            table,
            self._players,
            self._commentator,
            rng=self._rng,
            narrate=self._tell,
            changed=self._changed,
            think=self._think,
            sleep=self._sleep,
        )
        table.start()
        try:
            await self._place_near_zone(table)
            await self.game.run()
            await self._sleep(WIN_PAUSE_S)
        finally:
            table.presses.stop()
            journal.close()

    def _note(self, _before: State, accepted: Accepted) -> None:
        """Keep the path of the game: its state at the end of each hand."""
        state = accepted.entry.state
        if state.hand == self._path[-1].hand:
            self._path.pop()
        self._path.append(state)

    def _tell(self, line: CommentaryLine) -> None:
        self.lines.append(line)
        self._on_line(line)

    async def _between(self) -> None:
        """Move the pegs to the start and along the path of the game; then run the light show."""
        self.stage = Stage.PATH
        self._changed()
        still = self._path[-1]
        for before, after in pairwise((still, *self._path)):
            moved = Entry(command=Deal(), events=(), state=after)
            motion = plan(before, moved, self._clock(), calm=self._calm, speed=self._speed)
            self._show(View(state=after, ahead=after, motion=motion))
            await self._wait(PATH_STEP_S)
        self.stage = Stage.SHOW
        self._changed()
        self._show(View(state=still, ahead=still, attract=True))
        await self._sleep(LIGHT_SHOW_S)
