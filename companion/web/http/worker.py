"""A thread that reads for the event loop: one thing after the other, and nobody has to wait."""

from __future__ import annotations

import asyncio
import logging
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

_Read = TypeVar("_Read")

_log = logging.getLogger(__name__)

SWITCH_INTERVAL_S = 0.0005
"""Seconds for which a thread may keep the interpreter from another: a press waits for it several
times on its way, and Python's own 5 ms add up while an export is read."""


class Reader:
    """Does in one thread what is asked for in an event loop, in order.

    The thread begins with the first thing asked. When the program ends it is not waited for, as
    those of an executor are: what it does must be such that it may be left half done.
    """

    def __init__(self) -> None:
        self._asked: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="reader", daemon=True)
        self._begun = False

    async def do(self, read: Callable[[], _Read]) -> _Read:
        """Call `read` in the thread. Return its result, or raise its error."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[_Read] = loop.create_future()

        def answering() -> None:
            give: Callable[[], None]
            try:
                give = partial(answer.set_result, read())
            except Exception as error:  # noqa: BLE001  # whoever asked is told
                give = partial(answer.set_exception, error)
            with suppress(RuntimeError):  # the loop has ended: nobody asks any more
                loop.call_soon_threadsafe(_unless_done, answer, give)

        self.put(answering)
        return await answer

    def put(self, do: Callable[[], object]) -> None:
        """Have this done after all that was asked before; nobody waits for it."""
        if not self._begun:
            self._begun = True
            self._thread.start()
        self._asked.put(do)

    def close(self) -> None:
        """End the thread after all that was asked. Idempotent."""
        if self._begun:
            self._asked.put(None)

    def _run(self) -> None:
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        while (do := self._asked.get()) is not None:
            try:
                do()
            except Exception:  # noqa: BLE001  # the thread must live
                _log.exception("something could not be read")


def _unless_done(answer: asyncio.Future[_Read], give: Callable[[], None]) -> None:
    if not answer.done():  # it is, where whoever asked has gone
        give()
