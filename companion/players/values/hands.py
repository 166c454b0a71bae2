"""Mean points of four cards by their ranks over all starters, for many hands at once.

Jacks and flushes count with their average worth. Every array of hands has its cards on the last
axis.
"""

from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from companion.rules.cards import HAND, JACK
from companion.rules.cards.card import RANKS, SUITS
from companion.rules.cards.rank_table import KEYS, RANK_POINTS

NOBS = 12 / 48  # chance that the starter is of a jack's suit
Floats = NDArray[np.float64]
Cards = NDArray[np.uint8]

KEY_OF_RANK = np.array([0, *KEYS], dtype=np.int64)
"""The key of each rank from 1 on, see `companion.rules.cards.rank_table`."""
POINTS_OF_KEY = np.frombuffer(RANK_POINTS, dtype=np.uint8)
"""Points of five ranks, at the sum of their keys."""

FOURS: tuple[tuple[int, ...], ...] = tuple(
    combinations_with_replacement(range(1, len(RANKS) + 1), HAND)
)
"""Every choice of ranks that a hand of four can have, rising."""


def _place_of_key() -> NDArray[np.int16]:
    keys = KEY_OF_RANK[np.array(FOURS)].sum(axis=1)
    places = np.zeros(keys.max() + 1, dtype=np.int16)
    places[keys] = np.arange(len(FOURS))
    return places


_PLACE_OF_KEY = _place_of_key()


def place_of_four(ranks: Cards) -> NDArray[np.int16]:
    """Return the index in `FOURS` of four cards' ranks."""
    places: NDArray[np.int16] = _PLACE_OF_KEY[KEY_OF_RANK[ranks].sum(axis=-1)]
    return places


def _mean_points() -> Floats:
    fours = np.array(FOURS)
    starters = np.arange(1, len(RANKS) + 1)
    left = len(SUITS) - (fours[:, :, None] == starters).sum(axis=1)
    # Five of a rank have no entry: no card of it is left to be turned up.
    keys = KEY_OF_RANK[fours].sum(axis=1)[:, None] + KEY_OF_RANK[starters]
    points = POINTS_OF_KEY[np.minimum(keys, len(POINTS_OF_KEY) - 1)]
    mean: Floats = (points * left).sum(axis=1) / left.sum(axis=1)
    mean += NOBS * (fours == JACK).sum(axis=1)
    return mean


MEAN_POINTS = _mean_points()  # mean points of each of `FOURS`, without a flush


def ranks_of(cards: Cards) -> Cards:
    """Return the ranks of card numbers, from 1 on."""
    return (cards // len(SUITS) + 1).astype(np.uint8)
