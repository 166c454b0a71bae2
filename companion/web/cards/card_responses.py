"""Responses about dealt cards."""

from typing import Literal

import msgspec
from msgspec import field

from companion.rules.deal import Phase
from companion.rules.game import CountKind


class Hands(msgspec.Struct, frozen=True, kw_only=True):
    """Path of each person's hand of cards, by seat."""

    hands: dict[int, str]


class HeldCard(msgspec.Struct, frozen=True, kw_only=True):
    """Card like "5H", None if it lies face down; `played` is True if it lies on the table."""

    card: str | None
    played: bool


class SeatsCards(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of a seat."""

    seat: int
    side: int = field(name="team")
    folded: bool
    cards: list[HeldCard]


class Cards(msgspec.Struct, frozen=True, kw_only=True):
    """Cards of a deal as the caller may see them: a card like "5H", null if it lies face down.

    `hands` begin at the dealer's left; a side in a penalty box has no hand. `pile` has the cards
    played since the count was 0. `showing` is the seat whose hand is counted now, or "crib".
    """

    phase: Phase
    dealer: int
    turn: int | None
    starter: str | None
    count: int
    pile: list[str]
    hands: list[SeatsCards]
    crib: list[str | None]
    showing: int | Literal["crib"] | None


class CardsAsked(msgspec.Struct, frozen=True, kw_only=True):
    """Request for `cards` cards from `choice`; with `under_deck` they go under the deck (T3)."""

    purpose: Literal["discard", "play"] = msgspec.field(name="for")
    cards: int
    under_deck: bool
    choice: list[str]


class CountToMake(msgspec.Struct, frozen=True, kw_only=True):
    """Count that a person must declare, since opponents may take missed points (muggins, M1)."""

    seat: int
    side: int = field(name="team")
    why: CountKind


class OpenCount(CountToMake, frozen=True, kw_only=True):
    """Count on which the sides `callers` may call muggins.

    Attributes:
        undecided: the sides that can call and have neither called nor entered "go on".
        given_back: the house rule about points that callers give back (M3).
        only_missed: true if muggins applies to counts too low, but not to counts too high.
    """

    points: int
    callers: list[int]
    undecided: list[int]
    given_back: str
    only_missed: bool


class DealtCardsView(msgspec.Struct, frozen=True, kw_only=True):
    """View of a game of cards.

    Attributes:
        seats: "person" or a kind of computer player by seat.
        awaited: the seat whose turn it is.
        shown: the cards; None before the first deal.
        cut: a line about the cut for the first deal; "" after the first count.
        box_movers: the sides that can still move their pegs in the penalty box in this hand, by
            entering 0 points.
    """

    seats: dict[int, str]
    awaited: int | None
    shown: Cards | None
    cut: str
    to_count: CountToMake | None
    box_movers: list[int]
    open_count: OpenCount | None


class CardNews(DealtCardsView, frozen=True, kw_only=True):
    """View for everybody; `session` is the number of the game of cards."""

    session: int


class OwnHand(DealtCardsView, frozen=True, kw_only=True):
    """View for the holder of a hand's token, with the last `lines` of the commentary."""

    seat: int
    ask: CardsAsked | None
    lines: list[str]
