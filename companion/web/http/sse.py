"""Server-sent events: the encoding of an event, and the open event streams of a server.

A page cannot tell a dead connection from a quiet table, so a stream is never silent for longer
than `BEAT_S`: without news it sends a beat. A beat is an event, not a comment line, since browsers
hide comments from scripts. The loop that sends the news also sends the beats, so a page that gets a
beat has all the news up to then.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Final

import msgspec
from msgspec import field
from starlette.types import Receive, Scope, Send

from companion.encoding import encode_json
from companion.errors import Text
from companion.web.http.connection import STREAMS, network_of
from companion.web.http.security import refuse

RETRY: Final = b"retry: 1000\n\n"
HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
]
BEAT_S: Final = 5.0
"""Seconds of silence after which a beat is sent; `net/stream.js` gives up after 2.5 times that."""
GOODBYE_TIMEOUT_S: Final = 0.2
"""Seconds that a page may take to receive the goodbye."""

Say = Callable[[bytes], Awaitable[None]]
Payload = Callable[[], bytes]
"""Function that returns the events since its last call, or b"" if there are none."""


class Hello(msgspec.Struct, frozen=True, kw_only=True):
    """First event of a stream: the id of the server's run, and `viewer`, the number of this stream.

    `seq` is the number of the last command that was accepted before the stream began.
    """

    instance_id: str = field(name="run")
    viewer: int
    seq: int


class StreamBeat(msgspec.Struct, frozen=True):
    """Event sent after the first news, and after each silence of five seconds."""


class Goodbye(msgspec.Struct, frozen=True, kw_only=True):
    """Last event of a stream; `restarts` is True if the server comes back by itself."""

    restarts: bool | msgspec.UnsetType = msgspec.UNSET


class StreamEvents(msgspec.Struct, frozen=True, kw_only=True):
    """Events of every stream, by name."""

    hello: Hello
    beat: StreamBeat
    goodbye: Goodbye


def event(name: str, data: bytes, *, number: object = None) -> bytes:
    """Return one server-sent event; `data` is a single line."""
    head = f"event: {name}\n" if number is None else f"event: {name}\nid: {number}\n"
    return head.encode() + b"data: " + data + b"\n\n"


BEAT: Final = event("beat", encode_json(StreamBeat()))


async def has_left(receive: Receive) -> None:
    """Wait until the client has left; a body that has not been read before is lost."""
    while (await receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def running(*waits: Coroutine[Any, Any, object]) -> AsyncIterator[list[asyncio.Task[object]]]:
    """Run coroutines as tasks during the block, and cancel those that still run at its end."""
    tasks = [asyncio.create_task(each) for each in waits]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class OpenStreams:
    """Open streams of a server by their numbers.

    Args:
        closing: is set when the server stops; then every stream says goodbye.
        subscribe: registers a listener of changes that make news; returns a function to remove it.
        goodbye: returns the last event.
        refusal: the error text for a page if too many streams are open.
        interval_s: the shortest time between two sendings of one stream.
        poll_s: the time after which a stream looks for news even if no change woke it.
        beat_s: the silence after which a beat is sent.
        left: is called with the number of each stream that has ended.
    """

    def __init__(
        self,
        closing: asyncio.Event,
        subscribe: Callable[[Callable[[], None]], Callable[[], None]],
        *,
        refusal: Text,
        interval_s: float,
        poll_s: float = BEAT_S,
        beat_s: float = BEAT_S,
        goodbye: Callable[[], Goodbye] = Goodbye,
        left: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._closing, self._subscribe = closing, subscribe
        self._refusal, self._goodbye, self._left = refusal, goodbye, left
        self._interval_s, self._poll_s, self._beat_s = interval_s, poll_s, beat_s
        self._numbers = count(1)
        self._open: dict[int, str] = {}

    def __contains__(self, number: int) -> bool:
        """Return True while the stream of this number is open."""
        return number in self._open

    async def answer(
        self,
        hello: Callable[[int], Hello],
        news: Payload,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        """Send a stream, or 503 if there are too many or the server stops.

        `hello` gets the number of the stream.
        """
        network = network_of((scope.get("client") or ("",))[0])
        if self._closing.is_set() or not STREAMS.admit(self._open.values(), network):
            await refuse(503, self._refusal)(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        number = next(self._numbers)
        self._open[number] = network
        try:
            first = RETRY + event("hello", encode_json(hello(number))) + news() + BEAT
            await self._serve(first, news, receive, send)
        finally:
            del self._open[number]
            self._left(number)

    async def _serve(self, first: bytes, news: Payload, receive: Receive, send: Send) -> None:
        """Send events until the page leaves or the server stops; then cancel a blocked sending."""

        async def say(text: bytes, *, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": text, "more_body": more})

        async def talk_to_the_end() -> None:
            await self._talk(first, news, wake, say)
            await say(event("goodbye", encode_json(self._goodbye())), more=False)

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

    async def _talk(self, text: bytes, news: Payload, wake: asyncio.Event, say: Say) -> None:
        """Send a text, then news and beats until the server closes."""
        clock = asyncio.get_running_loop().time
        while True:
            if text:
                await say(text)
                beat_at = clock() + self._beat_s
            # All changes during this pause are sent together after it.
            if await comes(self._closing, self._interval_s):
                return
            await comes(wake, min(self._poll_s, beat_at - clock()))
            wake.clear()
            text = news()
            if not text and clock() >= beat_at:
                text = BEAT


async def comes(wake: asyncio.Event, seconds: float) -> bool:
    """Wait for an event at most `seconds`. Return True if it came."""
    # Not `asyncio.wait_for`: before Python 3.12 it may swallow the cancellation of its caller.
    try:
        async with asyncio.timeout(seconds):
            await wake.wait()
    except TimeoutError:
        return False
    return True
