"""Sides, seats, and the first dealer of the next game."""

from dataclasses import replace

import pytest
from msgspec import structs

from companion.board.layout import Hole
from companion.errors import RuleError
from companion.rules.game import HouseRules, Setup
from tests.companion.rules.game.tables import NO_SKUNKS, Table
from tests.support.boards import CRIB_WARS

NEXT = replace(NO_SKUNKS, first_dealer="next")


@pytest.mark.parametrize(
    ("seats", "owners"),
    [((2, 2), [1, 2]), ((3, 3), [1, 2, 3]), ((2, 4), [1, 2, 1, 2]), ((3, 6), [1, 2, 3, 1, 2, 3])],
)
def test_partners_sit_opposite_each_other(seats: tuple[int, int], owners: list[int]) -> None:
    """T1: seats go round to the left and alternate between the sides."""
    setup = Table(seats=seats).state.setup
    assert owners == [setup.side_of(seat) for seat in range(1, setup.players + 1)]


@pytest.mark.parametrize(
    ("lanes", "players"),
    [((1,), 1), ((1, 2), 3), ((1, 2), 6), ((1, 2, 3), 4), ((1, 2, 3), 2), ((1, 2, 4), 3)],
)
def test_no_other_number_of_players_or_sides(lanes: tuple[int, ...], players: int) -> None:
    """T1: two sides are 2 or 4 players, three are 3 or 6, each with a lane of its own."""
    with pytest.raises(RuleError) as caught:
        Setup.make(CRIB_WARS, HouseRules(), sides=lanes, players=players)
    assert "T1" == caught.value.rule


def test_lanes_may_be_left_free() -> None:
    """T1: seat s belongs to the (s - 1)-th side that takes part, whatever its lane."""
    setup = Setup.make(CRIB_WARS, HouseRules(), sides=(1, 3), players=4)
    assert [1, 3, 1, 3] == [setup.side_of(seat) for seat in range(1, 5)]


# The first dealer of the next game (T2)


@pytest.mark.parametrize(
    ("stand", "players", "first", "dealer"),
    [
        ({1: 100, 2: 50}, 2, 1, 2),
        ({1: 100, 2: 50}, 2, 2, 2),
        ({1: 50, 2: 100}, 2, 2, 1),
        ({1: 100, 2: 50}, 4, 1, 2),
        ({1: 100, 2: 50}, 4, 2, 4),
        ({1: 100, 2: 50}, 4, 4, 2),
        ({1: 100, 2: 50}, 4, 3, 4),
        ({1: 100, 2: 50, 3: 40}, 3, 1, 3),
        ({1: 0, 2: 50, 3: 40}, 6, 1, 4),
        ({1: 100, 2: 50, 3: 50}, 6, 2, 3),
        ({1: 100, 2: 50, 3: 50}, 6, 6, 2),
    ],
)
def test_the_loser_deals_first(
    stand: dict[int, Hole], players: int, first: int, dealer: int
) -> None:
    """T2: of the side with the lowest progress, the seat that follows the last first dealer."""
    table = Table(seats=(len(stand), players), stand=stand)
    state = structs.replace(table.state, first_dealer=first)
    assert dealer == state.next_first_dealer()


def test_the_loser_is_found_by_progress_and_not_by_hole() -> None:
    """T2: a peg caught in a time trap has further to go than one that stands behind it."""
    stand: dict[int, Hole] = {1: 200, 2: 131, 3: 128}
    for landed, dealer in (((2,), 2), ((), 3)):
        table = Table(seats=(3, 3), stand=stand, landed=landed)
        assert dealer == table.state.next_first_dealer()


@pytest.mark.parametrize(("first", "dealer"), [(1, 2), (2, 3), (3, 4), (4, 1)])
def test_the_next_seat_deals_first(first: int, dealer: int) -> None:
    """T2: with `next` the first deal goes round to the left, whoever has lost."""
    table = Table(rules=NEXT, seats=(2, 4), stand={1: 100, 2: 50})
    assert dealer == structs.replace(table.state, first_dealer=first).next_first_dealer()


def test_the_cut_and_not_a_later_hand_names_the_first_dealer() -> None:
    """T2: Deals before the first count are the cut; those after it pass the deal on."""
    table = Table(rules=NEXT)
    table.deal()
    table.peg(1, 5)
    table.deal()
    assert (1, 2) == (table.state.dealer, table.state.first_dealer)
    assert 1 == table.state.next_first_dealer()
