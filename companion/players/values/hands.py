"""Mean points of four cards over all starters, by ranks alone, for many hands at once.

Each jack in a hand adds the mean points of nobs, and flushes do not count. The last axis of an
array of hands has the cards of a hand.
"""

from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.rules.cards import HAND, JACK
from companion.rules.cards.card import RANKS, SUITS
from companion.rules.cards.rank_table import KEYS, RANK_POINTS

NOBS = 12 / 48  # probability that the starter has the suit of a jack
Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Cards = NDArray[np.uint8]
Ranks = NDArray[np.uint8]  # ranks of cards, ace 1; the cards of a hand are in any order

KEY_OF_RANK = np.array([0, *KEYS], dtype=np.int64)
"""Key of each rank from 1 (see `companion.rules.cards.rank_table`)."""
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
    # The table has no entry for five cards of one rank. Any entry will do, because `left` is 0.
    keys = KEY_OF_RANK[fours].sum(axis=1)[:, None] + KEY_OF_RANK[starters]
    points = POINTS_OF_KEY[np.minimum(keys, len(POINTS_OF_KEY) - 1)]
    mean: Floats = (points * left).sum(axis=1) / left.sum(axis=1)
    mean += NOBS * (fours == JACK).sum(axis=1)
    return mean


MEAN_POINTS = _mean_points()  # mean points of each hand in `FOURS`


def ranks_of(cards: ArrayLike) -> Ranks:
    """Return the ranks, ace 1, of cards or of their numbers from 0 to 51."""
    return np.asarray(cards, dtype=np.uint8) // np.uint8(len(SUITS)) + np.uint8(1)
