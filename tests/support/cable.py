"""Cable between programs and a port of this machine, which a test can pull out."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.support.timeout import TIMEOUT_S


class Cable:
    """Port that passes everything on to another one, unless it is pulled out.

    A pulled cable is silent: neither end notices. Once it is back in, the old connections drop.
    """

    def __init__(self, target: int, loop: asyncio.AbstractEventLoop) -> None:
        self.port = 0
        self._target, self._loop = target, loop
        self._is_whole = asyncio.Event()
        self._is_whole.set()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    async def serve(self) -> None:
        """Begin to accept connections."""
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        """Close it and its connections, in its event loop."""
        if self._server:
            self._server.close()
        self._drop()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        await self._is_whole.wait()
        with suppress(OSError):
            there, far = await asyncio.open_connection("127.0.0.1", self._target)
            self._writers.add(far)
            await asyncio.wait(
                [
                    asyncio.ensure_future(self._pass_on(reader, far)),
                    asyncio.ensure_future(self._pass_on(there, writer)),
                ]
            )
        writer.close()
        self._writers.discard(writer)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                await self._is_whole.wait()
                writer.write(data)
                await writer.drain()
        writer.close()
        self._writers.discard(writer)

    def pull(self) -> None:
        """Pull it out: nothing passes."""
        self._loop.call_soon_threadsafe(self._is_whole.clear)

    def plug(self) -> None:
        """Put it back in: new connections pass."""
        self._loop.call_soon_threadsafe(self._plug)

    def _plug(self) -> None:
        self._drop()
        self._is_whole.set()

    def _drop(self) -> None:
        for writer in self._writers:
            writer.transport.abort()


@contextmanager
def cables(target: int, number: int) -> Iterator[list[Cable]]:
    """Connect this number of cables to a port until the block ends."""
    ready, loop = threading.Event(), asyncio.new_event_loop()
    laid = [Cable(target, loop) for _ in range(number)]

    async def serve() -> None:
        for cable in laid:
            await cable.serve()
        ready.set()

    async def end() -> None:
        for cable in laid:
            cable.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def run() -> None:
        loop.run_until_complete(serve())
        loop.run_forever()
        loop.run_until_complete(end())
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        assert ready.wait(TIMEOUT_S), "the cables are not laid"
        yield laid
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(TIMEOUT_S)
        assert not thread.is_alive(), "the cables' thread does not end"
