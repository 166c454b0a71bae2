"""The worker: jobs in order, errors for the caller, and no harm by a caller that is gone."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from companion.worker import Worker
from tests.support.limits import TIMEOUT_S


def reading(scene: Callable[[Worker], Awaitable[None]]) -> None:
    """Run a scene with a worker, which is closed afterwards and leaves no thread."""

    async def play(worker: Worker) -> None:
        async with asyncio.timeout(TIMEOUT_S):
            await scene(worker)

    before = set(threading.enumerate())
    worker = Worker("test")
    asyncio.run(play(worker))
    worker.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(TIMEOUT_S)
        assert not thread.is_alive()


async def cancelled(worker: Worker, go: threading.Event) -> asyncio.Task[None]:
    """Run a request that is cancelled while the worker does it."""
    begun, loop = asyncio.Event(), asyncio.get_running_loop()

    def slow() -> None:
        loop.call_soon_threadsafe(begun.set)
        assert go.wait(TIMEOUT_S)

    request = asyncio.create_task(worker.do(slow))
    await begun.wait()
    request.cancel()
    return request


def test_what_is_read_comes_from_another_thread_in_order() -> None:
    """All jobs run one after the other in the same thread, which is not the loop's."""

    async def scene(worker: Worker) -> None:
        done: list[int] = []

        def read(number: int) -> int:
            done.append(number)
            return threading.get_ident()

        threads = await asyncio.gather(*(worker.do(partial(read, n)) for n in range(9)))
        assert list(range(9)) == done
        assert 1 == len(set(threads))
        assert threading.get_ident() not in threads

    reading(scene)


def test_an_error_goes_to_who_asked_and_the_next_is_read() -> None:
    """The caller gets the error, and the thread goes on."""

    async def scene(worker: Worker) -> None:
        def fail() -> None:
            raise LookupError("nothing there")

        with pytest.raises(LookupError, match="nothing there"):
            await worker.do(fail)
        assert 7 == await worker.do(lambda: 7)

    reading(scene)


def test_who_has_gone_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    """The worker goes on if the caller was cancelled, and after a job without a result."""

    async def scene(worker: Worker) -> None:
        go = threading.Event()
        asking = await cancelled(worker, go)
        worker.put(lambda: 1 / 0)
        go.set()
        assert 7 == await worker.do(lambda: 7)
        assert asking.cancelled()

    reading(scene)
    assert ["a job of the test thread has failed"] == caplog.messages


def test_a_loop_that_has_ended_is_not_told() -> None:
    """A job that outlasts the loop calls nobody, and does not fail."""
    worker, go, ended = Worker("test"), threading.Event(), threading.Event()

    asyncio.run(cancelled(worker, go))
    worker.put(ended.set)
    go.set()
    assert ended.wait(TIMEOUT_S)
    worker.close()
