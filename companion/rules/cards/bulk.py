"""Points of many hands at once, in numpy, from the table `RANK_POINTS` (rules S2 to S5)."""

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from companion.board.track import MOST_POINTS
from companion.rules.cards.card import DECK, HAND
from companion.rules.cards.rank_table import CARD_KEYS, RANK_POINTS
from companion.rules.cards.show import FIRST_JACK, SUIT_BITS

_CHUNK = 1 << 15  # hands in a chunk; a chunk fits in the processor's cache

_FOUR = np.uint8(4)  # of eight bits, so that a product with it has eight bits too
_KEYS = np.array(CARD_KEYS, dtype=np.int32)
_POINTS = np.frombuffer(RANK_POINTS, dtype=np.uint8)


def count_shows(
    hands: NDArray[np.uint8], starters: NDArray[np.uint8], *, crib: bool = False
) -> NDArray[np.uint8]:
    """Return the points of hands with their starters, shape (n,).

    `hands`, shape (n, 4), and `starters`, shape (n,), have the numbers of the cards (see `Card`).
    """
    points = np.empty(len(hands), dtype=np.uint8)
    for start in range(0, len(hands), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        points[chunk] = _points(hands[chunk], starters[chunk], crib=crib)
    return points


def _points(
    hands: NDArray[np.uint8], starters: NDArray[np.uint8], *, crib: bool
) -> NDArray[np.uint8]:
    a, b, c, d = np.ascontiguousarray(hands.T)
    points = _POINTS[_KEYS[a] + _KEYS[b] + _KEYS[c] + _KEYS[d] + _KEYS[starters]]
    four = ((a ^ b) | (a ^ c) | (a ^ d)) & SUIT_BITS == 0
    five = four & ((a ^ starters) & SUIT_BITS == 0)
    jack = FIRST_JACK | starters & SUIT_BITS
    nobs = (a == jack) | (b == jack) | (c == jack) | (d == jack)
    made: NDArray[np.uint8] = points + nobs + five + _FOUR * (five if crib else four)
    return made


def distribution(*, crib: bool = False) -> NDArray[np.int64]:
    """Return the number of hands with each score from 0 to 29, shape (30,).

    Each hand is counted with every possible starter, so the sum is 12,994,800.
    """
    every = combinations(range(len(DECK)), HAND)
    hands = np.fromiter(every, np.dtype((np.uint8, HAND)), count=comb(len(DECK), HAND))
    made = np.zeros(MOST_POINTS + 1, dtype=np.int64)
    for starter in DECK:
        possible = hands[(hands != starter).all(axis=1)]
        starters = np.full(len(possible), starter, dtype=np.uint8)
        made += np.bincount(count_shows(possible, starters, crib=crib), minlength=len(made))
    return made
