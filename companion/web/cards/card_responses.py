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
    """A card like "5H", None if it lies face down; `played` cards lie on the table."""

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

    `hands` begin at the dealer's left; a boxed side has no hand. `pile` has the cards since the
    count was 0. The hand of `showing` is counted now.
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
    """Number of cards to choose from `choice`; with `under_deck` discards go there (T3)."""

    purpose: Literal["discard", "play"] = msgspec.field(name="for")
    cards: int
    under_deck: bool
    choice: list[str]


class CountToMake(msgspec.Struct, frozen=True, kw_only=True):
    """Count that a side must make itself: of a played card, a hand, or the crib (M1)."""

    seat: int
    side: int = field(name="team")
    why: CountKind


class OpenCount(CountToMake, frozen=True, kw_only=True):
    """Count on which muggins may be called, by `callers`; `undecided` have not gone on yet.

    `given_back` is the house rule. With `only_missed` nobody takes points of a count too high.
    """

    points: int
    callers: list[int]
    undecided: list[int]
    given_back: str
    only_missed: bool


class DealtCardsView(msgspec.Struct, frozen=True, kw_only=True):
    """View of a game of cards: "person" or a kind of computer player for each of `seats`.

    `awaited` is the seat whose turn it is; `shown` is None before the first deal. `cut` describes
    the cut for deal; it is empty after the first count. The sides of `box_movers` may yet move
    their pegs in the penalty box in this hand, by entering 0 points.
    """

    seats: dict[int, str]
    awaited: int | None
    shown: Cards | None
    cut: str
    to_count: CountToMake | None
    box_movers: list[int]
    open_count: OpenCount | None


class CardNews(DealtCardsView, frozen=True, kw_only=True):
    """View that all may read; each game of cards has another number `session`."""

    session: int


class OwnHand(DealtCardsView, frozen=True, kw_only=True):
    """View of the holder of a hand's token, with the last `lines` of the commentary."""

    seat: int
    ask: CardsAsked | None
    lines: list[str]
