"""The state of a deal between two commands, new deals, and the change that each event makes.

A state has all cards, even those that lie face down. It has no pegs. A new deal takes its hands
from a shuffled deck (`new_deal`) or from the caller (`kept_deal`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from companion.errors import BadInputError, RuleError
from companion.rules.cards import DECK, HAND, THIRTY_ONE, Card
from companion.rules.deal.deal_events import (
    Count,
    Discarded,
    Event,
    Folded,
    Pegged,
    Phase,
    PhaseBegan,
    Played,
    Reset,
    SaidGo,
    Shown,
    Turned,
)
from companion.rules.deal.seats import Seating
from companion.rules.game import CountKind

Starter = Literal["after-discards", "before-discards"]  # the house rule `starter` (rule T6)

PHASES: Mapping[Starter, tuple[Phase, ...]] = {
    "after-discards": (Phase.DISCARD, Phase.STARTER, Phase.PLAY, Phase.SHOW, Phase.OVER),
    "before-discards": (Phase.STARTER, Phase.DISCARD, Phase.PLAY, Phase.SHOW, Phase.OVER),
}
"""Order of the phases, by the house rule `starter`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A seat's cards.

    Attributes:
        cards: the cards dealt; after the discards, the four cards kept.
        left: the cards still to be played.
        went: True if the seat has said go since the count was 0.
        folded: True if the seat has folded in this deal (Z5).
    """

    seat: int
    cards: tuple[Card, ...]
    left: tuple[Card, ...]
    went: bool = False
    folded: bool = False

    @property
    def may_act(self) -> bool:
        return bool(self.left) and not self.went and not self.folded


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A deal between two commands; `hands` go from the dealer's left round to the dealer.

    Attributes:
        zero_counts: True if cards without points make a count of 0 too, for a side to declare (M1).
        pile: the cards played since the running count up to 31 began at 0.
        last: the seat that played the last card.
        turn: the seat that must act.
        point_made: True if the point for go or last card has been given since the count was 0.
        shown: the number of hands shown or passed over; the crib counts as one of them.
        due: the count that must be pegged and confirmed now.
    """

    seating: Seating
    starter_rule: Starter
    zero_counts: bool = False
    phase: Phase
    hands: tuple[Hand, ...]
    deck: tuple[Card, ...]
    crib: tuple[Card, ...] = ()
    starter: Card | None = None
    pile: tuple[Card, ...] = ()
    count: int = 0
    last: int | None = None
    turn: int | None = None
    point_made: bool = False
    shown: int = 0
    due: Count | None = None

    def index(self, seat: int) -> int:
        """Return a seat's index in `hands`; a seat outside the deal is a `RuleError` (T1)."""
        seats = self.seating.seats
        if seat not in seats:
            there = ", ".join(map(str, sorted(seats)))
            raise RuleError(
                "seat {seat} is not in this deal: the seats are {there}",
                seat=seat,
                there=there,
                rule="T1",
            )
        return seats.index(seat)

    def hand(self, seat: int) -> Hand:
        """Return a seat's cards; a seat that is not in the deal is a `RuleError` (T1)."""
        return self.hands[self.index(seat)]

    def playable(self, seat: int) -> tuple[Card, ...]:
        room = THIRTY_ONE - self.count
        return tuple(card for card in self.hand(seat).left if card.value <= room)


def new_deal(
    seating: Seating,
    deck: Sequence[Card],
    *,
    starter: Starter = "after-discards",
    zero_counts: bool = False,
) -> State:
    """Deal a shuffled deck, one card at a time from the dealer's left (T3, T4).

    Args:
        seating: the seats in this deal.
        deck: the cards in the order in which they are dealt.
        starter: the house rule that says when the starter is cut.
        zero_counts: True if sides declare counts of 0 too.

    Raises:
        BadInputError: the deck does not hold each of the 52 cards once.
    """
    if sorted(deck) != list(DECK):
        raise BadInputError("a deck holds each of the 52 cards once: shuffle a whole one")
    seats = seating.seats
    dealt = len(seats) * seating.dealt
    # Three players discard three cards: the deck gives the crib its fourth.
    taken = dealt + max(0, HAND - len(seats) * seating.discards)
    hands = (tuple(deck[first : dealt : len(seats)]) for first in range(len(seats)))
    return State(
        seating=seating,
        starter_rule=starter,
        zero_counts=zero_counts,
        phase=PHASES[starter][0],
        hands=_hands(seating, dict(zip(seats, hands, strict=True))),
        deck=tuple(deck[taken:]),
        crib=tuple(deck[dealt:taken]),
    )


def kept_deal(
    seating: Seating,
    hands: Mapping[int, tuple[Card, ...]],
    *,
    starter: Card,
    crib: tuple[Card, ...] = (),
) -> State:
    """Return a deal after its discards, before the starter is turned; the cards are not checked.

    Args:
        seating: the seats in this deal.
        hands: the four cards of each seat.
        starter: the card to be turned.
        crib: four cards; if it is empty, no crib is shown.
    """
    return State(
        seating=seating,
        starter_rule="after-discards",
        phase=Phase.STARTER,
        hands=_hands(seating, hands),
        deck=(starter,),
        crib=crib,
    )


def _hands(seating: Seating, cards: Mapping[int, tuple[Card, ...]]) -> tuple[Hand, ...]:
    return tuple(Hand(seat=seat, cards=cards[seat], left=cards[seat]) for seat in seating.seats)


def apply_all(state: State, events: Iterable[Event]) -> State:
    """Return the state after all these events."""
    for event in events:
        state = apply(state, event)
    return state


def apply(state: State, event: Event) -> State:
    """Return the state after one event, which `decide` gave for this state."""
    return _APPLY[type(event)](state, event)


def _next_to_act(hands: tuple[Hand, ...], index: int) -> int | None:
    """Return the next seat that can play or say go, or None (rule P2).

    The search begins to the left of the seat `hands[index]` and ends with that seat itself.
    """
    around = (*hands[index + 1 :], *hands[: index + 1])
    return next((hand.seat for hand in around if hand.may_act), None)


def _with_hand(state: State, index: int, **changes: Any) -> tuple[Hand, ...]:  # noqa: ANN401  # Hand's fields
    hands = state.hands
    return (*hands[:index], replace(hands[index], **changes), *hands[index + 1 :])


def _without(cards: tuple[Card, ...], gone: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card not in gone)


def _discarded(state: State, event: Discarded) -> State:
    index = state.index(event.seat)
    kept = _without(state.hands[index].cards, event.cards)
    hands = _with_hand(state, index, cards=kept, left=kept)
    if event.under_deck:
        return replace(state, hands=hands, deck=(*state.deck, *event.cards))
    return replace(state, hands=hands, crib=(*state.crib, *event.cards))


def _turned(state: State, event: Turned) -> State:
    return replace(state, starter=event.card, deck=_without(state.deck, (event.card,)))


def _played(state: State, event: Played) -> State:
    index = state.index(event.seat)
    hands = _with_hand(state, index, left=_without(state.hands[index].left, (event.card,)))
    return replace(
        state,
        hands=hands,
        pile=(*state.pile, event.card),
        count=event.count,
        last=event.seat,
        turn=None if event.count == THIRTY_ONE else _next_to_act(hands, index),
    )


def _said_go(state: State, event: SaidGo) -> State:
    index = state.index(event.seat)
    hands = _with_hand(state, index, went=True)
    return replace(state, hands=hands, turn=_next_to_act(hands, index))


def _folded(state: State, event: Folded) -> State:
    def folded(seat: int) -> bool:
        return state.seating.side_of(seat) == event.side

    hands = tuple(replace(hand, folded=True) if folded(hand.seat) else hand for hand in state.hands)
    due = None if state.due and folded(state.due.seat) else state.due
    turn = state.turn
    if turn is not None and folded(turn):
        turn = _next_to_act(hands, state.index(turn))
    return replace(state, hands=hands, due=due, turn=turn)


def _count(state: State, event: Count) -> State:
    point = event.why in (CountKind.GO, CountKind.LAST)  # without HEELS, PLAY, HAND, CRIB
    return replace(state, due=event, point_made=state.point_made or point)


def _pegged(state: State, _event: Pegged) -> State:
    return replace(state, due=None)


def _reset(state: State, event: Reset) -> State:
    hands = tuple(replace(hand, went=False) if hand.went else hand for hand in state.hands)
    return replace(
        state, hands=hands, pile=(), count=0, last=None, turn=event.lead, point_made=False
    )


def _shown(state: State, event: Shown) -> State:
    shown = len(state.hands) if event.show.crib else state.index(event.seat)
    return replace(state, shown=shown + 1)


def _phase_began(state: State, event: PhaseBegan) -> State:
    if event.phase is Phase.PLAY:  # without DISCARD, STARTER, SHOW
        turn = _next_to_act(state.hands, len(state.hands) - 1)
        return replace(state, phase=event.phase, turn=turn)
    due = None if event.phase is Phase.OVER else state.due
    return replace(state, phase=event.phase, turn=None, pile=(), count=0, due=due)


_APPLY: Mapping[type[Event], Callable[[State, Any], State]] = {
    Discarded: _discarded,
    Turned: _turned,
    Played: _played,
    SaidGo: _said_go,
    Count: _count,
    Pegged: _pegged,
    Reset: _reset,
    Shown: _shown,
    Folded: _folded,
    PhaseBegan: _phase_began,
}
