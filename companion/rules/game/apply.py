"""`apply(state, event) -> state`: the change that each kind of event makes to a game.

A game is its first state, changed by one event after the other. Nothing is decided here, so saved
events have the same effect even if `decide` would judge differently today. The event `counted` from
26 to 31, for example, puts the front peg on 31 and the back peg on 26. The new state also keeps the
state before the count, so that a count with too many points can be put right (rule N11).
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec import structs

from companion.rules.game.commands import Deal, MoveInBox
from companion.rules.game.events import Event, Kind
from companion.rules.game.state import Boxed, LastCount, Pegs, State

HANDS_IN_BOX = 3  # hands that a side in a penalty box sits out (rule Z7)
SKUNK_LINE_HOLE = 121  # hole of the long track where an ordinary game would end (rule G4)


def apply_all(state: State, events: tuple[Event, ...]) -> State:
    """Return the state after all these events."""
    for event in events:
        state = apply(state, event)
    return state


def apply(state: State, event: Event) -> State:
    """Return the state after one event, which `decide` gave for this state."""
    return _APPLY[event.kind](state, event)


def _with_side(state: State, event: Event, **changes: Any) -> State:  # noqa: ANN401  # Side's fields
    """Change the pegs of the event's side; remember the first side that reaches hole 121."""
    assert event.side is not None  # noqa: S101  # every event about pegs names its side
    index = state.setup.sides.index(event.side)
    side = structs.replace(state.all_pegs[index], **changes)
    sides = (*state.all_pegs[:index], side, *state.all_pegs[index + 1 :])
    first = state.first_at_121
    if first is None and isinstance(side.front, int) and side.front >= SKUNK_LINE_HOLE:
        first = event.side
    return structs.replace(state, all_pegs=sides, first_at_121=first)


def _counted(state: State, event: Event) -> State:
    assert event.side is not None  # noqa: S101  # every count has a side
    assert event.points is not None  # noqa: S101  # every count has points
    before = state if state.last_count is None else structs.replace(state, last_count=None)
    rule = "P7" if event.rule == "G2" else str(event.rule)
    last = LastCount(side=event.side, points=event.points, rule=rule, before=before)
    if event.kind is Kind.COUNTED and event.points:
        state = _walked(state, event)
    return structs.replace(
        state, counts=state.counts + 1, counts_in_hand=state.counts_in_hand + 1, last_count=last
    )


def _forfeited(state: State, event: Event) -> State:
    # A forfeited count becomes `last_count` too; the forfeited 20 holes of rule Z6 are no count.
    return state if event.rule == "Z6" else _counted(state, event)


def _walked(state: State, event: Event) -> State:
    return _with_side(state, event, front=event.to, back=event.origin, landed=False)


def _moved(state: State, event: Event) -> State:
    return _with_side(state, event, front=event.to, landed=False)


def _boxed(state: State, event: Event) -> State:
    boxed = Boxed(hands=event.points or HANDS_IN_BOX)
    return _with_side(state, event, front=event.to, landed=False, boxed=boxed)


def _box_moved(state: State, event: Event) -> State:
    """Move a boxed peg, by its own side (Z7) or because another has landed in a box (Z8).

    Where `occupant_advance` is `track`, Z8 adds a hole to the peg's release instead.
    """
    assert event.side is not None  # noqa: S101  # every move in the box has a side
    boxed = state.pegs(event.side).boxed
    assert boxed is not None  # noqa: S101  # `decide` has checked it
    if event.rule == "Z8" and state.setup.rules.occupant_advance == "track":
        boxed = structs.replace(boxed, holes_on_release=boxed.holes_on_release + 1)
        return _with_side(state, event, boxed=boxed)
    own = event.rule == "Z7"
    may_move = boxed.may_move and not own
    boxed = structs.replace(boxed, hands=boxed.hands - 1, may_move=may_move)
    state = _with_side(state, event, front=event.to, boxed=boxed)
    return _since_count(state, MoveInBox(side=event.side)) if own else state


def _released(state: State, event: Event) -> State:
    return _with_side(state, event, front=event.to, landed=False, boxed=None)


def _overpegged(state: State, _event: Event) -> State:
    assert state.last_count is not None  # noqa: S101  # `decide` has checked it
    return state.last_count.before


def _unchanged(state: State, _event: Event) -> State:
    return state


def _claimed(state: State, event: Event) -> State:
    first = state.first_at_121
    # A claim puts the peg on the finish, which does not count as reaching hole 121.
    return structs.replace(_walked(state, event), first_at_121=first)


def _placed(state: State, event: Event) -> State:
    """Place both pegs. The last count can no longer be put right after this.

    If the side was the first at hole 121, and is placed before this hole, its arrival is forgotten.
    """
    at_121 = isinstance(event.to, int) and event.to >= SKUNK_LINE_HOLE
    if state.first_at_121 == event.side and not at_121:
        state = structs.replace(state, first_at_121=None, skunked=())
    return structs.replace(_walked(state, event), last_count=None)


def _skunked(state: State, event: Event) -> State:
    assert event.side is not None  # noqa: S101  # every skunk has a side
    return structs.replace(state, skunked=(*state.skunked, (event.side, event.points or 0)))


def _won(state: State, event: Event) -> State:
    assert event.side is not None  # noqa: S101  # every win has a side
    match = state.match.credited(event.side, event.points or 1)
    return structs.replace(state, winner=event.side, match=match)


def _match_won(state: State, event: Event) -> State:
    return structs.replace(state, match=structs.replace(state.match, winner=event.side))


def _dealt(state: State, event: Event) -> State:
    seat = int(event.to or 1)
    state = _since_count(state, Deal(dealer=seat))
    if not state.counts:
        return structs.replace(state, dealer=seat, first_dealer=seat)
    sides = tuple(_next_hand(pegs) for pegs in state.all_pegs)
    return structs.replace(
        state, dealer=seat, hand=state.hand + 1, counts_in_hand=0, all_pegs=sides
    )


def _next_hand(pegs: Pegs) -> Pegs:
    boxed = pegs.boxed and structs.replace(pegs.boxed, may_move=True)
    return structs.replace(pegs, folded=False, boxed=boxed)


def _since_count(state: State, command: Deal | MoveInBox) -> State:
    if state.last_count is None:
        return state
    since = (*state.last_count.since, command)
    return structs.replace(state, last_count=structs.replace(state.last_count, since=since))


def _refused(_state: State, event: Event) -> State:
    # Only the history knows the state after an undo or a correction.
    raise LookupError(event.kind)


_APPLY: Mapping[Kind, Callable[[State, Event], State]] = {
    Kind.COUNTED: _counted,
    Kind.FORFEITED: _forfeited,
    Kind.AWARDED: _walked,
    Kind.SLID: _moved,
    Kind.SENT_BACK: _moved,
    Kind.SKIPPED: _moved,
    Kind.TRAPPED: partial(_with_side, landed=True),
    Kind.ADVANCED: partial(_with_side, landed=True),
    Kind.FOLDED: partial(_with_side, folded=True),
    Kind.BOXED: _boxed,
    Kind.BOX_MOVED: _box_moved,
    Kind.RELEASED: _released,
    Kind.OVERPEGGED: _overpegged,
    Kind.PENALISED: _unchanged,
    Kind.CLAIMED: _claimed,
    Kind.PLACED: _placed,
    Kind.SKUNKED: _skunked,
    Kind.WON: _won,
    Kind.MATCH_WON: _match_won,
    Kind.DEALT: _dealt,
    Kind.UNDONE: _refused,
    Kind.CORRECTED: _refused,
}
