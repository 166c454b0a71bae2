"""Choices that the referee has in the present state of a game, by its house rules."""

from dataclasses import dataclass

from companion.rules.game.decide import muggins_applies
from companion.rules.game.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Grants:
    """The choices that a referee's forms offer; after a win there are none.

    Attributes:
        penalty_to: the value of the house rule of this name.
        takers: the sides that may take points; a side in a penalty box may not (rule Z7).
        erring: the sides against which muggins may be called (M3).
        overcalled: True if points counted too many may be called too (M2).
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
