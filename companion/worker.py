"""Threads for slow jobs; the event loop goes on during a job."""

import asyncio
import ctypes
import logging
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

_Result = TypeVar("_Result")

_log = logging.getLogger(__name__)

SWITCH_INTERVAL_S = 0.0005
"""Seconds after which a thread must give the interpreter to a waiting thread. A press waits for the
interpreter several times. With Python's default of 5 ms, an export would delay a press too long."""

_M_ARENA_MAX = -8
"""The parameter of glibc's `mallopt` for the number of arenas."""


def share_arena() -> None:
    """Let all threads that start from now on share one arena of memory, if the C library is glibc.

    Separate arenas would cost 3 MB of unused memory. The threads do not wait for one another in a
    shared arena, because only one of them holds the interpreter lock.
    """
    if sys.platform == "linux":
        with suppress(AttributeError):  # the C library is not glibc
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


class Worker:
    """Thread that does one job after the other.

    The thread starts with the first job. The program ends without waiting for this thread, so each
    job must be safe to abandon half done.
    """

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._begun = False

    async def do(self, job: Callable[[], _Result]) -> _Result:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[_Result] = loop.create_future()

        def answering() -> None:
            give: Callable[[], None]
            try:
                give = partial(answer.set_result, job())
            except Exception as error:  # noqa: BLE001  # `do` raises it
                give = partial(answer.set_exception, error)
            with suppress(RuntimeError):  # the loop and the caller have ended
                loop.call_soon_threadsafe(_unless_done, answer, give)

        self.put(answering)
        return await answer

    def put(self, job: Callable[[], object]) -> None:
        """Queue a job whose result is not needed."""
        if not self._begun:
            self._begun = True
            self._thread.start()
        self._jobs.put(job)

    def close(self) -> None:
        """End the thread after its queued jobs, without waiting for them. Idempotent."""
        if self._begun:
            self._jobs.put(None)

    def _run(self) -> None:
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception:  # noqa: BLE001  # the thread must go on
                _log.exception("a job of the %s thread has failed", threading.current_thread().name)


class Workers:
    """Workers of the program: `thinking` chooses cards and finds win chances, `disk` saves files.

    `records`, for games and backups, is apart because the first statistics take seconds. `parts`
    checks the machine and retries failed parts of the table: it may take 20 s, or hang.
    """

    def __init__(self) -> None:
        self.thinking, self.disk = Worker("thinking"), Worker("disk")
        self.records, self.parts = Worker("records"), Worker("parts")

    def close(self) -> None:
        for worker in (self.thinking, self.disk, self.records, self.parts):
            worker.close()


def _unless_done(answer: asyncio.Future[_Result], give: Callable[[], None]) -> None:
    if not answer.done():  # the answer is done if the caller was cancelled
        give()
