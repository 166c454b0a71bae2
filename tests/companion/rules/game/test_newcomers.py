"""Three sides with one of them in a penalty box: newcomers, the deal, coming out again."""

import dataclasses

from companion.rules.game import Deal, Peg
from tests.companion.rules.game.tables import NO_SKUNKS, Table, one_boxed

ON_TRACK = dataclasses.replace(NO_SKUNKS, occupant_advance="track")


def test_a_newcomer_goes_back_and_the_third_goes_on() -> None:
    """Z8: folded and sent back; the third side gets the 20; the boxed one a hand less."""
    table = one_boxed()
    events = table.do(Peg(side=2, points=7))
    kinds = ["counted", "folded", "sent_back", "awarded", "box_moved"]
    assert kinds == [event.kind for event in events]
    assert [2, 2, 2, 3, 1] == [event.side for event in events]
    assert "Z8" == events[4].rule
    assert (192, 205) == table.pegs(2)
    assert (70, 50) == table.pegs(3)
    assert (23, 15) == table.pegs(1)
    assert 2 == table.hands(1)
    assert table.hands(2) is None


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
