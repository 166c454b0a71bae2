"""Requests to a computer player, with all that its seat may know, and the player's answers."""

from dataclasses import dataclass
from typing import Protocol

from companion.board import Hole
from companion.rules.cards import HAND, THIRTY_ONE, VALUES, Card, Part, count_play, count_show


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardRequest:
    """Request for discards: two of six cards, or one of five (rule T3).

    Attributes:
        hand: the cards that the player was dealt.
        dealer: True if the player's own side has the crib.
        fronts: the hole of each side's front peg; the own side is first, and the others follow to
            the left.
        boxed: the number of hands that each side must sit out (Z7), in the order of `fronts`.
        starter: the starter; None if it is turned up after the discards (T6).
    """

    hand: tuple[Card, ...]
    dealer: bool
    fronts: tuple[Hole, ...]
    boxed: tuple[int, ...]
    starter: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayRequest:
    """Request for the next card to play; `DiscardRequest` explains the other attributes.

    Attributes:
        hand: the cards that the player still holds.
        discarded: the cards that this player has put into the crib.
        pile: the cards played since the count was 0, in order.
        seen: all cards played in this hand, in order.
        cards_left: the number of cards that each seat can still play, the own seat first and then
            to the left; 0 for a seat whose side has folded (Z5).
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
    """Request for the points of cards that lie face up.

    Attributes:
        cards: with a starter, the four cards of a hand or crib. Without one, the cards played since
            the count was 0; the points are those that the last of these cards makes.
        starter: the starter, or None for a count in the play.
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
    """Player of one seat; a request has all that the player knows about the current deal."""

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        """Return the cards to discard: two of six, or one of five (T3)."""

    def play(self, request: PlayRequest) -> Card | None:
        """Return the card to play; None only if no card fits (P2)."""

    def count(self, request: CountRequest) -> int:
        """Return the points that the player finds; others can claim missed points (M1)."""


def discard_count(request: DiscardRequest) -> int:
    """Return the number of cards to discard, so that four are kept (T3)."""
    return len(request.hand) - HAND
