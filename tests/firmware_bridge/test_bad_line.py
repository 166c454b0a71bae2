"""Link and board joined by a bad line: no wrong light, no press lost or doubled, always back.

The board is a plain model of the protocol, with one frame in flight or two, or the firmware for
native USB.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardSetup
from firmware_bridge.protocol.states import BoardRestarted, Connected, Lost, Resynchronised, State
from tests.firmware_bridge.firmware.circuitpython_board import make_firmware_line
from tests.support.bridge_line import BAD, LEDS, SAFE, WORSE, Faults, Line, Player, make_line, plain
from tests.support.limits import share
from tests.support.slow_board import SlowBoard

MakeLine = Callable[..., Line]

both_boards = pytest.mark.parametrize("make", [make_line, make_firmware_line], ids=["model", "usb"])
all_boards = pytest.mark.parametrize(
    "make",
    [make_line, partial(make_line, credit=2), make_firmware_line],
    ids=["model", "model-2", "usb"],
)


def play(line: Line, seed: int = 4) -> Player:
    """Return a player, once the link is connected."""
    line.run_until(lambda: line.of(Connected))
    return Player(line, seed)


@both_boards
def test_a_good_line_shows_every_frame_and_shows_every_edge(make: MakeLine) -> None:
    """Without faults each frame that is waited for is lit, and each edge is told within 10 ms."""
    player = play(make(), 1)
    line = player.line
    for _ in range(100):
        player.show()
        line.run_until(lambda: line.board.strip.light == player.newest, ticks=30)
        player.press(player.random.randrange(6))
        line.run(10)
        assert plain(line.happened_by_boot()[line.board.boot]) == line.edges()
    assert 0 == line.link.counters.refused + line.link.counters.unanswered


@all_boards
@pytest.mark.parametrize("faults", [BAD, WORSE])
def test_a_bad_line_harms_nothing(make: MakeLine, faults: Faults) -> None:
    """Under faults for 20 s no wrong frame is lit, and the edges are told once, in order."""
    player = play(make(seed=1), 2)
    line = player.line
    line.fail(faults)
    for _ in range(1000):
        player.show()
        if (
            player.random.random() < 0.025
        ):  # so few that the queue holds them while hardly anything gets through
            player.press(player.random.randrange(6))
        line.run(20)
    player.settle()
    player.check()
    assert 5 < line.link.counters.edges
    assert 0 < line.link.counters.refused + line.link.counters.unanswered


@both_boards
@pytest.mark.parametrize("amount", [100_000, pytest.param(1_000_000, marks=pytest.mark.deep)])
def test_noise_harms_nothing(make: MakeLine, amount: int) -> None:
    """Noise into both ends, and restarts, cause no wrong light, and the link always returns."""
    player = play(make(seed=5), 3)
    line = player.line
    random = player.random
    noise = 0
    while noise < amount:
        for channel in (line.to_board, line.to_host):
            data = bytes(random.choices([0xA5, 0x5A, 3, 0, *random.randbytes(20)], k=5000))
            channel.send(data, line.board.ticks)
            noise += len(data)
        for _ in range(10):
            player.show()
            player.press(random.randrange(6))
            line.run(random.randrange(40))
        if random.random() < 0.2:
            line.board.start()
    player.settle()
    player.check()
    assert line.of(BoardRestarted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that happens, and how long the line runs after it."""

    what: str
    ticks: int
    button: int = 0
    faults: Faults


steps = st.builds(
    Step,
    what=st.sampled_from(["show", "show", "press", "press", "restart", "cut", "join", "line"]),
    ticks=st.sampled_from([0, 1, 5, 20, 60, 300, 2500]),
    button=st.integers(0, 5),
    faults=st.sampled_from([Faults(), BAD, WORSE]),
)


def take(player: Player, step: Step) -> None:
    """Let one thing happen."""
    line = player.line
    match step.what:
        case "show":
            player.show()
        case "press":
            player.press(step.button)
        case "restart":
            line.board.start()
        case "cut":
            line.to_board.is_cut = step.button % 2 == 0
            line.to_host.is_cut = step.button % 3 == 0
        case "join":
            line.to_board.is_cut = line.to_host.is_cut = False
        case _:
            line.fail(step.faults)
    line.run(step.ticks)


@all_boards
@settings(max_examples=share(0.3))
@given(happening=st.lists(steps, max_size=25), seed=st.integers(0, 2**16))
def test_whatever_happens_nothing_wrong_is_lit_or_reported(
    make: MakeLine, happening: list[Step], seed: int
) -> None:
    """Shows, presses, restarts, cuts and faults in any order: no wrong light, no edge twice."""
    line = make(seed=seed)
    player = Player(line, seed)
    for step in happening:
        take(player, step)
    player.settle()
    player.check()


@both_boards
def test_edges_during_a_cut_are_reported_once_it_is_mended(make: MakeLine) -> None:
    """A cut longer than the link's patience loses no edge that the board had room for."""
    player = play(make())
    line = player.line
    line.to_board.is_cut = line.to_host.is_cut = True
    for button in (0, 0, 3, 3):
        player.press(button)
        line.run(1000)
    assert line.of(Lost)
    player.settle()
    player.check()
    assert [(0, True), (0, False), (3, True), (3, False)] == line.edges()


def test_what_the_queue_cannot_hold_is_said_to_be_lost() -> None:
    """Edges beyond the board's queue are counted, and the levels told are right all the same."""
    player = play(make_line(places=4))
    line = player.line
    line.to_host.is_cut = True
    for button in (0, 0, 1, 1, 2, 2, 3):
        player.press(button)
        line.run(30)
    player.settle()
    player.check()
    reported = [(0, True), (0, False), (1, True), (1, False), (3, True)]
    assert reported == line.edges()
    assert 2 == sum(event.lost for event in line.of(Resynchronised))


def test_a_board_that_restarts_lets_its_buttons_up() -> None:
    """After a restart no button is down but those that the board says are, and light comes back."""
    player = play(make_line())
    line = player.line
    player.press(2)
    player.show()
    line.run(100)
    assert {2} == line.levels()
    line.board.levels[2] = False
    line.board.start()
    line.board.strip.light = b""
    line.run_until(lambda: line.of(BoardRestarted), ticks=600)
    assert frozenset() == line.levels()
    player.settle()
    assert 1 == len(line.of(BoardRestarted))


@both_boards
def test_a_button_held_through_a_restart_stays_down(make: MakeLine) -> None:
    """A button that is down when the board starts anew is told as down, without an edge."""
    line = make()
    line.run_until(lambda: line.of(Connected))
    line.board.levels[1] = True
    line.run(50)
    line.board.start()
    line.run_until(lambda: 2 == len(line.of(Connected)))
    assert {1} == line.levels()
    assert [(1, True)] == line.edges()


@both_boards
def test_a_new_session_hears_nothing_from_before_it(make: MakeLine) -> None:
    """Events queued before the companion started are not told; the levels are."""
    line = make(session=7)
    line.run_until(lambda: line.of(Connected))
    line.to_host.is_cut = True
    line.board.levels[0] = True
    line.run(30)
    line.board.levels[4] = True
    line.run(30)
    line.board.levels[4] = False
    line.run(30)
    line.to_host.is_cut = False
    line.link = Link(session=8, wanted=BoardSetup(leds=LEDS))
    line.open()
    line.run_until(lambda: 2 == len(line.of(Connected)))
    line.run(300)
    assert [] == line.edges()
    assert {0} == line.levels()


@both_boards
def test_the_safe_pattern_comes_when_the_host_is_gone_and_goes_when_it_is_back(
    make: MakeLine,
) -> None:
    """Two seconds without the host light the safe pattern; then the newest frame is back."""
    player = play(make())
    line = player.line
    player.show()
    player.settle()
    line.to_board.is_cut = True
    line.run(1900)
    assert player.newest == line.board.strip.light
    line.run(4000)
    assert SAFE == line.board.strip.light
    player.settle()
    player.check()


def test_a_short_gap_that_the_host_does_not_notice_is_mended_too() -> None:
    """A watchdog shorter than the host's patience: PONG tells that the light is not ours."""
    link = Link(session=7, wanted=BoardSetup(leds=LEDS, watchdog=0.3))
    line = Line(link, SlowBoard(pixel_bytes=120))
    line.open()
    player = play(line)
    player.show()
    line.run_until(lambda: line.board.strip.light == SAFE, ticks=600)
    line.run_until(lambda: line.board.strip.light == player.newest, ticks=600)
    assert not line.of(Lost)


@both_boards
def test_closing_turns_the_board_dark(make: MakeLine) -> None:
    """Closing ends with a dark strip and a board that waits for the next companion."""
    player = play(make())
    line = player.line
    player.show()
    player.settle()
    line.link.close(line.now)
    line.run_until(lambda: line.link.state is State.CLOSED, ticks=500)
    assert bytes(LEDS * 3) == line.board.strip.light
    assert "NEW" == line.board.state


def test_a_board_slow_to_start_is_greeted_when_it_is_there() -> None:
    """A board that starts for 1.5 s after its port was opened is met before 1.8 s are over."""
    line = Line(Link(session=7, wanted=BoardSetup(leds=LEDS)), SlowBoard(boot_ticks=1500))
    line.open()
    line.run_until(lambda: line.of(Connected), ticks=1800)
    assert 7 == line.board.session
