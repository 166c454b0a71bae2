"""Statistics of simulated deals: the points of cribs, of hands and in the play.

`python -m tests.training.build_tables` makes the tables, which are shipped beside this file. A last
axis of length 30 is for points from 0 to 29.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.board.track import MOST_POINTS
from companion.players.values.hands import Floats, Numbers, Ranks
from companion.rules.cards import THIRTY_ONE
from companion.rules.cards.card import RANKS
from companion.rules.deal.seats import SIDES

FILE = resources.files("companion.players.values") / "tables.npz"

POINTS = np.arange(MOST_POINTS + 1)
CELLS: Mapping[int, tuple[tuple[int, ...], ...]] = {
    n: tuple(combinations_with_replacement(range(len(RANKS)), n)) for n in (1, 2)
}
"""Choices of ranks, from 0, of one and of two discards, each in rising order."""

Counts = NDArray[np.int64]  # frequencies
Arrays: TypeAlias = dict[str, NDArray[Any]]  # arrays of the file, by name

Choice: TypeAlias = tuple[Numbers, Ranks, Ranks]
"""Count after each card (rows, cards), rank of the last card (rows, 1), hand (rows, cards)."""
_RANKS = len(RANKS) + 1
SHAPE = (THIRTY_ONE + 1, _RANKS, _RANKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight:
    """Later balance of a card: own points minus the others' points in the rest of the play.

    The balance is the sum of learned terms. The indexes of `left` are the count, the rank of the
    last card and the card's rank. The indexes of `kept` are the count, the card's rank and the rank
    of another card of the hand, or 0.
    """

    left: Floats
    kept: Floats

    def of(self, choice: Choice) -> Floats:
        count, below, hand = choice
        pile, beside = (count * _RANKS + below) * _RANKS, (count * _RANKS + hand) * _RANKS
        kept = np.zeros(hand.shape)
        for place in range(hand.shape[1]):
            kept += self.kept.take(beside + hand[:, place, None])
        return self.left.take(pile + hand) + kept - self.kept.take(beside + hand)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Frequencies by the number of players and `own`, which is True for the dealer's side.

    Attributes:
        cribs: points of cribs by the discards (see `CELLS`), shape (cells, 30).
        hands: points of hands, shape (30,).
        counts: number of counts of a side in the play, by order of counting, shape (sides, n).
        sizes: points of these counts, shape (sides, 30).
        keeps: probability that four of six or five cards are kept, by their points, shape (2, n).
    """

    cribs: Mapping[tuple[int, bool], Counts]
    hands: Mapping[tuple[int, bool], Counts]
    counts: Mapping[int, Counts]
    sizes: Mapping[int, Counts]
    keeps: Floats
    foresight: Foresight


def all_cribs(tables: Tables, players: int) -> Counts:
    """Return the frequencies of the points of all cribs for this many players, shape (30,)."""
    counts: Counts = tables.cribs[players, False].sum(axis=0)
    return counts


def chances(counts: Counts) -> Floats:
    """Return frequencies as probabilities: each row is divided by its sum."""
    parts: Floats = counts / counts.sum(axis=-1, keepdims=True)
    return parts


def mean(counts: Counts) -> Floats:
    """Return the mean points of each row of frequencies."""
    return chances(counts) @ POINTS


def points_in_a_deal(players: int) -> float:
    """Return the mean points of a side in a deal of this many players, over all seats."""
    tables, sides = load_tables(), SIDES[players]
    numbers = chances(tables.counts[players]) @ np.arange(tables.counts[players].shape[1])
    in_play = float(numbers @ mean(tables.sizes[players]))
    hands = [tables.hands[players, seat % sides == 0] for seat in range(players)]
    cards = sum(map(float, map(mean, [*hands, all_cribs(tables, players)])))
    return (in_play + cards) / sides


def _by_crib(arrays: Arrays, table: str) -> dict[tuple[int, bool], Counts]:
    names = (name.split() for name in arrays if name.startswith(f"{table} "))
    return {(int(n), own == "1"): arrays[f"{table} {n} {own}"] for _, n, own in names}


def _by_players(arrays: Arrays, table: str) -> dict[int, Counts]:
    names = (name.split() for name in arrays if name.startswith(f"{table} "))
    return {int(n): arrays[f"{table} {n}"] for _, n in names}


def unpack(arrays: Arrays) -> Tables:
    """Return the tables that a file's arrays hold."""
    return Tables(
        cribs=_by_crib(arrays, "cribs"),
        hands=_by_crib(arrays, "hands"),
        counts=_by_players(arrays, "counts"),
        sizes=_by_players(arrays, "sizes"),
        keeps=arrays["keeps"],
        foresight=Foresight(left=arrays["left"], kept=arrays["kept"]),
    )


@cache
def load_tables() -> Tables:
    """Return the shipped tables; cached."""
    with FILE.open("rb") as file:
        return unpack(dict(np.load(file)))
