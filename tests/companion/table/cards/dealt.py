"""A table with cards for tests: a sleep takes no time and moves the clock on."""

import asyncio
import random
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from companion.board import board_source
from companion.commentary import Commentator
from companion.journal.setup import GameRequest
from companion.journal.writer import Journal
from companion.players import Player
from companion.rules.game import Entry, History, Setup, State, new_game
from companion.table import Panel, Table
from companion.table.cards.card_game import DealtGame
from companion.table.panel.modes import Idle
from hardware.debounce import Debouncer
from tests.support.card_games import NAMES, KeptViews, VirtualTime, setup_for, think_at_once
from tests.support.limits import TIMEOUT_S


class CardTable:
    """A running table with a dealt game; to be made in an event loop.

    `lines` has the narrated lines; `on_change` is called when the cards have changed or a seat is
    asked. Seats for which `players` has None are people.
    """

    def __init__(
        self,
        players: Mapping[int, Player | None],
        *,
        setup: Setup | None = None,
        start: State | None = None,
        seed: int = 1,
        time: VirtualTime | None = None,
    ) -> None:
        setup = setup or setup_for(len(players))
        self.time = time or VirtualTime()
        self.lights = KeptViews(self.time)
        self.history = History(start or new_game(setup))
        self.journal = Journal(None, now=self.time.clock)
        self.journal.begin(GameRequest(board_file=board_source("crib-wars"), setup=setup))
        self.entries: list[Entry] = []
        self.lines: list[str] = []
        self.on_change: Callable[[], None] = lambda: None
        panel = Panel(self.history.state, actions={}, lanes=3, idle=Idle())
        self.table = Table(
            self.history,
            panel,
            self.journal,
            self.lights,
            seq=0,
            debouncer=Debouncer(),
            calm=False,
            clock=self.time.clock,
        )
        self.table.changed.subscribe(self._note)
        self.game = DealtGame(
            self.table,
            players,
            Commentator.make("en", NAMES, setup),
            rng=random.Random(seed),
            narrate=lambda line: self.lines.append(line.text),
            changed=self._change,
            think=think_at_once,
            sleep=self.time.sleep,
        )

    def _note(self) -> None:
        reported = {id(entry) for entry in self.entries}
        new = (each.entry for each in self.table.queue.accepted)
        self.entries += [entry for entry in new if id(entry) not in reported]

    def _change(self) -> None:
        self.on_change()

    async def play(self) -> None:
        """Play the game to its end."""
        self.table.start()
        try:
            async with asyncio.timeout(40):
                await self.game.run()
        finally:
            self.close()

    def close(self) -> None:
        """Leave the table."""
        self.table.presses.stop()
        self.journal.close()


Scene = Callable[[CardTable], Coroutine[Any, Any, None]]


def at_cards(make: Callable[[], CardTable], scene: Scene) -> CardTable:
    """Run a scene at a table with cards in an event loop; it must leave no task behind."""

    async def play() -> CardTable:
        table = make()
        await scene(table)
        assert {asyncio.current_task()} == asyncio.all_tasks()
        return table

    before = set(threading.enumerate())
    table = asyncio.run(play())
    assert before >= set(threading.enumerate())
    return table


async def until(true: Callable[[], bool]) -> None:
    """Let other tasks run until a condition is true."""
    async with asyncio.timeout(TIMEOUT_S):
        while not true():  # noqa: ASYNC110  # what it waits for is no event
            await asyncio.sleep(0)
