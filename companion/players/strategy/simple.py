"""The two players without foresight: any legal card, and the most points at once."""

import random
from dataclasses import dataclass

from companion.players.player import CountRequest, DiscardRequest, PlayRequest, discard_count
from companion.players.strategy.counting import count_some, count_without_long_fifteens
from companion.players.strategy.keep_four import kept_hands
from companion.rules.cards import Card, play_points


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """Throws and plays any card that the rules allow."""

    rng: random.Random

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        """Any cards."""
        return tuple(self.rng.sample(request.hand, discard_count(request)))

    def play(self, request: PlayRequest) -> Card | None:
        """Any card that fits."""
        return self.rng.choice(request.playable) if request.playable else None

    def count(self, request: CountRequest) -> int:
        """Return the points of some of the combinations."""
        return count_some(request, self.rng)


@dataclass(frozen=True, slots=True, kw_only=True)
class Regular:
    """Keeps the hand worth most, and takes the most points at once.

    A hand's worth is that with the starter if it is shown, else the mean over all. Among plays
    worth the same it lays the highest card: small ones fit later.
    """

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        """Return the discard that leaves the best hand, whoever owns the crib."""
        kept = kept_hands(request.hand, request.starter)
        return kept.discarded[int(kept.points.mean(axis=1).argmax())]

    def play(self, request: PlayRequest) -> Card | None:
        """Return the card that makes most at once."""
        return max(
            request.playable,
            key=lambda card: (play_points((*request.pile, card)), card),
            default=None,
        )

    def count(self, request: CountRequest) -> int:
        """Return the points without the long fifteens of a hand."""
        return count_without_long_fifteens(request)
