"""Requests are checked when they are made, a board's messages when they are read."""

from typing import Any

import pytest

from firmware_bridge.errors import SetupError
from firmware_bridge.protocol.framing import Decoder, Frame
from firmware_bridge.protocol.messages import (
    BoardCounters,
    BoardInfo,
    BoardSetup,
    Message,
    read_message,
    setup,
)
from tests.support import link_script
from tests.support.slow_board import SlowBoard, frame


def read(data: bytes) -> Message | None:
    """Return the message in some bytes."""
    (received,) = Decoder().feed(data)
    assert isinstance(received, Frame)
    return read_message(received)


def test_a_setup_that_has_no_bytes_is_refused() -> None:
    """The error names the values out of bounds, and the bounds."""
    rows: list[tuple[str, Any]] = [
        ("leds", -1),
        ("leds", 10_923),
        ("colours", 2),
        ("colours", 5),
        ("hold", 0.0005),
        ("hold", 0.2),
        ("watchdog", -1.0),
        ("watchdog", 66.0),
        ("safe_step", 256),
        ("safe_colour", b"\x01\x02\x03\x04"),
        ("buttons", 33),
    ]
    for key, value in rows:
        said = rf"a board takes (bytes of )?{key}.* from \d+ to \d+, not"
        with pytest.raises(SetupError, match=said):
            BoardSetup(**{"leds": 10, key: value})


def test_the_most_that_can_be_reported_is_reported() -> None:
    """The largest values fit into SETUP."""
    most = BoardSetup(
        leds=8192,
        colours=4,
        hold=0.1,
        watchdog=65.535,
        safe_step=255,
        safe_colour=b"\xff\xff\xff\xff",
        buttons=32,
    )
    payload = setup(0, boot=2**32 - 1, wanted=most).payload
    assert bytes.fromhex("ffffffff 0020 04 64 ffff ff ffffffff") == payload
    with pytest.raises(SetupError, match="bytes of a frame"):
        BoardSetup(leds=8193, colours=4, safe_colour=bytes(4))


def test_info_is_read_as_the_slow_board_says_it() -> None:
    """Every field of INFO has the board's value."""
    data = link_script.info(
        down=0x80000001, sequence=200, formats=3, lost=4, name=b"Uno\x07", credit=2, clock=77
    )
    expected = BoardInfo(
        clock=77,
        session=link_script.SESSION,
        protocol=1,
        protocols=(1, 1),
        boot=link_script.BOOT,
        firmware="1.0.0",
        credit=2,
        pixel_bytes=1800,
        formats=frozenset({3, 4}),
        buttons=14,
        buttons_down=0x80000001,
        key_sequence=200,
        counters=BoardCounters(
            shown=2, bad_headers=0, damaged=1, broken_off=0, overruns=0, lost_edges=4, watchdog=0
        ),
        id="",
        name="Uno?",
    )
    assert expected == read(data)


def test_the_slow_boards_own_info_is_one() -> None:
    """A board that starts says what it is, and what it has counted."""
    board = SlowBoard(pixel_bytes=99, buttons=3)
    board.output += frame(0x81, 0, 1, board.info(5))
    message = read(board.sent())
    assert isinstance(message, BoardInfo)
    assert (99, 3, "slow board") == (message.pixel_bytes, message.buttons, message.name)


def test_what_makes_no_sense_is_no_message() -> None:
    """Right frames with wrong contents say nothing, and raise nothing."""
    frames = [
        link_script.info(name=b""),
        link_script.info(name=b"n" * 33),
        link_script.info(buttons=33),
        link_script.info(credit=0),
        link_script.nak(3, 8),
        link_script.keys([(32, True, 0)]),
        frame(0x85, 0, 0, bytes(10)),
        frame(0x86, 0, 0, bytes(3)),
        frame(0x82, 0, 0, bytes(7)),
        frame(0xFF, 0, 0, b""),
    ]
    assert [None] * len(frames) == [read(data) for data in frames]
