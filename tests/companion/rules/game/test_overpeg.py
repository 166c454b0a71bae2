"""Too many pegged: the last count set right, and who may take the rest."""

import dataclasses

import pytest

from companion.board.track import Track
from companion.rules.game import Deal, HouseRules, Overpeg, Peg
from tests.companion.rules.game.tables import NO_SKUNKS, Table
from tests.support.tracks import CLASSIC, penalty_box


def test_back_by_the_extra() -> None:
    """N11: the count is replayed from where it began with what it should have been."""
    table = Table()
    table.peg(1, 5)
    table.peg(1, 12)
    events = table.do(Overpeg(side=1, extra=4))
    assert ["overpegged", "counted"] == [event.kind for event in events]
    assert (17, 5, 4, "N11") == (events[0].origin, events[0].to, events[0].points, events[0].rule)
    assert (5, 13, 8) == (events[1].origin, events[1].to, events[1].points)
    assert (13, 5) == table.pegs(1)


def test_another_side_may_add_as_many() -> None:
    """N11: who takes the extra pegs it as a count, which lands as counts do (Z1)."""
    table = Table(stand={1: 30, 2: 40})
    table.peg(1, 5)
    assert ["overpegged", "counted", "counted", "slid"] == table.overpeg(1, 2, 2)
    assert (33, 30) == table.pegs(1)
    assert (62, 40) == table.pegs(2)


def test_a_fold_that_should_not_have_been() -> None:
    """N11: minus and plus 20 are taken back with the count that caused them."""
    table = Table(stand={1: 15, 2: 80})
    table.peg(1, 7)
    assert ["overpegged", "counted"] == table.overpeg(1, 1)
    assert (21, 15) == table.pegs(1)
    assert (80, 0) == table.pegs(2)
    assert not table.state.pegs(1).folded


def test_all_of_it_was_too_much() -> None:
    """N11: nothing left of a count is no count to land: both pegs stand as before it."""
    table = Table(stand={1: 131}, landed=(1,))
    table.peg(1, 6)
    assert ["overpegged", "counted"] == table.overpeg(1, 6)
    assert (131, 0) == table.pegs(1)
    table.peg(1, 7)
    assert (112, 131) == table.pegs(1)


def test_a_first_count_of_nothing_is_still_the_first() -> None:
    """N11: the hand goes on, so the next deal begins the second."""
    table = Table()
    table.peg(2, 3)
    table.overpeg(2, 3)
    table.deal()
    assert (2, 2) == (table.state.hand, table.state.dealer)


def test_what_is_left_may_be_too_much_again() -> None:
    """N11: the count set right is the last count, and can be set right once more."""
    table = Table()
    table.peg(1, 12)
    table.overpeg(1, 4)
    table.overpeg(1, 3)
    assert (5, 0) == table.pegs(1)
    assert "N11" == table.refusal(Overpeg(side=1, extra=6))


def test_a_forfeited_count_set_right() -> None:
    """N11: a count too long for an exact finish may turn out to be the one that wins."""
    table = Table(CLASSIC, HouseRules(finish="exact", skunk_at="off"), stand={1: 115})
    table.peg(1, 8)
    assert ["overpegged", "counted", "won"] == table.overpeg(1, 2, 2)
    assert (0, 0) == table.pegs(2)


def test_only_the_last_count() -> None:
    """N11: once another count has come, of whatever side, the earlier one stands."""
    table = Table()
    table.peg(1, 5)
    table.peg(2, 5)
    assert "N11" == table.refusal(Overpeg(side=1, extra=1))
    table.peg(1, 2)
    assert "N11" == table.refusal(Overpeg(side=2, extra=1))
    assert "N11" == table.refusal(Overpeg(side=1, extra=3))


def test_who_took_the_extra_counted_last() -> None:
    """N11: the points that were given away are the last count now."""
    table = Table()
    table.peg(1, 9)
    table.overpeg(1, 4, 2)
    assert "N11" == table.refusal(Overpeg(side=1, extra=1))
    table.overpeg(2, 1, 1)
    assert [(6, 5), (3, 0)] == [table.pegs(1), table.pegs(2)]


@pytest.mark.parametrize("extra", [0, -1, 6])
def test_no_more_than_was_counted(extra: int) -> None:
    """N11: the extra is at least 1 and at most the count."""
    table = Table()
    table.peg(1, 5)
    assert "N11" == table.refusal(Overpeg(side=1, extra=extra))


def test_nothing_counted_yet() -> None:
    """N11: without a count there is nothing to set right."""
    assert "N11" == Table().refusal(Overpeg(side=1, extra=1))


def test_nobody_takes_their_own() -> None:
    """N11: the extra goes to another side, or to nobody."""
    table = Table()
    table.peg(1, 5)
    assert "N11" == table.refusal(Overpeg(side=1, extra=1, taken_by=1))


@pytest.mark.parametrize(("side", "taken_by"), [(3, None), (1, 3)])
def test_only_sides_at_the_table(side: int, taken_by: int | None) -> None:
    """N11: neither who pegged nor who takes may be a side that does not play (T1)."""
    table = Table()
    table.peg(1, 5)
    assert "T1" == table.refusal(Overpeg(side=side, extra=1, taken_by=taken_by))


def test_a_deal_since_stands() -> None:
    """N11: a deal that came after the count is kept, with its dealer and its hand."""
    table = Table(seats=(3, 3))
    table.peg(1, 5)
    table.deal(3)
    assert ["overpegged", "counted", "dealt"] == table.overpeg(1, 2)
    assert (2, 3) == (table.state.hand, table.state.dealer)
    assert (3, 0) == table.pegs(1)


def test_a_stay_that_should_not_have_been() -> None:
    """N11: with the stay in the box go the moves that were made in it."""
    table = Table(seats=(3, 3), stand={1: 15})
    table.peg(1, 7)
    table.deal()
    table.move_in_box(1)
    assert ["overpegged", "counted", "dealt"] == table.overpeg(1, 1)
    assert table.hands(1) is None
    assert (21, 15) == table.pegs(1)


def test_a_boxed_side_takes_nothing() -> None:
    """N11: a boxed side's pegs are refused (Z7) here too."""
    table = Table(seats=(3, 3), stand={1: 15})
    table.peg(1, 7)
    table.peg(2, 5)
    assert "Z7" == table.refusal(Overpeg(side=2, extra=1, taken_by=1))


def test_a_folded_side_may_take() -> None:
    """N11: a fold is of hand and crib; a side that folded may take another's extra."""
    table = Table(stand={1: 15, 2: 80})
    table.peg(1, 7)
    table.peg(2, 5)
    table.overpeg(2, 2, 1)
    assert (4, 2) == table.pegs(1)


def test_an_award_is_no_count() -> None:
    """N11: the 20 of the other side are part of the count that gave them."""
    table = Table(stand={1: 15, 2: 80})
    table.peg(1, 7)
    assert "N11" == table.refusal(Overpeg(side=2, extra=1))
    assert ["overpegged", "counted"] == table.overpeg(1, 7)


def test_a_forfeited_award_is_no_count() -> None:
    """N11: an award too long for an exact finish leaves the offender's count the last."""
    rules = dataclasses.replace(NO_SKUNKS, finish="exact")
    table = Table(rules=rules, stand={1: 15, 2: 350})
    table.peg(1, 7)
    assert "N11" == table.refusal(Overpeg(side=2, extra=1))
    assert ["overpegged", "counted"] == table.overpeg(1, 1)


def test_a_win_stands() -> None:
    """N11: after the win no count is set right (G2); the undo is for that."""
    table = Table(stand={1: 360})
    table.peg(1, 4)
    assert "G2" == table.refusal(Overpeg(side=1, extra=2))


def test_a_count_set_right_may_win_for_another() -> None:
    """N11: if the smaller count's landing ends the game, nobody takes the extra (Z12)."""
    track = Track(finish=90, lanes=2, zones=(penalty_box("box", 30, size=1),))
    table = Table(track, stand={1: 25, 2: 75})
    table.peg(1, 6)
    kinds = ["overpegged", "counted", "folded", "sent_back", "awarded", "won"]
    assert kinds == table.overpeg(1, 1, 2)
    assert (90, 75) == table.pegs(2)
    assert "G2" == table.refusal(Peg(side=1, points=1))
    assert "G2" == table.refusal(Deal())
