"""Dealer, seats in the deal, and their order."""

import pytest

from companion.errors import RuleError
from companion.rules.cards import Card
from companion.rules.deal import Seating, cut_for_deal, heels_barred


def cut(*texts: str) -> tuple[int, ...]:
    """Return the seats that cut the lowest card; seat 1 cut the first of these."""
    return cut_for_deal({seat: Card.parse(text) for seat, text in enumerate(texts, start=1)})


@pytest.mark.parametrize(
    ("cuts", "lowest"),
    [
        (("4H", "3S"), (2,)),
        (("AS", "2C", "KD"), (1,)),
        (("9S", "9H", "TD"), (1, 2)),
        (("JS", "QH", "TD", "KD"), (3,)),
        (("KS", "5H", "TD", "5D", "QD", "5C"), (2, 4, 6)),
    ],
)
def test_the_lowest_cut_deals(cuts: tuple[str, ...], lowest: tuple[int, ...]) -> None:
    """T2: the lowest card deals, ace low; those who cut the same rank cut again."""
    assert lowest == cut(*cuts)


@pytest.mark.parametrize(
    ("players", "dealer", "seats"),
    [
        (2, 1, (2, 1)),
        (2, 2, (1, 2)),
        (3, 2, (3, 1, 2)),
        (4, 4, (1, 2, 3, 4)),
        (6, 3, (4, 5, 6, 1, 2, 3)),
    ],
)
def test_from_the_dealers_left(players: int, dealer: int, seats: tuple[int, ...]) -> None:
    """P1 and S1: the turn begins at the dealer's left and goes round to the dealer."""
    assert seats == Seating.make(players=players, dealer=dealer).seats


@pytest.mark.parametrize(
    ("players", "sides"), [(2, (1, 2)), (3, (1, 2, 3)), (4, (1, 2, 1, 2)), (6, (1, 2, 3, 1, 2, 3))]
)
def test_partners_sit_opposite(players: int, sides: tuple[int, ...]) -> None:
    """T1: seats alternate between the sides."""
    seating = Seating.make(players=players, dealer=1)
    assert sides == tuple(seating.side_of(seat) for seat in range(1, players + 1))


def test_lanes_that_take_part() -> None:
    """T1: two sides may sit at lanes 1 and 3."""
    seating = Seating.make(players=4, dealer=1, sides=(1, 3))
    assert (1, 3, 1, 3) == tuple(map(seating.side_of, (1, 2, 3, 4)))


@pytest.mark.parametrize(
    ("players", "dealt", "thrown"), [(2, 6, 2), (3, 5, 1), (4, 5, 1), (6, 5, 1)]
)
def test_cards_dealt_and_thrown(players: int, dealt: int, thrown: int) -> None:
    """T3: two players six and two, more players five and one."""
    seating = Seating.make(players=players, dealer=1)
    assert (dealt, thrown) == (seating.dealt, seating.discards)


@pytest.mark.parametrize(
    ("players", "dealer", "cutter"), [(2, 1, 2), (3, 1, 3), (3, 2, 1), (4, 3, 2), (6, 1, 6)]
)
def test_who_cuts_the_starter(players: int, dealer: int, cutter: int) -> None:
    """T6: the player at the dealer's right cuts; with two that is pone."""
    assert cutter == Seating.make(players=players, dealer=dealer).cutter


def test_a_boxed_player_is_skipped() -> None:
    """Z11: while one of three is boxed, cards are dealt as for two."""
    seating = Seating.make(players=3, dealer=2, boxed=1)
    assert ((3, 2), 6, 2, 3) == (seating.seats, seating.dealt, seating.discards, seating.cutter)


def test_boxed_partners_are_skipped() -> None:
    """Z11: while one of three sides of two is boxed, cards are dealt as for four."""
    seating = Seating.make(players=6, dealer=1, boxed=2)
    assert ((3, 4, 6, 1), 5, 1) == (seating.seats, seating.dealt, seating.discards)
    assert not any(map(seating.discards_under_deck, seating.seats))


def test_whose_discards_go_under_the_deck() -> None:
    """T3: of six players, the dealer and the dealer's partner put theirs under the deck."""
    seating = Seating.make(players=6, dealer=2)
    assert [2, 5] == [seat for seat in range(1, 7) if seating.discards_under_deck(seat)]


@pytest.mark.parametrize(
    ("rule", "players", "dealer", "lanes", "boxed"),
    [
        ("T1", 5, 1, None, None),
        ("T1", 3, 1, (1, 2), None),
        ("T2", 4, 5, None, None),
        ("T2", 4, 0, None, None),
        ("Z11", 2, 1, None, 2),
        ("Z11", 3, 1, None, 4),
        ("Z11", 6, 4, None, 1),
    ],
)
def test_seatings_that_cannot_be(
    rule: str, players: int, dealer: int, lanes: tuple[int, ...] | None, boxed: int | None
) -> None:
    """T1, T2, Z11: a wrong number of players, no such dealer, a side that cannot be skipped."""
    with pytest.raises(RuleError) as caught:
        Seating.make(players=players, dealer=dealer, sides=lanes, boxed=boxed)
    assert rule == caught.value.rule


@pytest.mark.parametrize(
    ("finish", "ban", "barred"),
    [(363, 3, [360, 361, 362]), (121, 2, [119, 120]), (121, 3, [118, 119, 120]), (121, 0, [])],
)
def test_where_heels_are_not_scored(finish: int, ban: int, barred: list[int]) -> None:
    """T7: the house rule says how many of the last holes before the finish bar the heels."""
    holes = [hole for hole in range(finish) if heels_barred(hole, finish=finish, ban=ban)]
    assert barred == holes


def test_a_side_path_bars_no_heels() -> None:
    """T7: a peg on a side path stands on none of the last holes of the track."""
    assert not heels_barred("trap-4:6", finish=363, ban=3)
