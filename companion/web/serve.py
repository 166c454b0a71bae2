"""Serving the page: uvicorn inside the table's own event loop, without its signal handlers."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from companion.errors import BadInputError

GRACE_S = 0.5
HEADER_LIMIT = 16 * 1024
MOST_CONNECTIONS = 128


async def serve(
    app: ASGIApp, *, host: str, port: int, on_ready: Callable[[int], None], stop: asyncio.Event
) -> None:
    """Serve until `stop` is set, and return within a second of that.

    Connections that are still open after `GRACE_S` are cut. `on_ready` is given the port once the
    page answers; port 0 picks a free one.

    Raises:
        BadInputError: the address cannot be had; the text says what to do.
    """
    with _listen(host, port) as listener:
        real_port = listener.getsockname()[1]
        server = _Server(_settings(app), ready=lambda: on_ready(real_port))
        end = asyncio.create_task(_end(server, stop))
        try:
            await server.serve(sockets=[listener])
        finally:
            end.cancel()


def _settings(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http="h11",
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # else X-Forwarded-For would make anybody a local client
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=HEADER_LIMIT,
    )


def _listen(host: str, port: int) -> socket.socket:
    if port not in range(1 << 16):
        raise BadInputError(f"cannot serve on port {port}: choose one from 0 to 65535")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    try:
        return socket.create_server((host, port), family=family, dualstack_ipv6=both)
    except OSError as error:
        raise BadInputError(f"cannot serve on {host} port {port}: {_remedy(error)}") from error


def _remedy(error: OSError) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return "something else does; choose another with --port, or have one picked: --port 0"
        case errno.EACCES:
            return "that needs root; choose a port from 1024 on"
        case errno.EADDRNOTAVAIL:
            return "this machine has no such address; see [web] host"
        case _:
            return f"{error}; see [web] host and --port"


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
