"""The reading thread: in order, its errors told to who asked, and nobody waits who has gone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from companion.web.http.worker import Reader

PATIENCE_S = 20


def reading(scene: Callable[[Reader], Awaitable[None]]) -> None:
    """A scene with a reader, which is closed afterwards and leaves no thread."""

    async def play(reader: Reader) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await scene(reader)

    before = set(threading.enumerate())
    reader = Reader()
    asyncio.run(play(reader))
    reader.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_what_is_read_comes_from_another_thread_in_order() -> None:
    """All in the same thread, one after the other, the loop's being another one."""

    async def scene(reader: Reader) -> None:
        done: list[int] = []

        def read(number: int) -> int:
            done.append(number)
            return threading.get_ident()

        threads = await asyncio.gather(*(reader.do(partial(read, n)) for n in range(9)))
        assert list(range(9)) == done
        assert 1 == len(set(threads))
        assert threading.get_ident() not in threads

    reading(scene)


def test_an_error_goes_to_who_asked_and_the_next_is_read() -> None:
    """The thread lives on."""

    async def scene(reader: Reader) -> None:
        def fail() -> None:
            raise LookupError("nothing there")

        with pytest.raises(LookupError, match="nothing there"):
            await reader.do(fail)
        assert 7 == await reader.do(lambda: 7)

    reading(scene)


def test_who_has_gone_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    """A reader goes on when the one who asked was cancelled, or only had something done."""

    async def scene(reader: Reader) -> None:
        go, begun = threading.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def slow() -> None:
            loop.call_soon_threadsafe(begun.set)
            assert go.wait(PATIENCE_S)

        asking = asyncio.create_task(reader.do(slow))
        await begun.wait()
        asking.cancel()
        reader.put(lambda: 1 / 0)
        go.set()
        assert 7 == await reader.do(lambda: 7)
        assert asking.cancelled()

    reading(scene)
    assert ["something could not be read"] == caplog.messages


def test_a_loop_that_has_ended_is_not_told() -> None:
    """What is still read when the loop ends tells nobody, and fails nowhere."""
    reader, go, ended = Reader(), threading.Event(), threading.Event()

    async def leave() -> None:
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()

        def slow() -> None:
            loop.call_soon_threadsafe(begun.set)
            assert go.wait(PATIENCE_S)

        asking = asyncio.create_task(reader.do(slow))
        await begun.wait()
        asking.cancel()

    asyncio.run(leave())
    reader.put(ended.set)
    go.set()
    assert ended.wait(PATIENCE_S)
    reader.close()
