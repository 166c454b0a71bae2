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
    """A card like "5H", None face down; `played` cards lie on the table."""

    card: str | None
    played: bool


class SeatsCards(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of a seat."""

    seat: int
    side: int = field(name="team")
    folded: bool
    cards: list[HeldCard]


class Cards(msgspec.Struct, frozen=True, kw_only=True):
    """Cards of a deal as the caller may see them: a card like "5H", null face down.

    `hands` from the dealer's left round to the dealer, a boxed side's not among them; `pile` since
    the count was 0; `showing`, whose hand is counted now.
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
    """Cards to name out of `choice`; `under_deck`: discards go there, not into the crib (T3)."""

    purpose: Literal["discard", "play"] = msgspec.field(name="for")
    cards: int
    under_deck: bool
    choice: list[str]


class CountToMake(msgspec.Struct, frozen=True, kw_only=True):
    """Count that a side is to make itself: of a card played, of a hand, of the crib (M1)."""

    seat: int
    side: int = field(name="team")
    why: CountKind


class OpenCount(CountToMake, frozen=True, kw_only=True):
    """Count on which muggins may be called: `callers` may, `undecided` have not gone on yet.

    `given_back` is the house rule. `only_missed`: points counted too many are nobody's.
    """

    points: int
    callers: list[int]
    undecided: list[int]
    given_back: str
    only_missed: bool


class DealtCardsView(msgspec.Struct, frozen=True, kw_only=True):
    """View of a game of cards: who plays at each of `seats`, "person" or a kind of computer.

    `awaited` is the seat whose turn it is; `shown` is None before the first deal. `cut` tells the
    cut for deal, empty after the first count. The sides of `box_movers` are still to move their
    pegs in the penalty box in this hand: 0 points do that.
    """

    seats: dict[int, str]
    awaited: int | None
    shown: Cards | None
    cut: str
    to_count: CountToMake | None
    box_movers: list[int]
    open_count: OpenCount | None


class CardNews(DealtCardsView, frozen=True, kw_only=True):
    """View that all may read; `session` differs from that of any other game of cards."""

    session: int


class OwnHand(DealtCardsView, frozen=True, kw_only=True):
    """View of the holder of a hand's token; `lines` are the last of the commentary."""

    seat: int
    ask: CardsAsked | None
    lines: list[str]
