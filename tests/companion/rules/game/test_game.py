"""Sides, seats, counts, the deal and the win."""

import pytest

from companion.errors import RuleError
from companion.rules.game import Deal, HouseRules, MoveInBox, Peg, Setup
from tests.companion.rules.game.tables import Table
from tests.support.tracks import CLASSIC, CRIB_WARS


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


@pytest.mark.parametrize("command", [Peg(side=3, points=5), MoveInBox(side=3)])
def test_a_side_that_does_not_play(command: Peg | MoveInBox) -> None:
    """T1: a side that takes no part cannot move."""
    assert "T1" == Table(seats=(2, 2)).refusal(command)


def test_the_cut_is_entered_by_moving_the_dealer() -> None:
    """T2: before the first count a deal only moves the dealer; the game stays in hand 1."""
    table = Table(seats=(3, 3))
    table.deal()
    assert (2, 1) == (table.state.dealer, table.state.hand)
    table.deal()
    table.deal()
    assert (1, 1) == (table.state.dealer, table.state.hand)
    table.deal(3)
    assert (3, 1) == (table.state.dealer, table.state.hand)


def test_the_deal_passes_to_the_left() -> None:
    """T2: after the first count a deal begins the next hand, with the next seat as dealer."""
    table = Table(seats=(2, 4))
    table.peg(2, 4)
    dealers = []
    for _ in range(5):
        table.deal()
        dealers.append(table.state.dealer)
    assert [2, 3, 4, 1, 2] == dealers
    assert 6 == table.state.hand


def test_a_dealer_named_after_the_first_count() -> None:
    """T2: a dealer that the table names deals the next hand."""
    table = Table(seats=(2, 4))
    table.peg(2, 4)
    table.deal(4)
    assert (4, 2) == (table.state.dealer, table.state.hand)


@pytest.mark.parametrize("seat", [0, -1, 5])
def test_no_such_seat(seat: int) -> None:
    """T2: only a seat at the table can deal."""
    assert "T2" == Table(seats=(2, 4)).refusal(Deal(dealer=seat))


def test_the_crib_is_the_dealers() -> None:
    """T5: a deal tells the side whose crib it is: that of the dealer's seat."""
    table = Table(seats=(3, 6))
    table.peg(1, 4)
    (dealt,) = table.do(Deal(dealer=5))
    assert (2, 1, 5) == (dealt.side, dealt.origin, dealt.to)


def test_two_counts_are_never_one() -> None:
    """P7: 4 and then 2 from 38 land on 42 and slide; 6 at once would have ended on 44."""
    apart = Table(stand={1: 38})
    assert ["counted", "slid"] == apart.peg(1, 4)
    assert ["counted"] == apart.peg(1, 2)
    assert (64, 62) == apart.pegs(1)
    together = Table(stand={1: 38})
    assert ["counted", "slid"] == together.peg(1, 6)
    assert (64, 38) == together.pegs(1)


def test_one_count_passes_what_two_would_land_on() -> None:
    """P7: 7 at once from 38 pass the whole red box, 6 and 1 would have slid from its end."""
    table = Table(stand={1: 38})
    assert ["counted"] == table.peg(1, 7)
    assert (45, 38) == table.pegs(1)


@pytest.mark.parametrize("points", [0, -1, 30])
def test_a_count_is_1_to_29(points: int) -> None:
    """P7: nothing counts 0, and no hand counts more than 29."""
    assert "S5" == Table().refusal(Peg(side=1, points=points))


@pytest.mark.parametrize("points", [1, 29])
def test_the_least_and_the_greatest_count(points: int) -> None:
    """P7: 1 and 29 are counts."""
    table = Table()
    assert ["counted"] == table.peg(1, points)
    assert (points, 0) == table.pegs(1)


def test_pegs_leapfrog() -> None:
    """G1: the front peg is the score, the back peg the score before the last count."""
    table = Table()
    table.peg(1, 6)
    table.peg(1, 2)
    table.peg(1, 3)
    assert (11, 8) == table.pegs(1)
    assert (0, 0) == table.pegs(2)


def test_the_first_at_the_finish_wins() -> None:
    """G2: extra points are no matter, the front peg stands in the finish."""
    table = Table(stand={1: 350, 2: 360})
    assert ["counted", "won"] == table.peg(1, 29)
    assert (363, 350) == table.pegs(1)
    assert 1 == table.state.winner


@pytest.mark.parametrize(
    "command", [Peg(side=2, points=1), Deal(), Deal(dealer=2), MoveInBox(side=2)]
)
def test_all_play_stops_at_the_win(command: Peg | Deal | MoveInBox) -> None:
    """G2: after a win no side counts, deals or moves."""
    table = Table(stand={1: 362})
    table.peg(1, 1)
    assert "G2" == table.refusal(command)


def test_an_exact_finish_forfeits_what_is_too_much() -> None:
    """G2: with an exact finish a count too long leaves both pegs; the right one wins."""
    table = Table(CLASSIC, HouseRules(finish="exact"))
    for points in (29, 29, 29, 29):
        table.peg(1, points)
    assert ["forfeited"] == table.peg(1, 6)
    assert (116, 87) == table.pegs(1)
    assert ["counted", "skunked", "won"] == table.peg(1, 5)
    assert (121, 116) == table.pegs(1)


def test_a_forfeited_count_leaves_a_landing() -> None:
    """G2: a peg in a trap that forfeits a count takes the blue path with its next."""
    rules = HouseRules(finish="exact", skunk_at="off", game_to=122)
    table = Table(CRIB_WARS, rules, stand={1: "trap-1:3"})
    assert ["forfeited"] == table.peg(1, 15)
    assert ["counted", "won"] == table.peg(1, 14)


@pytest.mark.parametrize(("game_to", "finish"), [(None, 363), (61, 61), (121, 121), (999, 363)])
def test_where_a_game_ends(game_to: int | None, finish: int) -> None:
    """G3: a game is to the end of the track, or to the hole that the house plays to."""
    table = Table(CRIB_WARS, HouseRules(game_to=game_to, skunk_at="off"), stand={1: finish - 3})
    assert ["counted", "won"] == table.peg(1, 4)
    assert (finish, finish - 3) == table.pegs(1)
