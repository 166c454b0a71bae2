"""Serving the page: uvicorn inside the table's own event loop, without its signal handlers."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import cast

import click
import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.errors import AddressError
from companion.settings.load import Settings
from companion.web.table.service import TableDesk


async def serve_page(
    settings: Settings,
    desk: TableDesk,
    *,
    data: Path | None,
    notice: Callable[[str], None],
    on_ready: Callable[[int], None],
    stop: asyncio.Event,
) -> None:
    """Serve the page until `stop`.

    Args:
        settings: where it listens, and by which names.
        desk: the table that it shows.
        data: the folder in which the phones that were let in are kept.
        notice: is given lines to show on the page.
        on_ready: is given the port once the page answers, before the console is told.
        stop: ends it.

    Raises:
        BadInputError: the address cannot be had.
    """
    # Late, so that the board is lit before any of this is imported.
    from companion.web.app import make_app  # noqa: PLC0415
    from companion.web.http.addresses import addresses  # noqa: PLC0415
    from companion.web.pairing.store import load_pairing  # noqa: PLC0415

    host = settings.text("web", "host")
    ports: list[int] = []

    def ready(port: int) -> None:
        ports.append(port)
        on_ready(port)
        click.echo(f"ready http://127.0.0.1:{port}/")

    app = make_app(
        desk,
        hosts=frozenset(settings.texts("web", "hosts")),
        pairing=load_pairing(data, notice),
        told=lambda line: click.echo(f"cribwars: {line}", err=True),
        pages=lambda: addresses(host, ports[0]) if ports else (),
    )
    port = int(settings.number("web", "port"))
    ending = asyncio.create_task(_close_on(stop, desk))
    await serve(app, host=host, port=port, on_ready=ready, stop=stop)
    ending.cancel()


async def _close_on(stop: asyncio.Event, desk: TableDesk) -> None:
    await stop.wait()
    desk.closing.set()


LOOPBACK = "127.0.0.1"
GRACE_S = 0.5
HEADER_LIMIT = 16 * 1024
MOST_CONNECTIONS = 128
_HOST, _PORT = "web.host", "web.port"
_OTHER_HOST = (
    'set [web] host = "127.0.0.1" for this machine alone, or "0.0.0.0" for the whole house'
)


async def serve(
    app: ASGIApp, *, host: str, port: int, on_ready: Callable[[int], None], stop: asyncio.Event
) -> None:
    """Serve until `stop` is set, and return within two seconds of that.

    It is served at the loopback address too, whatever the host: what only this machine may do must
    be possible there. Connections that are still open after `GRACE_S` are cut. `on_ready` is given
    the port once the page answers; port 0 picks a free one.

    Raises:
        AddressError: the address cannot be had; the text says what to do.
    """
    with ExitStack() as open_here:
        listeners = _listeners(host, port, open_here)
        real_port = listeners[0].getsockname()[1]
        server = _Server(_settings(app), ready=lambda: on_ready(real_port))
        end = asyncio.create_task(_end(server, stop))
        try:
            await server.serve(sockets=listeners)
        finally:
            end.cancel()


def check_address(host: str, port: int, *, own: int) -> None:
    """Listen as `serve` does, and end that at once.

    Args:
        host: where the page is to be served.
        port: the port there.
        own: the port of the page that is served by this program: it is not in the way.

    Raises:
        AddressError: the address cannot be had; the text says what to do.
    """
    try:
        with ExitStack() as open_here:
            _listeners(host, port, open_here)
    except AddressError as error:
        in_use = isinstance(error.__cause__, OSError) and error.__cause__.errno == errno.EADDRINUSE
        if not (in_use and port == own):
            raise
        with ExitStack() as open_here:
            _listeners(host, 0, open_here)


def _settings(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=Connection,
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # else X-Forwarded-For would make anybody a local client
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=1,  # whoever waits for a disk that hangs holds up nobody
        h11_max_incomplete_event_size=HEADER_LIMIT,
    )


def _listeners(host: str, port: int, opened: ExitStack) -> list[socket.socket]:
    """Listen at an address, and at the loopback address if that is another one."""
    first = opened.enter_context(_listen(host, port))
    bound, real_port, *_ = first.getsockname()
    address = ip_address(bound)
    if address.is_unspecified or str(address) == LOOPBACK:
        return [first]
    return [first, opened.enter_context(_listen(LOOPBACK, real_port))]


def _listen(host: str, port: int) -> socket.socket:
    if port not in range(1 << 16):
        text = f"cannot serve on port {port}: choose one from 0 to 65535"
        raise AddressError(text, key=_PORT)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    try:
        # Looked up apart, as binding does not tell a name that nobody knows from other errors.
        address = _look_up(host, port, family)
        return socket.create_server(address, family=family, dualstack_ipv6=both)
    except (OSError, ValueError) as error:
        key, why = _remedy(error)
        raise AddressError(f"cannot serve on {host} port {port}: {why}", key=key) from error


def _look_up(host: str, port: int, family: int) -> tuple[str, int]:
    """Return the first address of a host; "" stands for all of this machine's."""
    found = socket.getaddrinfo(
        host or None, port, family, socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    return cast("tuple[str, int]", found[0][4])


def _remedy(error: OSError | ValueError) -> tuple[str, str]:
    """Return the setting that keeps us from an address, and why, with what to do."""
    if isinstance(error, (socket.gaierror, ValueError)):
        return _HOST, f"no such name is known here; {_OTHER_HOST}"
    match error.errno:
        case errno.EADDRINUSE:
            other = "choose another with --port, or have one picked: --port 0"
            return _PORT, f"something else does; {other}"
        case errno.EACCES:
            return _PORT, "that needs root; choose a port from 1024 on"
        case errno.EADDRNOTAVAIL:
            return _HOST, f"this machine has no such address; {_OTHER_HOST}"
        case _:
            return _HOST, f"{error.strerror}; {_OTHER_HOST}"


class Connection(H11Protocol):
    """A connection that is cut if a request is not whole after `patience_s`, or never begins.

    Else a few silent clients would take all the places that `MOST_CONNECTIONS` gives.
    """

    patience_s = 10.0

    def connection_made(  # type: ignore[override]  # as uvicorn's own
        self, transport: asyncio.Transport
    ) -> None:
        """Begin to look at how the request comes on."""
        super().connection_made(transport)
        self._waits_for: object = None
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        self._timer.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        waits_for = self._unfinished()
        if waits_for is not None and waits_for is self._waits_for:
            self.transport.abort()
        self._waits_for = waits_for
        self._timer = self.loop.call_later(self.patience_s, self._look)

    def _unfinished(self) -> object:
        """What stands for a request that is not whole, or not begun where it is the first."""
        cycle = self.cycle  # None before the first request
        if cycle is None:
            return self.conn
        part, _ = self.conn.trailing_data
        begun = self.conn.their_state is h11.SEND_BODY or (cycle.response_complete and part)
        return cycle if begun else None


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, *, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the loop that this server is a guest of."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._ready()


async def _end(server: uvicorn.Server, stop: asyncio.Event) -> None:
    await stop.wait()
    server.should_exit = True
    await asyncio.sleep(GRACE_S)
    for connection in tuple(server.server_state.connections):
        connection.transport.abort()
