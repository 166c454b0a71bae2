"""Boards at the end of a real pty, living in real time: the slow one, or an emulated Uno.

The emulator may be slower than a real Uno; no test may depend on its speed.
"""

import os
import pty
import select
import threading
import time
import tty
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from firmware_bridge.connection.discovery import BoardPort
from tests.firmware_bridge.firmware.avr_board import decode
from tests.support.limits import TIMEOUT_S
from tests.support.simavr_harness import UNO, SimulatedBoard
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


class _OnPty(ABC):
    """A board on a cable, in real time; `plugged` is its cable, None for none.

    A test uses `board` only under the lock `changed`, which is notified whenever bytes have come
    or gone.
    """

    def __init__(self, cable: Cable | None) -> None:
        self.plugged = cable
        self.changed = threading.Condition()
        self._last_device = ""
        self._is_over = False
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    @property
    def device(self) -> str:
        """The name of the host's end."""
        assert self.plugged is not None
        return self.plugged.device

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

    def end(self) -> None:
        """Pull the cable out and stop the board."""
        self._is_over = True
        self._thread.join()
        self.unplug()

    @abstractmethod
    def _live(self) -> None: ...


class BoardOnPty(_OnPty):
    """A slow board on a cable; `listing` is its USB entry."""

    def __init__(self, board: SlowBoard, *, vendor: int = NATIVE) -> None:
        self.board = board
        self._vendor = vendor
        self._begun = time.monotonic()
        super().__init__(Cable())

    def listing(self) -> list[BoardPort]:
        """Return the serial ports of a machine with this board."""
        cable = self.plugged
        if cable is None:
            return []
        return [BoardPort(device=cable.device, vendor=self._vendor, serial_number="7")]

    def press(self, button: int, *, down: bool = True) -> None:
        """Press or release a button."""
        with self.changed:
            self._tick()  # what was due before the press, on a busy machine too
            self.board.levels[button] = down

    def _live(self) -> None:
        while not self._is_over:
            with self.changed:
                self._pass_time(self._read())
            select.select([], [], [], 0.001)

    def _read(self) -> bytes:
        cable = self.plugged
        if cable is None:
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


STEP_S = 0.001


class UnoOnPty(_OnPty):
    """Uno on a cable, at first unplugged; the strip's own supply keeps it alive.

    Args:
        link: a lasting name for the host's end, like udev's; None for no such name.
        baud: the speed of the firmware.
    """

    def __init__(self, link: Path | None = None, *, baud: int = 500_000) -> None:
        self.board = SimulatedBoard(UNO, baud=baud)
        self._link = link
        self._edges = np.empty(0, np.uint64)
        super().__init__(None)

    def listing(self) -> list[BoardPort]:
        """Return the serial ports of a machine with this board."""
        if self.plugged is None:
            return []
        return [BoardPort(device=self.device, vendor=0x2341, product=0x43)]

    def plug_in(self) -> None:
        """Plug it in, under a name that it did not have; like every Uno it resets."""
        with self.changed:
            super().plug_in()
            if self._link is not None:
                self._link.unlink(missing_ok=True)
                self._link.symlink_to(self.device)
            self.board.reset()
            # A frame that the reset has cut off cannot be read.
            self.board.take_edges()
            self._edges = np.empty(0, np.uint64)

    def press(self, button: int, *, down: bool = True) -> None:
        """Press a button, or let it up."""
        with self.changed:
            self.board.press(button, down=down)

    def shown(self) -> list[bytes]:
        """Return the frames on its pin since it was plugged in; to be called under `changed`."""
        edges = self.board.take_edges()
        if not len(self._edges) and len(edges) and not edges[0] & 1:
            edges = edges[1:]  # the reset's own
        self._edges = np.concatenate((self._edges, edges))
        return [frame.data for frame in decode(self._edges, is_cut=True)]

    def wait_for(self, pixels: bytes) -> None:
        """Wait until a frame has been shown; an AssertionError if it never is."""
        self.until(lambda: pixels in self.shown())

    def _live(self) -> None:
        while not self._is_over:
            begun = time.monotonic()
            with self.changed:
                self._pass_time()
            select.select([], [], [], max(0.0, begun + STEP_S - time.monotonic()))

    def _pass_time(self) -> None:
        with suppress(BlockingIOError):
            if self.plugged is not None:
                self.board.send(os.read(self.plugged.end, 4096))
        until = self.board.now + STEP_S
        while self.board.now < until:
            said = self.board.run(until)
            if said and self.plugged is not None:
                with suppress(BlockingIOError):  # nobody reads
                    os.write(self.plugged.end, said)
        self.changed.notify_all()


@contextmanager
def uno_on_pty(link: Path | None = None, *, baud: int = 500_000) -> Iterator[UnoOnPty]:
    """Yield an Uno that has just been given power, not plugged in, for as long as it is needed."""
    uno = UnoOnPty(link, baud=baud)
    try:
        yield uno
    finally:
        uno.end()
