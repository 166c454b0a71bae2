"""Two points for what somebody did wrong: who may take them, and that they are a count."""

import dataclasses

import pytest

from companion.rules.game import HouseRules, Overpeg, Peg, Penalty
from companion.rules.game.house_rules import preset
from tests.companion.rules.game.tables import NO_SKUNKS, Table, one_boxed
from tests.support.tracks import CLASSIC


def three_sides(rules: HouseRules = NO_SKUNKS) -> Table:
    """Three sides with nothing near them, the first of which will do something wrong."""
    return Table(rules=rules, seats=(3, 3), stand={1: 26, 2: 50, 3: 70})


def fine(rule: str, *taken: int, by: int = 1) -> Penalty:
    """A penalty as the page gives it."""
    return Penalty(rule=rule, by=by, taken=taken)


def test_one_side_takes_and_another_declines() -> None:
    """N16: only who wants the two points moves."""
    table = three_sides()
    assert ["penalised", "counted"] == table.kinds(fine("N16", 3))
    assert [(26, 0), (50, 0), (72, 70)] == [table.pegs(side) for side in (1, 2, 3)]


def test_the_two_points_are_a_count_for_that_rule() -> None:
    """N9: the events tell the offence, then each taker's count of two, in the order given."""
    events = three_sides().do(fine("N9", 3, 2))
    assert [(1, None, "N9"), (3, 2, "N9"), (2, 2, "N9")] == [
        (event.side, event.points, event.rule) for event in events
    ]


def test_the_two_points_land() -> None:
    """N12: a penalty lands as any count does (Z1)."""
    table = Table(stand={1: 26, 2: 40})
    assert ["penalised", "counted", "slid"] == table.kinds(fine("N12", 2))
    assert (62, 40) == table.pegs(2)


def test_the_two_points_take_the_blue_path() -> None:
    """N12: a penalty is the next count of a peg in a time trap (Z3)."""
    table = Table(stand={2: 131}, landed=(2,))
    table.do(fine("N12", 2))
    assert ("trap-1:2", 131) == table.pegs(2)


def test_what_one_landing_does_the_next_taker_meets() -> None:
    """N15: with the second side put into a box, the third is sent back by Z8, not boxed."""
    table = Table(seats=(3, 3), stand={1: 100, 2: 20, 3: 20})
    kinds = ["penalised", "counted", "folded", "boxed"]
    kinds += ["counted", "folded", "sent_back", "awarded", "box_moved"]
    assert kinds == table.kinds(fine("N15", 2, 3))
    assert (23, 2, 120) == (table.pegs(2)[0], table.pegs(3)[0], table.pegs(1)[0])
    assert 2 == table.hands(2)


def test_the_first_taker_may_win() -> None:
    """N3: all play stops at the win (G2), so who would have taken after it gets nothing."""
    table = Table(seats=(3, 3), stand={1: 9, 2: 361, 3: 362})
    assert ["penalised", "counted", "won"] == table.kinds(fine("N3", 3, 2))
    assert (3, (361, 0)) == (table.state.winner, table.pegs(2))
    assert "G2" == table.refusal(fine("N3", 2))
    table.undo()
    assert (None, (362, 0)) == (table.state.winner, table.pegs(3))


def test_two_points_too_long_for_an_exact_finish() -> None:
    """N5: one hole before an exact finish the two points are forfeited (G2)."""
    rules = dataclasses.replace(NO_SKUNKS, finish="exact")
    table = Table(CLASSIC, rules, stand={2: 120})
    assert ["penalised", "forfeited"] == table.kinds(fine("N5", 2))
    assert (120, 0) == table.pegs(2)


def test_a_boxed_side_takes_nothing() -> None:
    """N8: a boxed side's peg cannot move (Z7), so nobody moves at all."""
    assert "Z7" == one_boxed().refusal(fine("N8", 3, 1, by=2))


def test_a_side_that_has_sat_its_hands_takes_nothing_yet() -> None:
    """N8: until the deal that frees it a side's peg is refused (Z7)."""
    table = one_boxed()
    for _ in range(3):
        table.deal()
        table.move_in_box(1)
    assert "Z7" == table.refusal(fine("N8", 1, by=2))
    table.deal()
    assert ["penalised", "counted"] == table.kinds(fine("N8", 1, by=2))


def test_a_folded_side_may_take() -> None:
    """N9: a fold is of hand and crib, not of what others do wrong (Z5)."""
    table = Table(stand={1: 15, 2: 80})
    table.peg(1, 7)
    assert ["penalised", "counted"] == table.kinds(fine("N9", 1, by=2))
    assert (4, 2) == table.pegs(1)


def test_a_boxed_side_may_do_wrong() -> None:
    """N16: who sits in a box can still handle the deck."""
    assert ["penalised", "counted"] == one_boxed().kinds(fine("N16", 2))


@pytest.mark.parametrize("taken", [(1,), (2, 1), (2, 2), (2, 3, 2)])
def test_each_other_side_once(taken: tuple[int, ...]) -> None:
    """N12: neither the offender takes points for it, nor anybody twice."""
    assert "N12" == three_sides().refusal(fine("N12", *taken))


@pytest.mark.parametrize(("by", "taken"), [(3, (1,)), (0, ()), (1, (3,)), (1, (2, 4))])
def test_only_sides_that_play(by: int, taken: tuple[int, ...]) -> None:
    """T1: a side that takes no part neither does wrong nor takes for it."""
    assert "T1" == Table().refusal(fine("N12", *taken, by=by))


@pytest.mark.parametrize("rule", ["N0", "N18", "n3", "M1", ""])
def test_no_such_penalty(rule: str) -> None:
    """N: a number that is none of the referee's is refused without one."""
    assert three_sides().refusal(fine(rule)) is None


@pytest.mark.parametrize("name", ["crib-wars", "classic-121", "classic-61", "lurch", "family"])
def test_presets_with_points(name: str) -> None:
    """N3: wherever the house gives them, the opponent has the two points."""
    table = three_sides(dataclasses.replace(preset(name), game_to=None))
    assert ["penalised", "counted", "counted"] == table.kinds(fine("N3", 2, 3))


def test_a_house_that_gives_nobody_points() -> None:
    """N3: where `penalty_to` is nobody no points are taken; what happened may still be told."""
    table = Table(CLASSIC, preset("electronic"), stand={1: 5, 2: 5})
    assert "N3" == table.refusal(fine("N3", 2))
    assert ["penalised"] == table.kinds(fine("N3"))


def test_a_penalty_is_a_count_of_the_game() -> None:
    """T2: with two points taken the first count is made, and the next deal begins a hand."""
    table = Table()
    table.do(fine("N3"))
    table.deal()
    assert 1 == table.state.hand
    table.do(fine("N3", 2))
    table.deal()
    assert 2 == table.state.hand


def test_points_taken_since_let_an_earlier_count_stand() -> None:
    """N11: a penalty is a count of another side, so the count before it stands."""
    table = three_sides()
    table.peg(1, 5)
    table.do(fine("N9", 2))
    assert "N11" == table.refusal(Overpeg(side=1, extra=1))


def test_points_declined_leave_the_last_count_the_last() -> None:
    """N11: where nobody took any there was no count, and the last one can be put right."""
    table = three_sides()
    table.peg(1, 5)
    table.do(fine("N9"))
    assert ["overpegged", "counted"] == table.overpeg(1, 2)
    assert (29, 26) == table.pegs(1)


def test_too_many_pegged_for_a_penalty() -> None:
    """N11: what is left of a penalty put right is still for that penalty, and no cards."""
    table = three_sides()
    table.do(fine("N9", 2))
    events = table.do(Overpeg(side=2, extra=1))
    assert (51, 50) == table.pegs(2)
    assert [("overpegged", "N11", 1), ("counted", "N9", 1)] == [
        (event.kind.value, event.rule, event.points) for event in events
    ]


def test_a_count_after_a_penalty() -> None:
    """P7: the two points and the next count are two counts, and never one."""
    table = Table(stand={1: 26, 2: 38})
    table.do(fine("N9", 2))
    assert ["counted", "slid"] == table.kinds(Peg(side=2, points=2))
