"""Pegs placed by hand, to go on with a game that was begun without lights."""

import pytest

from companion.board.track import Hole
from companion.rules.game import Deal, HouseRules, Overpeg, Peg, SetPegs
from tests.companion.rules.game.tables import Table, one_boxed


def placed(front: Hole, back: Hole, side: int = 1) -> SetPegs:
    """Return the command that places a side's pegs on these holes."""
    return SetPegs(side=side, front=front, back=back)


@pytest.mark.parametrize(
    ("front", "back"),
    [(0, 0), (50, 38), (22, 15), (130, 128), (362, 350), ("trap-1:3", "trap-1:1")],
)
def test_pegs_stand_where_they_are_placed(front: Hole, back: Hole) -> None:
    """G1: boxes and traps do nothing: it is no landing, and no count."""
    table = Table()
    assert ["placed"] == table.kinds(placed(front, back))
    pegs = table.state.pegs(1)
    assert (front, back) == table.pegs(1)
    assert (False, False, 0) == (pegs.landed, pegs.folded, table.state.counts)
    table.undo()
    assert (0, 0) == table.pegs(1)


@pytest.mark.parametrize(("front", "back"), [("trap-1:3", 131), (113, 131), (112, "trap-1:6")])
def test_the_way_of_a_trap_leads_to_smaller_numbers(front: Hole, back: Hole) -> None:
    """G1, Z3: from a trap on 131 eight points lead to 113, and the back peg is behind there."""
    table = Table()
    table.do(placed(front, back))
    assert (front, back) == table.pegs(1)


@pytest.mark.parametrize(
    ("front", "back", "rule"),
    [
        (10, 20, "G1"),
        (2, 15, "G1"),
        (111, 131, "G1"),
        (362, 363, "G1"),
        (363, 350, "G2"),
        (364, 350, "G3"),
        (-1, 0, "G3"),
        (5, -2, "G3"),
        ("trap-1:7", 131, "G3"),
        ("red-1:1", 30, "G3"),
        ("", 0, "G3"),
    ],
)
def test_holes_where_no_pegs_can_stand(front: Hole, back: Hole, rule: str) -> None:
    """G1 to G3: no such hole, the finish itself, or a back peg ahead, as a box may leave it too."""
    assert rule == Table().refusal(placed(front, back))


def test_holes_beyond_a_short_game_are_none() -> None:
    """G3: a game to 61 has no hole 62, and no path that begins behind its finish."""
    table = Table(rules=HouseRules(game_to=61))
    assert ["G3", "G3", "G2"] == [table.refusal(placed(front, 0)) for front in (62, "trap-1:1", 61)]


def test_sides_that_cannot_be_placed() -> None:
    """T1, Z7, G2: one that does not play, one in a box, and any after the win."""
    assert "T1" == Table().refusal(placed(5, 0, side=3))
    assert "Z7" == one_boxed().refusal(placed(5, 0))
    table = Table(stand={1: 360})
    table.peg(1, 3)
    assert "G2" == table.refusal(placed(5, 0, side=2))


def test_a_game_goes_on_from_placed_pegs() -> None:
    """T2, N11: Deal still moves the dealer, the next count lands, and none before is put right."""
    table = Table()
    table.peg(1, 4)
    table.do(placed(20, 15))
    assert "N11" == table.refusal(Overpeg(side=1, extra=1))
    assert ["counted", "folded", "sent_back", "awarded"] == table.peg(1, 2)
    table = Table()
    table.do(placed(20, 15))
    table.do(Deal())
    assert (2, 1) == (table.state.dealer, table.state.hand)


def test_placing_announces_no_skunk() -> None:
    """G4: hole 121 is judged when a count gets there first, not when a peg is put there."""
    table = Table(rules=HouseRules())
    table.do(placed(130, 118))
    assert (1, ()) == (table.state.first_at_121, table.state.skunked)
    table.do(placed(50, 40))
    assert table.state.first_at_121 is None
    table.do(placed(115, 100, side=2))
    assert "skunked" in table.kinds(Peg(side=2, points=6))
    assert ((1, 4),) == table.state.skunked
