"""`cribwars run`: everything put together, from the pins to the page, and taken apart again."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import time
from contextlib import ExitStack, suppress
from ipaddress import ip_address
from math import inf
from pathlib import Path

import click

from companion.config import Settings
from companion.desk import TableDesk
from companion.fitting import Fitting, fit
from companion.game import History
from companion.lights import look_alikes
from companion.table import Journal, Lamps, Panel, Table
from hardware.buttons import Buttons, open_pin_factory
from hardware.debounce import Debouncer
from hardware.mock import MockPanel


def run(settings: Settings, *, data: Path, simulate: bool) -> None:
    """Run the table until SIGTERM or Ctrl-C.

    Args:
        settings: checked already, but for what only the hardware can tell.
        data: the folder of the journal.
        simulate: mock pins, whatever this machine has.

    Raises:
        CompanionError, HardwareError: it cannot start; what was lit is dark again.
    """
    logging.basicConfig(format="cribwars: %(message)s", stream=sys.stderr, level=logging.WARNING)
    asyncio.run(_run(settings, data, simulate=simulate))


async def _run(settings: Settings, data: Path, *, simulate: bool) -> None:
    stop = asyncio.Event()
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(signum, stop.set)
    with ExitStack() as running:
        desk, table = _start(settings, data, running, simulate=simulate)
        await _serve(settings, desk, stop)
        table.stop()


def _start(
    settings: Settings, data: Path, running: ExitStack, *, simulate: bool
) -> tuple[TableDesk, Table]:
    """Light the board and take presses; `running` takes all apart in the reverse order."""
    fitting = fit(settings)
    board, light = fitting.board, fitting.light
    factory, mock_because = open_pin_factory(simulate=simulate)
    journal = Journal(data)
    running.callback(journal.close)
    history, seq = journal.begin(fitting.begun)
    notices = tuple(filter(None, (journal.notice, *look_alikes(light.palette))))
    for line in filter(None, (mock_because, *notices)):
        click.echo(f"cribwars: {line}", err=True)
    names, driver = fitting.begun.names, settings.text("strip", "driver")
    desk = TableDesk(board, light.palette, light.wiring, driver, names=names)
    lamps = Lamps(light, seen=desk.seen)
    panel = _panel(history, fitting, settings)
    debouncer = _debouncer(settings)
    table = Table(
        history,
        panel,
        journal,
        lamps,
        seq=seq,
        debouncer=debouncer,
        calm=settings.switch("lights", "calm"),
        notices=notices,
        changed=desk.changed,
    )
    running.callback(lamps.stop)
    lamps.start(table.news.view)
    pins = fitting.pins
    running.enter_context(Buttons(pins, table.edge, pin_factory=factory))
    fingers = MockPanel(pins, factory) if mock_because else None
    desk.serves(table, tuple(pins), fingers, rest_s=debouncer.rest)
    table.start()
    return desk, table


async def _serve(settings: Settings, desk: TableDesk, stop: asyncio.Event) -> None:
    """Serve the page until `stop`; imported late, so that the board is lit first."""
    from companion.web.app import make_app  # noqa: PLC0415  # see above
    from companion.web.serve import serve  # noqa: PLC0415  # see above

    host = settings.text("web", "host")
    ending = asyncio.create_task(_close_on(stop, desk))
    await serve(
        make_app(desk, hosts=settings.texts("web", "hosts")),
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
