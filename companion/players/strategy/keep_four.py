"""Points of every choice of four out of the cards dealt, with every starter."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from companion.rules.cards import DECK, HAND, Card, count_shows


def keep_four(
    dealt: Sequence[Card], starter: Card | None = None
) -> tuple[list[tuple[Card, ...]], NDArray[np.uint8]]:
    """Return the discards of each choice of four cards, and the points of the four.

    The points have the shape (choices, starters). The starters are the given starter alone, or all
    unseen cards. For example, six cards give 15 choices with 46 starters:

    >>> from companion.rules.cards import cards
    >>> keep_four(cards("5H 5S 5D JC KD 2S"))[1].shape
    (15, 46)
    """
    kept = tuple(combinations(dealt, HAND))
    discards = [tuple(card for card in dealt if card not in four) for four in kept]
    choices = np.array(kept, dtype=np.uint8)
    unseen = np.setdiff1d(DECK, dealt) if starter is None else [starter]
    starters = np.array(unseen, dtype=np.uint8)
    points = count_shows(
        np.repeat(choices, len(starters), axis=0), np.tile(starters, len(choices))
    ).reshape(len(choices), len(starters))
    return discards, points
