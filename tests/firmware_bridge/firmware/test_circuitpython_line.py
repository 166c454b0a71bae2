"""The companion's engine and the firmware for native USB, joined by a bad line in virtual time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import BoardRestarted, Connected, Link, Lost, State
from tests.firmware_bridge.connection.test_serial_port import Step, steps, take
from tests.firmware_bridge.firmware.circuitpython_board import NAME, UNIQUE, make_firmware_line
from tests.support.bridge_line import Faults
from tests.support.bridge_player import BAD, LEDS, SAFE, WORSE, Player, plain
from tests.support.searches import share


def test_it_says_what_it_is() -> None:
    """INFO tells name, number, credit and what it can do."""
    line = make_firmware_line()
    line.run_until(lambda: line.of(Connected))
    info = line.of(Connected)[0].info
    assert (NAME, UNIQUE.hex()) == (info.name, info.id)
    assert (2, LEDS * 3, frozenset({3, 4}), 6) == (
        info.credit,
        info.pixel_bytes,
        info.formats,
        info.buttons,
    )


def test_a_good_line_shows_every_frame_and_tells_every_edge() -> None:
    """Without faults each frame that is waited for is lit, and each edge is told within 10 ms."""
    line = make_firmware_line()
    player = Player(line, 1)
    line.run_until(lambda: line.of(Connected))
    for _ in range(100):
        player.show()
        line.run_until(lambda: line.board.strip.light == player.newest, ticks=10)
        player.press(player.random.randrange(6))
        line.run(10)
        assert plain(line.happened_by_boot()[line.board.boot]) == line.edges()
    assert 0 == line.link.counters.refused + line.link.counters.unanswered


@pytest.mark.parametrize(
    "faults",
    [
        Faults(drop=0.002),
        Faults(flip=0.002),
        Faults(insert=0.002),
        Faults(double=0.001),
        Faults(cut=0.0005),
        Faults(delay=0.001),
        BAD,
        WORSE,
    ],
    ids=["drop", "flip", "insert", "double", "cut", "delay", "bad", "worse"],
)
def test_a_bad_line_harms_nothing(faults: Faults) -> None:
    """Under faults for 20 s no wrong frame is lit, and the edges are told once, in order.

    They are as many as the board's queue holds while hardly anything gets through.
    """
    line = make_firmware_line(seed=1)
    player = Player(line, 2)
    line.run_until(lambda: line.of(Connected))
    line.fail(faults)
    for _ in range(1000):
        player.show()
        if player.random.random() < 0.025:
            player.press(player.random.randrange(6))
        line.run(20)
    player.settle()
    player.check()
    assert 10 < line.link.counters.edges
    assert 0 < line.link.counters.refused + line.link.counters.unanswered


def test_a_board_that_starts_anew_in_the_middle_of_frames() -> None:
    """Thirty restarts, each somewhere in a stream of frames: nothing wrong, and always back."""
    line = make_firmware_line(seed=3)
    line.to_board.bytes_a_tick = 20
    player = Player(line, 6)
    line.run_until(lambda: line.of(Connected))
    for restarts in range(1, 31):
        for _ in range(player.random.randrange(1, 40)):
            player.show()
            player.press(player.random.randrange(6))
            line.run(player.random.randrange(5))
        line.board.start()
        line.run_until(lambda: len(line.of(BoardRestarted)) == restarts)  # noqa: B023
    player.settle()
    player.check()


@pytest.mark.parametrize("amount", [100_000, pytest.param(1_000_000, marks=pytest.mark.deep)])
def test_noise_harms_nothing(amount: int) -> None:
    """As many bytes of noise into both ends, and restarts: nothing wrong, and always back."""
    line = make_firmware_line(seed=5)
    player = Player(line, 3)
    line.run_until(lambda: line.of(Connected))
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


@settings(max_examples=share(0.3))
@given(st.lists(steps, max_size=25), st.integers(0, 2**16))
def test_whatever_happens_nothing_wrong_is_lit_or_told(happening: list[Step], seed: int) -> None:
    """Shows, presses, restarts, cuts and faults in any order: no wrong light, no edge twice."""
    line = make_firmware_line(seed=seed)
    player = Player(line, seed)
    for step in happening:
        take(player, step)
    player.settle()
    player.check()


def test_edges_during_a_cut_are_told_once_it_is_mended() -> None:
    """A cut longer than the link's patience loses no edge that the board had room for."""
    line = make_firmware_line()
    player = Player(line, 4)
    line.run_until(lambda: line.of(Connected))
    line.to_board.is_cut = line.to_host.is_cut = True
    for button in (0, 0, 3, 3):
        player.press(button)
        line.run(1000)
    assert line.of(Lost)
    player.settle()
    player.check()
    assert [(0, True), (0, False), (3, True), (3, False)] == line.edges()


def test_the_safe_pattern_comes_when_the_host_is_gone_and_goes_when_it_is_back() -> None:
    """Two seconds without the host light the safe pattern, once; then the newest frame is back."""
    line = make_firmware_line()
    player = Player(line, 4)
    line.run_until(lambda: line.of(Connected))
    player.show()
    player.settle()
    line.to_board.is_cut = True
    before = len(line.board.strip.shown)
    line.run(1900)
    assert player.newest == line.board.strip.light
    line.run(4000)
    assert [SAFE] == line.board.strip.shown[before:]
    player.settle()
    player.check()


def test_a_new_session_hears_nothing_from_before_it() -> None:
    """Events queued before the companion started are not told; the levels are."""
    line = make_firmware_line(session=7)
    line.run_until(lambda: line.of(Connected))
    line.to_host.is_cut = True
    for level in (True, False, True):
        line.board.levels[0] = line.board.levels[4] = level
        line.run(30)
    line.board.levels[4] = False
    line.run(30)
    line.to_host.is_cut = False
    line.link = Link(session=8, wanted=line.link._wanted)
    line.open()
    line.run_until(lambda: 2 == len(line.of(Connected)))
    line.run(300)
    assert [] == line.edges()
    assert {0} == line.levels()


def test_a_button_held_through_a_restart_stays_down() -> None:
    """A button that is down when the board starts anew is told as down, without an edge."""
    line = make_firmware_line()
    line.run_until(lambda: line.of(Connected))
    line.board.levels[1] = True
    line.run(50)
    line.board.start()
    line.run_until(lambda: 2 == len(line.of(Connected)))
    assert {1} == line.levels()
    assert [(1, True)] == line.edges()


def test_closing_turns_the_board_dark() -> None:
    """Closing ends with a dark strip and a board that waits for the next companion."""
    line = make_firmware_line()
    player = Player(line, 4)
    line.run_until(lambda: line.of(Connected))
    player.show()
    player.settle()
    line.link.close(line.now)
    line.run_until(lambda: line.link.state is State.CLOSED, ticks=500)
    assert bytes(LEDS * 3) == line.board.strip.light
    assert "NEW" == line.board.state
