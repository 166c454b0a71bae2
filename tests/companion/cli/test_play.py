"""`cribwars play`: whole games by lines, checked by an independent count of the output."""

import random
import re
import signal
import subprocess
import sys

import pytest

from companion.board import load_board
from companion.cli.terminal_game import TerminalGame
from companion.commentary import load_phrases
from companion.players import make_player
from companion.rules.cards.card import RANKS
from companion.rules.game import CountKind, Deal, Muggins, Peg, Setup
from companion.rules.game.house_rules import preset
from tests.companion.rules.cards.slow_count import pips, slow_play, slow_show
from tests.support.limits import TIMEOUT_S
from tests.support.program import MAIN, ROOT, Ask, ask, assert_refused, environment

__all__ = ["ask"]

WORDS = [*"ace two three four five six seven eight nine ten jack queen king".split()]  # noqa: SIM905  # shorter
CARD = r"the (\w+) of (spades|hearts|diamonds|clubs)"
PLAYED = re.compile(rf"(Amber|White) plays {CARD}")
STARTER = re.compile(rf"The starter is {CARD}")
GARBAGE = ("", "what", "1X", "5h 5h", "AS " * 30, "\ufffd", "-1", "99", "9" * 5000)


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
    rng = random.Random(seed)
    player = make_player(kind, setup, rng)
    game = TerminalGame(
        setup,
        player,
        kind,
        rng=rng,
        phrases=load_phrases("en"),
        read=script.read,
        write=script.lines.append,
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
    ("option", "value", "words"),
    [("--against", "robot", "regular"), ("--preset", "poker", "poker"), ("--seed", "one", "one")],
)
def test_wrong_use_is_refused(ask: Ask, option: str, value: str, words: str) -> None:
    """One line has the fault and the choices."""
    assert_refused(ask("play", option, value), words)


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
