"""The sockets of the page: at the address of the settings, or at another until that can be had."""

import asyncio
import socket
from contextlib import ExitStack
from typing import Final

from companion.errors import AddressError, Text
from companion.runtime.fallbacks import Fallbacks
from companion.settings.schema import Settings
from companion.web.server import LOOPBACK, listening

_HOST: Final = "web.host"
_LOWEST_PORT: Final = 1024
"""Ports below it need root."""


class PageSockets:
    """Listening sockets of the page; made in its event loop.

    `host` and `port` are those of the page, `first` the sockets that could be had at once. `wanted`
    is done with those of the settings once they can be had, if `first` are others.

    Raises:
        AddressError: none can be had, or the start may not fall back.
    """

    def __init__(self, settings: Settings, fallbacks: Fallbacks, opened: ExitStack) -> None:
        self.host, self.port = settings.web.host, settings.web.port
        self._opened, self._loop = opened, asyncio.get_running_loop()
        self.wanted: asyncio.Future[list[socket.socket]] = self._loop.create_future()
        address = self.host, self.port
        try:
            self.first = self._listen(*address)
        except AddressError as error:
            self.first = self._listen_elsewhere(*address, error, fallbacks)
            page = Text("until then the page is at {url}", url=f"http://{LOOPBACK}:{self.port}/")
            fallbacks.retry(error.key, error, lambda: self._take(*address), meanwhile=page)

    def _listen(self, host: str, port: int, *, loopback: bool = True) -> list[socket.socket]:
        sockets = self._opened.enter_context(listening(host, port, loopback=loopback))
        self.host, self.port = host, sockets[0].getsockname()[1]
        return sockets

    def _listen_elsewhere(
        self, host: str, port: int, error: AddressError, fallbacks: Fallbacks
    ) -> list[socket.socket]:
        for _ in range(3):
            fallbacks.accept(error.key, error)
            if error.key == _HOST:
                host = LOOPBACK
            else:
                port = port + 1 if port == self.port >= _LOWEST_PORT else 0
            try:
                return self._listen(host, port)
            except AddressError as again:
                error = again
        raise error

    def _take(self, host: str, port: int) -> None:
        """Listen at the address of the settings; called in another thread."""
        sockets = self._listen(host, port, loopback=port != self.port)
        self._loop.call_soon_threadsafe(self.wanted.set_result, sockets)
