"""TCP proxy that falls silent: nothing is forwarded any more, and nothing is closed.

So it is behind a router that was switched off, or with a server that hangs. What comes meanwhile is
forwarded once the proxy speaks again.
"""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event
from typing import Final

LOCAL: Final = "127.0.0.1"
STREAM: Final = b"text/event-stream"
CONNECTION_LIMIT: Final = 64


class SilentProxy:
    """Proxy before a port of this machine; `url` is its own address, ending in a slash."""

    def __init__(self, port: int, pool: ThreadPoolExecutor) -> None:
        self._behind, self._pool = port, pool
        self._streams, self._others = Event(), Event()
        self._listener = socket.create_server((LOCAL, 0))
        self._sockets = [self._listener]
        self.url = f"http://{LOCAL}:{self._listener.getsockname()[1]}/"
        self.speak()
        pool.submit(self._accept)

    def silence(self, *, streams_only: bool = False) -> None:
        """Forward nothing from now on; or all but the event streams."""
        self._streams.clear()
        if not streams_only:
            self._others.clear()

    def speak(self) -> None:
        """Forward all again."""
        self._streams.set()
        self._others.set()

    def close(self) -> None:
        """End all connections."""
        for each in self._sockets:
            with suppress(OSError):  # it has ended by itself
                each.shutdown(socket.SHUT_RDWR)
        self.speak()

    def close_sockets(self) -> None:
        """Close the sockets, which no thread uses any more."""
        for each in self._sockets:
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):  # the proxy closes
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection((LOCAL, self._behind))
                self._sockets += [near, far]
                self._pool.submit(self._pump, near, far)
                self._pool.submit(self._pump, far, near)

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        gate = self._others
        with suppress(OSError):  # the other end has gone
            while data := source.recv(1 << 16):
                gate = self._streams if STREAM in data else gate
                gate.wait()
                sink.sendall(data)
            sink.shutdown(socket.SHUT_RDWR)


@contextmanager
def silent_proxy(port: int) -> Iterator[SilentProxy]:
    """A proxy before a port until the block ends."""
    with ThreadPoolExecutor(2 * CONNECTION_LIMIT) as pool:
        proxy = SilentProxy(port, pool)
        try:
            yield proxy
        finally:
            proxy.close()
    proxy.close_sockets()
