"""The play and the show, card by card: whole hands worked by hand, and each rule by itself."""

import pytest

from companion.rules.cards import PartKind
from companion.rules.deal import Played, decide
from tests.companion.rules.deal.tables import THREE, TWO, play, played_from


def test_three_players() -> None:
    """P1 to S5, with S1 and T5: three players, a 31, a go, who leads then, the crib last."""
    table = played_from(THREE, dealer=3, crib="2C 3D 8H 8S")
    assert [
        "1 KH 10",
        "2 QH 20",
        "3 TH 30",
        "1 AC 31",
        "1 pegs 2 play",
        "2 leads",
        "2 9S 9",
        "3 6C 15",
        "3 pegs 2 play",
        "1 7S 22",
        "2 8D 30",
        "2 pegs 4 play",
        "3 go",
        "1 go",
        "2 go",
        "2 pegs 1 go",
        "3 leads",
        "3 5S 5",
        "1 2D 7",
        "2 3C 10",
        "3 4D 14",
        "3 pegs 4 play",
        "3 pegs 1 last",
        "1 shows 2",
        "1 pegs 2 hand",
        "2 shows 0",
        "3 shows 9",
        "3 pegs 9 hand",
        "3 shows crib 4",
        "3 pegs 4 crib",
    ] == table.play("KH QH TH AC 9S 6C 7S 8D 5S 2D 3C 4D")


def test_a_go_is_one_point_beside_the_cards() -> None:
    """P2, P7, bug of others: the points of a card before a go are not paid again with it."""
    table = played_from(TWO, dealer=2)
    table.play("7H 8D 6S 5S")
    assert ["1 4D 30", "1 pegs 5 play"] == table.do(play(1, "4D"))
    assert "2 go 1 go 1 pegs 1 go 2 leads" == " ".join(table.peg())
    assert {1: 3 + 5 + 1, 2: 2 + 4} == dict(table.pegged)


def test_the_go_point_waits_for_the_count_before_it() -> None:
    """P7: each count lands by itself; nothing goes on while one is due."""
    table = played_from(TWO, dealer=2)
    table.play("7H 8D 6S 5S")
    table.do(play(1, "4D"))
    assert "P7" == table.refused(play(2, "TD"))


def test_all_of_a_card_is_one_count() -> None:
    """P7, bug of others: a run that makes 31 is one count of both."""
    table = played_from({1: "KH 6S AS AC", 2: "7D 8C QS QC"}, dealer=2)
    table.play("KH 7D 6S")
    assert ["2 8C 31", "2 pegs 5 play"] == table.do(play(2, "8C"))
    assert ["1 leads"] == table.peg()


def test_thirty_one_as_the_last_card() -> None:
    """P3, bug of others: the last card that makes 31 pegs two and nothing on top."""
    table = played_from({1: "TH 9S TC 9D", 2: "9C 3S 5H 7H"}, dealer=2)
    table.play("TH 9C 9S 3S TC 5H 9D")
    assert ["2 7H 31", "2 pegs 2 play"] == table.do(play(2, "7H"))
    assert ["1 shows 4", "1 pegs 4 hand"] == table.peg()[:2]


def test_an_opponent_without_cards() -> None:
    """P4, bug of others: who has no cards left is skipped and holds nothing up."""
    table = played_from({1: "TH 2H 3S 4C", 2: "KH QS JC TD"}, dealer=2)
    table.play("TH KH 2H 3S")
    assert ["1 4C 29", "1 pegs 3 play", "1 pegs 1 go", "2 leads"] == table.play("4C")
    assert ["2 QS 10", "2 JC 20", "2 TD 30", "2 pegs 3 play", "2 pegs 1 last"] == table.play(
        "QS JC TD"
    )[:5]


def test_nothing_reaches_back_over_a_count() -> None:
    """P4: cards of the earlier count make no pair and no run with those of the next."""
    table = played_from({1: "KH 9S 9D 8C", 2: "QS 2D TD 3S"}, dealer=2)
    table.play("KH QS 9S 2D")
    assert ["1 9D 9", "2 TD 19", "1 8C 27", "1 pegs 3 play"] == table.play("9D TD 8C")[:4]


def test_what_a_card_made() -> None:
    """P5, P6: a card played tells the count it made and each part of its points."""
    table = played_from({1: "5H 5S 9C KH", 2: "5D 6S 7S QH"}, dealer=2)
    table.play("5H 5D")
    played, _ = decide(table.state, play(1, "5S"))
    assert isinstance(played, Played)
    assert 15 == played.count
    kinds = [(part.kind, part.points) for part in played.parts]
    assert [(PartKind.FIFTEEN, 2), (PartKind.PAIR_ROYAL, 6)] == kinds


@pytest.mark.parametrize(
    ("rule", "before", "seat", "text"),
    [
        ("P1", "", 2, "8D"),
        ("P1", "7H", 1, "6S"),
        ("P1", "7H 8D 6S", 1, "4D"),
        ("P1", "7H", 2, "6S"),
        ("P1", "7H", 2, "7H"),
        ("P1", "7H 8D 6S 5S", 1, "KC"),
        ("P2", "KC TD 4D", 1, "7H"),
        ("T1", "", 3, "8D"),
    ],
)
def test_cards_that_are_refused(rule: str, before: str, seat: int, text: str) -> None:
    """P1, P2: out of turn, not held, played already, over 31, past who could play; no seat 3."""
    table = played_from(TWO, dealer=2)
    table.play(before)
    assert rule == table.refused(play(seat, text))


def test_passing_a_seat_that_could_play() -> None:
    """P2: with 22 and more on the table a seat passed over is taken to have said go."""
    table = played_from({1: "KH 6S 4D 4C", 2: "TH TS 5D AC", 3: "TD 9S 5C 2C"}, dealer=1)
    table.play("TH TD 6S")
    assert "P2" == table.refused(play(3, "2C"))
    assert ["2 AC 27"] == table.play("AC")
