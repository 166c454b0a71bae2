"""The firmware for native USB replies as firmware/PROTOCOL.md says."""

import json
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.firmware.circuitpython.lib.cribwars_bridge import BoardEnd
from firmware_bridge.firmware.circuitpython.lib.cribwars_bridge.frames import Counters
from firmware_bridge.firmware.circuitpython.lib.cribwars_bridge.keys import QUEUE_SIZE, KeyQueue
from firmware_bridge.protocol.framing import Decoder, Frame
from tests.firmware_bridge.firmware.avr_board import SESSION
from tests.firmware_bridge.firmware.circuitpython_board import FirmwareBoard
from tests.firmware_bridge.firmware.test_avr_protocol import (
    LEDS,
    damaged,
    messages,
    plain,
    slow_answers,
)
from tests.support import micropython_player
from tests.support.circuitpython_machine import FIRMWARE
from tests.support.program import on_node
from tests.support.slow_board import (
    ACK,
    BEFORE_A_FRAME,
    BYE,
    FILL,
    HELLO,
    INFO,
    KEYACK,
    KEYS,
    NAK,
    PING,
    PIXELS,
    PONG,
    SETUP,
    SlowBoard,
    SlowKeys,
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


BUTTONS = 3


def listed(keys: KeyQueue) -> bytes:
    """Return the queue as it is sent, after the bitmap."""
    buffer = bytearray(4 + 5 * QUEUE_SIZE)
    return bytes(buffer[: keys.put(buffer, 0, 0)])


def pressed(keys: KeyQueue, button: int, when: int) -> None:
    """Press a button for 10 ms."""
    keys.edge(button, when, is_down=True)
    keys.edge(button, when + 10, is_down=False)
    keys.settle(when + 20)


BOOT: Final = 0xB0070001
MANY_BUTTONS: Final = 25


def on_micropython(what: str, script: dict[str, Any]) -> Any:  # noqa: ANN401  # JSON
    """Return the result of a script in MicroPython."""
    folder = str(FIRMWARE / "lib" / "cribwars_bridge")
    text = json.dumps({**script, "what": what})
    arguments = ("micropython_harness.mjs", folder, micropython_player.__file__)
    return on_node("@micropython/micropython-webassembly-pyscript@1.27.0", *arguments, text=text)


def script_of(steps: list[Any], *, pixel_bytes: int = 1800) -> dict[str, Any]:
    """Return a script for a board with a strip of this length."""
    return {"pixel_bytes": pixel_bytes, "buttons": MANY_BUTTONS, "boot": BOOT, "steps": steps}


def greeting(leds: int) -> list[Any]:
    """Return the steps to READY."""
    hello = frame(HELLO, 0, 0, packed(SESSION, 4) + b"\1\1")
    setting = packed(BOOT, 4) + packed(leds, 2) + bytes([3, 3]) + packed(700, 2)
    return [[1, [], hello.hex()], [2, [], frame(SETUP, 1, 0, setting + bytes(5)).hex()]]


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


# Edges that are read late and in bundles give the same as a look each millisecond


# Milliseconds until a change, its button, and True if the edges so far are reported then.
changes = st.tuples(st.integers(0, 9), st.integers(0, BUTTONS - 1), st.booleans())


@given(st.lists(changes, max_size=QUEUE_SIZE), st.integers(1, 8))
def test_what_is_reported_late_is_judged_as_of_its_time(
    happening: list[tuple[int, int, bool]], hold: int
) -> None:
    """At any reading times the queue is that of a look each millisecond."""
    levels = [False] * BUTTONS
    seen = list(levels)
    slow = SlowKeys(levels, QUEUE_SIZE)
    keys = KeyQueue(list(levels), Counters())
    slow.hold = keys.hold = hold
    untold: list[tuple[int, int]] = []
    clock = 0
    for wait, pressed_button, is_reported in [*happening, (9, 0, True)]:
        for _ in range(wait):
            clock += 1
            slow.look(clock)
            untold += (
                (clock, button) for button in range(BUTTONS) if levels[button] != seen[button]
            )
            seen[:] = levels
        if is_reported:
            for when, button in untold:
                keys.edge(button, when, is_down=not keys._level[button])
            untold.clear()
            keys.settle(clock)
            assert slow.listed() == listed(keys)
            assert slow.before() == keys.down_before().to_bytes(4, "little")
        levels[pressed_button] ^= True


def test_a_full_queue_counts_what_it_loses() -> None:
    """A press without room is two lost edges; one that lasts is reported later."""
    counters = Counters()
    keys = KeyQueue([False] * BUTTONS, counters)
    for i in range(QUEUE_SIZE // 2):
        pressed(keys, 0, 100 * i)
    assert QUEUE_SIZE == keys.queued
    pressed(keys, 1, 5000)
    keys.edge(2, 6000, is_down=True)
    keys.settle(6100)
    assert (QUEUE_SIZE, 2, 0) == (keys.queued, counters.lost_edges, keys.down_before())
    keys.acknowledge(QUEUE_SIZE)
    assert (1 << 2).to_bytes(4, "little") + b"\x82" + (6000).to_bytes(4, "little") == listed(keys)


def test_a_bounce_while_the_queue_is_full_is_nothing() -> None:
    """A level that returns before the hold is still reported later."""
    counters = Counters()
    keys = KeyQueue([False] * BUTTONS, counters)
    for i in range(QUEUE_SIZE // 2):
        pressed(keys, 0, 100 * i)
    keys.edge(1, 5000, is_down=True)
    keys.settle(5100)
    keys.edge(1, 5101, is_down=False)
    keys.edge(1, 5103, is_down=True)
    keys.settle(5200)
    keys.acknowledge(QUEUE_SIZE)
    assert (1, 0) == (keys.queued, counters.lost_edges)


def test_presses_of_two_buttons_are_reported_in_the_order_of_their_times() -> None:
    """Of edges read together the earlier one comes first."""
    keys = KeyQueue([False] * BUTTONS, Counters())
    keys.edge(2, 100, is_down=True)
    keys.edge(0, 101, is_down=True)
    keys.settle(200)
    assert b"\x82\x64\0\0\0\x80\x65\0\0\0" == listed(keys)[4:]


def test_a_level_reported_again_is_no_edge() -> None:
    """A scanner's report of a button known to be down changes nothing."""
    keys = KeyQueue([True] * BUTTONS, Counters())
    keys.edge(1, 100, is_down=True)
    keys.settle(200)
    assert 0 == keys.queued


def test_they_are_due_at_once_and_every_50_ms() -> None:
    """The queue is due after an event, and every 50 ms until it is empty."""
    keys = KeyQueue([False] * BUTTONS, Counters())
    assert not keys.are_due(0)
    pressed(keys, 0, 100)
    assert keys.are_due(120)
    keys.put(bytearray(200), 0, 120)
    assert not keys.are_due(169)
    assert keys.are_due(170)
    keys.acknowledge(2)
    assert not keys.are_due(300)


def test_a_foreign_acknowledgement_takes_nothing_off() -> None:
    """Only numbers from the oldest event to the newest one count."""
    keys = KeyQueue([False] * BUTTONS, Counters())
    pressed(keys, 0, 100)
    keys.acknowledge(3)
    keys.acknowledge(255)
    assert (2, 0) == (keys.queued, keys.first)
    keys.acknowledge(1)
    assert (1, 1) == (keys.queued, keys.first)


# The board's protocol module does the same on MicroPython as on CPython


def happening(random: Random, steps: int) -> list[Any]:
    """Return messages right and wrong, pieces, noise, presses, and some long silences."""
    script, now = greeting(5), 10
    for _ in range(steps):
        edges = []
        for _ in range(random.choice((0, 0, 1, 3))):
            now += random.randrange(1, 6)
            edges.append([random.randrange(MANY_BUTTONS), now, random.random() < 0.5])
        now += random.choice((0, 1, 4, 20, 60, 110, 110, 800))
        data = damaged(random, messages(random, BOOT))
        if random.random() < 0.2:
            data = data[: random.randrange(len(data))]
        if random.random() < 0.2:
            data = bytes(random.choices(b"\xa5\x5a\x03\x00\x81", k=random.randrange(40))) + data
        script.append([now, edges, data.hex()])
    return script


@pytest.mark.emulator
def test_it_does_the_same_on_micropython() -> None:
    """Both give the same messages and the same lights, byte for byte."""
    script = script_of(happening(Random(1), 3000))
    expected = micropython_player.play(BoardEnd, script)  # type: ignore[no-untyped-call]
    assert expected == on_micropython("play", script)
    said = Decoder().feed(b"".join(bytes.fromhex(words) for words, _ in expected))
    kinds = [item.type for item in said if isinstance(item, Frame)]
    assert all(20 < kinds.count(kind) for kind in (INFO, ACK, NAK, PONG, KEYS))
    assert 50 < sum(len(lights) for _, lights in expected)


@pytest.mark.emulator
@pytest.mark.parametrize("leds", [500, 10_922])
def test_a_frame_hardly_takes_memory(leds: int) -> None:
    """Pixels go straight to their place: a frame needs views of the buffer, no copy."""
    light = [
        [100 + i, [], frame(PIXELS, i, 0x8000, bytes([i]) * 3 * leds).hex()] for i in range(10)
    ]
    script = script_of([*greeting(leds), *light], pixel_bytes=0x8000)
    pieces = 3 * leds / micropython_player.READ_AT_ONCE
    costs = on_micropython("cost", script)
    assert 1000 + 40 * pieces > max(costs[2:])
