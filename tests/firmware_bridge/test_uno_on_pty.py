"""The shipped firmware on an emulated Uno, at the end of a real pty: nothing in between is ours.

The emulator runs in real time as well as it can; what is proven here does not depend on how well.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import numpy as np
import pytest

from firmware_bridge.buttons import BridgeButtons
from firmware_bridge.finding import BoardPort
from firmware_bridge.sharing import Connections
from firmware_bridge.strip import BridgeStrip
from hardware.debounce import Edge
from hardware.strips import StripSpec
from tests.firmware_bridge.board_on_pty import PATIENCE_S, Cable
from tests.firmware_bridge.firmware.ws281x import decode
from tests.support import simavr_harness
from tests.support.simavr_harness import UNO, SimulatedBoard

LEDS = 60
STEP_S = 0.001

pytestmark = pytest.mark.skipif(
    bool(simavr_harness.missing()), reason=simavr_harness.missing() or "runs"
)


class UnoOnPty:
    """An Uno on a cable; what a test does with `board` it does under `changed`."""

    def __init__(self) -> None:
        self.board = SimulatedBoard(UNO, baud=500_000)
        self.cable = Cable()
        self.changed = threading.Condition()
        self._edges = np.empty(0, np.uint64)
        self._is_over = False
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    def listing(self) -> list[BoardPort]:
        """The serial ports of a machine with this board."""
        return [BoardPort(device=self.cable.device, vendor=0x2341, product=0x43)]

    def press(self, button: int, *, down: bool = True) -> None:
        """Press a button, or let it up."""
        with self.changed:
            self.board.press(button, down=down)

    def shown(self) -> list[bytes]:
        """The frames on its pin so far."""
        self._edges = np.concatenate((self._edges, self.board.take_edges()))
        return [frame.data for frame in decode(self._edges, is_cut=True)]

    def wait_for(self, pixels: bytes) -> None:
        """Wait until a frame has been shown; an AssertionError if it never is."""
        with self.changed:
            assert self.changed.wait_for(lambda: pixels in self.shown(), PATIENCE_S)

    def end(self) -> None:
        """End its life and pull the cable out."""
        self._is_over = True
        self._thread.join()
        self.cable.pull()

    def _live(self) -> None:
        while not self._is_over:
            begun = time.monotonic()
            with self.changed:
                self._pass_time()
            select.select([], [], [], max(0.0, begun + STEP_S - time.monotonic()))

    def _pass_time(self) -> None:
        with suppress(BlockingIOError):
            self.board.send(os.read(self.cable.end, 4096))
        until = self.board.now + STEP_S
        while self.board.now < until:
            said = self.board.run(until)
            if said:
                os.write(self.cable.end, said)
        self.changed.notify_all()


@pytest.fixture
def uno() -> Iterator[UnoOnPty]:
    """An Uno that has just been given power."""
    uno = UnoOnPty()
    yield uno
    uno.end()


class Given:
    """A sink of edges."""

    def __init__(self) -> None:
        self.edges: list[tuple[str, bool]] = []
        self._changed = threading.Condition()

    def put(self, edge: Edge) -> None:
        """Take an edge; one that tells the level anew is none."""
        with self._changed:
            was = next((down for name, down in reversed(self.edges) if name == edge.button), False)
            if was != edge.down:
                self.edges.append((edge.button, edge.down))
            self._changed.notify_all()

    def wait_for(self, button: str, *, down: bool) -> None:
        """Wait until this is the latest edge; an AssertionError if it never is."""
        with self._changed:
            assert self._changed.wait_for(lambda: (button, down) in self.edges[-1:], PATIENCE_S)


def test_lights_and_buttons_of_a_real_firmware(uno: UnoOnPty) -> None:
    """Frames arrive on the pin bit by bit, presses as edges once and in order; the end is dark."""
    connections = Connections(ports=uno.listing)
    frames = np.random.default_rng(1).integers(0, 256, (5, LEDS, 3), np.uint8)
    presses = [("mode", 13, True), ("deal", 0, True), ("mode", 13, False), ("deal", 0, False)]
    strip = BridgeStrip(StripSpec(leds=(LEDS,), order="RGB"), "auto", connections=connections)
    given = Given()
    strip.open()
    with BridgeButtons({"deal": 0, "mode": 13}, given.put, connections=connections):
        for frame, (name, button, down) in zip(frames, [*presses, presses[0]], strict=True):
            strip.show([frame])
            uno.press(button, down=down)
            given.wait_for(name, down=down)
        uno.wait_for(frames[-1].tobytes())
        strip.close()
    assert [(name, down) for name, _, down in [*presses, presses[0]]] == given.edges
    with uno.changed:
        shown = uno.shown()
    lit = {data for data in shown if any(data)}
    assert {frame.tobytes() for frame in frames} >= lit
    assert (False, 0) == (any(shown[-1]), uno.board.overruns)
