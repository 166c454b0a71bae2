"""Two kinds of player that do not think ahead.

A child plays any legal card. A regular makes the most points that it can make now.
"""

import random
from dataclasses import dataclass
from typing import Final

from companion.players.player import CountRequest, DiscardRequest, PlayRequest, discard_count
from companion.players.strategy.discard import keep_four
from companion.rules.cards import Card, Part, PartKind, play_points

FOUND_BY_A_CHILD: Final = 0.8  # probability with which a child finds a combination
_LONGEST_FIFTEEN: Final = 3  # cards of the longest fifteen that a regular finds in a hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """Player that plays a random legal card."""

    rng: random.Random

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        return tuple(self.rng.sample(request.hand, discard_count(request)))

    def play(self, request: PlayRequest) -> Card | None:
        return self.rng.choice(request.playable) if request.playable else None

    def count(self, request: CountRequest) -> int:
        """Return the points of the combinations found, each with the chance `FOUND_BY_A_CHILD`."""
        found = (part for part in request.parts if self.rng.random() < FOUND_BY_A_CHILD)
        return sum(part.points for part in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Regular:
    """Player that keeps the hand with the most points, and plays the card with the most points.

    Before the starter is turned up, the hand's points are the mean over all starters. Among cards
    with equal points the player plays the highest, because low cards still fit later.
    """

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        discards, points = keep_four(request.hand, request.starter)
        return discards[int(points.mean(axis=1).argmax())]

    def play(self, request: PlayRequest) -> Card | None:
        return max(
            request.playable,
            key=lambda card: (play_points((*request.pile, card)), card),
            default=None,
        )

    def count(self, request: CountRequest) -> int:
        """Return the points; in a hand or crib, a fifteen of four or five cards is overlooked."""
        in_hand = request.starter is not None
        found = (part for part in request.parts if not (in_hand and _is_long_fifteen(part)))
        return sum(part.points for part in found)


def _is_long_fifteen(part: Part) -> bool:
    return part.kind is PartKind.FIFTEEN and len(part.cards) > _LONGEST_FIFTEEN
