"""An emulated Uno with the shipped firmware at the end of a real pty, living in real time.

The emulator may be slower than a real Uno; no test may depend on its speed.
"""

import os
import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from firmware_bridge.connection.discovery import BoardPort
from tests.firmware_bridge.board_on_pty import Cable
from tests.firmware_bridge.firmware.ws281x import decode
from tests.support.limits import TIMEOUT_S
from tests.support.simavr_harness import UNO, SimulatedBoard

STEP_S = 0.001


class UnoOnPty:
    """Uno on a cable; a test uses `board` only under the lock `changed`.

    Args:
        link: a lasting name for the host's end, like udev's; None for no such name.
        baud: the speed of the firmware.
    """

    def __init__(self, link: Path | None = None, *, baud: int = 500_000) -> None:
        self.board = SimulatedBoard(UNO, baud=baud)
        self.cable: Cable | None = None
        self.changed = threading.Condition()
        self._link = link
        self._edges = np.empty(0, np.uint64)
        self._is_over = False
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    @property
    def device(self) -> str:
        """The name of the host's end."""
        assert self.cable is not None
        return self.cable.device

    def listing(self) -> list[BoardPort]:
        """Return the serial ports of a machine with this board."""
        if self.cable is None:
            return []
        return [BoardPort(device=self.device, vendor=0x2341, product=0x43)]

    def plug_in(self) -> None:
        """Plug it in, under a name that it did not have; like every Uno it resets."""
        cable, *spares = (Cable() for _ in range(2))
        if self._link is not None:
            known = self._link.resolve()
            if str(known) == cable.device:
                cable, *spares = *spares, cable
            self._link.unlink(missing_ok=True)
            self._link.symlink_to(cable.device)
        for spare in spares:
            spare.pull()
        with self.changed:
            self.cable = cable
            self.board.reset()
            # A frame that the reset has cut off cannot be read.
            self.board.take_edges()
            self._edges = np.empty(0, np.uint64)

    def unplug(self) -> None:
        """Pull the cable out; the strip's own supply keeps the board alive."""
        with self.changed:
            if self.cable is not None:
                self.cable.pull()
            self.cable = None

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

    def until(self, done: Callable[[], object]) -> None:
        """Wait until a condition holds on the board; raise AssertionError if it never does."""
        with self.changed:
            assert self.changed.wait_for(done, TIMEOUT_S)

    def wait_for(self, pixels: bytes) -> None:
        """Wait until a frame has been shown; an AssertionError if it never is."""
        self.until(lambda: pixels in self.shown())

    def end(self) -> None:
        """Stop the Uno and pull the cable out."""
        self._is_over = True
        self._thread.join()
        self.unplug()

    def _live(self) -> None:
        while not self._is_over:
            begun = time.monotonic()
            with self.changed:
                self._pass_time()
            select.select([], [], [], max(0.0, begun + STEP_S - time.monotonic()))

    def _pass_time(self) -> None:
        with suppress(BlockingIOError):
            if self.cable is not None:
                self.board.send(os.read(self.cable.end, 4096))
        until = self.board.now + STEP_S
        while self.board.now < until:
            said = self.board.run(until)
            if said and self.cable is not None:
                with suppress(BlockingIOError):  # nobody reads
                    os.write(self.cable.end, said)
        self.changed.notify_all()


@contextmanager
def uno_on_pty(link: Path | None = None, *, baud: int = 500_000) -> Iterator[UnoOnPty]:
    """Yield an Uno that has just been given power, not plugged in, for as long as it is needed."""
    uno = UnoOnPty(link, baud=baud)
    try:
        yield uno
    finally:
        uno.end()
