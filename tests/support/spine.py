"""A whole table in this process with mock pins and a virtual strip; all else is real."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Self

from gpiozero.pins.mock import MockFactory

from companion.board import Hole, load_board
from companion.buttons import DEFAULT_PINS
from companion.devices.light_thread import LightSource, LightThread
from companion.journal.setup import GameRequest
from companion.journal.writer import Journal
from companion.lights import Palette, Scene, Wiring
from companion.rules.game import Command, History
from companion.table import Panel, Table
from companion.table.panel.modes import Idle
from hardware.buttons import Buttons, MockPanel
from hardware.debounce import Debouncer
from hardware.output import Output
from hardware.strips import Frame, StripSpec, VirtualStrip
from tests.companion.journal import scribe
from tests.companion.journal.scribe import connect_with
from tests.support.lamp_reader import led_of
from tests.support.limits import TIMEOUT_S, until

SPEED = 10.0
"""Speed of this table's pegs, so that no test waits for one to walk."""


def fast_clock() -> float:
    """Monotonic seconds of the table."""
    return time.monotonic() * SPEED


def begun(*, sides: int = 2) -> GameRequest:
    """Return a new game on the shipped board."""
    return scribe.begun(sides=tuple(range(1, sides + 1)))


def make_light(*, budget_ma: int = 100_000, brightness: float = 1.0) -> LightSource:
    """Return the lights of the shipped board by the default settings, on a virtual strip."""
    board, palette = load_board("crib-wars"), Palette.make()
    wiring = Wiring.make(board)
    spec = StripSpec(leds=wiring.leds)
    output = Output(spec, budget_ma=budget_ma)
    output.brightness = brightness
    return LightSource(
        palette=palette,
        scene=Scene(board, palette, points=wiring.points),
        wiring=wiring,
        output=output,
        strip=VirtualStrip(spec, clock=time.monotonic),
    )


def make_table(
    history: History,
    journal: Journal,
    lamps: LightThread,
    *,
    seq: int,
    debouncer: Debouncer,
    clock: Callable[[], float],
    idle: Idle,
) -> Table:
    """Return a table whose buttons have no actions of the program."""
    panel = Panel(history.state, actions={}, lanes=history.state.setup.track.lanes, idle=idle)
    return Table(
        history, panel, journal, lamps, seq=seq, debouncer=debouncer, calm=False, clock=clock
    )


def play_before(folder: Path, *commands: Command) -> None:
    """Write the beginning of a game into a folder's journal, as an earlier run would."""
    journal = Journal(folder, now=time.time)
    history, _ = journal.begin(begun())
    for command in commands:
        journal.write(history.do(command), lambda _saved: None)
    journal.close()


class HeldCommit:
    """A commit that waits while it is held."""

    def __init__(self) -> None:
        self._free = threading.Event()
        self._free.set()
        self.begun = threading.Event()

    def __call__(self, database: sqlite3.Connection) -> None:
        """Commit once it is not held."""
        if not self._free.is_set():
            self.begun.set()
        assert self._free.wait(TIMEOUT_S)
        sqlite3.Connection.commit(database)

    def hold(self) -> None:
        """Hold the next commit."""
        self._free.clear()

    def let_go(self) -> None:
        """Release the commit."""
        self._free.set()


class Spine:
    """A running table, for use in an event loop: `async with Spine(folder) as spine`.

    `frames` is the number of frames sent to the strip, `seqs` has the number after each change.
    """

    def __init__(
        self,
        folder: Path,
        *,
        commit: Callable[[sqlite3.Connection], None] = sqlite3.Connection.commit,
    ) -> None:
        light = make_light()
        assert isinstance(light.strip, VirtualStrip)
        self.strip, self._wiring = light.strip, light.wiring
        self.journal = Journal(folder, now=time.time, connect=connect_with(commit))
        history, seq = self.journal.begin(begun())
        self.lamps = LightThread(
            light, seen=lambda _frame: None, clock=fast_clock, now=datetime.now
        )
        self.debouncer = Debouncer()
        self.table = make_table(
            history,
            self.journal,
            self.lamps,
            seq=seq,
            debouncer=self.debouncer,
            clock=fast_clock,
            idle=Idle(),
        )
        self.table.changed.subscribe(self._looked)
        self._factory = MockFactory()
        self._looks = 0
        self.frames = 0
        self.seqs: list[int] = []
        self._stirred = asyncio.Event()
        self._running = ExitStack()

    async def __aenter__(self) -> Self:
        """Light the board and take presses."""
        loop = asyncio.get_running_loop()

        def framed(_t: float, _frame: Frame) -> None:
            loop.call_soon_threadsafe(self._framed)

        self.strip.listen(framed)
        self._running.callback(self.journal.close)
        self._running.callback(self.lamps.stop)
        self.lamps.start(self.table.display.view)
        buttons = Buttons(
            DEFAULT_PINS, self.table.presses.edge, pin_factory=self._factory, clock=fast_clock
        )
        self._running.callback(buttons.close)
        self.mock_panel = MockPanel(DEFAULT_PINS, self._factory)
        self.table.start()
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Stop as the program does: take no more edges, go black, close the journal."""
        self.table.presses.stop()
        self._running.close()

    def _looked(self) -> None:
        self._looks += 1
        self.seqs.append(self.table.queue.seq)
        self._stirred.set()

    def _framed(self) -> None:
        self.frames += 1
        self._stirred.set()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until a condition is true; it is checked after every frame and every change."""
        await until(true, self._stirred)

    async def press(self, *buttons: str) -> None:
        """Drive each button's pin low, and high again once the table has taken the press."""
        for button in buttons:
            for move in (self.mock_panel.down, self.mock_panel.up):
                move(button)
                looks = self._looks
                await self.until(lambda: self._is_at_rest_since(looks))  # noqa: B023  # awaited here

    def _is_at_rest_since(self, looks: int) -> bool:
        return self._looks > looks and self.debouncer.deadline is None

    def pixel(self, side: int, hole: Hole) -> tuple[int, ...]:
        """Return the bytes that a hole's LED was sent last: red, green, blue."""
        where = led_of(self._wiring, self._wiring.points.index(side, hole))
        frame = self.strip.last
        assert where is not None
        assert frame is not None
        channel, led = where
        return tuple(int(byte) for byte in frame[channel][led])
