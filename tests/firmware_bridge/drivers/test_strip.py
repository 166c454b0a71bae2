"""The strip behind a board is a strip like others, seen from the end of a real pty."""

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from firmware_bridge.connection.sharing import Connections
from firmware_bridge.drivers.registry import serial
from firmware_bridge.drivers.strip import BridgeStrip
from hardware.errors import StripError
from hardware.strips import StripSpec
from tests.firmware_bridge.board_on_pty import BoardOnPty, board_on_pty
from tests.hardware.strips.conformance import CHECKS
from tests.support.slow_board import SlowBoard

RGB = StripSpec(leds=(5,))
WHITE = StripSpec(leds=(5,), type="sk6812w", order="GRBW")


@pytest.fixture
def board() -> Iterator[BoardOnPty]:
    """Yield a board for strips of three and of four colours."""
    with board_on_pty(SlowBoard(formats=3)) as on_pty:
        yield on_pty


@pytest.fixture
def connections(board: BoardOnPty) -> Connections:
    """Return connections of a machine with this board only."""
    return Connections(clock=time.monotonic, ports=board.listing)


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


def test_the_newest_frame_is_what_stays(board: BoardOnPty, connections: Connections) -> None:
    """Of frames that come too fast the last one is lit in the end."""
    strip = BridgeStrip(StripSpec(leds=(100,)), "auto", connections=connections)
    strip.open()
    for level in range(50):
        strip.show([np.full((100, 3), level, np.uint8)])
    board.until(lambda: board.board.strip.light == bytes([49]) * 300)
    strip.close()


def test_a_cable_pulled_out_is_no_error(board: BoardOnPty, connections: Connections) -> None:
    """Frames are accepted, and the newest is shown once the board is back."""
    strip = BridgeStrip(StripSpec(leds=(2,)), "auto", connections=connections)
    strip.open()
    board.unplug()
    for level in (1, 2):
        strip.show([np.full((2, 3), level, np.uint8)])
    board.plug_in()
    board.until(lambda: board.board.strip.light == bytes([2]) * 6)
    strip.close()


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
        strip.open()
        assert 50 < 1 / strip.wire_seconds < 66
        strip.close()


def test_the_driver_is_made_by_its_name() -> None:
    """The entry point makes this strip, with the option baud."""
    strip = serial.make(WHITE, "auto", baud=serial.options["baud"]("1000000"))
    assert isinstance(strip, BridgeStrip)
    assert (WHITE, "auto") == (strip.spec, serial.example)
