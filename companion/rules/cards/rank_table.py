"""Points for fifteens, pairs and runs in the show (rule S2), looked up by a sum of keys.

Each rank has a key. The keys are chosen so that different choices of five ranks have different
sums. So the sum of the keys of five cards is the index of their points in one table.
"""

from itertools import combinations, combinations_with_replacement, product

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from companion.rules.cards.card import FIFTEEN, RANKS, SHORTEST_RUN, SUITS, VALUES

FIVE = 5  # the cards that count together: a hand and the starter

# Chosen one by one: each key is the smallest with which all sums of five cards differ.
KEYS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""The key of each rank, ace first."""
CARD_KEYS = tuple(key for key in KEYS for _ in SUITS)  # the key of each card number


def _five_ranks() -> NDArray[np.int64]:
    """Return every choice of five ranks, shape (6175, 5); ace is 0, and at most four are equal."""
    choices = combinations_with_replacement(range(len(RANKS)), FIVE)
    return np.array([ranks for ranks in choices if ranks[0] != ranks[-1]])


def _fifteens(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    values = np.array(VALUES)[ranks * len(SUITS)]
    chosen = np.array(list(product((0, 1), repeat=FIVE)))
    found: NDArray[np.int64] = np.count_nonzero(values @ chosen.T == FIFTEEN, axis=1)
    return 2 * found


def _pairs(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    left, right = np.array(list(combinations(range(FIVE), 2))).T
    found: NDArray[np.int64] = np.count_nonzero(ranks[:, left] == ranks[:, right], axis=1)
    return 2 * found


def _runs(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    # Only the longest runs count, so the points of a longer run replace those of shorter ones.
    alike = np.count_nonzero(ranks[:, :, None] == np.arange(len(RANKS)), axis=1)
    points = np.zeros(len(ranks), dtype=np.int64)
    for length in range(SHORTEST_RUN, FIVE + 1):
        ways = sliding_window_view(alike, length, axis=1).prod(axis=2).sum(axis=1)
        points = np.where(ways, length * ways, points)
    return points


def _table() -> bytes:
    ranks = _five_ranks()
    sums = np.array(KEYS)[ranks].sum(axis=1)
    table = np.zeros(sums.max() + 1, dtype=np.uint8)
    table[sums] = _fifteens(ranks) + _pairs(ranks) + _runs(ranks)
    return table.tobytes()


RANK_POINTS = _table()  # points of five cards for fifteens, pairs and runs, by the sum of the keys
