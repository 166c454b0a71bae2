"""Points of every choice of four out of the cards dealt, with every starter (S2 to S5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from companion.rules.cards import DECK, HAND, Card, count_shows


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptHands:
    """Every choice of four cards out of a hand.

    `kept` and `discarded` have the cards of each choice. `points`, of shape (choices, starters),
    has the points of each choice with each possible starter.
    """

    kept: tuple[tuple[Card, ...], ...]
    discarded: tuple[tuple[Card, ...], ...]
    points: NDArray[np.uint8]


def kept_hands(dealt: Sequence[Card], starter: Card | None = None) -> KeptHands:
    """Return all choices of four out of five or six cards; without a starter, for all starters.

    >>> from companion.rules.cards import cards
    >>> kept_hands(cards("5H 5S 5D JC KD 2S")).points.shape
    (15, 46)
    """
    kept = tuple(combinations(dealt, HAND))
    discarded = tuple(tuple(card for card in dealt if card not in four) for four in kept)
    choices = np.array(kept, dtype=np.uint8)
    unseen = np.setdiff1d(DECK, dealt) if starter is None else [starter]
    starters = np.array(unseen, dtype=np.uint8)
    points = count_shows(
        np.repeat(choices, len(starters), axis=0), np.tile(starters, len(choices))
    ).reshape(len(choices), len(starters))
    return KeptHands(kept=kept, discarded=discarded, points=points)
