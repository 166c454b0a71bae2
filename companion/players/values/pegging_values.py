"""Later balance of a card, without the points that it makes, by the pile and the hand left."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.players.values.hands import Floats
from companion.rules.cards import THIRTY_ONE
from companion.rules.cards.card import RANKS

Ranks = NDArray[np.uint8]  # ranks of cards; the last axis are the cards of a hand, in no order
Numbers = NDArray[np.int64]

Choice: TypeAlias = tuple[Numbers, Ranks, Ranks]
"""Cards to choose from: count after each (rows, cards), rank below (rows, 1), the hand."""
_RANKS = len(RANKS) + 1
SHAPE = (THIRTY_ONE + 1, _RANKS, _RANKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight:
    """Later balance of a card to the end of the deal, as a sum of learned parts.

    `left` goes by the count, the rank below the card and the card's own; `kept` by the count, the
    card's rank and the rank of a card that stays in the hand, 0 for none. Both have this `SHAPE`.
    """

    left: Floats
    kept: Floats

    def of(self, choice: Choice) -> Floats:
        count, below, hand = choice
        pile, beside = (count * _RANKS + below) * _RANKS, (count * _RANKS + hand) * _RANKS
        kept = np.zeros(hand.shape)
        for place in range(hand.shape[1]):
            kept += self.kept.take(beside + hand[:, place, None])
        brought: Floats = self.left.take(pile + hand) + kept - self.kept.take(beside + hand)
        return brought


NO_FORESIGHT = Foresight(left=np.zeros(SHAPE), kept=np.zeros(SHAPE))
"""Foresight of a player that counts only the points of the card."""
