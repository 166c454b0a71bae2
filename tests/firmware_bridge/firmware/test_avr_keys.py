"""Each edge of a button on an AVR board arrives once and in order, whatever happens."""

from random import Random

import pytest

from firmware_bridge.protocol.events import Resynchronised
from firmware_bridge.protocol.messages import BoardSetup, Keys, read_message
from tests.firmware_bridge.firmware.dialogue import Dialogue
from tests.firmware_bridge.firmware.lockstep import Bench, Stream, harmed
from tests.support.bridge_line import Faults
from tests.support.simavr_harness import MEGA, UNO, Kind, missing
from tests.support.slow_board import KEYACK, frame

pytestmark = pytest.mark.emulator(lacks=missing())

EACH_KIND = pytest.mark.parametrize("kind", [UNO, MEGA], ids=["uno", "mega"])
EACH_BAUD = pytest.mark.parametrize("baud", [500_000, 1_000_000])
HOLD = 0.003


def buttons_of(kind: Kind) -> range:
    """Return all buttons of a board."""
    return range(len(kind.pins))


@EACH_KIND
def test_each_pin_is_its_button(kind: Kind) -> None:
    """Every button is where the README says, and moves alone."""
    with Bench(kind, wanted=BoardSetup(leds=1, buttons=len(kind.pins))) as bench:
        bench.connect()
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
    with Bench(kind, baud=baud, wanted=BoardSetup(leds=kind.leds)) as bench:
        bench.connect()
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
    with Bench(UNO, baud=baud, wanted=BoardSetup(leds=500)) as bench:
        bench.connect()
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
    with Bench(UNO, wanted=BoardSetup(leds=60)) as bench:
        bench.connect()
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
    with Bench(UNO, wanted=BoardSetup(leds=1, hold=0.005)) as bench:
        bench.connect()
        for i in range(10):
            bench.press(bench.now + 0.1 + 0.05 * i, 3, down=True)
            bench.press(bench.now + 0.103 + 0.05 * i, 3, down=False)
        bench.press(bench.now + 0.7, 4, down=True)
        bench.press(bench.now + 0.7075, 4, down=False)
        bench.run(1.0)
        assert [(4, True), (4, False)] == bench.edges()


def test_a_press_counts_from_its_first_look() -> None:
    """An edge has the time of the first look at its level."""
    with Bench(UNO, wanted=BoardSetup(leds=1, hold=0.1)) as bench:
        bench.connect()
        pressed = bench.now + 0.2
        bench.press(pressed, 0, down=True)
        bench.run(0.5)
        ((reported, edge),) = bench.reported_edges()
        assert 0.1 < reported - pressed
        assert pressed == pytest.approx(edge.t, abs=0.003)


def test_a_full_queue_counts_what_it_loses() -> None:
    """Edges without room are counted until a host takes them; then all is right."""
    with Bench(UNO, wanted=BoardSetup(leds=1, watchdog=0.0)) as bench:
        bench.connect()
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
    with Dialogue(UNO) as talk:
        talk.begin(1)
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
    with Dialogue(UNO) as talk:
        talk.begin(1)
        for button in range(8):
            talk.board.press(button)
        first = [read_message(heard) for heard in talk.hear(0.02)][-1]
        assert isinstance(first, Keys)
        assert 8 > len(first.events)
        rest = talk.say(frame(KEYACK, first.sequence + len(first.events), 0, b""), patience=0.005)
        assert rest is not None
        keys = read_message(rest)
        assert isinstance(keys, Keys)
        assert 8 == len(first.events) + len(keys.events)


def test_a_foreign_keyack_takes_nothing_off() -> None:
    """A KEYACK for unreported events is ignored."""
    with Dialogue(UNO) as talk:
        talk.begin(1)
        talk.board.press(2)
        talk.hear(0.02)
        talk.say(frame(KEYACK, 9, 0, b""), patience=0.01)
        talk.say(frame(KEYACK, 255, 0, b""), patience=0.01)
        assert 0 < len(talk.hear(0.2))


def test_a_new_session_begins_without_old_presses() -> None:
    """It gets no earlier events, and their numbers are not reused."""
    with Dialogue(UNO) as talk:
        talk.begin(1)
        talk.board.press(2)
        talk.hear(0.1)
        answer = talk.greet(session=99)
        info = None if answer is None else read_message(answer)
        assert (1 << 2, 1) == (getattr(info, "buttons_down", 0), getattr(info, "key_sequence", 0))
        talk.set_up(1)
        assert [] == talk.hear(0.2)


def test_time_from_pin_to_event() -> None:
    """With 500 LEDs an edge is reported within hold, show and two messages."""
    random = Random(5)
    with Bench(UNO, wanted=BoardSetup(leds=500, hold=HOLD)) as bench:
        bench.connect()
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
