"""Three sides with one of them in a penalty box: newcomers, the deal, coming out again."""

from __future__ import annotations

import dataclasses

from companion.board.track import Track
from companion.rules.game import Deal, MoveInBox, Peg
from tests.companion.rules.game.tables import NO_SKUNKS, Table, one_boxed
from tests.support.tracks import penalty_box

ON_TRACK = dataclasses.replace(NO_SKUNKS, occupant_advance="track")


def test_a_newcomer_goes_back_and_the_third_goes_on() -> None:
    """Z8: folded and sent back; the third side gets the 20; the boxed one a hand less."""
    table = one_boxed()
    events = table.do(Peg(team=2, points=7))
    kinds = ["counted", "folded", "sent_back", "awarded", "box_moved"]
    assert kinds == [event.kind for event in events]
    assert [2, 2, 2, 3, 1] == [event.team for event in events]
    assert "Z8" == events[4].rule
    assert (192, 205) == table.pegs(2)
    assert (70, 50) == table.pegs(3)
    assert (23, 15) == table.pegs(1)
    assert 2 == table.hands(1)
    assert table.hands(2) is None


def test_a_newcomer_uses_up_no_move() -> None:
    """Z8: the hand a newcomer takes off the stay is on top of the boxed side's own move."""
    table = one_boxed()
    table.deal()
    table.peg(2, 7)
    assert ["box_moved"] == table.move_in_box(1)
    assert 1 == table.hands(1)
    other = one_boxed()
    other.deal()
    other.move_in_box(1)
    other.peg(2, 7)
    assert 1 == other.hands(1)
    assert "Z7" == other.refusal(MoveInBox(team=1))


def test_any_box_is_occupied() -> None:
    """Z8: a box is occupied until the deal that frees its side, the last hand served or not."""
    table = one_boxed()
    for _ in range(3):
        table.deal()
        table.move_in_box(1)
    assert ["counted", "folded", "sent_back", "awarded"] == table.peg(2, 7)
    assert 0 == table.hands(1)
    table.deal()
    assert ["counted", "folded", "boxed"] == table.peg(2, 20)


def test_a_newcomer_may_serve_the_last_hand() -> None:
    """Z8: at 0 by a newcomer's coming there is no own move left; the next deal sets it free."""
    table = one_boxed()
    for _ in range(2):
        table.deal()
        table.move_in_box(1)
    table.deal()
    table.peg(2, 7)
    assert 0 == table.hands(1)
    assert "Z7" == table.refusal(MoveInBox(team=1))
    assert ["released", "dealt"] == table.deal()


def test_the_occupant_may_advance_on_the_track() -> None:
    """Z8: with `occupant_advance = "track"` no hand is saved; released, it goes one hole on."""
    table = one_boxed(ON_TRACK)
    table.peg(2, 7)
    assert 3 == table.hands(1)
    assert (22, 15) == table.pegs(1)
    for _ in range(3):
        table.deal()
        table.move_in_box(1)
    (released, _) = table.do(Deal())
    assert (24, 25) == (released.origin, released.to)
    assert (25, 15) == table.pegs(1)


def test_served_or_not_it_advances_on_the_track() -> None:
    """Z8: the hole on the track is owed to a boxed side that has sat all its hands, too."""
    table = one_boxed(ON_TRACK)
    for _ in range(3):
        table.deal()
        table.move_in_box(1)
    table.peg(2, 7)
    table.deal()
    assert (25, 15) == table.pegs(1)


def test_each_newcomer_is_worth_a_hole_on_the_track() -> None:
    """Z8: two newcomers, two holes; a release onto the finish of a short game wins it (Z12)."""
    rules = dataclasses.replace(ON_TRACK, game_to=26)
    track = Track(finish=90, lanes=3, zones=(penalty_box("box", 22),))
    table = Table(track, rules, seats=(3, 3), stand={1: 15})
    table.peg(1, 7)
    table.peg(2, 22)
    table.peg(3, 4)
    for _ in range(3):
        table.deal()
        table.move_in_box(1)
    assert ["released", "won"] == table.deal()
    assert (26, 15) == table.pegs(1)


def test_a_newcomers_award_may_win() -> None:
    """Z12: when the third side's 20 win, the boxed side's hand is not taken off any more."""
    table = Table(seats=(3, 3), stand={1: 15, 2: 205, 3: 350})
    table.peg(1, 7)
    assert ["counted", "folded", "sent_back", "awarded", "won"] == table.peg(2, 7)
    assert 3 == table.hands(1)


def test_the_deal_skips_a_boxed_side() -> None:
    """Z11: none of a boxed side's seats deals while it has hands to sit."""
    table = one_boxed(players=6)
    dealers = []
    for _ in range(4):
        table.deal()
        dealers.append(table.state.dealer)
    assert [2, 3, 5, 6] == dealers


def test_a_boxed_side_cannot_be_named_dealer() -> None:
    """Z11: nor can the table name one of its seats."""
    assert "Z11" == one_boxed(players=6).refusal(Deal(dealer=4))


def test_the_deal_that_frees_a_side_may_be_its_own() -> None:
    """Z11: with its hands sat a side is dealt in again, and its seat may deal."""
    table = one_boxed()
    for dealer in (2, 3, 2):
        table.deal()
        table.move_in_box(1)
        assert dealer == table.state.dealer
    table.deal()
    assert 3 == table.state.dealer
    table.deal()
    assert 1 == table.state.dealer


def test_the_freeing_deal_passes_to_the_freed_side() -> None:
    """Z11: a freed side whose turn it is deals the very hand that it comes back in."""
    table = one_boxed()
    table.deal()
    for _ in range(3):
        table.deal()
        table.move_in_box(1)
    assert 3 == table.state.dealer
    table.deal()
    assert 1 == table.state.dealer
