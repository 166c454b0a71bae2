"""A go said by who could have played: refused, or recorded as dead cards."""

from companion.rules.cards import cards
from companion.rules.deal import DeclareDead, SayGo
from tests.companion.rules.deal.tables import THREE, TWO, play, played_from


def test_a_wrong_go_is_refused() -> None:
    """P8: who holds a card that fits cannot say go."""
    table = played_from(TWO, dealer=2, inferred=False)
    table.play("KC TD")
    assert "P8" == table.refused(SayGo(seat=1))
    table.play("4D")
    assert "P8" == table.refused(SayGo(seat=2))


def test_a_wrong_go_that_stands() -> None:
    """P8, N9: the cards held back are dead, the go is taken, and the hand still shows them."""
    table = played_from(TWO, dealer=2, inferred=False)
    table.play("KC TD 4D")
    assert ["2 dead 5S"] == table.do(DeclareDead(seat=2, cards=cards("5S")))
    assert "P1" == table.refused(play(2, "5S"))
    assert ["2 go"] == table.do(SayGo(seat=2))
    assert ["1 7H 31", "1 pegs 2 play", "2 leads"] == table.play("7H")
    assert ["2 8D 8", "1 6S 14", "2 JS 24", "2 pegs 1 last"] == table.play("8D 6S JS")[:4]
    assert cards("8D 5S TD JS") == table.state.hand(2).cards


def test_dead_cards_that_were_the_last() -> None:
    """P8, P3: where dead cards leave nobody anything to play, the last card played was the last."""
    table = played_from(TWO, dealer=2, inferred=False)
    table.play("7H 8D 6S 5S 4D")
    table.do(SayGo(seat=2))
    table.do(SayGo(seat=1))
    table.peg()
    table.play("TD KC")
    assert ["2 dead JS", "1 pegs 1 last"] == table.do(DeclareDead(seat=2, cards=cards("JS")))
    assert ["1 shows 2", "1 pegs 2 hand"] == table.peg()[:2]


def test_dead_cards_in_somebody_elses_turn() -> None:
    """P8: cards may be found to be dead later; whose turn it is stays so."""
    table = played_from(THREE, dealer=3)
    table.play("KH")
    table.do(DeclareDead(seat=1, cards=cards("7S 2D")))
    assert 2 == table.state.turn
    assert "P8" == table.refused(DeclareDead(seat=1, cards=cards("7S")))
