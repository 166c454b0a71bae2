"""The shipped AVR firmware puts the right light on its strip's line, fast enough."""

from random import Random

import pytest

from firmware_bridge.protocol.messages import BoardSetup, Reason
from tests.firmware_bridge.firmware.dialogue import Dialogue
from tests.firmware_bridge.firmware.lockstep import Bench, Stream
from tests.firmware_bridge.firmware.ws281x import LATCH, pulses
from tests.support.simavr_harness import MEGA, UNO, Kind, missing
from tests.support.slow_board import ACK, NAK

pytestmark = pytest.mark.emulator(lacks=missing())

BAUDS = (500_000, 1_000_000)
EACH_BAUD = pytest.mark.parametrize("baud", BAUDS)


def light(leds: int, colours: int = 3) -> bytes:
    """Return a frame of this number of LEDs."""
    return Random(leds).randbytes(leds * colours)


@pytest.mark.parametrize(
    ("baud", "counts"),
    [(500_000, range(1, 601, 2)), (1_000_000, range(2, 601, 2))],
    ids=["500000 odd", "1000000 even"],
)
def test_every_number_of_leds_up_to_600_on_an_uno(baud: int, counts: range) -> None:
    """Every strip shows the frame that was sent, bit for bit."""
    with Dialogue(UNO, baud=baud) as talk:
        talk.greet()
        for leds in counts:
            talk.set_up(leds)
            talk.pixels(light(leds))
            assert [light(leds)] == [shown.data for shown in talk.shown()]
        assert 0 == talk.board.overruns


@EACH_BAUD
@pytest.mark.parametrize("leds", [1, 133, 134, 600, 1197, 2499, 2500])
def test_long_strips_on_a_mega(baud: int, leds: int) -> None:
    """A Mega drives 2,500 LEDs."""
    with Dialogue(MEGA, baud=baud) as talk:
        talk.begin(leds)
        talk.pixels(light(leds))
        assert [light(leds)] == [shown.data for shown in talk.shown()]
        assert 0 == talk.board.overruns


@pytest.mark.parametrize(("kind", "leds"), [(UNO, 450), (MEGA, 1875)], ids=["uno", "mega"])
def test_four_colours(kind: Kind, leds: int) -> None:
    """LEDs of four bytes work as well, as many as fit into memory."""
    with Dialogue(kind) as talk:
        talk.begin(leds, colours=4)
        talk.pixels(light(leds, 4))
        assert [light(leds, 4)] == [shown.data for shown in talk.shown()]


@pytest.mark.parametrize("kind", [UNO, MEGA], ids=["uno", "mega"])
@EACH_BAUD
def test_pulses_lie_where_all_data_sheets_agree(kind: Kind, baud: int) -> None:
    """A 0 is high for 312.5 ns, a 1 for 750 ns; no bit is low for over 1,000 ns."""
    with Dialogue(kind, baud=baud) as talk:
        talk.begin(600)
        talk.pixels(light(600))
        line = pulses(talk.board.take_edges())
        assert {312.5, 750.0} == set(line.high)
        assert 1_000 > line.low[:-1].max()
        assert {1_250.0} == set(line.high[:-1] + line.low[:-1])


@EACH_BAUD
def test_frames_are_apart(baud: int) -> None:
    """Between any two frames the LEDs have the time to latch."""
    with Dialogue(UNO, baud=baud) as talk:
        talk.begin(2)
        for sequence in range(20):
            talk.fill(b"\xff\0\xff", sequence=sequence)
        low = pulses(talk.board.take_edges()).low
        assert 20 == (low > LATCH).sum()
        assert 300_000 < low[low > LATCH].min()


@pytest.mark.parametrize("kind", [UNO, MEGA], ids=["uno", "mega"])
@pytest.mark.parametrize(("baud", "floor"), [(500_000, 21), (1_000_000, 31)])
def test_frames_a_second_of_500_leds(kind: Kind, baud: int, floor: int) -> None:
    """500 changing LEDs get 21 frames a second or more, 31 at 1 Mbaud."""
    with Bench(kind, baud=baud, wanted=BoardSetup(leds=500)) as bench:
        bench.connect()
        stream = Stream(bench, pixel_bytes=1500)
        shown = stream.run(2.0)
        assert floor <= shown / 2.0
        assert stream.frames[:shown] == [frame.data for frame in bench.shown_so_far()][:shown]
        assert 0 == bench.board.overruns


def test_changes_on_top_of_an_acknowledged_frame() -> None:
    """Small changes send few bytes, and are shown completely."""
    random = Random(7)
    pixels = bytearray(light(600))
    with Bench(UNO, wanted=BoardSetup(leds=600)) as bench:
        bench.connect()
        bench.show(bytes(pixels))
        before = bench.link.counters.bytes_sent
        for _ in range(50):
            for _ in range(random.randrange(1, 5)):
                pixels[random.randrange(1800)] ^= 1 << random.randrange(8)
            assert bytes(pixels) == bench.show(bytes(pixels)).data
        assert 50 * 100 > bench.link.counters.bytes_sent - before
        assert 0 == bench.link.counters.refused


def test_parts_are_shown_at_the_latch() -> None:
    """Parts without latch are kept without a reply; the latched one shows them all."""
    with Dialogue(UNO) as talk:
        talk.begin(4)
        talk.pixels(bytes(12), sequence=9)
        assert None is talk.pixels(b"\1\2", sequence=10, offset=1, latch=False)
        assert None is talk.pixels(b"", sequence=11, offset=12, latch=False)
        answer = talk.pixels(b"\3", sequence=12, offset=11)
        assert answer is not None
        assert (ACK, 12) == (answer.type, answer.sequence)
        assert [bytes(12), b"\0\1\2" + bytes(8) + b"\3"] == [s.data for s in talk.shown()]


def test_a_part_that_does_not_follow_stays_out_of_the_buffer() -> None:
    """A part out of order is refused, and the base is unchanged."""
    with Dialogue(UNO) as talk:
        talk.begin(4)
        talk.pixels(light(4), sequence=9)
        answer = talk.pixels(b"\1\2", sequence=11)
        assert answer is not None
        assert (NAK, 11, Reason.NO_BASE) == (answer.type, answer.sequence, answer.argument >> 8)
        talk.pixels(b"", sequence=10)
        assert [light(4)] * 2 == [shown.data for shown in talk.shown()]


@pytest.mark.parametrize("kind", [UNO, MEGA], ids=["uno", "mega"])
def test_a_board_starts_dark(kind: Kind) -> None:
    """After power or a reset it turns any strip dark."""
    with Dialogue(kind) as talk:
        talk.board.reset()
        talk.hear(0.2)
        assert [bytes(3 * kind.leds)] == [shown.data for shown in talk.shown()]


def test_goodbye_turns_the_strip_dark() -> None:
    """BYE turns the strip dark and ends the session."""
    with Dialogue(UNO) as talk:
        talk.begin(4)
        talk.pixels(light(4))
        assert ACK == getattr(talk.bye(), "type", None)
        assert [light(4), bytes(12)] == [shown.data for shown in talk.shown()]
        answer = talk.fill(b"\1\1\1")
        assert answer is not None
        assert (NAK, Reason.NOT_READY) == (answer.type, answer.argument >> 8)
