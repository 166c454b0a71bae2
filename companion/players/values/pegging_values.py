"""Later balance of a card: the points pegged after it in the play, the own minus the others'."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.players.values.hands import Floats
from companion.rules.cards import THIRTY_ONE
from companion.rules.cards.card import RANKS

Ranks = NDArray[np.uint8]  # ranks of cards; the last axis has the cards of a hand, in any order
Numbers = NDArray[np.int64]

Choice: TypeAlias = tuple[Numbers, Ranks, Ranks]
"""Count after each card (rows, cards), rank of the card before (rows, 1), hand (rows, cards)."""
_RANKS = len(RANKS) + 1
SHAPE = (THIRTY_ONE + 1, _RANKS, _RANKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight:
    """Later balance of a card, as a sum of learned terms.

    The indexes of `left` are the count, the rank of the card before and the card's rank. Those of
    `kept` are the count, the card's rank and the rank of another card of the hand, or 0.
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


NO_FORESIGHT = Foresight(left=np.zeros(SHAPE), kept=np.zeros(SHAPE))
"""Foresight of a player that considers only the points of the card."""
