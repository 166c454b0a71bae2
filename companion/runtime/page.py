"""The web page of the running program: the page's sockets, services and server.

The page listens at the address of the settings. If that address cannot be used, the page listens at
another port or only on loopback. As soon as the address can be used, the page listens there too.
For example, while port 80 is in use, the page is at a free port; later it is at both ports.
"""

import asyncio
import socket
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack
from typing import Final

import click
from starlette.types import ASGIApp

from companion.devices.network_manager import BoardNetwork
from companion.errors import AddressError, Text
from companion.night.table_night import TableNight
from companion.runtime.demonstration import Demonstration
from companion.runtime.fallbacks import Fallbacks
from companion.runtime.service_manager import READY, StartStage, notify
from companion.runtime.start import Shutdown, StartedTable
from companion.settings.schema import Settings
from companion.web.app import Services, make_app
from companion.web.board_lights import RawLights
from companion.web.card_service import CardService
from companion.web.http.addresses import addresses
from companion.web.http.sse import running
from companion.web.pairing import load_pairing
from companion.web.record_endpoints import BackupEndpoints
from companion.web.record_service import RecordsService
from companion.web.server import LOOPBACK, listening, serve
from companion.web.settings_service import SettingsService
from companion.web.table.news import LightsMode
from companion.web.table.table_service import TableService
from companion.web.table.taps import MockButtons

_HOST: Final = "web.host"
_LOWEST_PORT: Final = 1024  # lower ports need root


class PageSockets:
    """Listening sockets of the page; they must be made in the page's event loop.

    `host` and `port` are the present address of the page. `first` has the sockets that were opened
    at the start. If the address of the settings was not free, the future `wanted` gets the sockets
    at that address later.

    Raises:
        AddressError: no socket can be opened, and no other address may be tried.
    """

    def __init__(self, settings: Settings, fallbacks: Fallbacks, opened: ExitStack) -> None:
        self.host, self.port = settings.web.host, settings.web.port
        self._opened, self._loop = opened, asyncio.get_running_loop()
        self.wanted: asyncio.Future[list[socket.socket]] = self._loop.create_future()
        address = self.host, self.port
        try:
            self.first = self._listen(*address)
        except AddressError as error:
            self.first = self._listen_elsewhere(*address, error, fallbacks)
            page = Text("until then the page is at {url}", url=f"http://{LOOPBACK}:{self.port}/")
            fallbacks.retry(error.key, error, lambda: self._take(*address), meanwhile=page)

    def _listen(self, host: str, port: int, *, loopback: bool = True) -> list[socket.socket]:
        sockets = self._opened.enter_context(listening(host, port, loopback=loopback))
        self.host, self.port = host, sockets[0].getsockname()[1]
        return sockets

    def _listen_elsewhere(
        self, host: str, port: int, error: AddressError, fallbacks: Fallbacks
    ) -> list[socket.socket]:
        for _ in range(3):
            fallbacks.accept(error.key, error)
            if error.key == _HOST:
                host = LOOPBACK
            else:
                port = port + 1 if port == self.port >= _LOWEST_PORT else 0
            try:
                return self._listen(host, port)
            except AddressError as again:
                error = again
        raise error

    def _take(self, host: str, port: int) -> None:
        """Listen at the address of the settings; called in another thread."""
        sockets = self._listen(host, port, loopback=port != self.port)
        self._loop.call_soon_threadsafe(self.wanted.set_result, sockets)


async def serve_page(
    lit: StartedTable,
    demonstration: Demonstration,
    night: TableNight | None,
    network: BoardNetwork | None,
    shutdown: Shutdown,
    *,
    ready: Callable[[], None],
) -> None:
    """Serve the page of a table until its shutdown; `ready` is called once the page answers.

    Raises:
        AddressError: no address can be used; the text says what to do.
    """
    settings = lit.live.now.settings
    async with AsyncExitStack() as opened:
        sockets = PageSockets(settings, lit.fallbacks, opened.enter_context(ExitStack()))

        def answers() -> None:
            if lit.panel:
                for button in lit.hold:
                    lit.panel.up(button)
            lit.starts.reach(StartStage.READY)
            lit.guard.ready()
            ready()
            notify(READY)
            click.echo(f"ready http://127.0.0.1:{sockets.port}/")

        services = build_services(
            lit,
            demonstration,
            opened,
            shutdown,
            night=night,
            network=network,
            port=lambda: sockets.port,
        )
        app = make_app(
            services,
            clock=time.monotonic,
            calendar=time.time,
            hosts=frozenset(settings.web.hosts),
            pairing=load_pairing(lit.data, lit.table.notices.say),
            console=lit.console.report,
            pages=lambda: addresses(sockets.host, sockets.port),
        )
        async with running(_serve_late(app, sockets, shutdown.stop)):
            await serve(app, sockets.first, on_ready=answers, stop=shutdown.stop)


async def _serve_late(app: ASGIApp, sockets: PageSockets, stop: asyncio.Event) -> None:
    """Serve at the address of the settings too, as soon as it can be used."""
    await serve(app, await sockets.wanted, on_ready=lambda: None, stop=stop)


def build_services(
    lit: StartedTable,
    demonstration: Demonstration,
    opened: AsyncExitStack,
    shutdown: Shutdown,
    *,
    night: TableNight | None = None,
    network: BoardNetwork | None = None,
    port: Callable[[], int],
) -> Services:
    """Build the services of a table's page; they are closed when `opened` ends."""
    table, live, workers = lit.table, lit.live, lit.workers
    stop, restart = shutdown.stop, shutdown.request_restart
    cards = CardService(table, live, workers.thinking, changed=lit.broadcast.notify)
    opened.push_async_callback(cards.close)
    cards.resume(lit.journal.cards)
    settings_file = lit.file.by_hand if lit.file else None
    records = RecordsService(
        lit.data, live, table, workers.records, calendar=time.time, settings_file=settings_file
    )
    opened.callback(records.close)
    lights = RawLights(table, lit.lamps)
    setup = SettingsService(
        lit.file,
        live,
        lights,
        data=lit.data,
        clock=time.monotonic,
        calendar=time.time,
        restart=restart,
        port=port,
        disk=workers.disk,
        doctor=workers.parts,
        seen=lit.guard.prove,
        taken_back=lit.guard.taken_back,
        faults=lambda: lit.fallbacks.faults,
    )
    opened.callback(setup.close)
    service = TableService(
        table,
        live,
        mock=lit.panel is not None,
        broadcast=lit.broadcast,
        closing=stop,
        restarts=lambda: shutdown.restart,
        cards=cards,
        night=lambda: night.standing if night else None,
        mode=lambda: LightsMode() if lights.is_lit else records.mode(),
        demo=lambda: demonstration.demo,
        thinking=workers.thinking,
    )
    backups = BackupEndpoints(
        lit.data,
        workers.records,
        settings_file=settings_file,
        instance_id=service.instance_id,
        restart=restart,
    )
    mock = MockButtons(lit.panel, settle_s=lit.settle_s, closing=stop) if lit.panel else None
    return Services(
        table=service,
        cards=cards,
        records=records,
        backups=backups,
        setup=setup,
        network=network,
        mock=mock,
    )
