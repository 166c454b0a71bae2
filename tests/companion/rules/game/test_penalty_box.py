"""The penalty box: folds, minus and plus 20, hands to sit, release."""

import dataclasses

import pytest

from companion.board.track import Track
from companion.rules.game import MoveInBox, Peg
from tests.companion.rules.game.tables import NO_SKUNKS, Table, one_boxed
from tests.support.tracks import penalty_box, slide, trap

BACK_LANDS = dataclasses.replace(NO_SKUNKS, back_lands=True)


def test_landing_in_the_box_folds() -> None:
    """Z5: the side folds hand and crib; its counts are refused until the next deal."""
    table = Table(stand={1: 15, 2: 80})
    table.peg(1, 7)
    assert table.state.pegs(1).folded
    assert "Z5" == table.refusal(Peg(side=1, points=2))
    assert ["counted"] == table.peg(2, 5)
    table.deal()
    assert not table.state.pegs(1).folded
    assert ["counted"] == table.peg(1, 2)


def test_the_partners_hand_too() -> None:
    """Z5: with partners the fold is the whole side's, for it counts on one pair of pegs."""
    table = Table(seats=(2, 4), stand={1: 15})
    table.peg(1, 8)
    assert table.state.pegs(1).folded
    assert "Z5" == table.refusal(Peg(side=1, points=1))


def test_two_sides_minus_and_plus_20() -> None:
    """Z6: counted, folded, sent back, awarded; 15, then 22, back to 2: front 2 and back 15."""
    table = Table(stand={1: 15, 2: 80})
    events = table.do(Peg(side=1, points=7))
    assert ["counted", "folded", "sent_back", "awarded"] == [event.kind for event in events]
    assert ["P7", "Z5", "Z6", "Z6"] == [event.rule for event in events]
    assert [1, 1, 1, 2] == [event.side for event in events]
    assert [(15, 22), (22, 22), (22, 2), (80, 100)] == [(e.origin, e.to) for e in events]
    assert (2, 15) == table.pegs(1)
    assert (100, 80) == table.pegs(2)


def test_the_other_side_plays_on() -> None:
    """Z6: the other side finishes its pegging and counting; nobody is boxed."""
    table = Table(stand={1: 15, 2: 80})
    table.peg(1, 7)
    assert table.hands(1) is None
    table.peg(2, 3)
    table.peg(2, 12)
    assert (115, 103) == table.pegs(2)


def test_both_may_fold_in_one_hand() -> None:
    """Z6: a side that folded earlier still gets its 20 when the other one lands in a box."""
    table = Table(stand={1: 15, 2: 185})
    table.peg(1, 7)
    table.peg(2, 7)
    assert (192, 205) == table.pegs(2)
    assert (25, 2) == table.pegs(1)


@pytest.mark.parametrize(("box", "points", "front"), [(8, 3, 0), (20, 15, 0), (21, 16, 1)])
def test_back_to_the_start_at_most(box: int, points: int, front: int) -> None:
    """Z10: minus 20 ends at the start, not before it."""
    table = Table(Track(finish=90, lanes=2, zones=(penalty_box("box", box),)), stand={1: 5})
    table.peg(1, points)
    assert (front, 5) == table.pegs(1)


def test_minus_20_retraces_no_path() -> None:
    """Z10: it counts down the main track, also for a count that came by a side path."""
    zones = (trap("blue", 40, 30, path=2), penalty_box("box", 33))
    table = Table(Track(finish=90, lanes=2, zones=zones), stand={1: 40}, landed=(1,))
    assert ["counted", "folded", "sent_back", "awarded"] == table.peg(1, 6)
    assert (13, 40) == table.pegs(1)


def test_minus_20_lands_nowhere() -> None:
    """Z10: a peg set back onto a trap is not trapped, and its next count stays on the track."""
    zones = (trap("blue", 10, 3), penalty_box("box", 30))
    table = Table(Track(finish=90, lanes=2, zones=zones), stand={1: 25})
    assert ["counted", "folded", "sent_back", "awarded"] == table.peg(1, 5)
    table.deal()
    table.peg(1, 5)
    assert (15, 10) == table.pegs(1)


def test_minus_20_may_land() -> None:
    """Z10: with `back_lands` the landing is judged: a trap leads the next count astray."""
    zones = (trap("blue", 10, 3), penalty_box("box", 30))
    table = Table(Track(finish=90, lanes=2, zones=zones), BACK_LANDS, stand={1: 25})
    assert ["counted", "folded", "sent_back", "trapped", "awarded"] == table.peg(1, 5)
    table.deal()
    table.peg(1, 1)
    assert ("blue:1", 10) == table.pegs(1)


def test_minus_20_may_slide() -> None:
    """Z10: with `back_lands` a red box carries a peg that was set back onto it."""
    zones = (slide("red", 10, 40), penalty_box("box", 30))
    table = Table(Track(finish=90, lanes=2, zones=zones), BACK_LANDS, stand={1: 25})
    assert ["counted", "folded", "sent_back", "slid", "awarded"] == table.peg(1, 6)
    assert (41, 25) == table.pegs(1)


def test_minus_20_into_the_next_box() -> None:
    """Z10: with `back_lands` a second box sends back once more, and the 20 are given twice."""
    zones = (penalty_box("box-1", 30), penalty_box("box-2", 50))
    table = Table(Track(finish=90, lanes=2, zones=zones), BACK_LANDS, stand={1: 45})
    kinds = ["counted", "folded", "sent_back", "folded", "sent_back", "awarded", "awarded"]
    assert kinds == table.peg(1, 5)
    assert (10, 45) == table.pegs(1)
    assert (40, 20) == table.pegs(2)


def test_the_first_of_two_awards_may_win() -> None:
    """Z12: with `back_lands`, when the second box's 20 win the first one's are not given."""
    zones = (penalty_box("box-1", 30), penalty_box("box-2", 50))
    track = Track(finish=90, lanes=2, zones=zones)
    table = Table(track, BACK_LANDS, stand={1: 45, 2: 70})
    assert ["sent_back", "awarded", "won"] == table.peg(1, 5)[4:]
    assert (90, 70) == table.pegs(2)


def test_three_sides_the_first_is_boxed() -> None:
    """Z7: counted, folded, boxed: onto the box's first hole, with three hands to sit."""
    table = Table(seats=(3, 3), stand={1: 15})
    events = table.do(Peg(side=1, points=9))
    assert ["counted", "folded", "boxed"] == [event.kind for event in events]
    assert (24, 22, 3, "Z7") == (events[2].origin, events[2].to, events[2].points, events[2].rule)
    assert (22, 15) == table.pegs(1)
    assert 3 == table.hands(1)
    assert (0, 0) == table.pegs(2)


def test_a_boxed_side_counts_nothing() -> None:
    """Z7: a boxed side's counts are refused, in the hand of entry and in every later one."""
    table = one_boxed()
    assert "Z7" == table.refusal(Peg(side=1, points=2))
    for _ in range(3):
        table.deal()
        assert "Z7" == table.refusal(Peg(side=1, points=2))
        table.move_in_box(1)
    assert "Z7" == table.refusal(Peg(side=1, points=2))


def test_the_hand_of_entry_does_not_count() -> None:
    """Z7: there is no move in the box in the hand of entry."""
    assert "Z7" == one_boxed().refusal(MoveInBox(side=1))


def test_one_move_a_hand() -> None:
    """Z7: each later hand takes one move, which lowers the hands to sit at once."""
    table = one_boxed()
    table.deal()
    assert 3 == table.hands(1)
    assert ["box_moved"] == table.move_in_box(1)
    assert 2 == table.hands(1)
    assert "Z7" == table.refusal(MoveInBox(side=1))


def test_a_forgotten_move_costs_a_hand() -> None:
    """Z7: a hand without a move lowers nothing, so the stay is one hand longer."""
    table = one_boxed()
    table.deal()
    table.deal()
    assert 3 == table.hands(1)
    table.move_in_box(1)
    assert 2 == table.hands(1)
    assert "Z7" == table.refusal(MoveInBox(side=1))


def test_released_it_has_not_landed() -> None:
    """Z7: a released peg stands in the box and plays on from there."""
    table = one_boxed()
    for _ in range(3):
        table.deal()
        table.move_in_box(1)
    table.deal()
    assert ["counted"] == table.peg(1, 5)
    assert (29, 24) == table.pegs(1)


def test_at_most_the_last_hole_of_the_box() -> None:
    """Z7: in a box of one hole the peg stays put while the hands are sat."""
    track = Track(finish=90, lanes=3, zones=(penalty_box("box", 20, size=1),))
    table = Table(track, seats=(3, 3), stand={1: 15})
    table.peg(1, 5)
    table.deal()
    assert ["box_moved"] == table.move_in_box(1)
    assert (20, 15) == table.pegs(1)
    assert 2 == table.hands(1)


def test_who_is_in_no_box_has_no_move() -> None:
    """Z7: only a boxed side moves in the box."""
    assert "Z7" == one_boxed().refusal(MoveInBox(side=2))
    assert "Z7" == Table().refusal(MoveInBox(side=1))


def test_a_move_in_the_box_may_reach_the_finish() -> None:
    """Z12: in a short game whose finish lies in a box, the peg that is moved onto it wins."""
    rules = dataclasses.replace(NO_SKUNKS, game_to=23)
    table = Table(rules=rules, seats=(3, 3), stand={1: 15})
    table.peg(1, 7)
    table.deal()
    assert ["box_moved", "won"] == table.move_in_box(1)
    assert 1 == table.state.winner
    assert (23, 15) == table.pegs(1)
