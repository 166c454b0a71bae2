"""Scores of a night: a game makes a line on the card of each entrant.

Sources: the American Cribbage Congress's tournament rules 2025 (12.1, 12.2, 13.2): a win 2 game
points, one by 31 or more 3, a loss 0. Corrections are per card: the two lines of one game may
differ (12.2). No rules of a Crib Wars night are published: ours go by progress.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """A game of a night: entrants, the loser's progress, and the track's length."""

    round: int
    table: int
    winner: str
    loser: str
    loser_progress: int
    finish: int

    @property
    def spread(self) -> int:
        """Holes that the loser had still to go."""
        return self.finish - self.loser_progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """Game points of a night.

    A loser is skunked who had `skunk_spread` holes to go or more, or had come no further than
    `skunk_share` of the track.
    """

    name: str
    win: int = 2
    skunk: int = 3
    loss: int = 0
    skunk_spread: int | None = None
    skunk_share: Fraction | None = None

    def is_skunk(self, result: GameResult) -> bool:
        """Return True if the loser of a game was skunked."""
        if self.skunk_spread is not None:
            return result.spread >= self.skunk_spread
        return (
            self.skunk_share is not None
            and result.loser_progress <= result.finish * self.skunk_share
        )


ACC: Final = Scoring(name="acc", skunk_spread=31)
CRIB_WARS: Final = Scoring(name="crib-wars", skunk_share=Fraction(1, 3))
SCORINGS: Final = {each.name: each for each in (ACC, CRIB_WARS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """A game on the card of one entrant: `plus` is the spread if won, `minus` if lost."""

    round: int
    table: int
    opponent: str
    points: int
    plus: int = 0
    minus: int = 0

    @property
    def won(self) -> bool:
        """True for a game that was won."""
        return self.plus > 0


def lines_of(result: GameResult, scoring: Scoring) -> dict[str, CardLine]:
    """Return the lines that a game makes on the two cards, by entrant."""
    points = scoring.skunk if scoring.is_skunk(result) else scoring.win
    return {
        result.winner: CardLine(
            round=result.round,
            table=result.table,
            opponent=result.loser,
            points=points,
            plus=result.spread,
        ),
        result.loser: CardLine(
            round=result.round,
            table=result.table,
            opponent=result.winner,
            points=scoring.loss,
            minus=result.spread,
        ),
    }
