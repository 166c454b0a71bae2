"""Server-sent events: their bytes, and the waits of who sends them."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.types import Scope

from companion.web.http.admission import Client, kind_of, network_of

RETRY: Final = b"retry: 1000\n\n"
KEEP_ALIVE: Final = b": still here\n\n"
HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
]


def event(name: str, data: bytes, *, number: object = None) -> bytes:
    """Return one server-sent event; `data` is a single line."""
    head = f"event: {name}\n" if number is None else f"event: {name}\nid: {number}\n"
    return head.encode() + b"data: " + data + b"\n\n"


def client_of(scope: Scope) -> Client:
    """Return the client of a stream's request."""
    network = network_of((scope.get("client") or ("",))[0])
    paired = "phone" in scope.get("state", ())
    return Client(network=network, kind=kind_of(network, paired=paired))


async def comes(wake: asyncio.Event, seconds: float) -> bool:
    """Wait for an event at most so long. Return True if it came."""
    # Not wait_for: before Python 3.12 it may swallow the cancelling of who waits.
    try:
        async with asyncio.timeout(seconds):
            await wake.wait()
    except TimeoutError:
        return False
    return True
