"""Publication of a running table's state on the broker of a night.

The table never waits for the broker: another thread reads the journal and publishes the state. When
a game of the night is won, the panel asks the sides to confirm the result.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from companion.night.broker import PRESENCE_S, BrokerClient, TableTopics, plan_topic
from companion.night.publisher import Publisher
from companion.settings.broker import BrokerAddress
from companion.table import Table
from companion.table.actions import Confirmation
from companion.web.table.news import NightStanding
from companion.web.table.serialize import table_value
from companion.worker import Worker

PAUSE_S: Final = 0.2
"""Least seconds between two steps of the publisher; presses in this time share one step."""


_log = logging.getLogger(__name__)


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
        changed: is called when the standing has changed.

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
    ) -> None:
        self._table, self._changed = table, changed
        self._worker = Worker("night")
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
        self._seen = table.display.view
        self._unsubscribe = table.changed.subscribe(self._follow)

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
            self._worker.close()
            self._client.close()

    def _follow(self) -> None:
        """Wake `run` if the view of the game has changed; a replay does not change this view."""
        view = self._table.display.view
        if view is not self._seen:
            self._seen = view
            self._wake.set()

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

    def _note_connection(self, is_connected: bool) -> None:  # noqa: FBT001  # a callback's answer
        self._worker.put(partial(self._publisher.connected, is_connected=is_connected))
        self._wake_loop()

    def _wake_loop(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._wake.set)
