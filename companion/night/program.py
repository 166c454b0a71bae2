"""Program of a game night's organiser: web server, file, and connection to the MQTT broker.

The program first reads its file, and waits up to two seconds for the broker's retained messages. So
an organiser on a new machine begins with the plan of the night, not with an empty plan. Messages
arrive in the connection's thread, which passes them to the event loop. All else runs in the loop.
"""

from __future__ import annotations

import asyncio
import secrets
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final

from starlette.applications import Starlette

from companion.errors import BadInputError, JournalError
from companion.files import StoredFile, disk_errors
from companion.night.broker import BrokerClient, organiser_topics, plan_topic
from companion.night.messages import NightPlan, serialize
from companion.night.night_endpoints import NightEndpoints, ViewStreams
from companion.night.organiser import SETTLE_S, Organiser, StoredNight
from companion.settings.row import BrokerAddress
from companion.web.http.addresses import addresses
from companion.web.server import listening, make_application, serve

USER: Final = "organiser"
"""The organiser's user name at the broker; see deploy/broker/cribwars.acl."""
BROKER_TIMEOUT_S: Final = 2.0
"""Seconds for which the start waits for the broker's retained messages."""
PRESENCE_INTERVAL_S: Final = 0.25
"""Seconds between two checks for silent tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightOptions:
    """Options of the organiser's program.

    Attributes:
        broker: address of the broker.
        password: the organiser's password at the broker; empty if the broker needs no password.
        night: the night's name in topics.
        data: folder of the organiser's file.
        host: address at which the organiser's pages are served.
        port: port of the pages; 0 means any free port.
        language: the language of pages that request no language.
        ready: is called with the address of the organiser's page when the server answers.
    """

    broker: BrokerAddress
    password: str
    night: str
    data: Path
    host: str
    port: int
    language: str
    ready: Callable[[str], None]


def run_night(options: NightOptions) -> None:
    """Serve a night until SIGTERM or Ctrl-C.

    Raises:
        CompanionError: the program cannot start.
    """
    asyncio.run(_until_stopped(options))


async def _until_stopped(options: NightOptions) -> None:
    stop = asyncio.Event()
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(signum, stop.set)
    link = _BrokerLink(options)
    with listening(options.host, options.port) as sockets:
        port = sockets[0].getsockname()[1]
        app = make_app(
            link.organiser,
            stop,
            language=options.language,
            pages=lambda: addresses(options.host, port),
        )
        link.client.start()
        watching = asyncio.create_task(_watch_presence(link.organiser))
        try:
            await link.settled_or(stop)
            await serve(
                app, sockets, on_ready=lambda: options.ready(f"http://127.0.0.1:{port}/"), stop=stop
            )
        finally:
            watching.cancel()
            link.client.close()


class NightFile(StoredFile[StoredNight]):
    """File of one night in a data folder. `load` creates the folder if it is missing."""

    def __init__(self, folder: Path, night: str) -> None:
        super().__init__(folder / f"night-{night}.json", StoredNight)

    def load(self) -> StoredNight | None:
        """Return the content, or None if there is no file; rename a file with bad content.

        Raises:
            BadInputError: the file cannot be read, or its folder cannot be created.
        """
        text = "{file} cannot be read ({reason}): choose a folder with --data"
        with disk_errors(BadInputError, text, file=self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return super().load()

    def save(self, value: StoredNight) -> None:
        """Replace the file; the new file is on disk when this returns.

        Raises:
            JournalError: the file cannot be written; the old file stays.
        """
        text = "{file} cannot be written ({reason}): make room, then try again"
        with disk_errors(JournalError, text, file=self.path):
            super().save(value)


class _BrokerLink:
    """Organiser with its file and its connection to the broker, for the running event loop."""

    def __init__(self, options: NightOptions) -> None:
        self._loop = asyncio.get_running_loop()
        self._settled = asyncio.Event()
        self._topic = plan_topic(options.night)
        file = NightFile(options.data, options.night)
        stored = file.load() or StoredNight(plan=NightPlan(night=secrets.token_hex(8)))
        self.organiser = Organiser(
            options.night, stored, save=file.save, publish=self._publish, clock=time.monotonic
        )
        self.client = BrokerClient(
            options.broker,
            user=USER,
            password=options.password,
            topics=organiser_topics(options.night),
            received=partial(self._in_loop, self.organiser.receive),
            connected=partial(self._in_loop, self._follow),
        )

    async def settled_or(self, stop: asyncio.Event) -> None:
        """Wait for the broker's retained messages, a timeout, or the end of the program."""
        waits = [asyncio.ensure_future(each.wait()) for each in (self._settled, stop)]
        await asyncio.wait(waits, timeout=BROKER_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED)

    def _publish(self, plan: NightPlan) -> bool:
        return self.client.publish(self._topic, serialize(plan), retain=True, receipt=True)

    def _follow(self, connected: bool) -> None:  # noqa: FBT001  # a callback's argument
        self.organiser.connection(connected=connected)
        if connected:
            self._loop.call_later(SETTLE_S, self._settle)

    def _settle(self) -> None:
        self.organiser.settle()
        self._settled.set()

    def _in_loop(self, call: Callable[..., None], *arguments: object) -> None:
        """Make a call in the event loop, unless the loop is closed."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call, *arguments)


async def _watch_presence(organiser: Organiser) -> None:
    while True:
        organiser.check_presence()
        await asyncio.sleep(PRESENCE_INTERVAL_S)


def make_app(
    organiser: Organiser,
    closing: asyncio.Event,
    *,
    language: str,
    pages: Callable[[], tuple[str, ...]] = tuple,
) -> Starlette:
    """Return the application of the organiser's server."""
    streams = ViewStreams(organiser, closing, time.monotonic)
    return make_application(
        [NightEndpoints(organiser, streams, pages=pages, version=version("cribwars"))],
        language=lambda: language,
        clock=time.monotonic,
        statuses={BadInputError: 400, JournalError: 503},
    )
