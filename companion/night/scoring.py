"""Scores of a night: a game makes a line on the card of each entrant; the cards make the standings.

Sources: the American Cribbage Congress's tournament rules 2025 (12.1, 12.2, 13.2). A win is worth
2 game points, a win by 31 or more 3, a loss 0. Corrections are per card: the two lines of one game
may differ (12.2). No rules of a Crib Wars night are published: ours go by progress.

The standings are sorted by game points, games won, net spread, plus points, and then by the game
points that entrants who are still equal made against each other (Cross-Checking Guidelines, item
20). Entrants who are equal in all of these share a place, and are listed by name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, Literal

ScoringName = Literal["acc", "crib-wars"]

ACC_SKUNK_SPREAD: Final = 31
WIN_POINTS: Final = 2
SKUNK_POINTS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """Result of a game: the loser had `spread` of `finish` holes to go; its card gets `minus`."""

    round: int
    table: int
    winner: str
    loser: str
    spread: int
    minus: int
    finish: int


def is_skunk(result: GameResult, scoring: ScoringName) -> bool:
    """Return True if the loser had 31 holes to go (ACC), or is not past a third of the track."""
    if scoring == "acc":
        return result.spread >= ACC_SKUNK_SPREAD
    return 3 * (result.finish - result.spread) <= result.finish


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """A game on the card of one entrant: `plus` is the spread if won, `minus` if lost.

    `corrected` is the reason of a correction; None if there was none.
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
        round=result.round, table=result.table, opponent=result.winner, points=0, minus=result.minus
    )
    points = SKUNK_POINTS if is_skunk(result, scoring) else WIN_POINTS
    won = replace(lost, opponent=result.loser, points=points, plus=result.spread, minus=0)
    return {result.winner: won, result.loser: lost}


QUALIFYING_SHARE: Final = 4
"""One entrant in four qualifies; a fraction counts as one (13.2)."""

Cards = Mapping[str, Sequence[CardLine]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Place of an entrant in the standings; equal entrants share a `rank`."""

    rank: int
    name: str
    points: int
    won: int
    lost: int
    net: int
    plus: int
    qualifies: bool


def standings(cards: Cards) -> list[Place]:
    """Return the entrants from the first place to the last."""
    places: list[Place] = []
    qualifying = -(-len(cards) // QUALIFYING_SHARE)
    for group in _ranked(cards):
        rank = len(places) + 1
        for entrant in sorted(group):
            lines = cards[entrant]
            points, won, net, plus = _totals(lines)
            places.append(
                Place(
                    rank=rank,
                    name=entrant,
                    points=points,
                    won=won,
                    lost=len(lines) - won,
                    net=net,
                    plus=plus,
                    qualifies=rank <= qualifying,
                )
            )
    return places


def _totals(lines: Sequence[CardLine]) -> tuple[int, int, int, int]:
    """Return game points, games won, net spread and plus points of a card."""
    plus = sum(line.plus for line in lines)
    minus = sum(line.minus for line in lines)
    return sum(line.points for line in lines), sum(line.won for line in lines), plus - minus, plus


def _ranked(cards: Cards) -> list[list[str]]:
    """Return groups of entrants who share a place, the first place first."""
    totals = {entrant: _totals(lines) for entrant, lines in cards.items()}
    ordered = sorted(cards, key=lambda entrant: totals[entrant], reverse=True)
    ranked: list[list[str]] = []
    for _, equal in groupby(ordered, key=lambda entrant: totals[entrant]):
        ranked += _by_games_among(list(equal), cards)
    return ranked


def _by_games_among(equal: list[str], cards: Cards) -> list[list[str]]:
    """Split entrants by their game points against each other, the most first."""
    among = {
        entrant: sum(line.points for line in cards[entrant] if line.opponent in equal)
        for entrant in equal
    }
    ordered = sorted(equal, key=lambda entrant: among[entrant], reverse=True)
    return [list(group) for _, group in groupby(ordered, key=lambda entrant: among[entrant])]
