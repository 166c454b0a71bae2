"""Counts whose points sides declare if muggins is played, and calls of muggins on these counts.

A declared count goes through these stages:

    awaited --declare--> open --corrected--> settled
                         open --call refused--> open, but not to the caller

Sides can call muggins on an open count, until the next count is declared. The program knows the
points of the cards. A call is right if it names the exact difference between these points and the
declared ones. A side has one call for each count: it cannot find the difference by trying.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec import structs

from companion.errors import RuleError
from companion.rules.game import CountKind, Muggins, Overpeg
from companion.rules.game.turn import refuse_points

DECLARED_KINDS = (CountKind.PLAY, CountKind.HAND, CountKind.CRIB)  # without HEELS, GO, LAST
"""Counts that sides declare; the program itself counts heels, go and last card (rules M2, M4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredCount:
    """Count of a card played or of cards shown, which its side declares.

    Attributes:
        side: the side that counts.
        seat: the player whose cards are counted, by the number of the seat.
        actual: the points that the cards make.
        declared: the points that the side declares; None until it does.
        refused: the sides whose call was wrong.
        corrected: True after a right call.
    """

    side: int
    seat: int
    why: CountKind
    actual: int
    declared: int | None = None
    refused: frozenset[int] = frozenset()
    corrected: bool = False


def declare(count: DeclaredCount, side: int, points: int) -> DeclaredCount:
    """Return the count with the points that its side declares, 0 to 29 (M1, S5)."""
    if count.declared is not None or side != count.side:
        raise RuleError("{side} counts now", rule="M1", side=count.side)
    refuse_points(points, least=0)
    return replace(count, declared=points)


def may_call(count: DeclaredCount, side: int) -> bool:
    """Return True if a side may call muggins on the count (M1)."""
    is_open = count.declared is not None and not count.corrected
    return is_open and side != count.side and side not in count.refused


def refuse_call(count: DeclaredCount, by: int) -> DeclaredCount:
    """Return the count after a wrong call; the side `by` may not call again."""
    return replace(count, refused=count.refused | {by})


def corrections(
    count: DeclaredCount, by: int, points: int, *, overcalls_score: bool
) -> tuple[Muggins | Overpeg, ...]:
    """Return the commands from which the caller of muggins may choose (M1 to M3).

    There are two (keep the points, or give them back), or one that only reduces the count.

    Args:
        count: the count against which muggins is called.
        by: the side that calls.
        points: the difference that this side names.
        overcalls_score: True if the caller also takes points that were counted too many
            (`muggins_counts` is missed-and-overcalled). If False, the count is only reduced (N11).

    Raises:
        RuleError: the side may not call, or the cards do not make that difference.
    """
    if not may_call(count, by) or count.declared is None:
        raise RuleError("there is no count on which {side} can call muggins", rule="M1", side=by)
    if abs(count.actual - count.declared) != points or not points:
        raise RuleError(
            "{side} did not miscount by {points}: the cards show another difference",
            points=points,
            rule="M1",
            side=count.side,
        )
    missed = count.actual > count.declared
    if not missed and not overcalls_score:
        return (Overpeg(side=count.side, extra=points),)
    kept = Muggins(
        erring=count.side,
        by=by,
        points=points,
        where="play" if count.why is CountKind.PLAY else "show",
        kind="missed" if missed else "overcalled",
    )
    return kept, structs.replace(kept, given_back=True)
