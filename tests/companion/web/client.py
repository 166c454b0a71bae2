"""Client of the application in this process: single requests, and streams of a page."""

import asyncio
import base64
import struct
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import httpx
from starlette.types import ASGIApp, Message, Scope

from tests.support.limits import TIMEOUT_S
from tests.support.real_table import RealTable

LOCAL = "127.0.0.1"
JSON = "application/json"


async def send(
    app: ASGIApp,
    method: str,
    path: str,
    *,
    body: bytes | None = None,
    headers: Mapping[str, str] | httpx.Headers | None = None,
    client: str = LOCAL,
) -> httpx.Response:
    """Return the response to a request from this address; the body is JSON by default."""
    transport = httpx.ASGITransport(app, client=(client, 50000))
    sent = httpx.Headers(headers)
    if body is not None:
        sent.setdefault("content-type", JSON)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client_:
        return await client_.request(method, path, content=body, headers=sent)


def fetch(table: RealTable, method: str, path: str, **more: object) -> httpx.Response:
    """Return a real table's response, for a test without an event loop."""
    return table.run(lambda: send(table.app, method, path, **more))  # type: ignore[arg-type]  # as send takes them


def refusal(table: RealTable, method: str, path: str, **more: object) -> int:
    """Return the status of a refusal, which must have a reason of one line."""
    answer = fetch(table, method, path, **more)
    assert "\n" not in answer.json()["error"], path
    return answer.status_code


def held(reported: dict[str, Any]) -> list[str]:
    """Return the cards of the own hand in a report of it."""
    hands = reported["shown"]["hands"]
    return [
        card["card"] for hand in hands if hand["seat"] == reported["seat"] for card in hand["cards"]
    ]


class Listener:
    """A page's end of a stream; while `reading` is not set it reads nothing."""

    def __init__(
        self,
        app: ASGIApp,
        query: Mapping[str, str] | None = None,
        *,
        path: str = "/api/stream",
        last_event_id: str = "",
        client: str = LOCAL,
    ) -> None:
        self.reading = asyncio.Event()
        self.reading.set()
        self.status = 0
        self._came: asyncio.Queue[str | None] = asyncio.Queue()
        self._gone = asyncio.Event()
        scope: Scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "scheme": "http",
            "query_string": urlencode(query or {}).encode(),
            "headers": [
                (b"host", b"localhost"),
                *([(b"last-event-id", last_event_id.encode())] if last_event_id else []),
            ],
            "client": (client, 50000),
        }

        async def run() -> None:
            await app(scope, self._receive, self._send)

        self.task = asyncio.create_task(run())

    async def next(self) -> tuple[str, str] | None:
        """Return the next event's name and data, a comment as ("", text), or None at the end."""
        text = await asyncio.wait_for(self._came.get(), TIMEOUT_S)
        if text is None or text.startswith(":"):
            return None if text is None else ("", text)
        fields = dict(line.split(": ", 1) for line in text.splitlines())
        return fields.get("event", "retry"), fields.get("data", "")

    async def named(self, name: str) -> str:
        """Return the data of the next event of this name; earlier events are dropped."""
        while True:
            event = await self.next()
            assert event is not None
            if event[0] == name:
                return event[1]

    async def id_of(self, name: str) -> str:
        """Return the id of the next event of this name; earlier events are dropped."""
        while True:
            text = await asyncio.wait_for(self._came.get(), TIMEOUT_S)
            assert text is not None
            fields = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
            if fields.get("event") == name:
                return fields["id"]

    async def leave(self) -> None:
        """Disconnect, and wait until the application has noticed."""
        self._gone.set()
        await asyncio.wait_for(self.task, TIMEOUT_S)

    async def _receive(self) -> Message:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        await self.reading.wait()
        self.status = message.get("status", self.status)
        for text in message.get("body", b"").decode().split("\n\n"):
            if text:
                self._came.put_nowait(text)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            self._came.put_nowait(None)


def rebuilt(frame: dict[int, tuple[int, int, int]], data: str) -> dict[int, tuple[int, int, int]]:
    """Return a frame after the changes of a frame event, LED by LED as in the format."""
    changes = struct.iter_unpack("<HBBB", base64.b64decode(data))
    return frame | {led: (red, green, blue) for led, red, green, blue in changes}
