"""Tables for computer players: mean points of hands of four; statistics of cribs, hands and plays.

The mean points of four cards over all starters are computed when this module is imported, by ranks
alone. Each jack in a hand adds the mean points of nobs, and flushes do not count. In an array of
many hands, the last axis runs over the cards of one hand.

All other tables have statistics of simulated deals: `python -m tests.training.build_tables` makes
the file `tables.npz`, which is shipped beside this file. An axis of length 30 has an entry for each
number of points from 0 to 29.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.board.layout import MOST_POINTS
from companion.rules.cards import HAND, JACK, THIRTY_ONE
from companion.rules.cards.card import RANKS, SUITS
from companion.rules.cards.points import KEYS, RANK_POINTS
from companion.rules.deal.seats import SIDES

NOBS = 12 / 48  # probability that the starter has the suit of a jack
Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Cards = NDArray[np.uint8]
Ranks = NDArray[np.uint8]  # ranks of cards, ace 1; the cards of a hand are in any order

KEY_OF_RANK = np.array([0, *KEYS], dtype=np.int64)
"""Key of each rank from 1 (see `companion.rules.cards.points`)."""
POINTS_OF_KEY = np.frombuffer(RANK_POINTS, dtype=np.uint8)
"""Points of five ranks by the sum of their keys."""

FOURS: tuple[tuple[int, ...], ...] = tuple(
    combinations_with_replacement(range(1, len(RANKS) + 1), HAND)
)
"""Every choice of ranks for a hand of four cards; the ranks of a hand rise."""


def _place_of_key() -> NDArray[np.int16]:
    keys = KEY_OF_RANK[np.array(FOURS)].sum(axis=1)
    places = np.zeros(keys.max() + 1, dtype=np.int16)
    places[keys] = np.arange(len(FOURS))
    return places


_PLACE_OF_KEY = _place_of_key()


def place_of_four(ranks: Ranks) -> NDArray[np.int16]:
    """Return the index in `FOURS` of each hand; `ranks` has the shape (..., 4)."""
    places: NDArray[np.int16] = _PLACE_OF_KEY[KEY_OF_RANK[ranks].sum(axis=-1)]
    return places


def _mean_points() -> Floats:
    fours = np.array(FOURS)
    starters = np.arange(1, len(RANKS) + 1)
    left = len(SUITS) - (fours[:, :, None] == starters).sum(axis=1)
    # `POINTS_OF_KEY` does not have five cards of one rank. Any entry will do: `left` is 0.
    keys = KEY_OF_RANK[fours].sum(axis=1)[:, None] + KEY_OF_RANK[starters]
    points = POINTS_OF_KEY[np.minimum(keys, len(POINTS_OF_KEY) - 1)]
    means: Floats = (points * left).sum(axis=1) / left.sum(axis=1)
    means += NOBS * (fours == JACK).sum(axis=1)
    return means


MEAN_POINTS = _mean_points()  # mean points of each hand in `FOURS`


def ranks_of(cards: ArrayLike) -> Ranks:
    """Return the ranks, ace 1, of cards or of their numbers from 0 to 51."""
    return np.asarray(cards, dtype=np.uint8) // np.uint8(len(SUITS)) + np.uint8(1)


FILE = resources.files("companion.players.values") / "tables.npz"

POINTS = np.arange(MOST_POINTS + 1)
CELLS: Mapping[int, tuple[tuple[int, ...], ...]] = {
    n: tuple(combinations_with_replacement(range(len(RANKS)), n)) for n in (1, 2)
}
"""Every choice of ranks, ace 0, for one discard and for two discards; the ranks rise."""

Counts = NDArray[np.int64]  # frequencies
Arrays: TypeAlias = dict[str, NDArray[Any]]  # arrays of the file, by name

Choice: TypeAlias = tuple[Numbers, Ranks, Ranks]
"""Three arrays with a row for each simulated hand that must play a card: the count after each card
of the hand, shape (rows, cards); the rank of the last card played, 0 if none, shape (rows, 1); the
ranks of the hand, shape (rows, cards)."""
_RANKS = len(RANKS) + 1
SHAPE = (THIRTY_ONE + 1, _RANKS, _RANKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight:
    """Forecast for a card: own later points minus the others' later points, until the play ends.

    The forecast is a sum of learned entries: one of `left` for the card itself, and one of `kept`
    for each other card of the hand. Entries are found by the count after the card, and by ranks.

    Attributes:
        left: entries by the count after the card, the last rank played before it, and its own rank.
        kept: entries by the count after the card, its rank, and the rank of the other card, which
            is 0 if that card has been played.
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
    """Frequencies in simulated deals, such as the number of hands with 12 points.

    A key of `cribs` and `hands` is a pair: the number of players, and True for the dealer's side. A
    key of `counts` and `sizes` is the number of players; their row 0 is the side that counts first.

    Attributes:
        cribs: points of the crib by a side's discards (see `CELLS`), shape (cells, 30).
        hands: points of a hand, shape (30,).
        counts: number of times that a side scores in the play of a deal, shape (sides, n).
        sizes: points that a side scores each time, shape (sides, 30).
        keeps: probability that a player keeps four given cards, by the mean points of these cards;
            row 0 is for four of six cards, and row 1 for four of five.
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
    """Return frequencies as probabilities: divide each row by its sum."""
    parts: Floats = counts / counts.sum(axis=-1, keepdims=True)
    return parts


def mean(counts: Counts) -> Floats:
    """Return the mean points of each row of frequencies, whose last axis has the length 30."""
    return chances(counts) @ POINTS


def points_in_a_deal(players: int) -> float:
    """Return the points of a side in a deal of this many players: the mean of all sides."""
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
    """Return the tables of a file with these arrays."""
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
