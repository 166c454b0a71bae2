"""Responses about dealt cards."""

from collections.abc import Collection
from typing import Literal

import msgspec
from msgspec import field

from companion.rules.cards import Card
from companion.rules.deal import Hand, Phase, State
from companion.rules.game import CountKind, HouseRules
from companion.table.cards.declared_counts import DeclaredCounts


class Hands(msgspec.Struct, frozen=True, kw_only=True):
    """Paths of pages by seat; each page shows the hand of cards of the person at this seat."""

    hands: dict[int, str]


class HeldCard(msgspec.Struct, frozen=True, kw_only=True):
    """Card such as "5H", null if it lies face down; `played` is True if it lies on the table."""

    card: str | None
    played: bool


class SeatsCards(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of a seat; `folded` is True if its side is out until the next deal (rule Z5)."""

    seat: int
    side: int = field(name="team")
    folded: bool
    cards: list[HeldCard]


class Cards(msgspec.Struct, frozen=True, kw_only=True):
    """Cards of a deal as one client may see them: a card such as "5H", null if it lies face down.

    `hands` begin at the dealer's left; a side that sits out in a penalty box has none. `count` is
    the total of `pile`, up to 31. `showing` is the seat whose hand is counted now, or "crib".
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
    """Number of `cards` a person must pick from `choice`; if `under_deck`, not for the crib."""

    purpose: Literal["discard", "play"] = msgspec.field(name="for")
    cards: int
    under_deck: bool
    choice: list[str]


class CountToMake(msgspec.Struct, frozen=True, kw_only=True):
    """Count that a person declares, since opponents may take missed points (muggins, rule M1)."""

    seat: int
    side: int = field(name="team")
    why: CountKind


class AwaitedCount(CountToMake, frozen=True, kw_only=True):
    """Count not yet declared; an opponent in `enders` can end the wait and make it 0.

    `pile` has the cards played up to the one that counts; it is empty in the show.
    """

    enders: list[int]
    pile: list[str]


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
        awaited: the seat that is asked for cards now; None while no seat is, as when a peg moves.
        shown: the cards; None before the first deal.
        cut: a line about the cut for the first deal; "" once points have been counted.
        box_movers: the sides in a penalty box that can still enter 0 in this hand to move a peg.
    """

    seats: dict[int, str]
    awaited: int | None
    shown: Cards | None
    cut: str
    to_count: AwaitedCount | None
    box_movers: list[int]
    open_count: OpenCount | None


class CardNews(DealtCardsView, frozen=True, kw_only=True):
    """View for everybody; `session` is the number of the game of cards."""

    session: int


class OwnHand(DealtCardsView, frozen=True, kw_only=True):
    """View for the holder of a hand's token; `lines` are the last lines of the commentary."""

    seat: int
    ask: CardsAsked | None
    lines: list[str]


def cards_value(state: State, opened: Collection[int]) -> Cards:
    """Return the cards of a deal for a client that may see the hands of the seats in `opened`.

    Cards in other hands and in the crib are None until they are played or shown.
    """
    crib_shown = state.shown > len(state.hands)
    return Cards(
        phase=state.phase,
        dealer=state.seating.dealer,
        turn=state.turn,
        starter=None if state.starter is None else str(state.starter),
        count=state.count,
        pile=list(map(str, state.pile)),
        hands=[_hand(state, hand, opened) for hand in state.hands],
        crib=[str(card) if crib_shown else None for card in state.crib],
        showing=_showing(state),
    )


def to_count_value(counts: DeclaredCounts) -> AwaitedCount | None:
    """Return the count that a person must make, without the true points."""
    count = counts.awaited
    if count is None:
        return None
    return AwaitedCount(
        seat=count.seat,
        side=count.side,
        why=count.why,
        enders=sorted(counts.enders),
        pile=list(map(str, counts.pile)),
    )


def open_count_value(counts: DeclaredCounts, rules: HouseRules) -> OpenCount | None:
    """Return the count on which muggins may be called, without the true points."""
    count = counts.open
    if count is None or count.declared is None:
        return None
    return OpenCount(
        seat=count.seat,
        side=count.side,
        why=count.why,
        points=count.declared,
        callers=sorted(counts.callers),
        undecided=sorted(counts.undecided),
        given_back=rules.given_back,
        only_missed=rules.muggins_counts == "missed",
    )


def _hand(state: State, hand: Hand, opened: Collection[int]) -> SeatsCards:
    shown = state.index(hand.seat) < state.shown and not hand.folded
    is_open = shown or hand.seat in opened
    in_play = state.phase is Phase.PLAY

    def held(card: Card) -> HeldCard:
        played = card not in hand.left
        face = str(card) if is_open or played else None
        return HeldCard(card=face, played=in_play and played)

    return SeatsCards(
        seat=hand.seat,
        side=state.seating.side_of(hand.seat),
        folded=hand.folded,
        cards=list(map(held, hand.cards)),
    )


def _showing(state: State) -> int | Literal["crib"] | None:
    if state.phase is not Phase.SHOW or not state.shown:
        return None
    return state.hands[state.shown - 1].seat if state.shown <= len(state.hands) else "crib"
