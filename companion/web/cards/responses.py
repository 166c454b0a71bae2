"""Responses about dealt cards."""

from typing import Literal, TypedDict


class Hands(TypedDict):
    """Path of each person's hand of cards, by seat."""

    hands: dict[str, str]


class HeldCard(TypedDict):
    """A card like "5H", None face down; `played` cards lie on the table."""

    card: str | None
    played: bool


class SeatsCards(TypedDict):
    """The cards of a seat."""

    seat: int
    team: int
    folded: bool
    cards: list[HeldCard]


class Cards(TypedDict):
    """Cards of a deal as the caller may see them: a card like "5H", null face down.

    `hands` from the dealer's left round to the dealer, a boxed side's not among them; `pile` since
    the count was 0; `showing`, whose hand is counted now.
    """

    phase: Literal["discard", "starter", "play", "show", "over"]
    dealer: int
    turn: int | None
    starter: str | None
    count: int
    pile: list[str]
    hands: list[SeatsCards]
    crib: list[str | None]
    showing: int | Literal["crib"] | None


Ask = TypedDict(
    "Ask",
    {"for": Literal["discard", "play"], "cards": int, "under_deck": bool, "choice": list[str]},
)
"""Request for cards out of `choice`; `under_deck`: discards go there, not into the crib (T3)."""


class CountToMake(TypedDict):
    """Count that a side is to make itself: of a card played, of a hand, of the crib (M1)."""

    seat: int
    team: int
    why: Literal["play", "hand", "crib"]


class OpenCount(CountToMake):
    """Count on which muggins may be called: `callers` may, `undecided` have not gone on yet.

    `given_back` is the house rule. `only_missed`: points counted too many are nobody's.
    """

    points: int
    callers: list[int]
    undecided: list[int]
    given_back: Literal["side", "nobody"]
    only_missed: bool


class OwnHand(TypedDict):
    """View of the holder of a hand's token; `lines` are the last of the commentary.

    `cut` tells the cut for deal, empty after the first count. The sides of `box_movers` are still
    to move their pegs in the penalty box in this hand: 0 points do that.
    """

    seat: int
    seats: dict[str, str]
    awaited: int | None
    shown: Cards | None
    cut: str
    to_count: CountToMake | None
    open_count: OpenCount | None
    box_movers: list[int]
    ask: Ask | None
    lines: list[str]
