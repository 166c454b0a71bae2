"""Reports of numbers beside their promises, and a table in this process whose light is watched."""

import asyncio
import math
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path

from gpiozero.pins.mock import MockFactory

from companion.buttons import DEFAULT_PINS
from companion.devices.light_thread import LightSource, LightThread
from companion.journal.writer import Journal
from companion.rules.game import Command, Deal, Entry, History, NewGame, Peg, State
from companion.table import Table
from companion.table.panel.modes import Idle
from hardware.buttons import Buttons, MockPanel
from hardware.debounce import Debouncer
from hardware.strips import Frame
from hardware.strips.protocol import VirtualStrip
from tests.companion.journal.scribe import begun
from tests.support import spine

# Reports: the measurement, its value, the promise, and whether it is kept


Report = tuple[str, list[str], list[list[str]]]
"""Title, header, rows."""


def table(title: str, rows: Iterable[list[str]]) -> Report:
    """Return a table whose rows are made by `row`."""
    return title, ["what", "measured", "target", ""], [*rows]


def row(
    what: str,
    measured: float,
    unit: str,
    *,
    below: float | None = None,
    at_least: float | None = None,
) -> list[str]:
    """Return a row of `table`; `below` or `at_least` is the target, if there is one.

    >>> row("of the wire's rate", 94.3, "%", at_least=95)
    ["of the wire's rate", '94.3 %', '>= 95 %', 'MISSED']
    """
    value = f"{_figures(measured)} {unit}"
    if below is not None:
        return [what, value, f"< {below:g} {unit}", _verdict(holds=measured < below)]
    if at_least is not None:
        return [what, value, f">= {at_least:g} {unit}", _verdict(holds=measured >= at_least)]
    return [what, value, "", ""]


def _verdict(*, holds: bool) -> str:
    return "holds" if holds else "MISSED"


def _figures(value: float) -> str:
    """Return a number with three digits; large numbers get no invented ones."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def percentile(values: Sequence[float], part: float) -> float:
    """Return the value that a part of all values, 0 to 1, do not exceed.

    >>> percentile([3, 1, 2, 4], 0.5)
    2
    """
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)]


# A whole table in this process, from mock pins to a virtual strip, with a watch on its light


BOARD = "crib-wars"

BUDGET_MA, BRIGHTNESS = 2000, 0.5
TIMEOUT_S = 5.0
HELD_S = 0.010
"""Seconds that a finger stays on a button."""


def next_command(state: State) -> Command:
    """Return the next command of an endless game: eight counts a hand in turn, then a new game."""
    if state.winner is not None:
        return NewGame()
    able = [side for side in state.setup.sides if not state.pegs(side).folded]
    if not able or state.counts_in_hand == 8:  # about what a hand brings
        return Deal()
    return Peg(side=able[state.counts % len(able)], points=1 + state.counts * 7 % 12)


def play(history: History, counts: int) -> Iterator[Entry]:
    """Carry out `next_command` until this number of counts has been made."""
    while counts:
        entry = history.do(next_command(history.state))
        counts -= isinstance(entry.command, Peg)
        yield entry


def make_light() -> LightSource:
    """Return the lights at the brightness and the budget of the default settings."""
    return spine.make_light(budget_ma=BUDGET_MA, brightness=BRIGHTNESS)


@contextmanager
def folder_on_disk() -> Iterator[Path]:
    """Return a folder that is on a disk if possible, so that a commit reaches the medium."""
    lasting = Path("/var/tmp")  # noqa: S108  # /tmp is often memory, this is not
    with tempfile.TemporaryDirectory(dir=lasting if lasting.is_dir() else None) as folder:
        yield Path(folder)


class Watch:
    """The frames of a strip: their number, and the first that changed since `wait`."""

    def __init__(self) -> None:
        self.sent = 0
        self._changed = threading.Event()
        self._last, self._at = b"", 0.0

    def see(self, t: float, frame: Frame) -> None:
        """Take a frame in the lights thread."""
        self.sent += 1
        shown = b"".join(channel.tobytes() for channel in frame)
        if shown == self._last:
            return
        self._last = shown
        if not self._changed.is_set():
            self._at = t
            self._changed.set()

    def change_after(self, act: Callable[[], None]) -> float:
        """Return the milliseconds from the beginning of an act to the first changed byte."""
        self._changed.clear()
        began = time.monotonic()
        act()
        if not self._changed.wait(TIMEOUT_S):
            raise TimeoutError(f"no light has changed for {TIMEOUT_S:g} s")
        return (self._at - began) * 1e3

    def until_still(self, seconds: float) -> None:
        """Wait until no byte has changed for this time."""
        self._changed.set()
        while self._changed.is_set():
            self._changed.clear()
            time.sleep(seconds)


class Rig:
    """A running table whose buttons are pressed from another thread."""

    def __init__(self, table: Table, mock_panel: MockPanel, watch: Watch) -> None:
        self.table, self.watch = table, watch
        self._mock_panel = mock_panel

    def press(self, button: str) -> float:
        """Press a button. Return the milliseconds from the pin to the first changed byte."""
        taken = self.watch.change_after(lambda: self._mock_panel.down(button))
        time.sleep(HELD_S)
        self._mock_panel.up(button)
        return taken


@contextmanager
def running(folder: Path) -> Iterator[Rig]:
    """Run a table on the journal in a folder, built as `cribwars run` builds it."""
    light, watch = make_light(), Watch()
    assert isinstance(light.strip, VirtualStrip)
    light.strip.listen(watch.see)
    factory = MockFactory()
    with ExitStack() as opened:
        loop = opened.enter_context(_loop())
        journal = Journal(folder, now=time.time)
        opened.callback(journal.close)
        history, seq = journal.begin(begun())
        lamps = LightThread(light, seen=lambda _frame: None, clock=time.monotonic, now=datetime.now)
        table = spine.make_table(
            history,
            journal,
            lamps,
            seq=seq,
            debouncer=Debouncer(),
            clock=time.monotonic,
            idle=Idle(sleep_after=1800, now=time.monotonic()),
        )
        opened.callback(lamps.stop)
        lamps.start(table.display.view)
        opened.enter_context(
            closing(
                Buttons(DEFAULT_PINS, table.presses.edge, pin_factory=factory, clock=time.monotonic)
            )
        )
        _in_loop(loop, table.start)
        opened.callback(_in_loop, loop, table.presses.stop)
        yield Rig(table, MockPanel(DEFAULT_PINS, factory), watch)


@contextmanager
def _loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Run an event loop in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="table")
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _in_loop(loop: asyncio.AbstractEventLoop, act: Callable[[], None]) -> None:
    async def acted() -> None:
        act()

    asyncio.run_coroutine_threadsafe(acted(), loop).result(TIMEOUT_S)
