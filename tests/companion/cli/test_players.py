"""`cribwars player` and `cribwars simulate`, by the contract and from outside."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from companion.board import load_board
from companion.players import fairness
from tests.support.limits import TIMEOUT_S
from tests.support.program import MAIN, ROOT, Ask, ask, assert_refused, environment, run_command

__all__ = ["ask"]

ZONES = [zone.id for zone in load_board("crib-wars").track.zones]
DISCARD = (
    b'{"ask": "discard", "hand": ["5H", "5S", "5D", "JC", "KD", "2S"], "dealer": true,'
    b' "fronts": [0, 0], "boxed": [0, 0]}\n'
)


def simulated(ask: Ask, *arguments: str) -> dict[str, Any]:
    """Return the JSON value of `simulate` without its time."""
    answer = ask("simulate", *arguments, "--json")
    assert (0, "", 1) == (answer.code, answer.err, len(answer.lines))
    value: dict[str, Any] = answer.lines[0]
    assert value.pop("seconds") > 0
    return value


# cribwars player


def test_player_answers_line_by_line(ask: Ask, tmp_path: Path) -> None:
    """It reads a file or stdin; a bad line is one error, and it goes on."""
    file = tmp_path / "asks.jsonl"
    file.write_bytes(DISCARD + b"{}\n" + DISCARD)
    for answer in (
        ask("player", "--kind", "regular", "--jsonl", str(file)),
        ask("player", "--kind", "regular", "--jsonl", stdin=file.read_bytes()),
    ):
        first, bad, last = answer.lines
        assert (0, "", {"discard": ["KD", "2S"]}) == (answer.code, answer.err, first)
        assert "error" in bad
        assert first == last


def test_player_on_another_board(ask: Ask) -> None:
    """Hole 122 is on one board and beyond the other."""
    line = DISCARD.replace(b"[0, 0], ", b"[122, 0], ", 1)
    (there,) = ask("player", "--kind", "child", "--jsonl", stdin=line).lines
    (beyond,) = ask("player", "--kind", "child", "--board", "classic", "--jsonl", stdin=line).lines
    assert "discard" in there
    assert "from 0 to 120 or on a side path, not on 122" in str(beyond["error"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--kind", "shrak", "--jsonl"), "no kind of player is called 'shrak': did you mean"),
        (("--jsonl",), "Missing option '--kind'"),
        (("--kind", "child"), "add --jsonl"),
        (("--kind", "child", "--board", "clasic", "--jsonl"), "did you mean 'classic'"),
        (("--kind", "child", "--jsonl", "no.jsonl"), "no.jsonl cannot be read"),
    ],
)
def test_player_refuses_wrong_use(ask: Ask, arguments: tuple[str, ...], words: str) -> None:
    """One line on stderr has the fault, its place and the remedy."""
    assert_refused(ask("player", *arguments, stdin=DISCARD), words)


# cribwars simulate


def test_simulate_has_every_key_of_the_contract(ask: Ask) -> None:
    """Wins are in the order of --players; every zone of the board is there."""
    value = simulated(ask, "--players", "regular,child", "--games", "4", "--seed", "5")
    keys = ["games", "wins", "deals_per_game", "points_per_deal", "zones", "first_dealer_wins"]
    assert keys == list(value)
    assert (4, 2, 4) == (value["games"], len(value["wins"]), sum(value["wins"]))
    assert ["dealer", "pone"] == list(value["points_per_deal"])
    assert ZONES == list(value["zones"])
    assert value["first_dealer_wins"] in range(5)
    assert value["deals_per_game"] > 10


def test_the_same_seed_is_the_same_games(ask: Ask) -> None:
    """The number of --jobs has no effect; another seed plays other games."""
    some = ("--board", "classic", "--players", "child,regular", "--games", "6", "--seed")
    alone = simulated(ask, *some, "3", "--jobs", "1")
    assert alone == simulated(ask, *some, "3", "--jobs", "2")
    assert alone != simulated(ask, *some, "4", "--jobs", "1")


@pytest.mark.parametrize(("kinds", "seats", "wins"), [("child", 2, 3), ("regular,child", 6, 3)])
def test_kinds_share_the_seats(ask: Ask, kinds: str, seats: int, wins: int) -> None:
    """--seats gives the players, whose kinds take turns; a board may have no zones."""
    some = ("--board", "classic", "--games", "3", "--jobs", "1", "--seats", str(seats))
    value = simulated(ask, *some, "--players", kinds)
    assert {} == value["zones"]
    assert wins <= sum(value["wins"]) <= wins * len(value["wins"])


def test_house_rules(ask: Ask) -> None:
    """A preset has its board and its finish; --set changes a rule."""
    some = ("--players", "child", "--games", "3", "--jobs", "1")
    whole = simulated(ask, *some, "--preset", "classic-121")
    short = simulated(ask, *some, "--preset", "classic-61")
    set_short = simulated(ask, *some, "--preset", "classic-121", "--set", "game_to=61")
    assert short["deals_per_game"] == set_short["deals_per_game"] < whole["deals_per_game"]


def test_a_table_for_people(ask: Ask) -> None:
    """Without --json it has wins, length, time, points, edge, skunks, and zones."""
    answer = ask("simulate", "--players", "regular,child", "--games", "3", "--jobs", "1")
    assert (0, "") == (answer.code, answer.err)
    for words in (
        "crib-wars, 363 holes, 2 seats: 3 games, seed 1",
        "deals a game",
        "at 3 minutes a deal",
        "points a deal, pone",
        "won by the first dealer",
        "won by a double skunk",
        "decided by trap-333",
        *ZONES,
    ):
        assert words in answer.out


def test_the_board_with_its_heat(ask: Ask, tmp_path: Path) -> None:
    """--svg writes valid XML of the sheet's true size, besides the output."""
    file = tmp_path / "heat.svg"
    simulated(ask, "--players", "child", "--games", "2", "--jobs", "1", "--svg", str(file))
    sheet = ET.fromstring(file.read_text())  # noqa: S314  # our own
    assert ("594mm", "420mm") == (sheet.get("width"), sheet.get("height"))
    assert {"heat", "visits", "legend"} <= {part.get("class") for part in sheet.iter()}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Missing option '--players'"),
        (("--players", "shrak"), "no kind of player is called 'shrak': did you mean"),
        (("--players", "child,"), "no kind of player is called ''"),
        (("--players", "child", "--seats", "5"), "5 players cannot play: choose 2, 3, 4 or 6"),
        (("--players", "child,child,child", "--seats", "2"), "3 kinds of player cannot take 2"),
        (("--players", "child", "--games", "0"), "0 is not in the range"),
        (("--players", "child", "--jobs", "0"), "0 is not in the range"),
        (("--players", "child", "--seed", "x"), "'x' is not a valid integer"),
        (("--players", "child", "--board", "clasic"), "did you mean 'classic'"),
        (("--players", "child", "--set", "fnish=exact"), "did you mean 'finish'?"),
        (("--players", "child", "--svg", "/no/such/folder/x.svg"), "cannot be written"),
    ],
)
def test_simulate_refuses_wrong_use(ask: Ask, arguments: tuple[str, ...], words: str) -> None:
    """One line on stderr has fault, place and remedy; no game is played."""
    assert_refused(ask("simulate", *arguments), words)


def started(folder: Path, stderr: int) -> subprocess.Popen[bytes]:
    """Run a simulation of two very long jobs, in its own process group."""
    return subprocess.Popen(
        [
            sys.executable,
            *MAIN,
            "simulate",
            "--players",
            "child",
            "--games",
            "99999",
            "--jobs",
            "2",
        ],
        stdout=subprocess.PIPE,
        stderr=stderr,
        cwd=ROOT,
        env=environment(folder),
        start_new_session=True,
    )


def shown_until(terminal: int, words: bytes | None) -> bytes:
    """Return the output of a terminal until these words, or its end."""
    shown = b""
    while words is None or words not in shown:
        try:
            shown += os.read(terminal, 1024)
        except OSError:  # what Linux says at the end of a terminal
            assert words is None, shown
            return shown
    return shown


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.program
def test_it_ends_when_it_is_told_to(tmp_path: Path, number: signal.Signals, code: int) -> None:
    """On a terminal there is a progress bar; Ctrl-C and SIGTERM end all of it without a traceback.

    The signal goes to the whole group, as a terminal sends it. The terminal's output ends when no
    process has it open.
    """
    ours, theirs = pty.openpty()
    with started(tmp_path, theirs) as process:
        os.close(theirs)
        shown_until(ours, b"games")
        shown_until(ours, b"%")
        os.killpg(process.pid, number)
        assert b"Traceback" not in shown_until(ours, None)  # unread output would delay the end
        assert code == process.wait(TIMEOUT_S)
        assert process.stdout is not None
        assert b"" == process.stdout.read()
    os.close(ours)


@pytest.mark.program
def test_off_a_terminal_there_is_no_bar(tmp_path: Path) -> None:
    """Stdout has the value, and no process writes to stderr."""
    answer = run_command(
        tmp_path, "simulate", "--players", "child", "--games", "3", "--jobs", "2", "--json"
    )
    assert (0, "", 1) == (answer.code, answer.err, len(answer.lines))


# cribwars board check --fair


def test_an_unsound_board_is_not_played(ask: Ask, tmp_path: Path) -> None:
    """The faults of the file come first."""
    file = tmp_path / "mine.toml"
    file.write_text("finish = 1\n")
    assert ask("board", "check", str(file)) == ask("board", "check", str(file), "--fair")


def test_a_board_that_is_no_game(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It exits 1 with each fault: here slides make the game far too short."""
    monkeypatch.setattr(fairness, "GAMES", 10)
    source = (ROOT / "companion" / "board" / "boards" / "classic.toml").read_text()
    file = tmp_path / "mine.toml"
    slide = '[[zone]]\nid = "red"\nkind = "red-slide"\nfirst = 3\nholes = 29\nto = 82\n\n'
    file.write_text(source.replace("[[mark]]", f"{slide}[[mark]]", 1))
    assert 0 == ask("board", "check", str(file)).code
    answer = ask("board", "check", str(file), "--fair")
    assert (1, "") == (answer.code, answer.err)
    assert answer.out.startswith(f"{file}: finish: a game takes ")
