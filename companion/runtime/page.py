"""The page of a running table: its services, built in order, and its server."""

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack

import click
from starlette.types import ASGIApp

from companion.night.table_night import TableNight
from companion.runtime.demo import Demonstration
from companion.runtime.service_manager import READY, notify
from companion.runtime.sockets import PageSockets
from companion.runtime.start import LitTable, Options
from companion.web.app import Services, make_app
from companion.web.cards.service import CardService
from companion.web.http.addresses import addresses
from companion.web.pairing.store import load_pairing
from companion.web.records.backups import BackupEndpoints
from companion.web.records.service import RecordsService
from companion.web.server import serve
from companion.web.settings.board_lights import BareLights
from companion.web.settings.service import SettingsService
from companion.web.table.mock_buttons import MockButtons
from companion.web.table.news import LightsMode
from companion.web.table.service import TableService


async def serve_page(
    options: Options,
    lit: LitTable,
    demonstration: Demonstration,
    night: TableNight | None,
    *,
    stop: asyncio.Event,
    restart: Callable[[], None],
    restarts: Callable[[], bool],
) -> None:
    """Serve the page of a table until `stop`.

    Raises:
        AddressError: the address cannot be had; the text says what to do.
    """
    settings = options.settings
    async with AsyncExitStack() as opened:
        sockets = PageSockets(settings, lit.fallbacks, opened.enter_context(ExitStack()))

        def ready() -> None:
            if lit.panel:
                for button in options.hold:
                    lit.panel.up(button)
            options.ready()
            notify(READY)
            click.echo(f"ready http://127.0.0.1:{sockets.port}/")

        services = build_services(
            options,
            lit,
            demonstration,
            opened,
            night=night,
            port=lambda: sockets.port,
            closing=stop,
            restart=restart,
            restarts=restarts,
        )
        app = make_app(
            services,
            clock=time.monotonic,
            calendar=time.time,
            hosts=frozenset(settings.web.hosts),
            pairing=load_pairing(options.data, lit.table.notices.say),
            console=options.console.report,
            pages=lambda: addresses(sockets.host, sockets.port),
        )
        late = asyncio.create_task(_serve_late(app, sockets, stop))
        opened.push_async_callback(_cancel, late)
        await serve(app, sockets.first, on_ready=ready, stop=stop)


async def _serve_late(app: ASGIApp, sockets: PageSockets, stop: asyncio.Event) -> None:
    """Serve at the address of the settings too, as soon as it can be had."""
    await serve(app, await sockets.wanted, on_ready=lambda: None, stop=stop)


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def build_services(
    options: Options,
    lit: LitTable,
    demonstration: Demonstration,
    opened: AsyncExitStack,
    *,
    night: TableNight | None = None,
    port: Callable[[], int],
    closing: asyncio.Event,
    restart: Callable[[], None],
    restarts: Callable[[], bool],
) -> Services:
    """Build the services of a table's page; they are closed when `opened` ends.

    `closing` must be set when the server stops; `restart` starts the program again,
    and `restarts` returns True once that was requested.
    """
    table, live = lit.table, lit.live
    cards = CardService(table, live, changed=lit.broadcast.notify)
    opened.push_async_callback(cards.close)
    cards.resume(lit.journal.cards)
    settings_file = options.file.by_hand if options.file else None
    records = RecordsService(
        options.data, live, table, calendar=time.time, settings_file=settings_file
    )
    opened.callback(records.close)
    run = secrets.token_urlsafe(16)
    backups = BackupEndpoints(options.data, settings_file=settings_file, run=run, restart=restart)
    opened.callback(backups.close)
    lights = BareLights(table, lit.lamps)
    setup = SettingsService(
        options.file,
        live,
        lights,
        data=options.data,
        clock=time.monotonic,
        calendar=time.time,
        restart=restart,
        port=port,
        seen=options.proven,
        taken_back=options.taken_back,
        faults=lambda: lit.fallbacks.faults,
    )
    opened.callback(setup.close)
    service = TableService(
        table,
        live,
        mock=lit.panel is not None,
        broadcast=lit.broadcast,
        closing=closing,
        restarts=restarts,
        cards=cards,
        night=lambda: night.standing if night else None,
        mode=lambda: LightsMode() if lights.is_lit else records.mode(),
        demo=lambda: demonstration.demo,
    )
    mock = MockButtons(lit.panel, rest_s=lit.rest_s, closing=closing) if lit.panel else None
    return Services(
        run=run,
        table=service,
        cards=cards,
        records=records,
        backups=backups,
        setup=setup,
        mock=mock,
    )
