"""The AVR firmware replies as firmware/PROTOCOL.md says, compared with the slow board."""

from random import Random

import pytest

from firmware_bridge.protocol.framing import Decoder, Frame
from firmware_bridge.protocol.messages import BoardInfo, BoardSetup, read_message
from firmware_bridge.protocol.states import FrameShown
from tests.firmware_bridge.firmware.avr_board import (
    SESSION,
    SILENCE,
    Dialogue,
    Shown,
    Stream,
    connected,
    harmed,
    ready,
)
from tests.support.bridge_line import Faults
from tests.support.simavr_harness import MEGA, UNO, Kind, missing
from tests.support.slow_board import (
    ACK,
    BEFORE_A_FRAME,
    BYE,
    FILL,
    HELLO,
    INFO,
    KEYACK,
    NAK,
    PING,
    PIXELS,
    PONG,
    SETUP,
    SlowBoard,
    frame,
    packed,
)

pytestmark = pytest.mark.emulator(lacks=missing())

LEDS = 5
LED = b"\x11\x22\x33"


def check(seen: list[Shown], *, allowed: list[bytes]) -> None:
    """Check that nothing else was seen; the last frame may still be on its way."""
    *whole, last = [frame.data for frame in seen]
    assert set(allowed) >= set(whole)
    assert any(frame.startswith(last) for frame in allowed)


@pytest.mark.parametrize(
    ("kind", "name", "leds", "buttons"),
    [(UNO, "Arduino Uno or Nano", 600, 16), (MEGA, "Arduino Mega 2560", 2500, 32)],
    ids=["uno", "mega"],
)
def test_a_board_says_what_it_is(kind: Kind, name: str, leds: int, buttons: int) -> None:
    """INFO has the board's properties and the host's nonce."""
    with Dialogue(kind) as talk:
        info = read_message(talk.greet())
        assert isinstance(info, BoardInfo)
        assert (name, leds * 3, buttons) == (info.name, info.pixel_bytes, info.buttons)
        assert (SESSION, 1, (1, 1)) == (info.session, info.protocol, info.protocols)
        assert (1, frozenset({3, 4})) == (info.credit, info.formats)
        assert ("1.0.1", "", 0) == (info.firmware, info.id, info.buttons_down)


@pytest.mark.parametrize(("lowest", "highest"), [(0, 0), (2, 9)])
def test_no_common_version_begins_no_session(lowest: int, highest: int) -> None:
    """A host without a common version gets ours, and no session."""
    with Dialogue(UNO) as talk:
        answer = talk.say(frame(HELLO, 3, 0, packed(SESSION, 4) + bytes([lowest, highest])))
        assert (INFO, 3, 0) == (answer.type, answer.sequence, answer.argument)
        assert NAK == talk.set_up(4).type


def test_a_boot_nonce_is_never_used_twice() -> None:
    """Each start has another one, also beyond its lowest byte."""
    with Dialogue(UNO) as talk:
        nonces = []
        for _ in range(260):
            talk.board.reset()
            talk.hear(0.06)
            talk.greet()
            nonces.append(talk.boot)
        assert 260 == len(set(nonces))


def test_frames_of_a_board_are_ignored() -> None:
    """A board ignores the messages of boards, right or damaged."""
    with ready(UNO, LEDS) as talk:
        echo = frame(0x82, 0, 3, bytes(6))
        assert SILENCE == talk.say(echo)
        assert SILENCE == talk.say(echo[:-1] + b"\0")


def test_a_long_payload_where_none_belongs_is_refused() -> None:
    """A message too long for its type is read to its end and refused."""
    with ready(UNO, LEDS) as talk:
        for kind in (HELLO, SETUP, FILL, PING, KEYACK, BYE, 0x33):
            answer = talk.say(frame(kind, 1, 0, bytes(1800)))
            reason = 6 if kind == 0x33 else 4
            assert (NAK, kind | reason << 8) == (answer.type, answer.argument)
        assert PONG == talk.ping().type


def test_the_clock_counts_milliseconds() -> None:
    """The clock in each message is right, even over the longest shows."""
    with ready(MEGA, 2500) as talk:
        clocks = []
        for sequence in range(40):
            answer = talk.fill(bytes(3), sequence=sequence)
            clocks.append((talk.board.now, int.from_bytes(answer.payload[:4], "little") / 1000))
        (began, first), (ended, last) = clocks[0], clocks[-1]
        assert ended - began == pytest.approx(last - first, abs=0.002)
        assert ended == pytest.approx(last, abs=0.01)


def messages(random: Random, boot: int) -> bytes:
    """Return a message to a board, right in half of the cases."""
    sequence = random.choice((7, 8, 8, 8, 9))
    session = packed(random.choice((SESSION, SESSION, SESSION, 5)), 4)
    leds, colours = random.choice(((LEDS, 3), (LEDS, 3), (LEDS, 3), (4, 4), (601, 3), (1, 5)))
    boots = packed(boot + (random.random() < 0.1), 4)
    offset, length = random.choice(
        ((0, 3 * LEDS), (0, 3 * LEDS), (3, 4), (3 * LEDS, 1), (0, 16), (3, 1), (600, 0))
    )
    latch = 0x8000 * (random.random() < 0.8)
    setting = boots + packed(leds, 2) + bytes([colours, 3]) + bytes(7)
    return random.choice(
        [frame(PIXELS, sequence, offset | latch, random.randbytes(length))] * 6
        + [frame(FILL, sequence, 0, random.randbytes(random.choice((3, 3, 3, 4))))] * 2
        + [frame(SETUP, 1, 0, setting[: random.choice((14, 15, 15, 15, 15))])] * 2
        + [
            frame(HELLO, 1, 0, session + bytes([1, random.choice((1, 1, 0))])),
            frame(PING, 2, 0, bytes(random.random() < 0.2)),
            frame(KEYACK, random.randrange(256), 0, bytes(random.random() < 0.2)),
            frame(BYE, 3, 0, b""),
            frame(random.randrange(8, 0x80), 4, 0, b"?"),
            frame(random.randrange(0x80, 0x100), 4, 0, b"?"),
        ]
    )


def damaged(random: Random, message: bytes) -> bytes:
    """Return a message, sometimes with a wrong CRC."""
    if message[2] >= 0x80 or random.random() < 0.9:
        return message
    return message[:-1] + bytes([message[-1] ^ 1 << random.randrange(8)])


def plain(heard: Frame) -> tuple[int, int, int, bytes]:
    """Return a reply without its clock; INFO without the properties of one board."""
    payload = heard.payload[4:]
    if heard.type == INFO:
        payload = payload[:10] + payload[13:17] + payload[18:22] + payload[23:39]
    return heard.type, heard.sequence, heard.argument, payload


def slow_answers(slow: SlowBoard, message: bytes) -> list[Frame]:
    """Return the replies of the slow board."""
    slow.receive(message)
    data = slow.sent()
    for _ in range(8):
        slow.tick()
        data += slow.sent()
    return [item for item in Decoder().feed(data) if isinstance(item, Frame)]


@pytest.mark.parametrize("seed", range(5))
def test_any_messages_are_answered_as_the_slow_board_does(seed: int) -> None:
    """Both boards reply and show the same after any messages."""
    random = Random(seed)
    slow = SlowBoard(buttons=16, formats=3)
    with Dialogue(UNO) as talk:
        talk.greet()
        slow.boot = talk.boot
        slow_answers(slow, frame(HELLO, 0, 0, packed(SESSION, 4) + b"\1\1"))
        refused = 0
        for _ in range(400):
            message = damaged(random, messages(random, talk.boot))
            shown_before = len(slow.strip.shown)
            expected = [plain(answer) for answer in slow_answers(slow, message)]
            answers = talk.exchange(message)
            assert expected == [plain(answer) for answer in answers]
            refused += sum(answer.type == NAK for answer in answers)
            shown = talk.lights()
            if message[2] == BYE:
                assert not any(map(any, shown))
            else:
                assert slow.strip.shown[shown_before:] == shown
        assert 50 < refused < 350


# Nothing wrong is ever put on the strip, whatever comes over the line


@pytest.mark.parametrize("baud", [500_000, 1_000_000])
@pytest.mark.parametrize(
    ("leds", "faults"),
    [
        (200, Faults(drop=1 / 3000)),
        (200, Faults(flip=1 / 3000)),
        (200, Faults(insert=1 / 3000)),
        (200, Faults(double=1 / 3000)),
        (200, Faults(cut=1 / 5000)),
        (25, Faults(drop=0.002, flip=0.002, insert=0.002, double=0.001, cut=0.0002)),
    ],
    ids=["drop", "flip", "insert", "double", "cut", "all"],
)
def test_no_wrong_frame_through_a_bad_cable(baud: int, leds: int, faults: Faults) -> None:
    """Only frames from the host are on the strip, and new ones keep coming."""
    with connected(UNO, baud=baud, wanted=BoardSetup(leds=leds)) as bench:
        bench.to_board, bench.to_host = harmed(faults, seed=baud), harmed(faults, seed=baud + 1)
        stream = Stream(bench, pixel_bytes=3 * leds)
        shown = stream.run(4.0)
        check(bench.shown_so_far(), allowed=stream.frames)
        assert 20 < shown
        assert 0 < bench.link.counters.refused + bench.link.counters.unanswered


DARK = bytes(3 * UNO.leds)


def test_boards_that_start_again_in_a_frame() -> None:
    """After a reset the strip goes dark and then shows the newest frame again."""
    random = Random(11)
    with connected(UNO, wanted=BoardSetup(leds=200)) as bench:
        stream = Stream(bench, pixel_bytes=600)
        for _ in range(30):
            stream.run(random.uniform(0.02, 0.2))
            check(bench.shown_so_far(), allowed=[*stream.frames, DARK])
            bench.board.reset()
            bench.run_until(lambda event: isinstance(event, FrameShown))
            dark, *after = [frame.data for frame in bench.shown()]
            assert DARK == dark
            assert set(stream.frames) >= set(after)
            assert stream.frames[-1] == after[-1]
        assert 30 == bench.link.counters.restarts


NOISE = 1_000_000


def scraps(random: Random) -> bytes:
    """Return any bytes, and pieces of valid frames."""
    whole = frame(random.choice((PIXELS, FILL, PING)), 0, 0x8000, random.randbytes(12))
    damaged = whole[:-1] + bytes([whole[-1] ^ 1 << random.randrange(8)])
    begin, end = sorted(random.sample(range(len(whole)), 2))
    choices = [random.randbytes(40), b"\xa5\x5a" * 8, whole[begin:end], damaged]
    return random.choice(choices)


def test_a_million_bytes_of_noise() -> None:
    """Noise changes nothing on the strip, even with pieces of frames in it."""
    random = Random(12)
    with ready(UNO, 4, baud=1_000_000) as talk:
        talk.pixels(LED * 4)
        assert [LED * 4] == talk.lights()
        noise = b"".join(scraps(random) for _ in range(NOISE // 15))
        assert NOISE < len(noise)
        talk.board.send(noise)
        while talk.board.unsent:
            talk.hear(0.5)
        assert [] == talk.shown()
        talk.hear(0.1)
        assert PONG == talk.ping().type


@pytest.mark.parametrize("prefix", BEFORE_A_FRAME.values(), ids=BEFORE_A_FRAME)
def test_a_frame_behind_anything_is_found(prefix: bytes) -> None:
    """A header is found after any bytes."""
    with ready(UNO, 4) as talk:
        talk.board.send(prefix)
        assert ACK == talk.fill(LED).type
        assert [LED * 4] == talk.lights()


def test_every_single_changed_bit_is_noticed() -> None:
    """A frame with any single wrong bit shows nothing."""
    right = frame(PIXELS, 0, 0x8000, LED * 2)
    with ready(UNO, 2) as talk:
        for bit in range(8 * len(right)):
            wrong = bytearray(right)
            wrong[bit // 8] ^= 1 << bit % 8
            talk.board.send(bytes(wrong))
            talk.hear(0.035)
        assert [] == talk.shown()
        assert ACK == talk.say(right).type


def test_a_frame_that_stops_is_broken_off() -> None:
    """After 25 ms of silence it ends with a reply, and the next one is taken."""
    whole = frame(PIXELS, 7, 0x8000, LED * 4)
    with ready(UNO, 4) as talk:
        answer = talk.say(whole[:15])
        assert (NAK, 7, PIXELS | 2 << 8) == (answer.type, answer.sequence, answer.argument)
        assert ACK == talk.say(whole).type
        talk.board.send(whole[:15])
        talk.hear(0.02)
        assert ACK == talk.say(whole[15:]).type
        assert [LED * 4] * 2 == talk.lights()


@pytest.mark.parametrize("baud", [500_000, 1_000_000])
def test_what_comes_during_a_show_is_kept(baud: int) -> None:
    """64 bytes that arrive during a show are read afterwards."""
    with ready(UNO, 600, baud=baud) as talk:
        talk.board.send(frame(FILL, 0, 0x8000, LED))
        talk.hear(0.004)
        talk.board.send(b"".join(frame(PING, sequence, 0, b"") for sequence in range(4)))
        answers = talk.hear(0.1)
        assert ACK == answers[0].type
        assert (PONG, 3) == (answers[-1].type, answers[-1].sequence)
        assert 0 == talk.board.overruns


def test_bytes_that_are_too_many_are_counted() -> None:
    """Bytes beyond the ring are lost, and the board counts them."""
    with ready(UNO, 600) as talk:
        talk.board.send(frame(FILL, 0, 0, LED) + bytes(500))
        talk.hear(0.1)
        assert 400 < talk.board.overruns < 440
        answer = talk.ping()
        assert 0 < int.from_bytes(answer.payload[22:24], "little") <= talk.board.overruns
