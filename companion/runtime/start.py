"""First part of the program's start: it loads the game, lights the board and opens the buttons.

The sources of the buttons are found first: they decide if pins are mock (simulated) pins. Then the
objects `Journal`, `LightThread`, `Panel` and `Table` are made, the lights show the game, and the
buttons are opened. If a part fails, the program starts without it and shows the fault. For example,
if there is no strip at the SPI device, the page says so, and the strip is tried every five seconds.

This module does not import pages and players, because the board is lit before these imports.
"""

import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from math import inf
from pathlib import Path

from companion.backups.restore import finish_restore
from companion.devices.assembly import Assembly
from companion.devices.button_sources import ButtonSources, find_buttons, report_boards
from companion.devices.light_thread import LightThread
from companion.devices.live import Broadcast, InForce, LiveSettings
from companion.errors import NO_TEXT, Fault, JournalError, Text
from companion.journal.journal_file import FolderInUseError
from companion.journal.writer import Journal
from companion.lights import look_alikes
from companion.rules.game import History
from companion.runtime.fallbacks import Check, Fallbacks
from companion.runtime.log import Console
from companion.runtime.restart import READY_TIMEOUT_S, StartGuard
from companion.runtime.service_manager import FailedStarts, StartStage, time_limit
from companion.settings.file import SettingsFile
from companion.settings.paths import spare_folders
from companion.settings.schema import Settings
from companion.table import Panel, Table
from companion.table.panel.modes import Idle
from companion.worker import Workers
from hardware.buttons import MockPanel
from hardware.debounce import Debouncer
from hardware.errors import ButtonError

_IN_MEMORY = Text("until then the game is only in memory; it is saved as soon as possible")
_NO_MIRROR = Text("until then each new count is in only one file")
_ON_THE_PAGE = Text("until then use the buttons on the page")

STRIP_TIMEOUT_S = 15.0
"""Seconds without the strip's answer after which systemd restarts the program."""


@dataclass(slots=True, kw_only=True)
class Shutdown:
    """Request to end the program; `restart` is True if it must be started again."""

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    restart: bool = False

    def request_restart(self) -> None:
        """End the program and have it started again."""
        self.restart = True
        self.stop.set()


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedTable:
    """Parts of the program that run the game; the board is lit and the buttons are open.

    Attributes:
        live: the settings in force, with the parts made from them.
        panel: panel that drives the mock pins; None with real buttons.
        settle_s: seconds after a press until the contact of the button is at rest.
        journal: the journal of the game.
        broadcast: the frames that the lights show.
        fallbacks: the faults of parts without which the program runs on.
        console: writer of lines about the program.
        data: the folder of the journal; None if no journal is kept.
        file: the settings file that the page changes; None if there is none.
        hold: mock buttons that are down until the page answers.
        guard: takes changed settings back if this start with them fails.
        starts: record of the failed starts before this one.
        workers: threads for slow jobs.
    """

    live: LiveSettings
    table: Table
    lamps: LightThread
    panel: MockPanel | None
    settle_s: float
    journal: Journal
    broadcast: Broadcast
    fallbacks: Fallbacks
    console: Console
    data: Path | None
    file: SettingsFile | None
    hold: Sequence[str]
    guard: StartGuard
    starts: FailedStarts
    workers: Workers

    def notice(self, line: Text) -> None:
        self.console.report(line)
        self.table.notices.say(line)


def light_table(
    opened: ExitStack,
    settings: Settings,
    assembly: Assembly,
    *,
    console: Console,
    guard: StartGuard,
    starts: FailedStarts,
    data: Path | None = None,
    needs_data: bool = False,
    file: SettingsFile | None = None,
    simulate: bool = False,
    hold: Sequence[str] = (),
    checks: Iterable[Check] = (),
    notice: Text | None = None,
) -> StartedTable:
    """Light the board and open its buttons until `opened` ends.

    `StartedTable` describes the arguments that it keeps. If `needs_data` is True, the start fails
    without the data folder; otherwise the game is kept in memory until the folder can be used.
    `simulate` is True for mock pins, even if this machine has pins. `checks` find faults that
    no part here has, such as a failed update; `notice` is a line about a restored backup.

    Raises:
        CompanionError, HardwareError: the table cannot start; `opened` closes its parts.
    """
    workers = Workers()
    opened.callback(workers.close)
    fallbacks = Fallbacks(settings, report=console.report, tried=guard.tried)
    for check in checks:
        fallbacks.watch(check)
    buttons = find_buttons(settings, assembly, simulate=simulate)
    journal = Journal(
        data,
        now=time.time,
        when_locked=lambda folder: finish_restore(folder, time.time()),
        spare_folders=spare_folders(),
    )
    opened.callback(journal.close)
    history, seq = _begin(journal, assembly, fallbacks, needs_data=needs_data)
    broadcast = Broadcast(sum(assembly.light.wiring.leds))
    debouncer = _debouncer(settings)
    lamps = LightThread(
        assembly.light,
        seen=broadcast.take_frame,
        clock=time.monotonic,
        now=lambda: datetime.now().astimezone(),
    )
    table = Table(
        history,
        _panel(history, assembly, settings),
        journal,
        lamps,
        seq=seq,
        debouncer=debouncer,
        clock=time.monotonic,
        calm=settings.lights.calm,
        speed=settings.lights.speed,
    )
    if buttons.port or assembly.strip_port:
        report_boards(table.notices.say, opened)
    opened.callback(lamps.stop)
    starts.fail(Text("the strip's driver did not answer"))
    # If changed settings are tried, the limit leaves time for `StartGuard` to take them back first.
    with time_limit(STRIP_TIMEOUT_S + (READY_TIMEOUT_S if guard.tried else 0)):
        lamps.start(table.display.view)
    starts.reach(StartStage.LIT)
    panel = _open_buttons(buttons, table, fallbacks, opened)
    _hold(panel, hold)
    live = LiveSettings(settings, assembly)
    live.changed.subscribe(partial(_take_over, live, table, lamps, journal))
    lit = StartedTable(
        live=live,
        table=table,
        lamps=lamps,
        panel=panel,
        settle_s=debouncer.settle_time,
        journal=journal,
        broadcast=broadcast,
        fallbacks=fallbacks,
        console=console,
        data=data,
        file=file,
        hold=hold,
        guard=guard,
        starts=starts,
        workers=workers,
    )
    if lamps.error:
        fallbacks.accept("strip.driver", lamps.error)
    fallbacks.watch(lambda: fallbacks.fault("strip.driver", lamps.error) if lamps.error else None)
    if buttons.notice and not buttons.lacks_pins:  # the fault of missing pins says it already
        console.report(buttons.notice)
    alike = look_alikes(assembly.light.palette, live.now.names)
    for line in filter(None, (notice, journal.notice, *alike)):
        lit.notice(line)
    return lit


def _take_over(
    live: LiveSettings, table: Table, lamps: LightThread, journal: Journal, before: InForce
) -> None:
    """Pass changed settings to table, lights and journal."""
    now = live.now
    lights = now.settings.lights
    lamps.relight(now.assembly.light)
    journal.name_sides(now.settings.names)
    table.set_pace(calm=lights.calm, speed=lights.speed, show_after_s=_show_after_s(now.settings))
    if lights.brightness != before.settings.lights.brightness:
        table.set_brightness(lights.brightness)


def _begin(
    journal: Journal, assembly: Assembly, fallbacks: Fallbacks, *, needs_data: bool
) -> tuple[History, int]:
    """Return the game and the number of its last command; fall back to a game in memory."""

    def check() -> Fault | None:
        return Fault(problem=journal.error, remedy=_IN_MEMORY) if journal.error else None

    def check_mirror() -> Fault | None:
        error = journal.mirror.error if journal.on_disk else None
        return Fault(problem=error, remedy=_NO_MIRROR) if error else None

    try:
        game = journal.begin(assembly.request)
    except JournalError as error:
        if needs_data or isinstance(error, FolderInUseError):
            raise
        game = journal.begin_in_memory(assembly.request)
    fallbacks.watch(check)
    fallbacks.watch(check_mirror)
    return game


def _open_buttons(
    buttons: ButtonSources, table: Table, fallbacks: Fallbacks, opened: ExitStack
) -> MockPanel | None:
    open_all = partial(buttons.open, table.presses.edge, opened, clock=table.clock)
    try:
        found = open_all()
    except ButtonError as error:
        fallbacks.retry("panel.buttons", error, open_all)
        return None
    for key, attempt in found.attempts:
        meanwhile = _ON_THE_PAGE if key == "panel.buttons" else NO_TEXT
        fallbacks.attempt(key, attempt, meanwhile=meanwhile)
    return found.panel


def _hold(panel: MockPanel | None, buttons: Sequence[str]) -> None:
    """Press mock buttons and keep them down, as if they were held at power-on."""
    for button in buttons:
        if panel is None:
            text = "{button} is a real button, which --hold cannot press"
            raise ButtonError(
                text, button=button, remedy=Text("hold it down by hand, or add --simulate")
            )
        panel.down(button)


def _panel(history: History, assembly: Assembly, settings: Settings) -> Panel:
    return Panel(
        history.state,
        actions=assembly.actions,
        lanes=assembly.board.track.lanes,
        idle=Idle(
            sleep_after=settings.panel.sleep_minutes * 60,
            show_after=_show_after_s(settings),
            now=time.monotonic(),
        ),
    )


def _show_after_s(settings: Settings) -> float:
    """Return the seconds without a press after which the demo begins."""
    return settings.demo.idle_minutes * 60 or inf


def _debouncer(settings: Settings) -> Debouncer:
    ms = 0.001
    return Debouncer(hold=settings.panel.hold_ms * ms, bounce=settings.panel.bounce_ms * ms)
