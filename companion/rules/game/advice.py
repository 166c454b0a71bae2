"""Advice to a side, and the choices of the referee, in the present state of a game.

The advice is the outcome of each possible count, and the sides to which to lead a five.
"""

from dataclasses import dataclass

from companion.board import Hole, ZoneKind
from companion.board.layout import MOST_POINTS
from companion.errors import RuleError
from companion.rules.game.apply import apply_all
from companion.rules.game.commands import Peg
from companion.rules.game.decide import decide, muggins_applies
from companion.rules.game.events import Kind, first_landing
from companion.rules.game.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Outcome of a count.

    Attributes:
        lands: the hole where the count ends.
        kind: the kind of zone there, or None.
        front: the hole of the front peg after the effects of all zones.
        forfeited: True if the count is too long for an exact finish (rule G2).
        wins: True if the count wins the game.
    """

    points: int
    lands: Hole
    kind: ZoneKind | None
    front: Hole
    forfeited: bool
    wins: bool


def outcomes(state: State, side: int) -> tuple[Outcome, ...]:
    """Return the outcome of each count from 1 to 29 for a side, or () if the side may not count."""
    try:
        return tuple(_outcome(state, side, points) for points in range(1, MOST_POINTS + 1))
    except RuleError:
        return ()


def _outcome(state: State, side: int, points: int) -> Outcome:
    events = decide(state, Peg(side=side, points=points))
    after = apply_all(state, events)
    landing = events[0].to
    assert landing is not None  # noqa: S101  # a count ends somewhere
    return Outcome(
        points=points,
        lands=landing,
        kind=first_landing(events, side),
        front=after.pegs(side).front,
        forfeited=events[0].kind is Kind.FORFEITED,
        wins=after.winner == side,
    )


def fives_to_lead(state: State, side: int) -> tuple[int, ...]:
    """Return the sides just before a trap or a box: `side` should lead a five to them.

    If such a side plays a ten, the fifteen makes two points, which take it into the zone.
    """
    return tuple(other for other in state.others(side) if _near_a_hazard(state, other))


def _near_a_hazard(state: State, side: int) -> bool:
    nearest = outcomes(state, side)[:2]
    return any(outcome.kind and outcome.kind.facts.is_hazard for outcome in nearest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grants:
    """The choices that a referee's forms offer; after a win there are none.

    Attributes:
        penalty_to: the sides that peg the points of a penalty, by the house rule `penalty_to`.
        takers: the sides that may take points; a side in a penalty box may not (rule Z7).
        erring: the sides against which muggins may be called (M3).
        overcalled: True if muggins may also be called on points counted too many (M2).
        last_count: the side whose last count can be put right (N11), or None.
        claims: True if the game may be claimed (N10, N13, N14).
    """

    penalty_to: str = "nobody"
    takers: tuple[int, ...] = ()
    erring: tuple[int, ...] = ()
    overcalled: bool = False
    last_count: int | None = None
    claims: bool = False


def grants(state: State) -> Grants:
    """Return the choices of the referee in this state of a game."""
    if state.winner is not None:
        return Grants()
    rules, last, sides = state.setup.rules, state.last_count, state.setup.sides
    before = {side: last.before if last and last.side == side else state for side in sides}
    return Grants(
        penalty_to=rules.penalty_to,
        takers=tuple(side for side in sides if not state.pegs(side).boxed),
        erring=tuple(side for side in sides if muggins_applies(before[side], side)),
        overcalled=rules.muggins_counts == "missed-and-overcalled",
        last_count=last.side if last else None,
        claims=True,
    )
