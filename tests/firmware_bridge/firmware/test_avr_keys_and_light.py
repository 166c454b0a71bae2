"""The buttons and the strip of an AVR board, and its watchdogs."""

from random import Random

import pytest

from firmware_bridge.protocol.messages import BoardSetup, Keys, Reason, read_message
from firmware_bridge.protocol.states import Connected, Resynchronised
from tests.firmware_bridge.firmware.avr_board import (
    LATCH,
    SILENCE,
    Bench,
    Dialogue,
    Stream,
    connected,
    harmed,
    pulses,
    ready,
    unharmed,
)
from tests.support.bridge_line import Faults
from tests.support.simavr_harness import MEGA, UNO, Kind, missing
from tests.support.slow_board import ACK, FILL, KEYACK, NAK, PIXELS, frame

pytestmark = pytest.mark.emulator(lacks=missing())

EACH_KIND = pytest.mark.parametrize("kind", [UNO, MEGA], ids=["uno", "mega"])
BAUDS = (500_000, 1_000_000)
EACH_BAUD = pytest.mark.parametrize("baud", BAUDS)


def buttons_of(kind: Kind) -> range:
    """Return all buttons of a board."""
    return range(len(kind.pins))


def light(leds: int, colours: int = 3) -> bytes:
    """Return a frame of this number of LEDs."""
    return Random(leds).randbytes(leds * colours)


SAFE = bytes([3, 9, 8, 7, 0])
"""Every third LED."""

PATTERN = (b"\x09\x08\x07" + bytes(6)) * 2 + b"\x09\x08\x07"
LED = b"\x11\x22\x33"


# Each edge arrives once and in order, whatever happens


@EACH_KIND
def test_each_pin_is_its_button(kind: Kind) -> None:
    """Every button is where the README says, and moves alone."""
    with connected(kind, wanted=BoardSetup(leds=1, buttons=len(kind.pins))) as bench:
        for button in buttons_of(kind):
            bench.press(bench.now + 0.01 + 0.02 * button, button, down=True)
            bench.press(bench.now + 0.02 + 0.02 * button, button, down=False)
        bench.run(1.0)
        expected = [(button, down) for button in buttons_of(kind) for down in (True, False)]
        assert expected == bench.edges()


@EACH_KIND
@EACH_BAUD
def test_presses_while_frames_stream(kind: Kind, baud: int) -> None:
    """Presses of 25 ms arrive once and in order during the longest frames."""
    random = Random(baud)
    with connected(kind, baud=baud, wanted=BoardSetup(leds=kind.leds)) as bench:
        pressed: list[tuple[float, int, bool]] = []
        for i in range(60):
            begin = bench.now + 0.05 + 0.06 * i + random.uniform(0, 0.03)
            button = random.choice(buttons_of(kind))
            pressed += [(begin, button, True), (begin + 0.025, button, False)]
        for time, button, down in pressed:
            bench.press(time, button, down=down)
        Stream(bench, pixel_bytes=3 * kind.leds).run(4.5)
        assert [(button, down) for _, button, down in pressed] == bench.edges()
        assert 0 == bench.board.overruns
        for (time, _, _), (_, edge) in zip(pressed, bench.reported_edges(), strict=True):
            # During a show the board looks only every 4 ms; its clock counts whole milliseconds.
            assert -0.002 < edge.t - time < 0.008


@EACH_BAUD
def test_chords_while_frames_stream(baud: int) -> None:
    """All sixteen buttons at once, again and again, lose nothing."""
    with connected(UNO, baud=baud, wanted=BoardSetup(leds=500)) as bench:
        for i in range(20):
            for button in range(16):
                bench.press(bench.now + 0.1 + 0.3 * i, button, down=i % 2 == 0)
        Stream(bench, pixel_bytes=1500).run(6.5)
        expected = sorted((button, i % 2 == 0) for i in range(20) for button in range(16))
        assert expected == sorted(bench.edges())
        assert 0 == bench.board.overruns


def test_all_edges_through_a_bad_cable() -> None:
    """Each edge arrives once and in order despite lost, changed and added bytes."""
    random = Random(3)
    bad = Faults(drop=1 / 500, flip=1 / 500, insert=1 / 500, double=1 / 1000)
    with connected(UNO, wanted=BoardSetup(leds=60)) as bench:
        bench.to_board, bench.to_host = harmed(bad, seed=1), harmed(bad, seed=2)
        expected = []
        for i in range(150):
            button = random.randrange(16)
            for down in (True, False):
                bench.press(bench.now + 0.1 + 0.1 * i + 0.05 * (not down), button, down=down)
                expected.append((button, down))
        Stream(bench, pixel_bytes=180).run(16.0)
        assert expected == bench.edges()
        assert 100 < bench.link.counters.refused + bench.link.counters.unanswered


def test_what_does_not_hold_is_no_press() -> None:
    """A level is an edge only if it holds for the requested time."""
    with connected(UNO, wanted=BoardSetup(leds=1, hold=0.005)) as bench:
        for i in range(10):
            bench.press(bench.now + 0.1 + 0.05 * i, 3, down=True)
            bench.press(bench.now + 0.103 + 0.05 * i, 3, down=False)
        bench.press(bench.now + 0.7, 4, down=True)
        bench.press(bench.now + 0.7075, 4, down=False)
        bench.run(1.0)
        assert [(4, True), (4, False)] == bench.edges()


def test_a_press_counts_from_its_first_look() -> None:
    """An edge has the time of the first look at its level."""
    with connected(UNO, wanted=BoardSetup(leds=1, hold=0.1)) as bench:
        pressed = bench.now + 0.2
        bench.press(pressed, 0, down=True)
        bench.run(0.5)
        ((reported, edge),) = bench.reported_edges()
        assert 0.1 < reported - pressed
        assert pressed == pytest.approx(edge.t, abs=0.003)


def test_a_full_queue_counts_what_it_loses() -> None:
    """Edges without room are counted until a host takes them; then all is right."""
    with connected(UNO, wanted=BoardSetup(leds=1, watchdog=0.0)) as bench:
        bench.to_host = bench.to_board = lambda _: b""
        for i in range(8):
            bench.press(bench.now + 0.05 * (i + 1), i // 2, down=i % 2 == 0)
        for i in range(4):
            bench.press(bench.now + 0.5 + 0.05 * i, 9, down=i % 2 == 0)
        bench.press(bench.now + 0.8, 5, down=True)
        bench.run(1.0)
        bench.to_host = bench.to_board = lambda data: data
        bench.run(3.0)
        expected = [(i // 2, i % 2 == 0) for i in range(8)] + [(5, True)]
        assert expected == bench.edges()
        lost = [event.lost for _, event in bench.reported if isinstance(event, Resynchronised)]
        assert 4 == sum(lost)


def test_events_are_reported_at_once_and_again() -> None:
    """KEYS comes at once, and every 50 ms until it is acknowledged."""
    with ready(UNO, 1) as talk:
        talk.board.press(2)
        pressed = talk.board.now
        first, *others = [read_message(heard) for heard in talk.hear(0.52)]
        assert isinstance(first, Keys)
        assert [(2, True)] == [(event.button, event.down) for event in first.events]
        assert 0.008 > first.clock / 1000 - pressed
        assert 10 == len(others)
        talk.say(frame(KEYACK, first.sequence + 1, 0, b""), patience=0.01)
        assert [] == talk.hear(0.2)


def test_events_that_had_no_room_follow_their_acknowledgement() -> None:
    """A chip with 2 kB lists five of eight events; the others follow at once."""
    with ready(UNO, 1) as talk:
        for button in range(8):
            talk.board.press(button)
        first = [read_message(heard) for heard in talk.hear(0.02)][-1]
        assert isinstance(first, Keys)
        assert 8 > len(first.events)
        taken = frame(KEYACK, first.sequence + len(first.events), 0, b"")
        keys = read_message(talk.say(taken, patience=0.005))
        assert isinstance(keys, Keys)
        assert 8 == len(first.events) + len(keys.events)


def test_a_foreign_keyack_takes_nothing_off() -> None:
    """A KEYACK for unreported events is ignored."""
    with ready(UNO, 1) as talk:
        talk.board.press(2)
        talk.hear(0.02)
        talk.say(frame(KEYACK, 9, 0, b""), patience=0.01)
        talk.say(frame(KEYACK, 255, 0, b""), patience=0.01)
        assert 0 < len(talk.hear(0.2))


def test_a_new_session_begins_without_old_presses() -> None:
    """It gets no earlier events, and their numbers are not reused."""
    with ready(UNO, 1) as talk:
        talk.board.press(2)
        talk.hear(0.1)
        info = read_message(talk.greet(session=99))
        assert (1 << 2, 1) == (getattr(info, "buttons_down", 0), getattr(info, "key_sequence", 0))
        talk.set_up(1)
        assert [] == talk.hear(0.2)


HOLD = 0.003


def test_time_from_pin_to_event() -> None:
    """With 500 LEDs an edge is reported within hold, show and two messages."""
    random = Random(5)
    with connected(UNO, wanted=BoardSetup(leds=500, hold=HOLD)) as bench:
        pressed = [bench.now + 0.1 + 0.041 * i + random.uniform(0, 0.01) for i in range(100)]
        for i, time in enumerate(pressed):
            bench.press(time, i // 2 % 16, down=i % 2 == 0)
        Stream(bench, pixel_bytes=1500).run(4.5)
        times = [
            reported - time
            for time, (reported, _) in zip(pressed, bench.reported_edges(), strict=True)
        ]
        assert HOLD < min(times)
        assert 0.008 > sorted(times)[len(times) // 2]
        assert 0.025 > max(times)


# The right light is put on the strip's line, fast enough


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
            assert [light(leds)] == talk.lights()
        assert 0 == talk.board.overruns


@EACH_BAUD
@pytest.mark.parametrize("leds", [1, 133, 134, 600, 1197, 2499, 2500])
def test_long_strips_on_a_mega(baud: int, leds: int) -> None:
    """A Mega drives 2,500 LEDs."""
    with ready(MEGA, leds, baud=baud) as talk:
        talk.pixels(light(leds))
        assert [light(leds)] == talk.lights()
        assert 0 == talk.board.overruns


@pytest.mark.parametrize(("kind", "leds"), [(UNO, 450), (MEGA, 1875)], ids=["uno", "mega"])
def test_four_colours(kind: Kind, leds: int) -> None:
    """LEDs of four bytes work as well, as many as fit into memory."""
    with ready(kind, leds, colours=4) as talk:
        talk.pixels(light(leds, 4))
        assert [light(leds, 4)] == talk.lights()


@EACH_KIND
@EACH_BAUD
def test_pulses_lie_where_all_data_sheets_agree(kind: Kind, baud: int) -> None:
    """A 0 is high for 312.5 ns, a 1 for 750 ns; no bit is low for over 1,000 ns."""
    with ready(kind, 600, baud=baud) as talk:
        talk.pixels(light(600))
        line = pulses(talk.board.take_edges())
        assert {312.5, 750.0} == set(line.high)
        assert 1_000 > line.low[:-1].max()
        assert {1_250.0} == set(line.high[:-1] + line.low[:-1])


@EACH_BAUD
def test_frames_are_apart(baud: int) -> None:
    """Between any two frames the LEDs have the time to latch."""
    with ready(UNO, 2, baud=baud) as talk:
        for sequence in range(20):
            talk.fill(b"\xff\0\xff", sequence=sequence)
        low = pulses(talk.board.take_edges()).low
        assert 20 == (low > LATCH).sum()
        assert 300_000 < low[low > LATCH].min()


@EACH_KIND
@pytest.mark.parametrize(("baud", "floor"), [(500_000, 21), (1_000_000, 31)])
def test_frames_a_second_of_500_leds(kind: Kind, baud: int, floor: int) -> None:
    """500 changing LEDs get 21 frames a second or more, 31 at 1 Mbaud."""
    with connected(kind, baud=baud, wanted=BoardSetup(leds=500)) as bench:
        stream = Stream(bench, pixel_bytes=1500)
        shown = stream.run(2.0)
        assert floor <= shown / 2.0
        assert stream.frames[:shown] == [frame.data for frame in bench.shown_so_far()][:shown]
        assert 0 == bench.board.overruns


def test_changes_on_top_of_an_acknowledged_frame() -> None:
    """Small changes send few bytes, and are shown completely."""
    random = Random(7)
    pixels = bytearray(light(600))
    with connected(UNO, wanted=BoardSetup(leds=600)) as bench:
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
    with ready(UNO, 4) as talk:
        talk.pixels(bytes(12), sequence=9)
        assert SILENCE == talk.pixels(b"\1\2", sequence=10, offset=1, latch=False)
        assert SILENCE == talk.pixels(b"", sequence=11, offset=12, latch=False)
        answer = talk.pixels(b"\3", sequence=12, offset=11)
        assert (ACK, 12) == (answer.type, answer.sequence)
        assert [bytes(12), b"\0\1\2" + bytes(8) + b"\3"] == talk.lights()


@EACH_KIND
def test_a_board_starts_dark(kind: Kind) -> None:
    """After power or a reset it turns any strip dark."""
    with Dialogue(kind) as talk:
        talk.board.reset()
        talk.hear(0.2)
        assert [bytes(3 * kind.leds)] == talk.lights()


def test_goodbye_turns_the_strip_dark() -> None:
    """BYE turns the strip dark and ends the session."""
    with ready(UNO, 4) as talk:
        talk.pixels(light(4))
        assert ACK == talk.bye().type
        assert [light(4), bytes(12)] == talk.lights()
        answer = talk.fill(b"\1\1\1")
        assert (NAK, Reason.NOT_READY) == (answer.type, answer.argument >> 8)


# The board neither forgets its strip nor hangs: watchdogs, room for the stack


def test_the_safe_pattern_is_shown_once() -> None:
    """After a long silence the strip shows the safe pattern, once."""
    with ready(UNO, 7, watchdog=300, safe=SAFE) as talk:
        talk.fill(LED)
        said = talk.board.now
        talk.hear(2.0)
        _, safe = talk.shown()
        assert PATTERN == safe.data
        assert 0.3 == pytest.approx(safe.began - said, abs=0.005)


def test_any_word_puts_it_off() -> None:
    """While the host sends anything valid, the strip keeps its frame."""
    with ready(UNO, 7, watchdog=300, safe=SAFE) as talk:
        for _ in range(20):
            talk.ping()
            talk.hear(0.25)
        assert [] == talk.shown()


def test_noise_does_not_put_it_off() -> None:
    """A host that sends only noise is gone, even during an endless frame."""
    whole = frame(PIXELS, 0, 0x8000, bytes(1800))
    with ready(UNO, 600, watchdog=300, safe=SAFE) as talk:
        began = talk.board.now
        for byte in whole[:100]:
            talk.board.send(bytes([byte]))
            talk.hear(0.01)
        (safe,) = talk.shown()
        assert 0.3 == pytest.approx(safe.began - began, abs=0.01)


def test_afterwards_the_host_must_show_a_whole_frame() -> None:
    """The board has no base then, and takes the next whole frame."""
    with ready(UNO, 7, watchdog=300, safe=SAFE) as talk:
        talk.pixels(bytes(21), sequence=1)
        talk.hear(0.5)
        assert 1 == talk.ping().argument
        assert Reason.NO_BASE == talk.pixels(LED, sequence=2).argument >> 8
        assert ACK == talk.fill(LED, sequence=3).type
        assert [bytes(21), PATTERN, LED * 7] == talk.lights()


def test_no_buttons_are_reported_meanwhile() -> None:
    """A board whose host is gone sends nothing, and keeps the presses for it."""
    with ready(UNO, 7, watchdog=300, safe=SAFE) as talk:
        talk.hear(0.4)
        talk.board.press(1)
        assert [] == talk.hear(0.5)
        talk.board.send(frame(FILL, 0, 0, LED))
        assert {0x82, 0x85} == {heard.type for heard in talk.hear(0.2)}


@EACH_KIND
def test_a_program_that_hangs_starts_again(kind: Kind) -> None:
    """The chip's own watchdog restarts it, and the host goes on with it."""
    with connected(kind, wanted=BoardSetup(leds=10)) as bench:
        bench.show(LED * 10)
        bench.board.hang()
        hung = bench.now
        bench.run_until(lambda event: isinstance(event, Connected))
        bench.run(0.2)
        assert 3.0 > bench.now - hung
        assert LED * 10 == bench.shown()[-1].data
        assert 1 == bench.link.counters.restarts


@pytest.mark.parametrize(("kind", "room"), [(UNO, 12), (MEGA, 100)], ids=["uno", "mega"])
@EACH_BAUD
def test_the_stack_has_room(kind: Kind, room: int, baud: int) -> None:
    """Under full load this number of bytes below the stack stays unused."""
    random = Random(4)
    bad = Faults(drop=1 / 2000, flip=1 / 2000, insert=1 / 2000, double=1 / 4000, cut=1 / 20_000)
    with Bench(kind, baud=baud, wanted=BoardSetup(leds=200, watchdog=0.3)) as bench:
        bench.board.paint()
        bench.connect()
        for i in range(400):
            for button in random.sample(range(len(kind.pins)), random.randrange(1, 17)):
                bench.press(bench.now + 0.02 * i, button, down=random.random() < 0.5)
        stream = Stream(bench, pixel_bytes=600)
        for seed in range(4):
            bench.to_board, bench.to_host = harmed(bad, seed), harmed(bad, -seed)
            stream.run(1.0)
            bench.to_board = lambda _: b""
            bench.run(0.5)
            bench.to_board = bench.to_host = unharmed
            stream.run(1.0)
        bench.link.close(bench.now)
        bench.run(0.5)
        assert room <= bench.board.untouched()
        assert 0 < bench.link.counters.refused
