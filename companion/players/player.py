"""Computer players: their answers, and the requests, which hold all that a seat may know."""

from dataclasses import dataclass
from typing import Protocol

from companion.board import Hole
from companion.rules.cards import HAND, THIRTY_ONE, VALUES, Card, Part, count_play, count_show


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardRequest:
    """Request for discards: two of six cards, or one of five (T3).

    `dealer` is True if the crib is the own side's. `fronts` are the holes of the sides' front pegs,
    the own first, then to the left; `boxed` has in the same order the hands that each has still to
    sit (Z7). `starter` is the starter if it is turned up before the discards (T6).
    """

    hand: tuple[Card, ...]
    dealer: bool
    fronts: tuple[Hole, ...]
    boxed: tuple[int, ...]
    starter: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRequest:
    """Request for the next card to play.

    `hand` are the own cards left, `discarded` the own discards, `pile` the cards since the
    count was 0 and `seen` all that were played in this hand, both in order. `cards_left` is the
    number of cards that each seat may still play, the own first, then to the left; it is 0 for a
    side that has folded (Z5). `dealer`, `fronts` and `boxed` are those of `DiscardRequest`.
    """

    hand: tuple[Card, ...]
    discarded: tuple[Card, ...]
    pile: tuple[Card, ...]
    starter: Card
    seen: tuple[Card, ...]
    cards_left: tuple[int, ...]
    dealer: bool
    fronts: tuple[Hole, ...]
    boxed: tuple[int, ...]

    @property
    def count(self) -> int:
        return sum(VALUES[card] for card in self.pile)

    @property
    def playable(self) -> tuple[Card, ...]:
        room = THIRTY_ONE - self.count
        return tuple(card for card in self.hand if VALUES[card] <= room)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRequest:
    """Request for the points of cards that all can see: those of the own side, or of another.

    `cards` are those since the count was 0, with the card to count last; or, with a `starter`, the
    four of a hand or a `crib`.
    """

    cards: tuple[Card, ...]
    starter: Card | None = None
    crib: bool = False

    @property
    def parts(self) -> tuple[Part, ...]:
        if self.starter is None:
            return count_play(self.cards).parts
        return count_show(self.cards, self.starter, crib=self.crib).parts

    @property
    def points(self) -> int:
        return sum(part.points for part in self.parts)


class Player(Protocol):
    """Player of one seat; all its knowledge of the hand is in the request."""

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        """Return the cards to discard, as many as T3 asks for."""

    def play(self, request: PlayRequest) -> Card | None:
        """Return the card to play; None only when none fits (P2)."""

    def count(self, request: CountRequest) -> int:
        """Return the points that the player finds in the cards (M1)."""


def discard_count(request: DiscardRequest) -> int:
    """Return the number of cards to discard: a hand keeps four (T3)."""
    return len(request.hand) - HAND
