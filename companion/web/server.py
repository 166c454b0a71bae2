"""Serving the page: uvicorn inside the table's own event loop, without its signal handlers."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import ip_address
from typing import cast

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.errors import AddressError

LOOPBACK = "127.0.0.1"
GRACE_S = 0.5
HEADER_LIMIT = 16 * 1024
CONNECTION_LIMIT = 128
_HOST, _PORT = "web.host", "web.port"
_OTHER_HOST = (
    'set [web] host = "127.0.0.1" for this machine alone, or "0.0.0.0" for the whole house'
)


async def serve(
    app: ASGIApp,
    sockets: list[socket.socket],
    *,
    on_ready: Callable[[], None],
    stop: asyncio.Event,
) -> None:
    """Serve at these sockets until `stop` is set, and return within two seconds of that.

    Connections that are still open after `GRACE_S` are cut. `on_ready` is called once the page
    answers.
    """
    server = _Server(_settings(app), ready=on_ready)
    end = asyncio.create_task(_end(server, stop))
    try:
        await server.serve(sockets=sockets)
    finally:
        end.cancel()


@contextmanager
def listening(host: str, port: int) -> Iterator[list[socket.socket]]:
    """Listen at an address, and at the loopback address too; the first socket is the address's.

    What only this machine may do must be possible at the loopback address. Port 0 picks a free one.

    Raises:
        AddressError: the address cannot be had; the text says what to do.
    """
    with ExitStack() as open_here:
        yield _listeners(host, port, open_here)


def check_address(host: str, port: int, *, own: int) -> None:
    """Listen at an address, and end that at once.

    Args:
        host: where the page is to be served.
        port: the port there.
        own: the port of the page that is served by this program: it is not in the way.

    Raises:
        AddressError: the address cannot be had; the text says what to do.
    """
    try:
        with listening(host, port):
            pass
    except AddressError as error:
        in_use = isinstance(error.__cause__, OSError) and error.__cause__.errno == errno.EADDRINUSE
        if not (in_use and port == own):
            raise
        with listening(host, 0):
            pass


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
        limit_concurrency=CONNECTION_LIMIT,
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

    Else a few silent clients would take all the places that `CONNECTION_LIMIT` gives.
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
        """Return a mark of a request that is not whole, or that is the first and not begun."""
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
