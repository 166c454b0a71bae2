"""Server-sent events: their bytes, and the streams of a server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Final

from starlette.types import Receive, Scope, Send

from companion.web.http.admission import STREAMS, Client, decide, kind_of, network_of
from companion.web.http.security import refuse

RETRY: Final = b"retry: 1000\n\n"
KEEP_ALIVE: Final = b": still here\n\n"
HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
]
GOODBYE_TIMEOUT_S: Final = 0.2
"""Seconds that a page may take to receive the goodbye."""

Say = Callable[[bytes], Awaitable[None]]
Talk = Callable[[int, asyncio.Event, Say], Coroutine[Any, Any, None]]
"""Sends a stream's events until the server closes: is given its number, its wake and the sender."""


def event(name: str, data: bytes, *, number: object = None) -> bytes:
    """Return one server-sent event; `data` is a single line."""
    head = f"event: {name}\n" if number is None else f"event: {name}\nid: {number}\n"
    return head.encode() + b"data: " + data + b"\n\n"


async def has_left(receive: Receive) -> None:
    """Wait until the caller of a request, whose body has been read, is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def running(*waits: Coroutine[Any, Any, object]) -> AsyncIterator[list[asyncio.Task[object]]]:
    """Run coroutines as tasks until the block ends; those that still run are cancelled then."""
    tasks = [asyncio.create_task(each) for each in waits]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class OpenStreams:
    """Streams of a server that are open, each under its number.

    Args:
        closing: is set when the server stops; then every stream says goodbye.
        subscribe: has a function called after each change; returns what ends that.
        goodbye: returns the value of the goodbye, as JSON.
        refusal: text for a page for which there is no room.
        left: is given the number of each stream that has ended.
    """

    def __init__(
        self,
        closing: asyncio.Event,
        subscribe: Callable[[Callable[[], None]], Callable[[], None]],
        *,
        refusal: str,
        goodbye: Callable[[], bytes] = lambda: b"{}",
        left: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._closing, self._subscribe = closing, subscribe
        self._refusal, self._goodbye, self._left = refusal, goodbye, left
        self._numbers = count(1)
        self._open: dict[int, Client] = {}

    def __contains__(self, number: int) -> bool:
        """Return True while the stream of this number is open."""
        return number in self._open

    async def answer(self, talk: Talk, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a stream, or 503 if there are too many or the server stops."""
        client = _client_of(scope)
        if not decide(self._open.values(), client, STREAMS).accepted or self._closing.is_set():
            await refuse(503, self._refusal)(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        number = next(self._numbers)
        self._open[number] = client
        try:
            await self._serve(number, talk, receive, send)
        finally:
            del self._open[number]
            self._left(number)

    async def _serve(self, number: int, talk: Talk, receive: Receive, send: Send) -> None:
        """Talk until the page goes or the server stops, even if the page does not read."""

        async def say(text: bytes, *, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": text, "more_body": more})

        async def talk_to_the_end() -> None:
            await talk(number, wake, say)
            await say(event("goodbye", self._goodbye()), more=False)

        wake = asyncio.Event()
        unwatch = self._subscribe(wake.set)
        try:
            async with running(talk_to_the_end(), has_left(receive), self._closing.wait()) as tasks:
                talking, _, closing = tasks
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                if closing.done():
                    wake.set()
                    await asyncio.wait({talking}, timeout=GOODBYE_TIMEOUT_S)
                if talking.done():
                    talking.result()
        finally:
            unwatch()


def _client_of(scope: Scope) -> Client:
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
