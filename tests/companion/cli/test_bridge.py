"""`cribwars bridge` by its contract, with a board at the end of a real pty."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from click.testing import CliRunner, Result

from companion.cli.bridge import bridge_group
from companion.cli.options import FAULTY
from firmware_bridge.errors import CutError, SetupError
from tests.firmware_bridge.board_on_pty import BoardOnPty, board_on_pty
from tests.support.slow_board import SlowBoard

COUNTERS = {
    "shown": 0,
    "bad_headers": 0,
    "damaged": 0,
    "broken_off": 0,
    "overruns": 0,
    "lost_edges": 0,
    "watchdog": 0,
}


@pytest.fixture
def board() -> Iterator[BoardOnPty]:
    """Return a small board, whose strip is shown quickly."""
    with board_on_pty(SlowBoard(pixel_bytes=150)) as on_pty:
        yield on_pty


def ask(*arguments: str) -> Result:
    """Run `cribwars bridge` with these arguments."""
    return CliRunner().invoke(bridge_group, arguments)


@contextmanager
def meanwhile(*arguments: str) -> Iterator[list[Result]]:
    """Run `cribwars bridge` during another action. Return both results."""
    answers: list[Result] = []
    thread = threading.Thread(target=lambda: answers.append(ask(*arguments)))
    thread.start()
    yield answers
    thread.join()


def test_identify_tells_what_a_board_is(board: BoardOnPty) -> None:
    """It is one JSON value: protocol, firmware, board, id, leds, buttons, counters."""
    answer = ask("identify", board.device, "--json")
    assert 0 == answer.exit_code
    assert {
        "protocol": 1,
        "firmware": "1.2.3",
        "board": "slow board",
        "id": "",
        "leds": 50,
        "buttons": 14,
        "counters": COUNTERS,
    } == json.loads(answer.stdout)


def test_identify_tells_it_to_people(board: BoardOnPty) -> None:
    """Each has a line."""
    lines = ask("identify", board.device).stdout.splitlines()
    assert len(COUNTERS) == len(lines)
    assert "    board  slow board" in lines
    assert "       id  none" in lines


def test_a_board_may_be_asked_again(board: BoardOnPty) -> None:
    """The port is closed each time."""
    assert [0, 0] == [ask("identify", board.device).exit_code for _ in range(2)]


def test_a_board_that_does_not_do_is_a_fault() -> None:
    """It exits 1 with one line that has the remedy."""
    with board_on_pty(SlowBoard(protocols=(8, 9))) as newer:
        answer = ask("identify", newer.device)
    assert (FAULTY, "") == (answer.exit_code, answer.stdout)
    assert (
        "the slow board speaks protocol versions 8 to 9, but the companion speaks 1 to 1; update"
        in answer.stderr
    )
    assert 1 == len(answer.stderr.splitlines())


def test_a_port_that_is_not_there_is_wrong_use() -> None:
    """A speed that no board has is wrong use, too."""
    assert isinstance(ask("identify", "/dev/ttyNONE").exception, CutError)
    for baud in ("1200", "0"):
        answer = ask("identify", "/dev/ttyNONE", "--baud", baud)
        assert isinstance(answer.exception, SetupError)


def test_soak_keeps_a_board_busy(board: BoardOnPty) -> None:
    """It lights all LEDs for the frames, and nothing fails on a good cable."""
    answer = ask("soak", board.device, "--seconds", "0.8", "--json")
    assert 0 == answer.exit_code, answer.output
    reported = json.loads(answer.stdout)
    assert 50 == reported["leds"]
    assert reported["faults"].keys() <= {"host unanswered"}, "a busy machine answers late"
    assert (
        0 < reported["host"]["shown"] == round(reported["frames_per_second"] * reported["seconds"])
    )
    assert reported["host"]["shown"] <= len(board.board.strip.shown)
    assert bytes(150) == board.board.strip.light


def test_soak_finds_a_bad_board(board: BoardOnPty) -> None:
    """Frames that a board counts as lost are reported, with exit code 1."""
    with meanwhile("soak", board.device, "--seconds", "1.5") as answers:
        board.until(lambda: len(board.board.strip.shown) > 2)
        with board.changed:
            board.board.counters["overrun"] = 3
    (answer,) = answers
    assert FAULTY == answer.exit_code
    assert "board overruns 3" in answer.stdout


def test_monitor_tells_buttons_and_frames(board: BoardOnPty) -> None:
    """Each edge is printed when it happens, with the counters."""
    with meanwhile("monitor", board.device, "--seconds", "1.2") as answers:
        board.until(lambda: len(board.board.strip.shown) > 2)
        board.press(3)
    (answer,) = answers
    lines = answer.stdout.splitlines()
    assert 0 == answer.exit_code
    assert "button 3 down" in lines
    assert any("a second, 1 edges of buttons; " in line for line in lines)


def test_list_touches_nothing() -> None:
    """It is a JSON list of possible ports, which depends on the machine."""
    answer = ask("list", "--json")
    assert 0 == answer.exit_code
    assert all(port["vendor"] for port in json.loads(answer.stdout))
    assert 0 == ask("list").exit_code
