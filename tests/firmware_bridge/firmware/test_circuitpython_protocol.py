"""The firmware for native USB replies as firmware/PROTOCOL.md says."""

from random import Random

import pytest

from firmware_bridge.protocol.framing import Decoder, Frame
from tests.firmware_bridge.firmware.circuitpython_board import FirmwareBoard
from tests.firmware_bridge.firmware.dialogue import SESSION
from tests.firmware_bridge.firmware.test_avr_protocol import (
    LEDS,
    damaged,
    messages,
    plain,
    slow_answers,
)
from tests.support.slow_board import (
    ACK,
    BEFORE_A_FRAME,
    BYE,
    FILL,
    HELLO,
    KEYACK,
    KEYS,
    NAK,
    PING,
    PIXELS,
    PONG,
    SETUP,
    SlowBoard,
    frame,
    packed,
)

LED = b"\x11\x22\x33"


def said(board: FirmwareBoard, data: bytes, *, ticks: int = 8) -> list[Frame]:
    """Return the replies of a board to bytes within some milliseconds."""
    board.receive(data)
    words = board.sent()
    for _ in range(ticks):
        board.tick()
        words += board.sent()
    return [item for item in Decoder().feed(words) if isinstance(item, Frame)]


def ready(leds: int = LEDS, *, watchdog: int = 0, safe: bytes = bytes(5)) -> FirmwareBoard:
    """Return a board that is set up, and has shown nothing yet."""
    board = FirmwareBoard(buttons=16)
    while board.is_showing:
        board.tick()
    setting = packed(board.boot, 4) + packed(leds, 2) + bytes([3, 3]) + packed(watchdog, 2) + safe
    said(board, frame(HELLO, 0, 0, packed(SESSION, 4) + b"\1\1"))
    (answer,) = said(board, frame(SETUP, 0, 0, setting))
    assert ACK == answer.type
    board.strip.shown.clear()
    return board


@pytest.mark.parametrize("seed", range(5))
def test_any_messages_are_answered_as_the_slow_board_does(seed: int) -> None:
    """Both boards reply and show the same after any messages."""
    random = Random(seed)
    slow = SlowBoard(buttons=16, formats=3, credit=2)
    board = FirmwareBoard(buttons=16)
    board.bytes_shown_a_tick = 10_000  # a show of the longest strip is over at once
    while board.is_showing:
        board.tick()
    for each in (slow, board):
        slow_answers(each, frame(HELLO, 0, 0, packed(SESSION, 4) + b"\1\1"))
    refused = 0
    for _ in range(2000):
        message = damaged(random, messages(random, slow.boot))
        slow.strip.shown.clear()
        board.strip.shown.clear()
        expected = [plain(answer) for answer in slow_answers(slow, message)]
        assert expected == [plain(answer) for answer in slow_answers(board, message)]
        refused += sum(kind == NAK for kind, *_ in expected)
        if message[2] == BYE:
            assert not any(map(any, board.strip.shown))
        else:
            assert slow.strip.shown == board.strip.shown
    assert 250 < refused < 1750


def test_it_starts_dark() -> None:
    """A strip on the line is dark before the first message."""
    assert [bytes(1800)] == FirmwareBoard().strip.shown


def test_frames_of_a_board_are_ignored() -> None:
    """A board ignores the messages of boards: right, damaged or cut off."""
    board = ready()
    echo = frame(ACK, 0, 3, bytes(6))
    for data in (echo, echo[:-1] + b"\0", echo[:-1]):
        assert [] == said(board, data, ticks=150)
    assert (1, 1) == (board.mind.counters.damaged, board.mind.counters.broken_off)


def test_a_frame_behind_anything_is_found() -> None:
    """A header is found after any bytes."""
    for what, prefix in BEFORE_A_FRAME.items():
        board = ready()
        (answer,) = said(board, prefix + frame(FILL, 0, 0, LED))
        assert ACK == answer.type, what
        assert [LED * LEDS] == board.strip.shown, what


def test_every_single_changed_bit_is_noticed() -> None:
    """A frame with any single wrong bit shows nothing."""
    right = frame(PIXELS, 0, 0x8000, LED * LEDS)
    board = ready()
    for bit in range(8 * len(right)):
        wrong = bytearray(right)
        wrong[bit // 8] ^= 1 << bit % 8
        said(board, bytes(wrong), ticks=120)
    assert [] == board.strip.shown
    assert ACK == said(board, right)[0].type


def test_a_frame_that_stops_is_broken_off() -> None:
    """After 100 ms of silence it ends with a reply, and the next one is taken."""
    whole = frame(PIXELS, 7, 0x8000, LED * LEDS)
    board = ready()
    assert [] == said(board, whole[:15], ticks=90)
    assert [ACK] == [answer.type for answer in said(board, whole[15:])]
    (answer,) = said(board, whole[:15], ticks=110)
    assert (NAK, 7, PIXELS | 2 << 8) == (answer.type, answer.sequence, answer.argument)
    assert [ACK] == [answer.type for answer in said(board, whole)]
    assert [LED * LEDS] * 2 == board.strip.shown


def test_a_long_payload_where_none_belongs_is_refused() -> None:
    """A message too long for its type is read to its end and refused."""
    board = ready()
    for kind in (HELLO, SETUP, FILL, PING, BYE, 0x33):
        (answer,) = said(board, frame(kind, 1, 0, bytes(1800)))
        reason = 6 if kind == 0x33 else 4
        assert (NAK, kind | reason << 8) == (answer.type, answer.argument)
    assert [PONG] == [answer.type for answer in said(board, frame(PING, 0, 0, b""))]


def test_the_safe_pattern_interrupts_a_frame_that_never_ends() -> None:
    """The pattern is shown without any part of the frame, as the host is gone."""
    board = ready(600, watchdog=300, safe=bytes([3, 9, 8, 7, 0]))
    whole = frame(PIXELS, 0, 0x8000, bytes(1800))
    answers = []
    for byte in whole[:100]:
        answers += said(board, bytes([byte]), ticks=10)
    assert [(b"\x09\x08\x07" + bytes(6)) * 200] == board.strip.shown
    assert [(NAK, PIXELS | 2 << 8)] == [(answer.type, answer.argument) for answer in answers]


def test_after_the_safe_pattern_the_host_must_show_a_whole_frame() -> None:
    """The board holds no base then, and says so."""
    board = ready(7, watchdog=300, safe=bytes([0, 0, 0, 0, 0]))
    said(board, frame(PIXELS, 1, 0x8000, LED * 7))
    said(board, b"", ticks=400)
    assert [LED * 7, bytes(21)] == board.strip.shown
    (pong,) = said(board, frame(PING, 0, 0, b""))
    assert 1 == pong.argument
    (answer,) = said(board, frame(PIXELS, 2, 0x8000, LED))
    assert (NAK, PIXELS | 3 << 8) == (answer.type, answer.argument)


def test_light_is_acknowledged_once_the_strip_has_it() -> None:
    """The ACK of a latch follows the show, with the time of its end."""
    board = ready(600)
    assert [] == said(board, frame(PIXELS, 0, 0x8000, bytes(1800)), ticks=17)
    (answer,) = said(board, b"", ticks=1)
    assert (ACK, board.clock) == (answer.type, int.from_bytes(answer.payload[:4], "little"))


def test_all_the_protocol_addresses_can_be_had() -> None:
    """A strip has 32,768 bytes at most, with any memory."""
    board = FirmwareBoard(pixel_bytes=100_000)
    assert 0x8000 == board.mind.pixels.pixel_bytes


def test_answers_that_nobody_reads_are_dropped() -> None:
    """A host that does not read gets replies when it reads again."""
    board = ready()
    for sequence in range(256):
        board.receive(frame(PIXELS, sequence, 0x8000, LED * LEDS))
    assert 256 == len(board.strip.shown)
    assert 512 >= len(board.sent())
    assert [PONG] == [answer.type for answer in said(board, frame(PING, 0, 0, b""))]


def test_a_length_beyond_the_strip_is_no_header() -> None:
    """A longer header is no frame, and the next one is found."""
    board = ready()
    too_long = frame(PING, 0, 0, bytes(1801))[:10]
    (answer,) = said(board, too_long + frame(PING, 1, 0, b""))
    assert (PONG, 1) == (answer.type, answer.sequence)
    assert 1 == board.mind.counters.bad_headers


def test_no_buttons_are_reported_while_the_host_is_gone() -> None:
    """The board sends nothing, and keeps the presses for its host."""
    board = ready(watchdog=300)
    said(board, b"", ticks=400)
    board.levels[1] = True
    assert [] == said(board, b"", ticks=300)
    kinds = [answer.type for answer in said(board, frame(PING, 0, 0, b""))]
    assert [PONG, KEYS] == kinds


def test_keyack_counts_in_a_session_that_is_set_up() -> None:
    """Before SETUP it has no effect on the queue."""
    board = ready()
    said(board, frame(HELLO, 0, 0, packed(SESSION + 1, 4) + b"\1\1"))
    board.levels[1] = True
    said(board, b"", ticks=20)
    said(board, frame(KEYACK, 1, 0, b""))
    assert 1 == board.mind.keys.queued


def test_after_goodbye_nothing_is_shown() -> None:
    """BYE turns the strip dark, and no watchdog lights it again."""
    board = ready(watchdog=300, safe=bytes([1, 9, 9, 9, 0]))
    said(board, frame(FILL, 0, 0, LED))
    said(board, frame(BYE, 0, 0, b""), ticks=1000)
    assert [LED * LEDS, bytes(3 * LEDS)] == board.strip.shown


def test_presses_that_nobody_reads_leave_room_for_answers() -> None:
    """While the line is busy no second KEYS is sent."""
    board = ready()
    board.levels[1] = True
    said(board, b"", ticks=20)
    for _ in range(1000):
        board.tick()
        board.mind.outgoing(board.clock)
    kinds = [answer.type for answer in said(board, frame(PING, 0, 0, b""))]
    assert [KEYS, PONG] == kinds[:2]
