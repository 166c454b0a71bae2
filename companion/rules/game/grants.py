"""Grants open to the referee as a game stands, by the house rules in force."""

from dataclasses import dataclass

from companion.rules.game.decide import muggins_applies
from companion.rules.game.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Grants:
    """The teams and kinds that a referee's forms offer; none of them once the game is over.

    `penalty_to` is the house rule: each other side takes two or declines, the opponents take them
    at once, or nobody does. `takers` may take points: a boxed side may not (Z7). `erring` are the
    sides on whose counts muggins may be called, `overcalled` True if on too many as well (M2).
    `last_count` is the side whose count can be put right (N11).
    """

    penalty_to: str = "nobody"
    takers: tuple[int, ...] = ()
    erring: tuple[int, ...] = ()
    overcalled: bool = False
    last_count: int | None = None
    claims: bool = False


def grants(state: State) -> Grants:
    """Return what the referee may grant now."""
    if state.winner is not None:
        return Grants()
    rules, last, lanes = state.setup.rules, state.last_count, state.setup.lanes
    before = {team: last.before if last and last.team == team else state for team in lanes}
    return Grants(
        penalty_to=rules.penalty_to,
        takers=tuple(team for team in lanes if not state.side(team).boxed),
        erring=tuple(team for team in lanes if muggins_applies(before[team], team)),
        overcalled=rules.muggins_counts == "missed-and-overcalled",
        last_count=last.team if last else None,
        claims=True,
    )
