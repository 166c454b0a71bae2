"""Counts that sides declare, and calls of muggins against them."""

from typing import Literal

import pytest

from companion.errors import RuleError
from companion.rules.deal.declared_count import (
    DeclaredCount,
    corrections,
    declare,
    may_call,
    refuse_call,
)
from companion.rules.game import CountKind, Muggins, Overpeg


def awaited(actual: int = 6, why: CountKind = CountKind.HAND) -> DeclaredCount:
    """Return a count of side 1 that is awaited."""
    return DeclaredCount(side=1, seat=1, why=why, actual=actual)


def refusal(count: DeclaredCount, by: int, points: int) -> str | None:
    """Return the rule by which a call is refused."""
    with pytest.raises(RuleError) as refused:
        corrections(count, by, points, overcalls_score=True)
    return refused.value.rule


@pytest.mark.parametrize("points", [0, 6, 29])
def test_a_side_declares_its_own_count_once(points: int) -> None:
    """M1: 0 to 29 points (S5); it is open then."""
    count = declare(awaited(), 1, points)
    assert points == count.declared
    for declared, side, more in ((count, 1, 2), (awaited(), 2, 6), (awaited(), 1, 30)):
        with pytest.raises(RuleError):
            declare(declared, side, more)


@pytest.mark.parametrize(
    ("why", "where"), [(CountKind.PLAY, "play"), (CountKind.HAND, "show"), (CountKind.CRIB, "show")]
)
def test_missed_points_go_to_the_side_that_calls_them(
    why: CountKind, where: Literal["play", "show"]
) -> None:
    """M1, M2: the exact difference, by whichever house rule."""
    count = declare(awaited(6, why), 1, 4)
    for overcalls_score in (False, True):
        call = corrections(count, 2, 2, overcalls_score=overcalls_score)[0]
        assert Muggins(erring=1, by=2, points=2, where=where, kind="missed") == call


def test_points_too_many_go_by_the_house_rule() -> None:
    """M2: the caller takes them; where only missed points score they are put right (N11)."""
    count = declare(awaited(6), 1, 8)
    call = corrections(count, 2, 2, overcalls_score=True)[0]
    assert isinstance(call, Muggins)
    assert ("overcalled", 2, 2) == (call.kind, call.points, call.by)
    assert Overpeg(side=1, extra=2) == corrections(count, 2, 2, overcalls_score=False)[0]


def test_a_call_must_be_right_and_is_made_once() -> None:
    """M1: another number is refused, and so is any call of that side after it."""
    count = declare(awaited(6), 1, 4)
    assert ["M1"] * 3 == [refusal(count, 2, points) for points in (0, 1, 3)]
    assert "M1" == refusal(declare(awaited(6), 1, 6), 2, 1)
    once = refuse_call(count, 2)
    assert [False, False, True] == [may_call(once, side) for side in (1, 2, 3)]
    assert "M1" == refusal(once, 2, 2)
    assert isinstance(corrections(once, 3, 2, overcalls_score=True)[0], Muggins)


def test_only_an_open_count_can_be_called() -> None:
    """Neither one that is awaited nor one that has been corrected."""
    assert not may_call(awaited(), 2)
    assert "M1" == refusal(awaited(), 2, 6)
