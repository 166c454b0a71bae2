"""The slow board at the end of a real pty, in real time and a thread of its own."""

import os
import pty
import select
import threading
import time
import tty
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

from firmware_bridge.connection.discovery import BoardPort
from tests.support.limits import TIMEOUT_S
from tests.support.slow_board import SlowBoard

T = TypeVar("T")


NATIVE = 0x2E8A
"""A vendor of boards without boot loaders."""


class Cable:
    """A pty: `device` is the host's end, and the board's end is read and written by itself."""

    def __init__(self) -> None:
        self.end, self._host_end = pty.openpty()
        # Held open, so that the board's end stays usable whoever opens and closes the host's.
        tty.setraw(self._host_end)
        self.device = os.ttyname(self._host_end)
        os.set_blocking(self.end, False)
        weakref.finalize(self, os.close, self._host_end)

    def clog(self) -> None:
        """Fill it, so that nothing more can be written to the board."""
        os.set_blocking(self._host_end, False)
        # The system moves what it holds, and has room once more.
        while select.select([], [self._host_end], [], 0.05)[1]:
            with suppress(BlockingIOError):
                os.write(self._host_end, bytes(4096))

    def pull(self) -> None:
        """Pull it out: programs with the host's end open are cut off.

        Our own descriptor of that end stays open, so that no other pty gets the name meanwhile.
        """
        if self.end >= 0:
            os.close(self.end)
            self.end = -1


class Listener:
    """The far end of a cable that reads everything and sends nothing, until `end`."""

    def __init__(self, cable: Cable) -> None:
        self.device = cable.device
        self._cable = cable
        self._data = bytearray()
        self._changed = threading.Condition()
        self._is_over = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def heard(self, size: int) -> bytes:
        """Return all that has come, as soon as it is so many bytes."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self._data) >= size, TIMEOUT_S)
            return bytes(self._data)

    def end(self) -> None:
        """Stop listening, and pull the cable out."""
        self._is_over = True
        self._thread.join()
        self._cable.pull()

    def _listen(self) -> None:
        while not self._is_over:
            if not select.select([self._cable.end], [], [], 0.01)[0]:
                continue
            data = os.read(self._cable.end, 65536)
            with self._changed:
                self._data += data
                self._changed.notify_all()


class Collector(Generic[T]):
    """Items from another thread, for which a test waits."""

    def __init__(self) -> None:
        self.items: list[T] = []
        self._changed = threading.Condition()

    def put(self, item: T) -> None:
        """Take an item."""
        with self._changed:
            self.items.append(item)
            self._changed.notify_all()

    def until(self, done: Callable[[], object]) -> None:
        """Wait until a condition holds; raise AssertionError if it never does."""
        with self._changed:
            assert self._changed.wait_for(done, TIMEOUT_S)


class BoardOnPty:
    """A slow board on a cable. `plugged` is its cable, None for none; `listing` is its USB entry.

    A test uses `board` only under the lock `changed`, which is notified whenever bytes have come
    or gone.
    """

    def __init__(self, board: SlowBoard, *, serial_number: str = "7", vendor: int = NATIVE) -> None:
        self.board = board
        self.serial_number = serial_number
        self.vendor = vendor
        self.changed = threading.Condition()
        self.is_listening = True
        self.plugged: Cable | None = Cable()
        self._last_device = ""
        self._begun = time.monotonic()
        self._is_over = False
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    @property
    def device(self) -> str:
        """The name of the host's end."""
        assert self.plugged is not None
        return self.plugged.device

    def listing(self) -> list[BoardPort]:
        """Return the serial ports of a machine with this board."""
        cable = self.plugged
        if cable is None:
            return []
        return [
            BoardPort(device=cable.device, vendor=self.vendor, serial_number=self.serial_number)
        ]

    def unplug(self) -> None:
        """Pull the cable out; the board goes on running."""
        with self.changed:
            if self.plugged is not None:
                self._last_device = self.plugged.device
                self.plugged.pull()
            self.plugged = None

    def plug_in(self) -> None:
        """Plug it in again under another name."""
        cable = Cable()
        if cable.device == self._last_device:
            spare, cable = cable, Cable()
            spare.pull()
        with self.changed:
            self.plugged = cable

    def until(self, done: Callable[[], object]) -> None:
        """Wait until a condition holds on the board; raise AssertionError if it never does."""
        with self.changed:
            assert self.changed.wait_for(done, TIMEOUT_S)

    def press(self, button: int, *, down: bool = True) -> None:
        """Press or release a button."""
        with self.changed:
            self._tick()  # what was due before the press, on a busy machine too
            self.board.levels[button] = down

    def end(self) -> None:
        """Pull the cable out and stop the board."""
        self._is_over = True
        self._thread.join()
        self.unplug()

    def _live(self) -> None:
        while not self._is_over:
            with self.changed:
                self._pass_time(self._read())
            select.select([], [], [], 0.001)

    def _read(self) -> bytes:
        cable = self.plugged
        if cable is None or not self.is_listening:
            return b""
        try:
            return os.read(cable.end, 4096)
        except BlockingIOError:
            return b""

    def _tick(self) -> None:
        while self.board.ticks < (time.monotonic() - self._begun) * 1000:
            self.board.tick()

    def _pass_time(self, data: bytes) -> None:
        self._tick()
        self.board.receive(data)
        sent = self.board.sent()
        if sent and self.plugged is not None:
            os.write(self.plugged.end, sent)
        self.changed.notify_all()


@contextmanager
def board_on_pty(board: SlowBoard | None = None, *, vendor: int = NATIVE) -> Iterator[BoardOnPty]:
    """Yield a slow board on a cable."""
    on_pty = BoardOnPty(board or SlowBoard(boot_ticks=20), vendor=vendor)
    try:
        yield on_pty
    finally:
        on_pty.end()
