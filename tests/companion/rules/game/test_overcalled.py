"""Muggins: points counted that were not there, put right and given to who calls them."""

import dataclasses

from msgspec import structs

from companion.rules.game import Penalty
from tests.companion.rules.game.calls import EVERYWHERE, counted, missed, overcalled
from tests.companion.rules.game.tables import Table, one_boxed


def test_overcalled_points_go_to_the_caller() -> None:
    """M2: who called too many goes back to the actual points, the caller pegs the difference."""
    table = counted(12)
    events = table.do(overcalled(4))
    assert [
        ("penalised", 1, 4, "M2"),
        ("overpegged", 1, 4, "M2"),
        ("counted", 1, 8, "P7"),
        ("counted", 2, 4, "M2"),
    ] == [(event.kind.value, event.side, event.points, event.rule) for event in events]
    assert [(8, 0), (54, 50)] == [table.pegs(1), table.pegs(2)]


def test_too_few_called_is_kept() -> None:
    """M2: who called too few keeps what was pegged."""
    table = counted(5)
    table.do(missed(3))
    assert (5, 0) == table.pegs(1)


def test_the_actual_points_land_anew() -> None:
    """M2: the count is replayed with the actual points, which may end in a zone."""
    table = counted(5, start=40)
    kinds = ["penalised", "overpegged", "counted", "slid", "counted"]
    assert kinds == table.kinds(overcalled(3))
    assert [(62, 40), (53, 50)] == [table.pegs(1), table.pegs(2)]


def test_all_of_it_was_overcalled() -> None:
    """M2: a count of nothing goes back to where it began."""
    table = counted(5)
    table.do(overcalled(5))
    assert [(0, 0), (55, 50)] == [table.pegs(1), table.pegs(2)]


def test_the_actual_points_may_win() -> None:
    """M2: if what the actual count brings ends the game, the caller pegs nothing (Z12)."""
    rules = dataclasses.replace(EVERYWHERE, finish="exact")
    table = counted(5, rules, start=360)
    assert ["penalised", "overpegged", "counted", "won"] == table.kinds(overcalled(2))
    assert (50, 0) == table.pegs(2)


def test_only_the_last_count_of_all() -> None:
    """M2: once another count has come the overcalled one stands."""
    table = counted(5)
    table.peg(2, 3)
    assert "M2" == table.refusal(overcalled(1))


def test_no_count_yet() -> None:
    """M2: where nobody has counted nobody has called too many."""
    assert "M2" == Table(rules=EVERYWHERE).refusal(overcalled(1))


def test_no_more_than_was_counted() -> None:
    """M2: what was too much is at most the count."""
    assert "M2" == counted(5).refusal(overcalled(6))


def test_only_where_the_house_counts_it() -> None:
    """M2: with `muggins_counts` missed, too many is a matter of N11 alone."""
    rules = dataclasses.replace(EVERYWHERE, muggins_counts="missed")
    assert "M2" == counted(5, rules).refusal(overcalled(1))


def test_a_penalty_is_never_overcalled() -> None:
    """M2: the last count was two points for a penalty, and no cards."""
    table = Table(rules=EVERYWHERE)
    table.do(Penalty(rule="N9", by=2, taken=(1,)))
    assert "M2" == table.refusal(overcalled(1))


def test_a_penalty_put_right_is_never_overcalled() -> None:
    """M2: a penalty that was pegged as too much and put right is still no count of cards."""
    table = Table(rules=EVERYWHERE)
    table.do(Penalty(rule="N9", by=2, taken=(1,)))
    table.overpeg(1, 1)
    assert "M2" == table.refusal(overcalled(1))


def test_a_forfeited_penalty_is_never_overcalled() -> None:
    """M2: two points too long for an exact finish (G2) were no cards either."""
    table = Table(rules=dataclasses.replace(EVERYWHERE, finish="exact"), stand={1: 362})
    table.do(Penalty(rule="N9", by=2, taken=(1,)))
    assert "M2" == table.refusal(overcalled(1))


def test_muggins_is_never_overcalled() -> None:
    """M2: nor are points that were called, so muggins does not go round."""
    table = Table(rules=EVERYWHERE)
    table.do(missed(4, erring=2, by=1))
    assert "M2" == table.refusal(overcalled(1))


def test_an_extra_taken_is_never_overcalled() -> None:
    """M2: nor is what another side had pegged too many (N11)."""
    table = counted(5)
    table.overpeg(1, 2, 2)
    table.overpeg(2, 1, 1)
    assert "M2" == table.refusal(overcalled(1))


def test_what_is_left_of_a_count_may_be_overcalled() -> None:
    """M2: a count of cards put right is still one, and may have been too much again."""
    table = counted(9)
    table.overpeg(1, 2)
    table.do(overcalled(3))
    assert [(4, 0), (53, 50)] == [table.pegs(1), table.pegs(2)]


def test_a_boxed_caller_pegs_nothing() -> None:
    """M2: nothing is put right for a caller whose peg is refused (Z7)."""
    table = one_boxed(EVERYWHERE)
    table.peg(2, 5)
    command = structs.replace(overcalled(2, by=1), erring=2)
    assert "Z7" == table.refusal(command)


def test_an_overcall_is_taken_back_at_once() -> None:
    """M2: one undo takes back what was put right with what the caller pegged."""
    table = counted(12)
    before = table.state
    table.do(overcalled(4))
    table.undo()
    assert before is table.state
