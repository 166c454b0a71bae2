"""Boards are found by HELLO: the port that replies is the board."""

import time
from collections.abc import Iterator

import pytest

from firmware_bridge.connection.discovery import BoardPort, find_port
from firmware_bridge.connection.serial_port import DEFAULT_BAUD, Prober, probe_request
from tests.firmware_bridge.board_on_pty import NATIVE, BoardOnPty, Cable, board_on_pty

CTRL_C = 0x03


class Time:
    """A clock on which each look at a silent port takes half a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        self.now += 0.5
        return self.now


@pytest.fixture
def board() -> Iterator[BoardOnPty]:
    """Yield a board that is already running."""
    with board_on_pty() as on_pty:
        yield on_pty


@pytest.fixture
def console() -> Iterator[Cable]:
    """Yield the silent port of another device."""
    cable = Cable()
    yield cable
    cable.pull()


def test_the_port_that_answers_is_the_board(board: BoardOnPty, console: Cable) -> None:
    """On macOS no interface names distinguish a Pico's two ports."""
    silent = BoardPort(device=console.device, vendor=NATIVE)
    found = find_port(
        "auto", lambda: [silent, *board.listing()], Prober(DEFAULT_BAUD, time.monotonic)
    )
    assert board.device == found


def test_a_foreign_device_is_reset_once(console: Cable) -> None:
    """A silent port that resets its device is asked again only after a replug."""
    clock = Time()
    prober = Prober(DEFAULT_BAUD, clock)
    printer = BoardPort(device=console.device, vendor=0x1A86)
    for ports, is_requested in (
        ([printer], True),
        ([printer], False),
        ([], False),
        ([printer], True),
    ):
        begun = clock.now
        assert [] == prober(ports)
        assert is_requested == (clock.now > begun)


def test_ports_that_cannot_be_opened_answer_nothing(tmp_path: object) -> None:
    """A port that is gone or in use is skipped."""
    gone = BoardPort(device=f"{tmp_path}/ttyACM0", vendor=NATIVE)
    assert [] == Prober(DEFAULT_BAUD, time.monotonic)([gone])


def test_asking_stops_no_program() -> None:
    """Ctrl-C on the console of a board with CircuitPython would."""
    assert all(CTRL_C not in probe_request() for _ in range(200))
