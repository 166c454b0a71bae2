"""`cribwars play`, `cribwars player` and `cribwars simulate`, by the contract and from outside.

Whole games of `play` go by lines, and are checked by an independent count of the output.
"""

import os
import pty
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from companion.board import load_board
from companion.cli.terminal_game import TerminalGame
from companion.commentary import load_phrases
from companion.players import make_player, tally
from companion.rules.cards.card import RANKS
from companion.rules.game import CountKind, Deal, Muggins, Peg, Setup
from companion.rules.game.house_rules import preset
from tests.companion.rules.cards.slow_count import pips, slow_play, slow_show
from tests.support.limits import TIMEOUT_S
from tests.support.program import MAIN, ROOT, Ask, ask, assert_refused, environment, run_command

WORDS = [*"ace two three four five six seven eight nine ten jack queen king".split()]  # noqa: SIM905  # shorter
CARD = r"the (\w+) of (spades|hearts|diamonds|clubs)"
PLAYED = re.compile(rf"(Amber|White) plays {CARD}")
STARTER = re.compile(rf"The starter is {CARD}")
GARBAGE = ("", "what", "1X", "5h 5h", "AS " * 30, "\ufffd", "-1", "99", "9" * 5000)
__all__ = ["ask"]

ZONES = [zone.id for zone in load_board("crib-wars").track.zones]
DISCARD = (
    b'{"ask": "discard", "hand": ["5H", "5S", "5D", "JC", "KD", "2S"], "dealer": true,'
    b' "fronts": [0, 0], "boxed": [0, 0]}\n'
)


def card(rank: str, suit: str) -> str:
    """Return the card of two words."""
    return RANKS[WORDS.index(rank)] + suit[0].upper()


class Script:
    """A person at a terminal, who counts right, calls every miscount, and sometimes types rubbish.

    `lines` is all that was printed.
    """

    def __init__(self, seed: int) -> None:
        self.lines: list[str] = []
        self._rng = random.Random(seed)

    def read(self) -> str:
        """Reply to the newest prompt."""
        if self._rng.random() < 0.1 and "Muggins?" not in self.lines[-1]:
            return self._rng.choice(GARBAGE[1:])
        prompt = self.lines[-1]
        if "cards to throw" in prompt:
            return " ".join(self._rng.sample(self._held(prompt), 2)).lower()
        if "Type a card" in prompt:
            return self._rng.choice(prompt.rstrip(".").rsplit(": ")[-1].split()).lower()
        if "How many points" in prompt:
            return str(self._worth(prompt.split("You have ")[1].split(". How")[0]))
        if "Muggins?" in prompt:
            declared, cards = re.findall(r"counts (\d+) for (.*)\.$", self.lines[-2])[0]
            return str(abs(self._worth(cards) - int(declared)) or "")
        return ""

    def _held(self, prompt: str) -> list[str]:
        return str(re.findall(r"You hold ([^;]*);", prompt)[0]).split()

    def _worth(self, reported: str) -> int:
        """Return the points of cards, counted slowly."""
        cards, starter = reported, ""
        if " and the starter " in reported:
            cards, starter = reported.split(" and the starter ")
        if not starter:
            return sum(points for _, points in slow_play(cards.split()))
        hand = cards.removeprefix("the crib ").split()
        return sum(slow_show(hand, starter, crib=cards != " ".join(hand)).values())


def played(name: str, kind: str, seed: int) -> tuple[TerminalGame, Script]:
    """Play a whole game or match of a preset."""
    rules, script = preset(name), Script(seed)
    setup = Setup.make(load_board(rules.board).track, rules, sides=(1, 2))
    rng, english = random.Random(seed), load_phrases("en")
    player = make_player(kind, setup, rng)
    game = TerminalGame(
        setup, player, kind, rng=rng, phrases=english, read=script.read, write=script.lines.append
    )
    game.play()
    return game, script


class Report:
    """One hand from the printed words: the cards in the order of play, and the starter."""

    def __init__(self, text: str) -> None:
        self.plays = [(side, card(*words)) for side, *words in PLAYED.findall(text)]
        self.starter = card(*STARTER.findall(text)[0])
        self.shown = len(
            re.findall(rf" shows .* and the starter {self.starter}\.$", text, re.MULTILINE)
        )

    @property
    def is_whole(self) -> bool:
        """True if all eight cards were played."""
        return len(self.plays) == 8

    @property
    def hands(self) -> list[int]:
        """The points of the two hands, if they have any, counted slowly."""
        held = [[own for side, own in self.plays if side == each] for each in ("Amber", "White")]
        points = (sum(slow_show(hand, self.starter, crib=False).values()) for hand in held)
        return sorted(filter(None, points))

    @property
    def play(self) -> list[int]:
        """The points of each card that made some, counted slowly."""
        pile: list[str] = []
        points = []
        for _, own in self.plays:
            pile = [own] if pips(pile) == 31 or pips([*pile, own]) > 31 else [*pile, own]
            points.append(sum(made for _, made in slow_play(pile)))
        return list(filter(None, points))


@pytest.mark.parametrize("kind", ["child", "regular"])
def test_a_game_is_counted_as_the_cards_say(kind: str) -> None:
    """Each card and hand is pegged with the independent counter's points."""
    game, script = played("classic-121", kind, 1)
    assert game.history.state.winner is not None
    text = "\n".join(script.lines)
    reported = [Report(hand) for hand in re.split(r"^Hand .*$", text, flags=re.MULTILINE)[1:]]
    pegged: list[list[Peg]] = [[]]
    for entry in game.history.game[1]:
        if isinstance(entry.command, Deal) and pegged[-1]:
            pegged.append([])
        if isinstance(entry.command, Peg):
            pegged[-1].append(entry.command)
    assert len(reported) == len(pegged) > 4
    for hand, pegs in zip(reported[:-1], pegged, strict=False):
        assert hand.is_whole
        assert hand.hands == sorted(peg.points for peg in pegs if peg.why is CountKind.HAND)
        assert 3 == hand.shown
        assert hand.play == [peg.points for peg in pegs if peg.why is CountKind.PLAY]


def test_muggins_is_called_and_nothing_is_lost() -> None:
    """M1: the person counts right and calls every miss: all points are pegged."""
    game, script = played("lurch", "child", 3)
    commands = [entry.command for entry in game.history.game[1]]
    called = [command for command in commands if isinstance(command, Muggins)]
    assert called
    assert {1} == {command.by for command in called}
    assert any("muggins" in line for line in script.lines)


def test_a_match_goes_on_to_its_end() -> None:
    """G6: games follow by Enter until one side has seven points."""
    game, script = played("electronic", "child", 2)
    assert game.history.state.match.winner is not None
    wins = [line for line in script.lines if " wins" in line]
    assert len(wins) >= 2


def test_the_same_seed_and_input_give_the_same_game() -> None:
    """All chance depends on the seed."""
    assert played("classic-61", "child", 5)[1].lines == played("classic-61", "child", 5)[1].lines
    assert played("classic-61", "child", 5)[1].lines != played("classic-61", "child", 6)[1].lines


# From outside


@pytest.mark.parametrize("stdin", [b"", b"q\n", b"\xff\xfe\n\x00\nas 99\n" + b"5h " * 9000 + b"\n"])
def test_it_ends_with_its_input(ask: Ask, stdin: bytes) -> None:
    """It exits 0; unreadable input gets a line with the possible words."""
    answer = ask("play", "--seed", "1", "--preset", "classic-61", stdin=stdin)
    assert (0, "") == (answer.code, answer.err)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("play --against robot", "regular"),
        ("play --preset poker", "poker"),
        ("play --seed one", "one"),
        ("player --kind shrak --jsonl", "no kind of player is called 'shrak': did you mean"),
        ("player --jsonl", "Missing option '--kind'"),
        ("player --kind child", "add --jsonl"),
        ("player --kind child --board clasic --jsonl", "did you mean 'classic'"),
        ("player --kind child --jsonl no.jsonl", "no.jsonl cannot be read"),
        ("simulate", "Missing option '--players'"),
        ("simulate --players shrak", "no kind of player is called 'shrak': did you mean"),
        ("simulate --players child,", "no kind of player is called ''"),
        ("simulate --players child --seats 5", "5 players cannot play: choose 2, 3, 4 or 6"),
        ("simulate --players child,child,child --seats 2", "3 kinds of player cannot take 2"),
        ("simulate --players child --games 0", "0 is not in the range"),
        ("simulate --players child --jobs 0", "0 is not in the range"),
        ("simulate --players child --seed x", "'x' is not a valid integer"),
        ("simulate --players child --board clasic", "did you mean 'classic'"),
        ("simulate --players child --set fnish=exact", "did you mean 'finish'?"),
        ("simulate --players child --svg /no/such/folder/x.svg", "cannot be written"),
    ],
)
def test_wrong_use_is_refused(ask: Ask, line: str, words: str) -> None:
    """One line on stderr has fault, place and remedy, and the choices; no game is played."""
    assert_refused(ask(*line.split(), stdin=DISCARD), words)


@pytest.mark.program
def test_ctrl_c_ends_it_quietly(tmp_path: object) -> None:
    """Only the game is printed, without a traceback."""
    with subprocess.Popen(
        [sys.executable, *MAIN, "play", "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environment(tmp_path),  # type: ignore[arg-type]  # a path
    ) as process:
        assert process.stdout
        assert b"You are Amber" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=TIMEOUT_S)
        assert b"Traceback" not in err


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


def started(folder: Path, stderr: int) -> subprocess.Popen[bytes]:
    """Run a simulation of two very long jobs, in its own process group."""
    long = ("simulate", "--players", "child", "--games", "99999", "--jobs", "2")
    return subprocess.Popen(
        [sys.executable, *MAIN, *long],
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
    """On a terminal there is a bar; Ctrl-C and SIGTERM to the group end all without a traceback."""
    ours, theirs = pty.openpty()
    with started(tmp_path, theirs) as process:
        os.close(theirs)
        shown_until(ours, b"games")
        shown_until(ours, b"%")
        os.killpg(process.pid, number)
        assert b"Traceback" not in shown_until(ours, None)  # its end is that of all processes
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
    monkeypatch.setattr(tally, "FAIRNESS_GAMES", 10)
    source = (ROOT / "companion" / "board" / "boards" / "classic.toml").read_text()
    file = tmp_path / "mine.toml"
    slide = '[[zone]]\nid = "red"\nkind = "red-slide"\nfirst = 3\nholes = 29\nto = 82\n\n'
    file.write_text(source.replace("[[mark]]", f"{slide}[[mark]]", 1))
    assert 0 == ask("board", "check", str(file)).code
    answer = ask("board", "check", str(file), "--fair")
    assert (1, "") == (answer.code, answer.err)
    assert answer.out.startswith(f"{file}: finish: a game takes ")
