"""Effects of the board on a deal: a side folds in the penalty box, a side wins."""

import pytest

from companion.errors import RuleError
from companion.rules.cards import DECK, Card
from companion.rules.deal import (
    ConfirmCount,
    CutStarter,
    Discard,
    Fold,
    Phase,
    Seating,
    Stop,
    new_deal,
)
from tests.companion.rules.deal.tables import (
    CRIB_OF_FOUR,
    CRIB_OF_TWO,
    FOUR,
    THREE,
    TWO,
    Table,
    play,
    played_from,
)


def test_a_card_lands_in_the_box() -> None:
    """Z5, Z6: the offender's hand and crib are out; the other side plays and counts alone."""
    table = played_from(TWO, dealer=2, crib=CRIB_OF_TWO)
    table.play("7H")
    assert ["2 8D 15", "2 pegs 2 play"] == table.do(play(2, "8D"))
    assert ["side 2 folds"] == table.do(ConfirmCount(folded=(2,)))
    assert [
        "1 6S 21",
        "1 pegs 3 play",
        "1 4D 25",
        "1 go",
        "1 pegs 1 go",
        "1 leads",
        "1 KC 10",
        "1 pegs 1 last",
        "1 shows 2",
        "1 pegs 2 hand",
    ] == table.play("6S 4D KC")
    assert Phase.OVER == table.state.phase


def test_no_go_point_for_a_folded_side() -> None:
    """Z5, P7: the go that would come after the count that landed in the box is not pegged."""
    table = played_from(TWO, dealer=2)
    table.play("7H 8D 6S 5S")
    table.do(play(1, "4D"))
    assert ["side 1 folds", "2 go", "2 leads"] == table.do(ConfirmCount(folded=(1,)))
    assert ["2 TD 10", "2 JS 20", "2 pegs 1 last"] == table.play("TD JS")[:3]


def test_a_go_point_lands_in_the_box() -> None:
    """Z5: who leads the next count is settled after the go point has landed."""
    table = played_from(TWO, dealer=2)
    table.play("7H 8D 6S 5S")
    table.do(play(1, "4D"))
    table.do(ConfirmCount())
    assert ["side 1 folds", "2 leads"] == table.do(ConfirmCount(folded=(1,)))


def test_a_folded_seat_plays_no_card() -> None:
    """Z5: folded cards are out of play."""
    table = played_from(TWO, dealer=2)
    table.play("7H")
    table.do(Fold(side=2))
    assert "Z5" == table.refused(play(2, "8D"))
    assert 1 == table.state.turn


def test_partners_fold_together() -> None:
    """Z5: the partner's hand is folded too."""
    table = played_from(FOUR, dealer=1)
    table.play("TH")
    table.do(play(3, "5C"))
    table.do(ConfirmCount(folded=(1,)))
    assert [True, False, True, False] == [table.state.hand(s).folded for s in (1, 2, 3, 4)]
    assert ["4 JH 25", "2 5D 30"] == table.play("JH 5D")[:2]


def test_the_other_side_keeps_the_dealers_crib() -> None:
    """Z5: only the folding side's own crib is folded with it."""
    table = played_from(FOUR, dealer=1, crib=CRIB_OF_FOUR)
    table.do(Fold(side=2))
    story = table.play("TD 6S 5C 4D 2C 4C 9S KH")
    assert ["3 shows 4", "3 pegs 4 hand", "1 shows 4", "1 pegs 4 hand"] == story[-6:-2]
    assert ["1 shows crib 7", "1 pegs 7 crib"] == story[-2:]


def test_a_hand_lands_in_the_box() -> None:
    """Z5: a hand that lands there is pegged; the crib after it is not, nor the partner's hand."""
    table = played_from(FOUR, dealer=1, crib=CRIB_OF_FOUR)
    table.play("TH 5C JH 6S TS TD 8S AC 2C 7D 4D 5D 9S 3S 4C")
    table.do(play(1, "KH"))
    assert ["2 shows 8", "2 pegs 8 hand"] == table.do(ConfirmCount())
    assert ["3 shows 4", "3 pegs 4 hand"] == table.do(ConfirmCount())
    assert ["side 1 folds", "4 shows 2", "4 pegs 2 hand"] == table.do(ConfirmCount(folded=(1,)))
    assert [] == table.do(ConfirmCount())
    assert Phase.OVER == table.state.phase


def test_no_heels_for_a_dealer_who_has_folded() -> None:
    """Z5, T7: a side that a penalty has folded before the cut throws its cards, and no more."""
    deck = [card for card in DECK if str(card) != "JS"]
    deck.insert(12, Card.parse("JS"))
    table = Table(new_deal(Seating.make(players=2, dealer=1), deck))
    table.do(Fold(side=1))
    for seat in (1, 2):
        table.do(Discard(seat=seat, cards=table.state.hand(seat).cards[:2]))
    assert ["starter JS"] == table.do(CutStarter(seat=2))
    assert (4, 2) == (len(table.state.crib), table.state.turn)


def test_three_sides_play_on() -> None:
    """Z7, P2: the turn passes over the folded side and goes round between the others."""
    table = played_from(THREE, dealer=3)
    table.play("KH")
    table.do(Fold(side=2))
    assert ["3 TH 20", "1 7S 27", "3 4D 31", "3 pegs 2 play", "1 leads"] == table.play("TH 7S 4D")


def test_everybody_folds() -> None:
    """Z5: with no hand left there is nothing to play or show."""
    table = played_from(TWO, dealer=2, crib=CRIB_OF_TWO)
    table.play("7H")
    table.do(play(2, "8D"))
    table.do(ConfirmCount(folded=(2,)))
    assert ["side 1 folds"] == table.do(Fold(side=1))
    assert Phase.OVER == table.state.phase


def test_a_penalty_folds_who_has_a_count_to_peg() -> None:
    """Z5: a side that folds before its count is pegged pegs it no more."""
    table = played_from(TWO, dealer=2)
    table.play("7H")
    table.do(play(2, "8D"))
    table.do(Fold(side=2))
    assert table.state.due is None
    assert 1 == table.state.turn


def test_a_penalty_folds_the_other_side() -> None:
    """P7: somebody else's fold does not take away a count that is due."""
    table = played_from(TWO, dealer=2)
    table.play("7H")
    table.do(play(2, "8D"))
    table.do(Fold(side=1))
    assert "P7" == table.refused(play(2, "5S"))
    assert [] == table.do(ConfirmCount())
    assert 2 == table.state.turn


@pytest.mark.parametrize(("rule", "side"), [("Z5", 2), ("T1", 3)])
def test_folds_that_cannot_be(rule: str, side: int) -> None:
    """Z5: a side folds once, and only one that is in the deal."""
    table = played_from(TWO, dealer=2)
    table.do(Fold(side=2))
    assert rule == table.refused(Fold(side=side))


def test_a_win_stops_everything() -> None:
    """G2, Z12: when somebody has won nothing more is played, pegged or shown."""
    table = played_from(TWO, dealer=2)
    table.play("7H")
    table.do(play(2, "8D"))
    assert [] == table.do(Stop())
    assert (Phase.OVER, None) == (table.state.phase, table.state.due)
    with pytest.raises(RuleError, match="over"):
        table.do(ConfirmCount())


def test_a_win_before_the_play() -> None:
    """G2: a win by heels, or by a penalty during the discards, stops the deal as well."""
    table = Table(new_deal(Seating.make(players=2, dealer=1), DECK))
    table.do(Stop())
    assert Phase.OVER == table.state.phase
