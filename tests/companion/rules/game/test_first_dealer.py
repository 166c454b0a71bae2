"""The first dealer of the next game, by the house rule `first_dealer` (T2)."""

from dataclasses import replace

import pytest
from msgspec import structs

from companion.board.track import Hole
from companion.rules.game import Claim, Deal, NewGame, Peg, Undo
from tests.companion.rules.game.tables import NO_SKUNKS, Table

NEXT = replace(NO_SKUNKS, first_dealer="next")


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


def test_a_new_game_begins_with_the_dealer_it_names() -> None:
    """T2: without a dealer it is seat 1; undo brings the game before back."""
    table = Table()
    table.do(Claim(rule="N10", by=2, game_to=1))
    won = table.state
    table.do(NewGame(dealer=won.next_first_dealer()))
    assert (2, 2, 1) == (table.state.dealer, table.state.first_dealer, table.state.hand)
    table.undo()
    assert won == table.state
    table.do(NewGame())
    assert 1 == table.state.dealer


@pytest.mark.parametrize("dealer", [0, 3, -1])
def test_a_dealer_without_a_seat(dealer: int) -> None:
    """T2: a new game whose dealer has no seat is refused."""
    assert "T2" == Table().refusal(NewGame(dealer=dealer))


def test_seats_are_those_of_the_new_game() -> None:
    """T2: the dealer's seat is one of the sides that take part."""
    table = Table(seats=(3, 3))
    assert "T2" == table.refusal(NewGame(sides=(1, 3), dealer=3))
    table.do(NewGame(sides=(1, 3), dealer=2))
    table.do(Peg(side=3, points=2))
    table.do(Deal())
    assert 1 == table.state.dealer
    table.do(Undo())
