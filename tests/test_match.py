"""A match by presses and the set-up page alone, compared with a slow twin of its score.

The twin knows the ordinary board, where a front peg is the sum of its counts. A game goes to 61,
and later to 40. A side below 31 is skunked (G5), the match goes to seven (G6), and the loser deals.
"""

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.program import HTTP, Program, running

SETTINGS = """
preset = "classic-61"
[rules]
match_to = 7
"""
TO = 7
SKUNK_BELOW, SKUNK_WORTH = 31, 2


@dataclass
class Twin:
    """The score as people would keep it with a pencil; `seq` is the number of lines."""

    sides: int
    goal: int = 61
    next_goal: int = 61
    fronts: list[int] = field(default_factory=list)
    games: list[int] = field(default_factory=list)
    dealer: int = 1
    first: int = 1
    winner: int | None = None
    champion: int | None = None
    seq: int = 0

    def __post_init__(self) -> None:
        """Put all pegs at the start."""
        self.fronts = [0] * self.sides
        self.games = [0] * self.sides

    def is_won(self) -> bool:
        """True once a side has won the game."""
        return self.winner is not None

    def count(self, side: int, points: int) -> None:
        """Count for a side."""
        self.seq += 1
        self.fronts[side - 1] = min(self.goal, self.fronts[side - 1] + points)
        if self.fronts[side - 1] == self.goal:
            self.winner = side
            skunked = any(front < SKUNK_BELOW for front in self.fronts)
            self.games[side - 1] += SKUNK_WORTH if skunked else 1
            if self.games[side - 1] >= TO:
                self.champion = side

    def deal(self) -> None:
        """Deal the next hand, or after a win the next game, from the first of the lowest sides."""
        self.seq += 1
        if self.winner is None:
            self.dealer = self.dealer % self.sides + 1
            return
        left = [(self.first + step) % self.sides + 1 for step in range(self.sides)]
        self.first = self.dealer = min(left, key=lambda seat: self.fronts[seat - 1])
        if self.champion:
            self.games, self.champion = [0] * self.sides, None
        self.fronts, self.winner, self.goal = [0] * self.sides, None, self.next_goal

    def reported(self) -> dict[str, Any]:
        """Return the state that the table must send."""
        sides = range(1, self.sides + 1)
        return {
            "fronts": self.fronts,
            "dealer": self.dealer,
            "winner": self.winner,
            "games": {f"{side}": self.games[side - 1] for side in sides},
            "champion": self.champion,
        }


def reported(program: Program, seq: int) -> dict[str, Any]:
    """Return the state that the table sends by its stream once `seq` commands are on disk."""
    news = next(news for news in program.news() if news["seq"] >= seq)
    table, match = news["table"], news["match"]
    return {
        "fronts": [side["front"] for side in table["teams"].values()],
        "dealer": table["dealer"],
        "winner": table["winner"],
        "games": match["games"],
        "champion": match["winner"],
    }


def enter(program: Program, side: int, points: int) -> None:
    """Enter a count by presses."""
    keys = ["plus_five"] * (points // 5) + ["plus_one"] * (points % 5) + ["enter"]
    program.press(*(f"{side}.{key}" for key in keys))


def play_game(program: Program, twin: Twin, rng: random.Random) -> None:
    """Count and deal at random until a side has won."""
    while not twin.is_won():
        side, points = rng.randint(1, twin.sides), rng.choice((5, 10, 11, 15, 20, 25))
        enter(program, side, points)
        twin.count(side, points)
        if not twin.is_won() and not rng.randrange(3):
            program.press("deal")
            twin.deal()
    assert twin.reported() == reported(program, twin.seq)


def begin_next_game(program: Program, twin: Twin) -> None:
    """Press Deal after a win, undo it and the win, and play the win again."""
    won, winner = twin.reported(), twin.winner
    assert winner
    program.press("deal")
    program.press(f"{winner}.undo", seconds=1.2)
    assert won == reported(program, twin.seq + 2)
    program.press(f"{winner}.undo")
    before = reported(program, twin.seq + 3)
    assert before["winner"] is None
    enter(program, winner, twin.goal - before["fronts"][winner - 1])
    twin.seq += 4
    assert won == reported(program, twin.seq)
    program.press("deal")
    twin.deal()
    assert twin.reported() == reported(program, twin.seq)


def change_rules(program: Program, changes: dict[str, object]) -> None:
    """Change house rules as the set-up page does, which warns that the running game goes on."""

    def get(path: str) -> dict[str, Any]:
        return dict(HTTP.get(f"{program.url}{path}").json())

    def post(path: str, value: object) -> httpx.Response:
        return HTTP.post(f"{program.url}{path}", json=value)

    body = {"changes": changes, "stamp": get("api/settings")["stamp"]}
    assert {"game": "next-game"} == post("api/settings/preview", body).json()
    assert "next-game" == post("api/settings", body).json()["game"]
    assert 204 == post("api/restart", {"run": get("api/about")["run"]}).status_code
    program.started_again()


@pytest.mark.program
@pytest.mark.parametrize("sides", [2, 3])
def test_a_match_is_played_through_by_presses(tmp_path: Path, sides: int) -> None:
    """Seven games are won, with a kill, changed rules and undone wins; then a new match begins."""
    settings = tmp_path / "cribwars.toml"
    settings.write_text(SETTINGS)
    requested = ("--config", str(settings), "--teams", str(sides))
    twin, rng = Twin(sides), random.Random(sides)
    with running(tmp_path, *requested) as program:
        play_game(program, twin, rng)
        begin_next_game(program, twin)
        enter(program, 1, 20)
        twin.count(1, 20)
        assert twin.reported() == reported(program, twin.seq)
    with running(tmp_path, *requested) as program:  # the block before has killed it
        assert twin.reported() == reported(program, twin.seq)
        change_rules(program, {"rules.game_to": "40"})
        twin.next_goal = 40
        assert twin.reported() == reported(program, twin.seq)
        while not twin.champion:
            play_game(program, twin, rng)
            if not twin.champion:
                begin_next_game(program, twin)
        begin_next_game(program, twin)
        enter(program, 2, 5)
        twin.count(2, 5)
        assert twin.reported() == reported(program, twin.seq)
        assert (0, "") == program.stop()
        assert "Traceback" not in program.stderr
