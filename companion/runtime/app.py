"""`cribwars run` and `cribwars demo`: everything put together, and taken apart again."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

import click

from companion.devices.assembly import Fitting, fit
from companion.devices.button_sources import find_contacts, tell_of_boards
from companion.devices.light_thread import Lamps
from companion.journal.writer import Journal
from companion.lights import look_alikes
from companion.rules.game import History
from companion.runtime.demo import Demonstration
from companion.settings import Rejected, SettingsFile
from companion.settings.load import Settings
from companion.table import Panel, Table
from companion.web.cards.service import CardParty
from companion.web.records.service import RecordsService
from companion.web.server import serve_page
from companion.web.table.service import TableDesk, side_names
from hardware.debounce import Debouncer

FAILED = 1
RETURNED = (
    "The table did not start with its new settings and is back on those from before: see Set-up"
)
"""A notice for the page, which has it in its own language, too."""


def run(
    settings: Settings,
    *,
    data: Path,
    simulate: bool,
    file: SettingsFile | None,
    rejected: Rejected | None,
    ready: Callable[[], None],
) -> bool:
    """Run the table until SIGTERM or Ctrl-C. Return True if a restart was requested.

    Args:
        settings: checked already, but for what only the hardware can tell.
        data: the folder of the journal.
        simulate: mock pins, whatever this machine has.
        file: in which the page changes settings; None if it has no place.
        rejected: the settings that a start before this one failed with; None if none did.
        ready: is called once the first frame is lit and the page answers.

    Raises:
        CompanionError, HardwareError: it cannot start; what was lit is dark again.
    """
    asked = _Asked(
        settings=settings, data=data, simulate=simulate, file=file, rejected=rejected, ready=ready
    )
    _run(asked)
    return asked.again.is_set()


def run_demo(settings: Settings, *, games: int | None, headless: bool) -> None:
    """Run a table that plays by itself and keeps nothing, what happens told on stderr.

    Args:
        settings: checked already, but for what only the hardware can tell.
        games: how many to play; None until SIGTERM or Ctrl-C.
        headless: only the lights, neither page nor buttons.

    Raises:
        CompanionError, HardwareError: it cannot start; what was lit is dark again.
    """
    _run(_Asked(settings=settings, simulate=headless, plays=True, games=games, headless=headless))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is to run: without `data` nothing is kept, `plays` begins the demo at once.

    `again` is set when somebody asks to have it started anew; `ports` has the page's once it is
    served.
    """

    settings: Settings
    data: Path | None = None
    simulate: bool = False
    plays: bool = False
    games: int | None = None
    headless: bool = False
    file: SettingsFile | None = None
    rejected: Rejected | None = None
    ready: Callable[[], None] = lambda: None
    ports: list[int] = field(default_factory=list)
    again: asyncio.Event = field(default_factory=asyncio.Event)

    def answers(self, port: int) -> None:
        """Take note that the page answers on a port."""
        self.ports.append(port)
        self.ready()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Started:
    """What runs."""

    desk: TableDesk
    table: Table
    demonstration: Demonstration
    party: CardParty


def _run(asked: _Asked) -> None:
    logging.basicConfig(format="cribwars: %(message)s", stream=sys.stderr, level=logging.WARNING)
    if not asyncio.run(_until_stopped(asked)):
        sys.exit(FAILED)


async def _until_stopped(asked: _Asked) -> bool:
    """Run; False if the demo was all there was, and a fault has ended it."""
    stop = asyncio.Event()
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(signum, stop.set)
    with ExitStack() as running:
        started = _start(asked, stop, running)
        try:
            if asked.headless:
                await stop.wait()
            else:
                await serve_page(
                    asked.settings,
                    started.desk,
                    data=asked.data,
                    notice=started.table.say,
                    on_ready=asked.answers,
                    stop=stop,
                )
        finally:
            await started.party.close()
            await started.demonstration.close()
            started.table.stop()
    return not (asked.headless and started.demonstration.failed)


def _start(asked: _Asked, stop: asyncio.Event, running: ExitStack) -> _Started:
    """Light the board and take presses; `running` takes all apart in the reverse order."""
    settings, fitting = asked.settings, fit(asked.settings)
    contacts = find_contacts(settings, fitting, simulate=asked.simulate)
    journal = Journal(asked.data)
    running.callback(journal.close)
    history, seq = journal.begin(fitting.begun)
    desk = _desk(fitting, settings)
    demonstration = _demonstration(asked, fitting, desk, stop)
    returned = RETURNED if asked.rejected else None
    said = (returned, journal.notice, demonstration.notice, *look_alikes(fitting.light.palette))
    notices = tuple(filter(None, said))
    for line in filter(None, (contacts.notice, *notices)):
        click.echo(f"cribwars: {line}", err=True)
    lamps, debouncer = Lamps(fitting.light, seen=desk.seen), _debouncer(settings)
    table = Table(
        history,
        _panel(history, fitting, settings),
        journal,
        lamps,
        seq=seq,
        debouncer=debouncer,
        calm=settings.switch("lights", "calm"),
        notices=notices,
        changed=desk.changed,
        demo=demonstration.turn,
    )
    demonstration.serves(table)
    if contacts.port or fitting.strip_port:
        tell_of_boards(table.say, running)
    running.callback(lamps.stop)
    lamps.start(table.news.view)
    fingers = contacts.open(table.edge, running)
    desk.serves(
        table, tuple(fitting.pins), fingers, rest_s=debouncer.rest, demo=lambda: demonstration.demo
    )
    party = _party(settings, fitting, table, desk)
    running.callback(_records(asked, fitting, table, desk).close)
    running.callback(_set_up(asked, table, lamps, desk, stop))
    table.start()
    if asked.plays:
        table.demo(on=True)
    return _Started(desk=desk, table=table, demonstration=demonstration, party=party)


def _party(settings: Settings, fitting: Fitting, table: Table, desk: TableDesk) -> CardParty:
    names = side_names(fitting.begun.names, fitting.light.palette)
    party = CardParty(settings, names, changed=desk.changed)
    party.serves(table)
    desk.deals(party, party.news)
    return party


def _records(asked: _Asked, fitting: Fitting, table: Table, desk: TableDesk) -> RecordsService:
    names = side_names(fitting.begun.names, fitting.light.palette)
    records = RecordsService(
        asked.data,
        fitting.board,
        asked.settings,
        names,
        table,
        settings_file=asked.file.file if asked.file else None,
    )
    desk.remembers(records, records.mode)
    return records


def _set_up(
    asked: _Asked, table: Table, lamps: Lamps, desk: TableDesk, stop: asyncio.Event
) -> Callable[[], None]:
    """Let the page change settings and light single LEDs; what is returned ends that."""
    # Late, so that the board is lit before any of this is imported.
    from companion.web.settings.board_lights import BareLights  # noqa: PLC0415
    from companion.web.settings.service import SettingsService  # noqa: PLC0415

    def again() -> None:
        asked.again.set()
        stop.set()

    lights = BareLights(table, lamps, desk.watch)
    setup = SettingsService(
        asked.file,
        asked.settings,
        lights,
        data=asked.data,
        restart=again,
        port=lambda: asked.ports[0],
        rejected=asked.rejected,
    )
    desk.sets_up(setup, lambda: lights.is_lit)
    return setup.close


def _desk(fitting: Fitting, settings: Settings) -> TableDesk:
    return TableDesk(
        fitting.board,
        fitting.light.palette,
        fitting.light.wiring,
        settings.text("strip", "driver"),
        names=fitting.begun.names,
        language=settings.text("", "language"),
    )


def _demonstration(
    asked: _Asked, fitting: Fitting, desk: TableDesk, stop: asyncio.Event
) -> Demonstration:
    """The demo; where it is what was asked for, its words are the console's, and its end ours."""

    def end() -> None:
        if asked.headless or (asked.games and not demonstration.failed):
            stop.set()

    demonstration = Demonstration(
        asked.settings,
        fitting.begun,
        side_names(fitting.begun.names, fitting.light.palette),
        changed=desk.changed,
        told=_say if asked.plays else _keep,
        games=asked.games,
        aloud=not asked.headless,
        ended=end,
    )
    return demonstration


def _say(line: str) -> None:
    with suppress(OSError):  # whoever read us may have gone: the board plays on
        click.echo(line, err=True)


def _keep(_line: str) -> None:
    """Leave it to the page and the voice."""


def _panel(history: History, fitting: Fitting, settings: Settings) -> Panel:
    show_after = settings.number("demo", "idle_minutes") * 60
    return Panel(
        history.state,
        actions=fitting.actions,
        lanes=fitting.board.track.lanes,
        sleep_after=settings.number("panel", "sleep_minutes") * 60,
        show_after=show_after or inf,
        now=time.monotonic(),
    )


def _debouncer(settings: Settings) -> Debouncer:
    ms = 0.001
    return Debouncer(
        hold=settings.number("panel", "hold_ms") * ms,
        bounce=settings.number("panel", "bounce_ms") * ms,
    )
