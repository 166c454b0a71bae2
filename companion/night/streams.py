"""Streams of a night: whatever has changed, each page gets the whole view, and so all agree."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from companion.encoding import encode_json
from companion.night.organiser import Organiser
from companion.web.http.admission import STREAMS, Client, decide
from companion.web.http.disconnect import has_left, running
from companion.web.http.security import refuse
from companion.web.http.sse import HEADERS, RETRY, client_of, comes, event

INTERVAL_S: Final = 0.25
"""Seconds between two views of one stream."""
TURN_S: Final = 8
"""Seconds for which a hall screen shows one page of a longer list."""


class ViewStreams:
    """Open streams of the organiser's server.

    Args:
        organiser: wakes them.
        closing: is set when the server stops; then every stream says goodbye.
        calendar: seconds since 1970: from it screens know which page to show.
    """

    def __init__(
        self, organiser: Organiser, closing: asyncio.Event, calendar: Callable[[], float]
    ) -> None:
        self._organiser, self._closing, self._calendar = organiser, closing, calendar
        self._numbers = count(1)
        self._open: dict[int, Client] = {}
        self._encoded: dict[str, tuple[tuple[int, int], bytes]] = {}

    def stream(self, name: str, view: Callable[[], object]) -> ASGIApp:
        """Return the answer with a stream of a view; or 503 if there are too many.

        Views of the same name are made once for all streams.
        """

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            client = client_of(scope)
            admitted = decide(self._open.values(), client, STREAMS).accepted
            if not admitted or self._closing.is_set():
                text = "too many pages are watching, or the program ends: try again later"
                await refuse(503, text)(scope, receive, send)
                return
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            if scope["method"] == "HEAD":
                await send({"type": "http.response.body", "body": b""})
                return
            number = next(self._numbers)
            self._open[number] = client
            wake = asyncio.Event()
            unwatch = self._organiser.subscribe(wake.set)
            try:
                talking = self._talk(lambda: self._content(name, view), wake, send)
                async with running(talking, has_left(receive), self._closing.wait()) as tasks:
                    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                    await self._say_goodbye(tasks[0], wake)
            finally:
                unwatch()
                del self._open[number]

        return answer

    async def _say_goodbye(self, talk: asyncio.Task[object], wake: asyncio.Event) -> None:
        if self._closing.is_set():
            wake.set()
            await asyncio.wait({talk}, timeout=INTERVAL_S)
        if talk.done():
            talk.result()

    async def _talk(self, content: Callable[[], bytes], wake: asyncio.Event, send: Send) -> None:
        async def say(text: bytes, *, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": text, "more_body": more})

        hello = {"viewer": 0, "seq": self._organiser.plan.revision}
        await say(RETRY + event("hello", encode_json(hello)))
        last = b""
        while not self._closing.is_set():
            wake.clear()
            if (now := content()) != last:
                await say(event("news", now))
                last = now
            await comes(self._closing, INTERVAL_S)
            await comes(wake, 1 - INTERVAL_S)
        await say(event("goodbye", b"{}"), more=False)

    def _content(self, name: str, view: Callable[[], object]) -> bytes:
        second = int(self._calendar())
        key = (self._organiser.version, second)
        known = self._encoded.get(name)
        if known is None or known[0] != key:
            content = encode_json({"turn": second // TURN_S, "view": view()})
            self._encoded[name] = known = (key, content)
        return known[1]
