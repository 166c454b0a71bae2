"""A table for tests in an event loop; the test controls its time, its disk and its lights."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, cast

from companion.board import Track, load_board
from companion.errors import Text
from companion.journal.writer import Journal
from companion.lights import FlashKind, View
from companion.rules.game import Command, Entry, History, HouseRules, Setup, new_game
from companion.table import Panel, Table
from companion.table.panel.actions import HintKind
from companion.table.panel.modes import Idle
from hardware.debounce import Debouncer, Edge
from tests.support.scenes import Scene, run_by

REST = 0.05
"""Seconds after which a contact is at rest."""


class SlowJournal:
    """A journal whose disk answers when the test says so, in order. Failed writes succeed later."""

    cards = b""
    accepted = ()

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.on_disk = True
        self.waiting: deque[Callable[[bool], None]] = deque()
        self._unsaved: list[Callable[[bool], None]] = []

    def write(
        self, entry: Entry, done: Callable[[bool], None], *, cards: bytes | None = None
    ) -> None:
        """Take an entry, and delay its answer."""
        del cards
        self.entries.append(entry)
        self.waiting.append(done)

    def listen(self, listener: Callable[[bool], None]) -> None:
        """Ignore the listener, as this journal never loses its file."""

    def answer(self, *, saved: bool = True) -> None:
        """Answer the oldest write. A success also saves all writes that failed before it."""
        done = self.waiting.popleft()
        if saved:
            self.save()
        else:
            self._unsaved.append(done)
        done(saved)

    def save(self) -> None:
        """Answer all failed writes again, as saved."""
        for done in self._unsaved:
            done(True)  # noqa: FBT003  # as the journal answers
        self._unsaved.clear()

    @property
    def commands(self) -> list[Command]:
        """The commands of all writes, in order."""
        return [entry.command for entry in self.entries]


class DarkLamps:
    """Lights that only keep the newest view."""

    def __init__(self) -> None:
        self.brightness = 0.5
        self.view: View | None = None

    def show(self, view: View) -> None:
        """Keep the view."""
        self.view = view


class Bench:
    """A table whose time, disk and lights are controlled by the test."""

    def __init__(
        self,
        *before: Command,
        sides: int = 2,
        rules: HouseRules | None = None,
        next_rules: HouseRules | None = None,
        board: str = "crib-wars",
    ) -> None:
        lanes = tuple(range(1, sides + 1))
        setup = Setup.make(_track(board), rules or HouseRules(), sides=lanes)
        past = History(new_game(setup))
        next_setup = Setup.make(_track(board), next_rules or setup.rules, sides=lanes)
        history = History(new_game(setup), next_setup=next_setup)
        for command in before:
            history.add(past.do(command))
        self.now = 1000.0
        self._held: set[str] = set()
        self.journal = SlowJournal()
        self.lamps = DarkLamps()
        panel = Panel(history.state, actions={}, lanes=3, idle=Idle())
        self.table = Table(
            history,
            panel,
            cast("Journal", self.journal),
            self.lamps,
            seq=len(history),
            debouncer=Debouncer(),
            calm=False,
            clock=lambda: self.now,
        )
        self.table.notices.say(Text("at the start"))
        self.demos: list[bool] = []
        self.table.display.redrawn.subscribe(self._follow_demo)

    def _follow_demo(self, before: View, view: View) -> None:
        """Note True when the demo begins, and False when it ends."""
        if view.attract != before.attract:
            self.demos.append(view.attract)

    async def wait(self, seconds: float) -> None:
        """Let time pass, and wake the table by an edge that changes nothing."""
        self.now += seconds
        self.table.presses.edge(Edge(button="mode", down="mode" in self._held, t=self.now))
        await self.settled()

    async def settled(self) -> None:
        """Wait until the table has handled all calls from other threads."""
        done = asyncio.Event()
        asyncio.get_running_loop().call_soon(done.set)
        await done.wait()

    async def move(self, button: str, *, down: bool) -> None:
        """Press or release a button, and wait until its contact has settled."""
        self._held = self._held ^ {button}
        self.table.presses.edge(Edge(button=button, down=down, t=self.now))
        await self.wait(REST)

    async def press(self, *buttons: str, seconds: float = REST) -> None:
        """Press buttons one after the other, each for `seconds`."""
        for button in buttons:
            await self.move(button, down=True)
            await self.wait(seconds - REST)
            await self.move(button, down=False)

    async def answer(self, *, saved: bool = True) -> None:
        """Let the disk answer one write."""
        self.journal.answer(saved=saved)
        await self.settled()

    def fronts(self) -> list[object]:
        """Return the holes at which the front pegs are shown."""
        state = self.table.display.view.state
        return [state.pegs(side).front for side in state.setup.sides]

    @property
    def hint(self) -> HintKind | None:
        """The kind of the hint that is shown."""
        hint = self.table.display.hint
        return hint.kind if hint else None

    def flashes(self) -> list[FlashKind]:
        """The flashes that are shown."""
        return [flash.kind for flash in self.table.display.view.flashes]

    def ghosts(self) -> tuple[object, tuple[tuple[int, int], ...]]:
        """Return the front pegs from which the ghosts start, and the pending points by side."""
        view = self.table.display.view
        return [pegs.front for pegs in view.ahead.all_pegs], view.pending


@cache
def _track(board: str) -> Track:
    return load_board(board).track


def at_table(bench: Bench, play: Callable[[Bench], Coroutine[Any, Any, None]]) -> Bench:
    """Run `play` at a started table in an event loop of its own."""

    async def scene() -> None:
        bench.table.start()
        await play(bench)
        bench.table.presses.stop()

    asyncio.run(scene())
    return bench


def on_bench(
    *before: Command,
    **options: Any,  # noqa: ANN401  # a bench's own
) -> Callable[[Scene], Callable[..., None]]:
    """Make a test of a scene at a table after some commands."""
    return run_by(lambda play: at_table(Bench(*before, **options), play))
