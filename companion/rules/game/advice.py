"""Advice to a side: the outcome of each count, and the sides to which it should lead a five."""

from dataclasses import dataclass

from companion.board import Hole, ZoneKind
from companion.board.track import MOST_POINTS
from companion.errors import RuleError
from companion.rules.game.apply import apply_all
from companion.rules.game.commands import Peg
from companion.rules.game.decide import decide
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
