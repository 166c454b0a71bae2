"""Automatic progress of a deal: inferred goes, go points, the next count, the show."""

from companion.rules.cards import HAND, THIRTY_ONE, Card, count_show
from companion.rules.deal.events import Count, Entered, Event, Phase, Reset, SaidGo, Shown
from companion.rules.deal.state import PHASES, State
from companion.rules.game import CountKind


def follows(state: State) -> tuple[Event, ...]:
    """Return the next events that need no choice; none while a count is due or a seat is to act."""
    if state.due:
        return ()
    match state.phase:
        case Phase.DISCARD:
            return (_leave(state),) if all(len(each.cards) == HAND for each in state.hands) else ()
        case Phase.STARTER:
            return () if state.starter is None else (_leave(state),)
        case Phase.PLAY:
            return _play(state)
        case Phase.SHOW:
            return _show(state)
        case Phase.OVER:
            return ()


def _leave(state: State) -> Entered:
    phases = PHASES[state.starter_rule]
    return Entered(phase=phases[phases.index(state.phase) + 1])


def _play(state: State) -> tuple[Event, ...]:
    """Infer a go (P2), or end a count in which nobody can act any more (P3, P4)."""
    if state.turn is not None:
        return () if state.playable(state.turn) else (SaidGo(seat=state.turn),)
    lead = _next_lead(state)
    if state.last is not None and _makes_a_point(state, state.last):
        return (
            Count(seat=state.last, points=1, why=CountKind.LAST if lead is None else CountKind.GO),
        )
    return (_leave(state) if lead is None else Reset(lead=lead),)


def _next_lead(state: State) -> int | None:
    """Return the seat after the last one to play, passing over those without cards (P4)."""
    first = 0 if state.last is None else state.index(state.last) + 1
    around = (*state.hands[first:], *state.hands[:first])
    return next((hand.seat for hand in around if hand.left and not hand.folded), None)


def _makes_a_point(state: State, last: int) -> bool:
    """One for who played last, once, unless it made 31 or the side has folded (P2, P3, Z5)."""
    return not state.point_made and state.count != THIRTY_ONE and not state.hand(last).folded


def _show(state: State) -> tuple[Event, ...]:
    """Show the next hand that has not folded, then the crib (S1)."""
    for hand in state.hands[state.shown :]:
        if not hand.folded:
            return _shown(state, hand.seat, hand.cards, CountKind.HAND)
    if state.shown <= len(state.hands) and state.crib and not state.crib_folded:
        return _shown(state, state.seating.dealer, state.crib, CountKind.CRIB)
    return (_leave(state),)


def _shown(state: State, seat: int, cards: tuple[Card, ...], why: CountKind) -> tuple[Event, ...]:
    """Show cards and count them as one; what is worth nothing is not pegged (S5)."""
    assert state.starter is not None  # noqa: S101  # nothing is shown before it is turned
    show = count_show(cards, state.starter, crib=why is CountKind.CRIB)
    shown = Shown(seat=seat, show=show)
    if not show.points and not state.zero_counts:
        return (shown,)
    return shown, Count(seat=seat, points=show.points, why=why)
