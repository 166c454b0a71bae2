"""Buttons and strip of a board are like others, seen from the end of a real pty."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import pairwise

import numpy as np
import pytest

from firmware_bridge.connection.sharing import Connections
from firmware_bridge.drivers.bridge_board import BridgeButtons, BridgeStrip, place_faults
from firmware_bridge.drivers.registry import serial
from hardware.debounce import Edge
from hardware.errors import ButtonError, StripError, Text
from hardware.strips import Frame, StripSpec
from tests.firmware_bridge.board_on_pty import BoardOnPty, Collector, board_on_pty
from tests.hardware.strips.conformance import CHECKS
from tests.support.limits import TIMEOUT_S
from tests.support.slow_board import SlowBoard

PLACES = {"1.enter": 0, "deal": 3}


class Edges(Collector[Edge]):
    """Edges of the buttons."""

    def of(self, button: str) -> list[bool]:
        """Return the levels of a button; a repeated level is no edge."""
        levels = [False, *(edge.down for edge in self.items if edge.button == button)]
        return [now for was, now in pairwise(levels) if was != now]


@pytest.fixture
def board() -> Iterator[BoardOnPty]:
    """Yield a board with 14 buttons, for strips of three and of four colours."""
    with board_on_pty(SlowBoard(formats=3)) as on_pty:
        yield on_pty


@pytest.fixture
def connections(board: BoardOnPty) -> Connections:
    """Return connections of a machine with this board only."""
    return Connections(clock=time.monotonic, ports=board.listing)


@pytest.fixture
def edges() -> Edges:
    """Return a sink for edges."""
    return Edges()


@pytest.fixture
def strip(connections: Connections) -> Iterator[BridgeStrip]:
    """Yield an open strip of two LEDs."""
    with closing(BridgeStrip(StripSpec(leds=(2,)), "auto", connections=connections)) as strip:
        strip.open()
        yield strip


def level(value: int) -> Frame:
    """Return a frame of two LEDs at this level."""
    return [np.full((2, 3), value, np.uint8)]


def open_buttons(
    connections: Connections, edges: Edges, places: Mapping[str, int] = PLACES
) -> BridgeButtons:
    """Open buttons whose edges go to `edges`."""
    return BridgeButtons(places, edges.put, connections=connections)


WHITE = StripSpec(leds=(5,), type="sk6812w", order="GRBW")


# Buttons: edges like those of a panel on pins, whatever the cable does


def test_a_press_and_a_release(board: BoardOnPty, connections: Connections, edges: Edges) -> None:
    """Each comes by name, in order; places without a name give nothing."""
    with closing(open_buttons(connections, edges)):
        board.press(5)
        board.press(3)
        edges.until(lambda: edges.of("deal") == [True])
        board.press(3, down=False)
        edges.until(lambda: edges.of("deal") == [True, False])
    times = [edge.t for edge in edges.items]
    assert sorted(times) == times
    assert {"1.enter", "deal"} >= {edge.button for edge in edges.items}


def test_a_button_that_is_down_already(
    board: BoardOnPty, connections: Connections, edges: Edges
) -> None:
    """It gives an edge when the buttons are opened."""
    board.press(0)
    board.until(lambda: board.board.keys.reported[0])
    with closing(open_buttons(connections, edges)):
        edges.until(lambda: edges.of("1.enter") == [True])


def test_a_press_while_the_cable_is_out(
    board: BoardOnPty, connections: Connections, edges: Edges
) -> None:
    """The board keeps it, and reports it once when it is plugged in elsewhere."""
    with closing(open_buttons(connections, edges)):
        board.unplug()
        board.press(3)
        board.until(lambda: board.board.keys.queue)
        board.press(3, down=False)
        board.until(lambda: len(board.board.keys.queue) == 2)
        board.plug_in()
        edges.until(lambda: edges.of("deal") == [True, False])
    assert [] == edges.of("1.enter")


def test_a_board_that_restarts_releases_all(
    board: BoardOnPty, connections: Connections, edges: Edges
) -> None:
    """Its buttons come up, and go down again only if they still are."""
    with closing(open_buttons(connections, edges)):
        board.press(3)
        edges.until(lambda: edges.of("deal") == [True])
        with board.changed:
            board.board.levels[3] = False
            board.board.start()
        edges.until(lambda: edges.of("deal") == [True, False])


def test_strip_and_buttons_share_a_board(
    board: BoardOnPty, connections: Connections, edges: Edges
) -> None:
    """They work together, opened and closed in any order."""
    strip = BridgeStrip(StripSpec(leds=(2,)), "auto", connections=connections)
    with closing(open_buttons(connections, edges)):
        strip.open()
        strip.show(level(7))
        board.until(lambda: board.board.strip.light == bytes([7]) * 6)
        board.press(0)
        edges.until(lambda: edges.of("1.enter") == [True])
    strip.show(level(8))
    board.until(lambda: board.board.strip.light == bytes([8]) * 6)
    with closing(open_buttons(connections, edges)):
        strip.close()
        board.until(lambda: board.board.strip.light == bytes(6))
        board.press(3)
        edges.until(lambda: edges.of("deal") == [True])


def test_a_strip_that_is_too_long_leaves_the_buttons_alone(
    board: BoardOnPty, connections: Connections, edges: Edges
) -> None:
    """It is refused, and the buttons of the same board go on."""
    with closing(open_buttons(connections, edges)):
        with pytest.raises(StripError, match="at most 600 LEDs"):
            BridgeStrip(StripSpec(leds=(601,)), "auto", connections=connections).open()
        board.press(3)
        edges.until(lambda: edges.of("deal") == [True])


@pytest.mark.usefixtures("strip")
def test_strip_and_buttons_at_different_speeds(connections: Connections, edges: Edges) -> None:
    """A port has one speed, which the error names."""
    with pytest.raises(ButtonError, match="in use at 500000 baud, not 1000000; set the same"):
        BridgeButtons(PLACES, edges.put, baud=1_000_000, connections=connections)


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ({"deal": 32}, "button deal: place 32 is not one of a board's places, 0 to 31; change"),
        ({"deal": 2, "mode": 2}, "button mode: place 2 is in use for button deal; change"),
    ],
)
def test_places_that_no_board_has(places: dict[str, int], text: str) -> None:
    """Each fault has the button and the remedy."""
    (fault,) = place_faults(places)
    assert text in str(fault)


def test_a_strip_that_runs_has_too_few_buttons(
    strip: BridgeStrip, connections: Connections, edges: Edges
) -> None:
    """The strip's board is asked, and goes on with the strip alone."""
    with pytest.raises(ButtonError, match="slow board reads 14 buttons, but the panel needs"):
        open_buttons(connections, edges, {"deal": 20})
    strip.show(level(0))


def test_patient_buttons_wait_for_their_board(
    board: BoardOnPty, connections: Connections, edges: Edges
) -> None:
    """Strip and buttons of an absent board are opened, and work once it is there."""
    board.unplug()
    told: list[str] = []
    connections.on_status = lambda text: told.append(str(text))
    strip = BridgeStrip(StripSpec(leds=(2,)), "auto", connections=connections, patient=True)
    strip.open()
    strip.show(level(7))
    with closing(BridgeButtons(PLACES, edges.put, connections=connections, patient=True)):
        (lack,) = told
        assert lack.startswith("no board is plugged in; ")
        board.plug_in()
        board.until(lambda: board.board.strip.light == bytes([7]) * 6)
        board.press(3)
        edges.until(lambda: edges.of("deal") == [True])
        strip.close()
    assert [f"{board.device}: connected to the slow board"] == told[1:]


def test_a_board_that_comes_later_with_too_few_buttons(
    board: BoardOnPty, connections: Connections, edges: Edges
) -> None:
    """The lack is reported, and its buttons work."""
    board.unplug()
    told: list[str] = []
    lacking = threading.Event()

    def tell(line: Text) -> None:
        told.append(str(line))
        if "reads 14 buttons, but the panel needs 21" in str(line):
            lacking.set()

    connections.on_status = tell
    places = PLACES | {"mode": 20}
    strip = BridgeStrip(StripSpec(leds=(2,)), "auto", connections=connections, patient=True)
    strip.open()
    with closing(BridgeButtons(places, edges.put, connections=connections, patient=True)):
        board.plug_in()
        assert lacking.wait(TIMEOUT_S)
        board.press(3)
        edges.until(lambda: edges.of("deal") == [True])
        strip.close()


def test_patience_ends_where_no_cable_helps(connections: Connections, edges: Edges) -> None:
    """A board without the needed parts is refused at once, and released."""
    before = set(threading.enumerate())
    with pytest.raises(ButtonError, match="reads 14 buttons, but the panel needs 15"):
        BridgeButtons({"deal": 14}, edges.put, connections=connections, patient=True)
    with pytest.raises(ButtonError, match="/dev/null is no serial port"):
        BridgeButtons(PLACES, edges.put, port="/dev/null", patient=True)
    assert set(threading.enumerate()) <= before


def test_a_level_that_is_known_is_no_edge(
    board: BoardOnPty, connections: Connections, edges: Edges
) -> None:
    """A replug gives no edge if nothing has changed."""
    with closing(open_buttons(connections, edges)):
        board.press(3)
        edges.until(lambda: edges.of("deal") == [True])
        board.unplug()
        board.plug_in()
        board.press(0)
        edges.until(lambda: edges.of("1.enter") == [True])
    assert ["deal", "1.enter"] == [edge.button for edge in edges.items]


# The strip


RGB = StripSpec(leds=(5,))


def test_it_conforms(board: BoardOnPty, connections: Connections) -> None:
    """It passes the tests of the strips on a Pi's pins."""
    for check in CHECKS:
        check(lambda: BridgeStrip(RGB, board.device, connections=connections))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (StripSpec(leds=(2,)), bytes([2, 1, 3, 6, 5, 7])),
        (StripSpec(leds=(2,), order="BRG"), bytes([3, 1, 2, 7, 5, 6])),
        (StripSpec(leds=(2,), type="sk6812w", order="WGRB"), bytes([4, 2, 1, 3, 8, 6, 5, 7])),
    ],
)
def test_bytes_go_in_the_order_of_the_wire(
    spec: StripSpec, expected: bytes, board: BoardOnPty, connections: Connections
) -> None:
    """The board keeps their order, so the strip's order is made here."""
    strip = BridgeStrip(spec, "auto", connections=connections)
    strip.open()
    pixels = np.arange(1, 9, dtype=np.uint8).reshape(2, 4)[:, : spec.colours]
    strip.show([pixels])
    board.until(lambda: board.board.strip.light == expected)
    strip.close()
    assert bytes(len(expected)) == board.board.strip.light


def test_the_newest_frame_is_what_stays(board: BoardOnPty, strip: BridgeStrip) -> None:
    """Of frames that come too fast the last one is lit in the end."""
    for value in range(50):
        strip.show(level(value))
    board.until(lambda: board.board.strip.light == bytes([49]) * 6)


def test_a_cable_pulled_out_is_no_error(board: BoardOnPty, strip: BridgeStrip) -> None:
    """Frames are accepted, and the newest is shown once the board is back."""
    board.unplug()
    strip.show(level(1))
    strip.show(level(2))
    board.plug_in()
    board.until(lambda: board.board.strip.light == bytes([2]) * 6)


def test_more_leds_than_the_board_has(board: BoardOnPty, connections: Connections) -> None:
    """The opening is refused with a remedy, and the board is released."""
    before = set(threading.enumerate())
    strip = BridgeStrip(StripSpec(leds=(601,)), board.device, connections=connections)
    with pytest.raises(StripError, match="at most 600 LEDs, but 601 are wired; use a board with"):
        strip.open()
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (
            StripSpec(leds=(2, 3)),
            'driver = "serial:auto": the driver has one channel, but the wiring has 2; put',
        ),
        (StripSpec(leds=(11_000,)), "a board takes leds from 0 to 10922, not 11000"),
    ],
)
def test_what_no_board_drives(spec: StripSpec, text: str) -> None:
    """The driver refuses it when it is made, without looking for a board."""
    with pytest.raises(StripError, match=text):
        BridgeStrip(spec, "auto")


def test_no_board_is_there() -> None:
    """Auto on a machine without boards gives a remedy."""
    strip = BridgeStrip(WHITE, "auto", connections=Connections(clock=time.monotonic, ports=list))
    with pytest.raises(StripError, match='driver = "serial:auto": no board is plugged in; plug'):
        strip.open()


def test_a_board_has_one_strip(board: BoardOnPty, connections: Connections) -> None:
    """A second strip on the same port is refused; the first goes on."""
    first, second = (BridgeStrip(WHITE, "auto", connections=connections) for _ in range(2))
    first.open()
    with pytest.raises(StripError, match="drives another strip already; name another port"):
        second.open()
    first.show([np.full((5, 4), 9, np.uint8)])
    board.until(lambda: board.board.strip.light == bytes([9]) * 20)
    first.close()


@pytest.mark.parametrize(
    ("baud", "least", "most"), [(500_000, 21.0, 21.5), (1_000_000, 31.0, 32.0)]
)
def test_the_time_of_a_frame_is_that_of_cable_and_strip(
    baud: int, least: float, most: float
) -> None:
    """500 LEDs have the measured frame rate of an emulated Uno."""
    strip = BridgeStrip(StripSpec(leds=(500,)), "auto", baud=baud)
    assert least <= 1 / strip.wire_seconds <= most


def test_native_usb_is_as_fast_as_its_strip() -> None:
    """A board that takes two frames at once has no UART to wait for."""
    with board_on_pty(SlowBoard(credit=2)) as board:
        connections = Connections(clock=time.monotonic, ports=board.listing)
        strip = BridgeStrip(StripSpec(leds=(500,)), "auto", connections=connections)
        with closing(strip):
            strip.open()
            assert 50 < 1 / strip.wire_seconds < 66


def test_the_driver_is_made_by_its_name() -> None:
    """The entry point makes this strip, with the option baud."""
    strip = serial.make(WHITE, "auto", baud=serial.options["baud"]("1000000"))
    assert isinstance(strip, BridgeStrip)
    assert (WHITE, "auto") == (strip.spec, serial.example)
