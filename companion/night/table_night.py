"""Publication of a table's state, and of its copy of a game night's plan, by an MQTT broker.

The table never waits for the broker: another thread reads the journal and publishes the state. When
a game of the night is won, the panel asks the sides to confirm the result.

The publisher queues nothing for the broker: after each connection it publishes the present state
from the journal and the book (see `FILE`). If the broker lacks the plan two seconds after the
connection, the publisher offers the table's copy. Every ten seconds an unchanged state is repeated.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import BadInputError, JournalError
from companion.files import StoredFile
from companion.night.book import (
    Book,
    JournalPosition,
    JournalTail,
    confirm,
    note_game,
    standing_of,
    take_plan,
)
from companion.night.broker import PRESENCE_S, BrokerClient, TableTopics, plan_topic
from companion.night.messages import (
    NightGame,
    NightPlan,
    TableState,
    log_refusal,
    parse_plan,
    serialize,
)
from companion.rules.game import State
from companion.settings.row import BrokerAddress
from companion.table import Table
from companion.table.panel.actions import Confirmation
from companion.web.table.news import NightStanding, table_value
from companion.web.table.table_responses import TableResponse
from companion.worker import Worker

FILE: Final = "night.json"  # the book, in the data folder: the games of the night at this table
PAUSE_S: Final = 0.2
"""Least seconds between two steps of the publisher; presses in this time share one step."""
STATE_REPEAT_S: Final = 10.0
"""Seconds after which an unchanged state is published again, for a client that has missed it."""
PLAN_GRACE_S: Final = 2.0
"""Seconds that a table waits for the organiser's plan after it has connected to the broker."""
INBOX_LIMIT: Final = 100

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Session:
    """Connection to the broker that began at the time `since`, and its newest messages.

    `state` was published at the time `stated`. `plan` came from the organiser. `offered` is the
    table's copy of the plan on the broker; None means no copy, if `has_settled_plan` is True.
    """

    since: float
    state: bytes = b""
    stated: float = 0.0
    has_settled_plan: bool = False
    offered: NightPlan | None = None
    plan: NightPlan | None = None


@dataclass(slots=True, kw_only=True)
class Publisher:
    """Publisher of one table.

    Args:
        topics: the table's topics.
        folder: the data folder, with the journal and the book.
        board: name of the board.
        colours: returns the colours of the sides as `#rrggbb`, by side.
        connection: the client of the broker.
        clock: returns monotonic seconds.
    """

    topics: TableTopics
    folder: Path
    board: str
    colours: Callable[[], Mapping[str, str]]
    connection: BrokerClient
    clock: Callable[[], float]
    _file: StoredFile[Book] = field(init=False)
    _book: Book = field(init=False)
    _saved: Book | None = field(init=False, default=None)
    _tail: JournalTail = field(init=False)
    _position: JournalPosition = field(init=False, default_factory=JournalPosition)
    _present: float = field(init=False, default=0.0)
    _sent: _Session | None = field(init=False, default=None)
    _inbox: deque[tuple[str, bytes]] = field(init=False)

    def __post_init__(self) -> None:
        self._file = StoredFile(self.folder / FILE, Book)
        self._book = self._file.load_if_readable() or Book()
        self._tail = JournalTail(self.folder)
        self._inbox = deque(maxlen=INBOX_LIMIT)

    # From the connection's thread

    def receive(self, topic: str, content: bytes) -> None:
        """Keep a message for the next step; if there are too many, drop the oldest message."""
        self._inbox.append((topic, content))

    # In the worker's thread

    def connected(self, *, is_connected: bool) -> None:
        """Begin to publish if `is_connected`; otherwise stop, because the connection is lost."""
        self._sent = _Session(self.clock()) if is_connected else None

    def confirm(self, side: int) -> None:
        """Note that a side confirms the win at the present position of the journal."""
        self._book = confirm(self._book, self._position, side)

    def step(self, state: State, view: TableResponse, *, saved: bool) -> NightStanding:
        """Read the inbox, update the book, and publish changes; return the table's `NightStanding`.

        `saved` is True if all commands of `state` are on disk.
        """
        while self._inbox:
            self._read(*self._inbox.popleft())
        if saved:
            self._follow(state)
        if self._sent:
            self._publish(self._sent, view)
        standing = standing_of(self._book, self.topics.table, self._position, state.setup)
        return msgspec.structs.replace(standing, connected=self._sent is not None)

    def close(self) -> None:
        self._tail.close()

    def _read(self, topic: str, content: bytes) -> None:
        try:
            if topic == plan_topic(self.topics.night) and content:
                plan = parse_plan(content)
                self._book = take_plan(self._book, plan)
                if self._sent:
                    self._sent.plan = plan
        except BadInputError as error:
            log_refusal(topic, error)

    def _follow(self, state: State) -> None:
        try:
            self._position = self._tail.position()
        except JournalError as error:
            _log.warning("the night does without the journal: %s", error)
            return
        self._book = note_game(self._book, self.topics.table, self._position, state)
        if self._saved is None or _lasting(self._book) != _lasting(self._saved):
            try:
                self._file.save(self._book)
            except OSError as error:
                _log.warning("the book of the night cannot be written: %s", error)
                return
            self._saved = self._book

    # Publishing

    def _publish(self, sent: _Session, view: TableResponse) -> None:
        now = self.clock()
        if now >= self._present + PRESENCE_S:
            self._present = now
            self.connection.signal_presence()
        content = serialize(self._state(view))
        is_due = content != sent.state or now >= sent.stated + STATE_REPEAT_S
        if is_due and self.connection.publish(self.topics.state, content, retain=True):
            sent.state, sent.stated = content, now
        if now >= sent.since + PLAN_GRACE_S:
            self._offer_plan(sent)

    def _state(self, view: TableResponse) -> TableState:
        plan = self._book.plan
        return TableState(
            journal=self._position.journal,
            seq=self._position.seq,
            night=plan.night if plan else None,
            board=self.board,
            colours=dict(self.colours()),
            view=view,
            games=self._book.games_of_night(),
        )

    def _offer_plan(self, sent: _Session) -> None:
        """Offer the plan if the organiser has not sent this plan; else delete the offered copy."""
        plan = self._book.plan
        lost = plan if plan != sent.plan else None
        if lost != sent.offered or not sent.has_settled_plan:
            content = serialize(lost) if lost else b""
            if self.connection.publish(self.topics.plan, content, retain=True):
                sent.offered, sent.has_settled_plan = lost, True


def _lasting(book: Book) -> object:
    """Return the part of a book that must survive a power cut; the rest is in the journal."""
    games = [
        (each.night, each.journal, each.won_by, _without_progress(each.game)) for each in book.games
    ]
    return book.plan, book.start, games


def _without_progress(game: NightGame) -> NightGame:
    return msgspec.structs.replace(game, progress=dict.fromkeys(game.progress, 0))


class TableNight:
    """Task that publishes a table's state; only the table's event loop may use it.

    Args:
        table: the running table.
        topics: the table's topics in the night.
        address: the broker's address.
        password: the table's password at the broker.
        folder: the data folder, with the journal.
        board: name of the board.
        colours: returns the colours of the sides as `#rrggbb`, by side.
        changed: is called when `standing`, the table's state in the night, has changed.
        worker: does the steps of the `Publisher`.

    Raises:
        BadInputError: the package for the broker is missing.
    """

    def __init__(
        self,
        table: Table,
        topics: TableTopics,
        address: BrokerAddress,
        *,
        password: str,
        folder: Path,
        board: str,
        colours: Callable[[], Mapping[str, str]],
        changed: Callable[[], None],
        worker: Worker,
    ) -> None:
        self._table, self._changed = table, changed
        self._worker = worker
        self._wake = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._client = BrokerClient(
            address,
            user=str(topics.table),
            password=password,
            presence=topics.online,
            topics=(plan_topic(topics.night),),
            received=self._receive,
            connected=self._note_connection,
        )
        self._publisher = Publisher(
            topics=topics,
            folder=folder,
            board=board,
            colours=colours,
            connection=self._client,
            clock=table.clock,
        )
        self.standing = NightStanding(table=topics.table)
        self._unsubscribe = table.display.redrawn.subscribe(lambda *_views: self._wake.set())

    async def run(self) -> None:
        """Follow the table until cancelled."""
        try:
            await self._step()
            self._client.start()
            while True:
                await self._step()
                await asyncio.sleep(PAUSE_S)
                with suppress(TimeoutError):
                    async with asyncio.timeout(PRESENCE_S - PAUSE_S):
                        await self._wake.wait()
        finally:
            self._unsubscribe()
            self._table.await_confirmation(None)
            self._worker.put(self._publisher.close)
            self._client.close()

    async def _step(self) -> None:
        self._wake.clear()
        table = self._table
        state, view = table.display.view.state, table_value(table)
        step = partial(self._publisher.step, state, view, saved=table.queue.saved)
        try:
            self._show(await self._worker.do(step))
        except Exception:  # noqa: BLE001  # the night must go on
            _log.exception("a step of the night has failed")

    def _show(self, standing: NightStanding) -> None:
        if standing == self.standing:
            return
        self.standing = standing
        awaited = frozenset(map(int, standing.awaited))
        confirmation = Confirmation(awaited=awaited, confirm=self._confirm) if awaited else None
        self._table.await_confirmation(confirmation)
        self._changed()

    def _confirm(self, side: int) -> None:
        self._worker.put(partial(self._publisher.confirm, side))
        self._wake.set()

    # In the thread of the connection

    def _receive(self, topic: str, content: bytes) -> None:
        self._publisher.receive(topic, content)
        self._wake_loop()

    def _note_connection(self, is_connected: bool) -> None:  # noqa: FBT001  # a callback's argument
        self._worker.put(partial(self._publisher.connected, is_connected=is_connected))
        self._wake_loop()

    def _wake_loop(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._wake.set)
