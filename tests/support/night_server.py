"""The organiser's server in a thread without a broker; tests hand messages to it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from companion.night.broker import TableTopics
from companion.night.messages import NightPlan, TableState, serialize
from companion.night.organiser import Organiser, StoredNight
from companion.night.program import make_app
from companion.web.server import listening, serve
from tests.support.timeout import TIMEOUT_S

NIGHT_NAME = "friday"

Answer = TypeVar("Answer")


class NightServer:
    """Organiser with its pages."""

    def __init__(self, plan: NightPlan, loop: asyncio.AbstractEventLoop, port: int) -> None:
        self.port, self.url = port, f"http://127.0.0.1:{port}/"
        self.closing = asyncio.Event()
        self.organiser = Organiser(
            NIGHT_NAME,
            StoredNight(plan=plan),
            save=lambda _: None,
            publish=lambda _: True,
            clock=time.monotonic,
        )
        self.organiser.connection(connected=True)
        self._loop = loop

    def do(self, call: Callable[[Organiser], Answer]) -> Answer:
        """Call something with the organiser in its own event loop, and wait for the result."""

        async def call_there() -> Answer:
            return call(self.organiser)

        return asyncio.run_coroutine_threadsafe(call_there(), self._loop).result(TIMEOUT_S)

    def hear(self, table: int, state: TableState, *, online: bool = True) -> None:
        """Receive presence and state of a table."""
        topics = TableTopics(NIGHT_NAME, table)
        presence = b"true" if online else b"false"
        self.do(lambda organiser: organiser.receive(topics.online, presence))
        self.do(lambda organiser: organiser.receive(topics.state, serialize(state)))

    def stop(self) -> None:
        """End the server."""
        self.do(lambda _: self.closing.set())


@contextmanager
def night_server(plan: NightPlan, *, port: int = 0) -> Iterator[NightServer]:
    """Serve a night from a thread of its own until the block ends."""
    ready = threading.Event()
    there: list[NightServer] = []

    async def run() -> None:
        with listening("127.0.0.1", port) as sockets:
            server = NightServer(plan, asyncio.get_running_loop(), sockets[0].getsockname()[1])
            there.append(server)
            app = make_app(server.organiser, server.closing, language="en")
            await serve(app, sockets, on_ready=ready.set, stop=server.closing)

    thread = threading.Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    try:
        assert ready.wait(TIMEOUT_S), "the server does not answer"
        yield there[0]
    finally:
        if there and thread.is_alive():
            there[0].stop()
        thread.join(TIMEOUT_S)
        assert not thread.is_alive(), "the server does not end"
