"""Scores of a night: a game makes a line on the card of each entrant.

Sources: the American Cribbage Congress's tournament rules 2025 (12.1, 12.2, 13.2): a win 2 game
points, one by 31 or more 3, a loss 0. Corrections are per card: the two lines of one game may
differ (12.2). No rules of a Crib Wars night are published: ours go by progress.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal

ScoringName = Literal["acc", "crib-wars"]

ACC_SKUNK_SPREAD: Final = 31
WIN_POINTS: Final = 2
SKUNK_POINTS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """A game of a night: entrants, the holes that the loser had to go, and the track's length."""

    round: int
    table: int
    winner: str
    loser: str
    spread: int
    finish: int


def is_skunk(result: GameResult, scoring: ScoringName) -> bool:
    """Return True if the loser had too far to go, or is not past a third of the track."""
    if scoring == "acc":
        return result.spread >= ACC_SKUNK_SPREAD
    return 3 * (result.finish - result.spread) <= result.finish


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """A game on the card of one entrant: `plus` is the spread if won, `minus` if lost.

    `corrected` is the reason of a correction, None without one.
    """

    round: int
    table: int
    opponent: str
    points: int
    plus: int = 0
    minus: int = 0
    corrected: str | None = None

    @property
    def won(self) -> bool:
        return self.plus > 0


def lines_of(result: GameResult, scoring: ScoringName) -> dict[str, CardLine]:
    """Return the lines that a game makes on the two cards, by entrant."""
    lost = CardLine(
        round=result.round,
        table=result.table,
        opponent=result.winner,
        points=0,
        minus=result.spread,
    )
    points = SKUNK_POINTS if is_skunk(result, scoring) else WIN_POINTS
    won = replace(lost, opponent=result.loser, points=points, plus=result.spread, minus=0)
    return {result.winner: won, result.loser: lost}
