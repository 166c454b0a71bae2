"""Points of cribs whose unknown cards are any that nobody has shown, by ranks alone."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from companion.board.track import MOST_POINTS
from companion.players.values.hands import KEY_OF_RANK, POINTS_OF_KEY, Floats
from companion.rules.cards import HAND, Card
from companion.rules.cards.card import RANKS, SUITS

_WAYS = np.array(
    [[comb(left, drawn) for drawn in range(HAND + 2)] for left in range(len(SUITS) + 1)]
)
"""Ways to draw some of the cards of a rank that are left."""


def random_cribs(
    discarded: Sequence[Sequence[Card]], seen: Sequence[Card], starter: Card | None
) -> Floats:
    """Return the chances of the points of a crib for each choice of discards, (choices, 30).

    Args:
        discarded: discards in the crib, as many in each choice.
        seen: cards that are not among the unknown ones of the crib.
        starter: the starter, None if it is unknown too.
    """
    known = [starter] if starter is not None else []
    drawn, keys = _draws(HAND + 1 - len(discarded[0]) - len(known))
    left = len(SUITS) - np.bincount(
        [card.rank - 1 for card in {*seen, *known}], minlength=len(RANKS)
    )
    weights = _WAYS[left, drawn].prod(axis=1).astype(np.float64)
    own = KEY_OF_RANK[[[card.rank for card in (*cards, *known)] for cards in discarded]].sum(axis=1)
    # Five of a rank have no entry, and no weight.
    points = POINTS_OF_KEY[np.minimum(own[:, None] + keys, len(POINTS_OF_KEY) - 1)]
    found = [np.bincount(row, weights, minlength=MOST_POINTS + 1) for row in points]
    chances: Floats = np.array(found) / weights.sum()
    return chances


@cache
def _draws(cards: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return every choice of ranks: how many of each (choices, 13), and the sum of their keys."""
    ranks = np.array(list(combinations_with_replacement(range(len(RANKS)), cards)))
    drawn = (ranks[:, :, None] == np.arange(len(RANKS))).sum(axis=1)
    return drawn, KEY_OF_RANK[ranks + 1].sum(axis=1)
