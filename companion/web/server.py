"""Web application of a board, or of the program that organises a game night, and its server.

`make_application` makes an application of endpoints and files. uvicorn serves it in the program's
own event loop, without the signal handlers of uvicorn.

`listening` opens a socket at the address of the settings. If that is an address in the local
network, such as 192.168.1.20, `listening` also opens a socket at the loopback address, since some
requests are accepted only from this machine. `serve` answers at all sockets until `stop` is set.
Half a second later it cuts the connections that are still open.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import mimetypes
import socket
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, cast

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from companion.errors import AddressError, Text, as_text, joined
from companion.web.http.connection import HttpConnection
from companion.web.http.endpoint import endpoints_of, language_of
from companion.web.http.openapi import ApiDescription
from companion.web.http.route import PhoneLookup, routes
from companion.web.http.security import Guard, own_names, refuse

LOOPBACK = "127.0.0.1"
GRACE_S = 0.5
STATIC: Final = Path(__file__).parents[1] / "page"
BODY_LIMIT: Final = 64 * 1024
HEADER_LIMIT = 16 * 1024
UNACKNOWLEDGED_S = 30
"""Seconds that sent data may stay unacknowledged before the connection is cut."""
BACKLOG = 128
"""Limit of connections accepted in one go: more could use up the file descriptors."""
_HOST, _PORT = "web.host", "web.port"
mimetypes.add_type("font/woff2", ".woff2")  # Python 3.11 does not know it
_OTHER_HOST = Text(
    'set [web] host = "127.0.0.1" for this machine alone, or "0.0.0.0" for the whole house'
)

ErrorHandler = Callable[[Request, Any], Awaitable[Response]]


def make_application(
    owners: Iterable[object],
    *,
    language: Callable[[], str],
    clock: Callable[[], float],
    statuses: Mapping[type[Exception], int],
    handlers: Mapping[type[Exception], ErrorHandler] | None = None,
    no_page: Callable[[str], Response] = lambda _language: no_endpoint(),
    find_phone: PhoneLookup = lambda _token: None,
    hosts: Iterable[str] = (),
) -> Starlette:
    """Return the application; `app.state.endpoints` has all its endpoints.

    Args:
        owners: objects whose methods are the endpoints; that of the API's description is added.
        language: returns the language for callers that ask for no language.
        clock: returns monotonic seconds, for the rate limits.
        statuses: the HTTP status for each kind of error; the response has the error's text.
        handlers: functions that make the responses to further kinds of error.
        no_page: takes a language, and returns the response if an address has no page and no
            endpoint; under /api/ such an address is always refused in JSON.
        find_phone: takes a token, and returns the phone paired with it; by default it finds none.
        hosts: further host names of this machine.
    """
    described = tuple(each for owner in owners for each in endpoints_of(owner))
    endpoints = (*described, *endpoints_of(ApiDescription(described)))
    app = Starlette(
        routes=[
            *routes(endpoints, find_phone, language, clock),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(Guard, names=own_names(hosts)),
            Middleware(RequestBodyLimitMiddleware, max_body_size=BODY_LIMIT),
            Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6),  # skips event streams
        ],
        exception_handlers={
            **{kind: _refusing(status) for kind, status in statuses.items()},
            **(handlers or {}),
            404: _finding_nothing(language, no_page),
            ClientDisconnect: _has_left,
        },
    )
    app.router.redirect_slashes = False
    app.state.endpoints = endpoints
    return app


def _refusing(status: int) -> ErrorHandler:
    async def handle(_request: Request, error: Exception) -> Response:
        return refuse(status, as_text(error))

    return handle


def no_endpoint() -> Response:
    """Return the refusal of an address without an endpoint."""
    return refuse(404, "nothing here has that name")


def _finding_nothing(
    language: Callable[[], str], no_page: Callable[[str], Response]
) -> ErrorHandler:
    async def handle(request: Request, _error: Exception) -> Response:
        request.state.language = language_of(request, language())
        is_api = request.url.path.startswith("/api/")
        return no_endpoint() if is_api else no_page(request.state.language)

    return handle


async def _has_left(_request: Request, _error: Exception) -> Response:
    """Return a response that nobody reads: the client left before its request was complete."""
    return Response(status_code=400)


async def serve(
    app: ASGIApp, sockets: list[socket.socket], *, on_ready: Callable[[], None], stop: asyncio.Event
) -> None:
    """Serve at these sockets until `stop` is set, and return at most two seconds later.

    `on_ready` is called as soon as the page answers.
    """
    server = _Server(_settings(app), ready=on_ready)
    end = asyncio.create_task(_end(server, stop))
    try:
        await server.serve(sockets=sockets)
    finally:
        end.cancel()


@contextmanager
def listening(host: str, port: int, *, loopback: bool = True) -> Iterator[list[socket.socket]]:
    """Open a socket at an address, and one at the loopback address if the first does not serve it.

    With `loopback=False` the second socket is never opened. Port 0 picks a free port.

    Raises:
        AddressError: the address is not available; the text says what to do.
    """
    with ExitStack() as open_here:
        first = open_here.enter_context(_listen(host, port))
        bound, real_port, *_ = first.getsockname()
        address = ip_address(bound)
        if not loopback or address.is_unspecified or str(address) == LOOPBACK:
            yield [first]
        else:
            yield [first, open_here.enter_context(_listen(LOOPBACK, real_port))]


def check_address(host: str, port: int, *, own: int) -> None:
    """Check that a server could listen at an address.

    If `port` is `own`, the port that this program's page uses already, only the host is checked.

    Raises:
        AddressError: the address is not available; the text says what to do.
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
        http=partial(HttpConnection, []),  # type: ignore[arg-type]
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # otherwise X-Forwarded-For would make anybody a local client
        backlog=BACKLOG,
        log_level=logging.ERROR,  # a stranger's bad request is not logged
        timeout_graceful_shutdown=1,  # a request may wait for a disk that hangs
        h11_max_incomplete_event_size=HEADER_LIMIT,
    )


def _listen(host: str, port: int) -> socket.socket:
    if port not in range(1 << 16):
        text = "cannot serve on port {port}: choose one from 0 to 65535"
        raise AddressError(text, port=port, key=_PORT)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    try:
        # The look-up raises gaierror for an unknown name; `create_server` raises a plain OSError.
        address = _look_up(host, port, family)
        listener = socket.create_server(address, family=family, dualstack_ipv6=both)
    except (OSError, ValueError) as error:
        key, why = _remedy(error)
        raise AddressError(
            "cannot serve on {host} port {port}: {why}", host=host, port=port, why=why, key=key
        ) from error
    # Without TCP_NODELAY the second part of a response waits 40 ms for the client to acknowledge
    # the first part. Connections inherit it; asyncio does not set it on sockets with `proto` 0.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    # A phone that leaves the network closes no connection. Without TCP_USER_TIMEOUT the kernel
    # would try to send to it for a quarter of an hour, and its streams would stay open.
    if sys.platform == "linux":
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * UNACKNOWLEDGED_S)
    return listener


def _look_up(host: str, port: int, family: int) -> tuple[str, int]:
    """Return the first address of a host; "" means all addresses of this machine."""
    found = socket.getaddrinfo(
        host or None, port, family, socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    return cast("tuple[str, int]", found[0][4])


def _remedy(error: OSError | ValueError) -> tuple[str, Text]:
    """Return the key of the setting at fault, and the reason with its remedy."""
    if isinstance(error, (socket.gaierror, ValueError)):
        return _HOST, Text("no such name is known here; {other_host}", other_host=_OTHER_HOST)
    match error.errno:
        case errno.EADDRINUSE:
            other = Text("choose another port with --port; with --port 0 the program picks one")
            return _PORT, Text("another program uses this port; {other}", other=other)
        case errno.EACCES:
            return _PORT, Text("a port below 1024 needs root; choose one from 1024 on")
        case errno.EADDRNOTAVAIL:
            return _HOST, Text(
                "this machine has no such address; {other_host}", other_host=_OTHER_HOST
            )
        case _:
            return _HOST, joined("; ", (str(error.strerror), _OTHER_HOST))


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, *, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the program, which runs the event loop."""
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
