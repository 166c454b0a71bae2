"""Standings of a night, from the cards alone.

Order: game points, games won, net spread, plus points, then the game points of the games that
those who are still equal played against each other (Cross-Checking Guidelines, item 20). Entrants
equal in all of it share a place; the name only decides which of them is written first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from companion.night.scoring import CardLine

QUALIFYING_SHARE: Final = 4
"""One entrant in so many qualifies, a fraction counting as one (13.2)."""

Cards = Mapping[str, Sequence[CardLine]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An entrant in the standings; `rank` is shared by those who are equal."""

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
