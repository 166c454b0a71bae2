"""Nothing wrong is ever put on an AVR board's strip, whatever comes over the line."""

from random import Random

import pytest

from firmware_bridge.protocol.events import FrameShown
from firmware_bridge.protocol.messages import BoardSetup
from tests.firmware_bridge.firmware.dialogue import Dialogue
from tests.firmware_bridge.firmware.lockstep import Bench, Stream, harmed
from tests.firmware_bridge.firmware.ws281x import Shown
from tests.support.bridge_line import Faults
from tests.support.simavr_harness import UNO, missing
from tests.support.slow_board import ACK, BEFORE_A_FRAME, FILL, NAK, PING, PIXELS, PONG, frame

pytestmark = pytest.mark.emulator(lacks=missing())

DARK = bytes(3 * UNO.leds)
NOISE = 1_000_000
LED = b"\x11\x22\x33"


def check(seen: list[Shown], *, allowed: list[bytes]) -> None:
    """Check that nothing else was seen; the last frame may still be on its way."""
    *whole, last = [frame.data for frame in seen]
    assert set(allowed) >= set(whole)
    assert any(frame.startswith(last) for frame in allowed)


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
    with Bench(UNO, baud=baud, wanted=BoardSetup(leds=leds)) as bench:
        bench.connect()
        bench.to_board, bench.to_host = harmed(faults, seed=baud), harmed(faults, seed=baud + 1)
        stream = Stream(bench, pixel_bytes=3 * leds)
        shown = stream.run(4.0)
        check(bench.shown_so_far(), allowed=stream.frames)
        assert 20 < shown
        assert 0 < bench.link.counters.refused + bench.link.counters.unanswered


def test_boards_that_start_again_in_a_frame() -> None:
    """After a reset the strip goes dark and then shows the newest frame again."""
    random = Random(11)
    with Bench(UNO, wanted=BoardSetup(leds=200)) as bench:
        bench.connect()
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
    with Dialogue(UNO, baud=1_000_000) as talk:
        talk.begin(4)
        talk.pixels(LED * 4)
        assert [LED * 4] == [shown.data for shown in talk.shown()]
        noise = b"".join(scraps(random) for _ in range(NOISE // 15))
        assert NOISE < len(noise)
        talk.board.send(noise)
        while talk.board.unsent:
            talk.hear(0.5)
        assert [] == talk.shown()
        talk.hear(0.1)
        assert PONG == getattr(talk.ping(), "type", None)


@pytest.mark.parametrize("prefix", BEFORE_A_FRAME.values(), ids=BEFORE_A_FRAME)
def test_a_frame_behind_anything_is_found(prefix: bytes) -> None:
    """A header is found after any bytes."""
    with Dialogue(UNO) as talk:
        talk.begin(4)
        talk.board.send(prefix)
        answer = talk.fill(LED)
        assert ACK == getattr(answer, "type", None)
        assert [LED * 4] == [shown.data for shown in talk.shown()]


def test_every_single_changed_bit_is_noticed() -> None:
    """A frame with any single wrong bit shows nothing."""
    right = frame(PIXELS, 0, 0x8000, LED * 2)
    with Dialogue(UNO) as talk:
        talk.begin(2)
        for bit in range(8 * len(right)):
            wrong = bytearray(right)
            wrong[bit // 8] ^= 1 << bit % 8
            talk.board.send(bytes(wrong))
            talk.hear(0.035)
        assert [] == talk.shown()
        assert ACK == getattr(talk.say(right), "type", None)


def test_a_frame_that_stops_is_broken_off() -> None:
    """After 25 ms of silence it ends with a reply, and the next one is taken."""
    whole = frame(PIXELS, 7, 0x8000, LED * 4)
    with Dialogue(UNO) as talk:
        talk.begin(4)
        answer = talk.say(whole[:15])
        assert answer is not None
        assert (NAK, 7, PIXELS | 2 << 8) == (answer.type, answer.sequence, answer.argument)
        assert ACK == getattr(talk.say(whole), "type", None)
        talk.board.send(whole[:15])
        talk.hear(0.02)
        assert ACK == getattr(talk.say(whole[15:]), "type", None)
        assert [LED * 4] * 2 == [shown.data for shown in talk.shown()]


@pytest.mark.parametrize("baud", [500_000, 1_000_000])
def test_what_comes_during_a_show_is_kept(baud: int) -> None:
    """64 bytes that arrive during a show are read afterwards."""
    with Dialogue(UNO, baud=baud) as talk:
        talk.begin(600)
        talk.board.send(frame(FILL, 0, 0x8000, LED))
        talk.hear(0.004)
        talk.board.send(b"".join(frame(PING, sequence, 0, b"") for sequence in range(4)))
        answers = talk.hear(0.1)
        assert ACK == answers[0].type
        assert (PONG, 3) == (answers[-1].type, answers[-1].sequence)
        assert 0 == talk.board.overruns


def test_bytes_that_are_too_many_are_counted() -> None:
    """Bytes beyond the ring are lost, and the board counts them."""
    with Dialogue(UNO) as talk:
        talk.begin(600)
        talk.board.send(frame(FILL, 0, 0, LED) + bytes(500))
        talk.hear(0.1)
        assert 400 < talk.board.overruns < 440
        answer = talk.ping()
        assert answer is not None
        assert 0 < int.from_bytes(answer.payload[22:24], "little") <= talk.board.overruns
