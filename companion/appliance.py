"""`cribwars run` and `cribwars demo`: everything put together, and taken apart again."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from math import inf
from pathlib import Path

import click

from companion.card_party import CardParty
from companion.config import Settings
from companion.demonstration import Demonstration
from companion.desk import TableDesk, side_names
from companion.fitting import Fitting, fit
from companion.game import History
from companion.lights import look_alikes
from companion.table import Journal, Lamps, Panel, Table
from hardware.buttons import Buttons, open_pin_factory
from hardware.debounce import Debouncer
from hardware.mock import MockPanel

FAILED = 1


def run(settings: Settings, *, data: Path, simulate: bool) -> None:
    """Run the table until SIGTERM or Ctrl-C.

    Args:
        settings: checked already, but for what only the hardware can tell.
        data: the folder of the journal.
        simulate: mock pins, whatever this machine has.

    Raises:
        CompanionError, HardwareError: it cannot start; what was lit is dark again.
    """
    _run(_Asked(settings=settings, data=data, simulate=simulate))


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
    """What is to run: without `data` nothing is kept, `plays` begins the demo at once."""

    settings: Settings
    data: Path | None = None
    simulate: bool = False
    plays: bool = False
    games: int | None = None
    headless: bool = False


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
                await _serve(asked.settings, started.desk, stop)
        finally:
            await started.party.close()
            await started.demonstration.close()
            started.table.stop()
    return not (asked.headless and started.demonstration.failed)


def _start(asked: _Asked, stop: asyncio.Event, running: ExitStack) -> _Started:
    """Light the board and take presses; `running` takes all apart in the reverse order."""
    settings, fitting = asked.settings, fit(asked.settings)
    factory, mock_because = open_pin_factory(simulate=asked.simulate)
    journal = Journal(asked.data)
    running.callback(journal.close)
    history, seq = journal.begin(fitting.begun)
    desk = _desk(fitting, settings)
    demonstration = _demonstration(asked, fitting, desk, stop)
    said = (journal.notice, demonstration.notice, *look_alikes(fitting.light.palette))
    notices = tuple(filter(None, said))
    for line in filter(None, (mock_because, *notices)):
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
    running.callback(lamps.stop)
    lamps.start(table.news.view)
    pins = fitting.pins
    running.enter_context(Buttons(pins, table.edge, pin_factory=factory))
    fingers = MockPanel(pins, factory) if mock_because else None
    desk.serves(table, tuple(pins), fingers, rest_s=debouncer.rest, demo=lambda: demonstration.demo)
    party = _party(settings, fitting, table, desk)
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
        ended=end,
    )
    return demonstration


def _say(line: str) -> None:
    with suppress(OSError):  # whoever read us may have gone: the board plays on
        click.echo(line, err=True)


def _keep(_line: str) -> None:
    """Leave it to the page and the voice."""


async def _serve(settings: Settings, desk: TableDesk, stop: asyncio.Event) -> None:
    """Serve the page until `stop`; imported late, so that the board is lit first."""
    from companion.web.app import make_app  # noqa: PLC0415  # see above
    from companion.web.serve import serve  # noqa: PLC0415  # see above

    host = settings.text("web", "host")
    ending = asyncio.create_task(_close_on(stop, desk))
    await serve(
        make_app(desk, hosts=frozenset(settings.texts("web", "hosts"))),
        host=host,
        port=int(settings.number("web", "port")),
        on_ready=lambda port: click.echo(f"ready http://{_reached_at(host)}:{port}/"),
        stop=stop,
    )
    ending.cancel()


def _reached_at(host: str) -> str:
    """The address at which this machine reaches the page itself.

    >>> _reached_at("::")
    '127.0.0.1'
    """
    with suppress(ValueError):  # a name is no address
        if ip_address(host).is_unspecified:
            return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


async def _close_on(stop: asyncio.Event, desk: TableDesk) -> None:
    await stop.wait()
    desk.closing.set()


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
