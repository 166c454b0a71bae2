"""The first part of a start: the board lit, its buttons open, the game as the journal has it.

Nothing is imported here that this does not need: the board is lit before pages and players are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from math import inf
from pathlib import Path

import click

from companion.devices.assembly import Fitting, fit
from companion.devices.button_sources import find_contacts, tell_of_boards
from companion.devices.light_thread import Lamps
from companion.journal.writer import Journal
from companion.lights import look_alikes
from companion.rules.game import History
from companion.settings import Rejected, SettingsFile
from companion.settings.load import Settings
from companion.table import Panel, Table
from companion.table.idle import Idle
from companion.table.names import side_names
from companion.web.table.broadcast import Broadcast
from hardware.debounce import Debouncer
from hardware.mock import MockPanel

REVERTED = (
    "The table did not start with its new settings and is back on those from before: see Set-up"
)
"""A line for the console; the pages know it from `About.reverted`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of a run.

    Attributes:
        settings: checked already, but for what only the hardware can tell.
        data: the folder of the journal; None to keep nothing.
        simulate: use mock pins, whatever this machine has.
        demo: begin the demo at once.
        games: games of that demo; None to play until it is ended.
        headless: neither page nor buttons.
        file: the settings file that the page changes; None if there is none.
        rejected: the settings that a start before this one failed with; None if none did.
        ready: is called once the first frame is lit and the page answers.
    """

    settings: Settings
    data: Path | None = None
    simulate: bool = False
    demo: bool = False
    games: int | None = None
    headless: bool = False
    file: SettingsFile | None = None
    rejected: Rejected | None = None
    ready: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True, kw_only=True)
class LitTable:
    """A table whose board is lit and whose buttons are open.

    Attributes:
        fitting: the parts that the settings ask for.
        names: names of the sides by team.
        panel: drives the mock pins; None where the buttons are real.
        rest_s: seconds that a contact takes to come to rest.
        broadcast: has the frames that the lights show.
    """

    fitting: Fitting
    names: Mapping[int, str]
    table: Table
    lamps: Lamps
    panel: MockPanel | None
    rest_s: float
    broadcast: Broadcast

    def notice(self, line: str) -> None:
        """Show a line on the console and on the page."""
        write_line(f"cribwars: {line}")
        self.table.say(line)


def write_line(line: str) -> None:
    """Write a line to the console."""
    click.echo(line, err=True)


def light_table(options: Options, opened: ExitStack) -> LitTable:
    """Light the board and open its buttons until `opened` ends.

    Raises:
        CompanionError, HardwareError: it cannot start; `opened` has what is to be closed again.
    """
    settings, fitting = options.settings, fit(options.settings)
    contacts = find_contacts(settings, fitting, simulate=options.simulate)
    journal = Journal(options.data)
    opened.callback(journal.close)
    history, seq = journal.begin(fitting.begun)
    broadcast = Broadcast(sum(fitting.light.wiring.leds))
    lamps, debouncer = Lamps(fitting.light, seen=broadcast.take_frame), _debouncer(settings)
    table = Table(
        history,
        _panel(history, fitting, settings),
        journal,
        lamps,
        seq=seq,
        debouncer=debouncer,
        calm=settings.switch("lights", "calm"),
    )
    if contacts.port or fitting.strip_port:
        tell_of_boards(table.say, opened)
    opened.callback(lamps.stop)
    lamps.start(table.news.view)
    lit = LitTable(
        fitting=fitting,
        names=side_names(fitting.begun.names, fitting.light.palette),
        table=table,
        lamps=lamps,
        panel=contacts.open(table.edge, opened),
        rest_s=debouncer.rest,
        broadcast=broadcast,
    )
    if contacts.notice:
        write_line(f"cribwars: {contacts.notice}")
    if options.rejected:
        write_line(f"cribwars: {REVERTED}")
    for line in filter(None, (journal.notice, *look_alikes(fitting.light.palette, lit.names))):
        lit.notice(line)
    return lit


def _panel(history: History, fitting: Fitting, settings: Settings) -> Panel:
    show_after = settings.number("demo", "idle_minutes") * 60
    return Panel(
        history.state,
        actions=fitting.actions,
        lanes=fitting.board.track.lanes,
        idle=Idle(
            sleep_after=settings.number("panel", "sleep_minutes") * 60,
            show_after=show_after or inf,
            now=time.monotonic(),
        ),
    )


def _debouncer(settings: Settings) -> Debouncer:
    ms = 0.001
    return Debouncer(
        hold=settings.number("panel", "hold_ms") * ms,
        bounce=settings.number("panel", "bounce_ms") * ms,
    )
