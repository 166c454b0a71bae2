"""The shipped firmware on an emulated Uno, at the end of a real pty: nothing in between is ours.

The emulator may be slower than a real Uno; these tests do not depend on its speed.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from firmware_bridge.connection.sharing import Connections
from firmware_bridge.drivers.bridge_buttons import BridgeButtons
from firmware_bridge.drivers.strip import BridgeStrip
from hardware.debounce import Edge
from hardware.strips import StripSpec
from tests.firmware_bridge.uno_on_pty import UnoOnPty, uno_on_pty
from tests.support import simavr_harness
from tests.support.limits import TIMEOUT_S

LEDS = 60

pytestmark = pytest.mark.emulator(lacks=simavr_harness.missing())


@pytest.fixture
def uno() -> Iterator[UnoOnPty]:
    """Yield an Uno that has just been given power."""
    with uno_on_pty() as uno:
        uno.plug_in()
        yield uno


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
            assert self._changed.wait_for(lambda: (button, down) in self.edges[-1:], TIMEOUT_S)


def test_lights_and_buttons_of_a_real_firmware(uno: UnoOnPty) -> None:
    """Frames arrive on the pin bit by bit, presses as edges once and in order; the end is dark."""
    connections = Connections(clock=time.monotonic, ports=uno.listing)
    frames = np.random.default_rng(1).integers(0, 256, (5, LEDS, 3), np.uint8)
    presses = [("mode", 13, True), ("deal", 0, True), ("mode", 13, False), ("deal", 0, False)]
    strip = BridgeStrip(StripSpec(leds=(LEDS,), order="RGB"), "auto", connections=connections)
    given = Given()
    strip.open()
    with closing(BridgeButtons({"deal": 0, "mode": 13}, given.put, connections=connections)):
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
