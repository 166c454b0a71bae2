"""Recorded games for tests of the page, in a real journal."""

from pathlib import Path

from companion.rules.game import Command, HouseRules, NewGame, Peg
from companion.rules.game.commands import CountKind
from tests.companion.journal.scribe import Scribe, begun

MARKUP = "<img src=x onerror=alert(1)>"
RULES = HouseRules(board="classic", game_to=121, skunk_at="finish", match_to=7)
GAME = (Peg(side=1, points=5), Peg(side=2, points=8), Peg(side=1, points=29))
"""Three places after the start; White leads once."""
WIN = (
    (1, 12, CountKind.HAND),
    (1, 5, CountKind.CRIB),
    *((2, points, CountKind.PLAY) for points in (29, 29, 29, 29, 5)),
)
"""Counts by side, points and reason: the second side wins by a double skunk."""


def three_games(folder: Path, *, reasons: bool = False) -> Path:
    """Record games 1 and 3 on the classic board, game 2 on another; the last has names and is won.

    Its counts have their reasons if asked.
    """
    classic = begun("classic", rules=RULES)
    named = begun("classic", rules=RULES, names={"1": "Anna", "2": MARKUP})
    win = [Peg(side=t, points=points, why=why if reasons else None) for t, points, why in WIN]
    scribe = Scribe(folder).sit(classic).do(*GAME).sit(begun()).do(*GAME)
    return scribe.sit(named).do(*win).close()


def many_games(folder: Path, number: int) -> Path:
    """Return a number of games on the classic board."""
    commands: list[Command] = []
    for n in range(number):
        commands += [NewGame(), Peg(side=1, points=1 + n)]
    return Scribe(folder).sit(begun("classic", rules=RULES)).do(*commands).close()
