"""`apply(state, event) -> state`: the change that each kind of event makes to a deal."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.rules.cards import THIRTY_ONE, Card
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
from companion.rules.deal.state import Hand, State
from companion.rules.game import CountKind


def apply_all(state: State, events: Iterable[Event]) -> State:
    """Return the state after all these events."""
    for event in events:
        state = apply(state, event)
    return state


def apply(state: State, event: Event) -> State:
    """Return the state after one event, which `decide` gave for this state."""
    return _APPLY[type(event)](state, event)


def next_to_act(hands: tuple[Hand, ...], index: int) -> int | None:
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
        turn=None if event.count == THIRTY_ONE else next_to_act(hands, index),
    )


def _said_go(state: State, event: SaidGo) -> State:
    index = state.index(event.seat)
    hands = _with_hand(state, index, went=True)
    return replace(state, hands=hands, turn=next_to_act(hands, index))


def _folded(state: State, event: Folded) -> State:
    def folded(seat: int) -> bool:
        return state.seating.side_of(seat) == event.side

    hands = tuple(replace(hand, folded=True) if folded(hand.seat) else hand for hand in state.hands)
    due = None if state.due and folded(state.due.seat) else state.due
    turn = state.turn
    if turn is not None and folded(turn):
        turn = next_to_act(hands, state.index(turn))
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
        turn = next_to_act(state.hands, len(state.hands) - 1)
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
