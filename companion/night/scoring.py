"""Scores of a night: each game adds a line to two entrants' cards; the cards give the standings.

The source is the tournament rules 2025 of the American Cribbage Congress (ACC; 12.1, 12.2, 13.2). A
win is worth 2 game points, a win by 31 or more is worth 3, and a loss is worth 0. The spread of a
game is the number of holes that the loser still had to go. A correction changes only one card
(12.2). Our scoring for Crib Wars gives 3 points if the loser is still in the first third of the
track.

The standings are sorted by game points, games won, net spread (spreads of the wins minus spreads of
the losses) and plus points (spreads of the wins). Entrants who are still equal are sorted by the
game points that they made against each other (Cross-Checking Guidelines, item 20). If these are
equal too, the entrants share a place, and are listed by name.
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
    """Result of a game; the winner's card gets `spread`, and the loser's card gets `minus`."""

    round: int
    table: int
    winner: str
    loser: str
    spread: int
    minus: int
    finish: int


def is_skunk(result: GameResult, scoring: ScoringName) -> bool:
    """Return True if the loser had 31 or more holes to go (ACC), or was in the first third."""
    if scoring == "acc":
        return result.spread >= ACC_SKUNK_SPREAD
    return 3 * (result.finish - result.spread) <= result.finish


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """Game on the card of one entrant: `plus` is the spread of a win, `minus` the spread of a loss.

    `corrected` is the reason of a correction, or None without a correction.
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
"""One entrant in four qualifies, and the number is rounded up (13.2)."""

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
    """Return groups of entrants who share a place, in the order of the places."""
    totals = {entrant: _totals(lines) for entrant, lines in cards.items()}
    ordered = sorted(cards, key=lambda entrant: totals[entrant], reverse=True)
    ranked: list[list[str]] = []
    for _, equal in groupby(ordered, key=lambda entrant: totals[entrant]):
        ranked += _by_games_among(list(equal), cards)
    return ranked


def _by_games_among(equal: list[str], cards: Cards) -> list[list[str]]:
    """Split entrants by their game points against each other, most points first."""
    among = {
        entrant: sum(line.points for line in cards[entrant] if line.opponent in equal)
        for entrant in equal
    }
    ordered = sorted(equal, key=lambda entrant: among[entrant], reverse=True)
    return [list(group) for _, group in groupby(ordered, key=lambda entrant: among[entrant])]
