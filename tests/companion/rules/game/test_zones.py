"""Slides, traps, advances, and how an award of 20 meets them."""

import dataclasses

import pytest

from companion.board.track import Hole, Track
from companion.rules.game import HouseRules, Peg
from tests.companion.rules.game.tables import NO_SKUNKS, Table
from tests.support.tracks import advance, slide, trap

AWARD_STILL = dataclasses.replace(NO_SKUNKS, award_lands=False)


def award_from(hole: Hole, *, rules: HouseRules = NO_SKUNKS, landed: bool = False) -> Table:
    """Side 2 has just got 20 from this hole, side 1 having landed in the first penalty box."""
    table = Table(rules=rules, stand={1: 15, 2: hole}, landed=(2,) if landed else ())
    table.peg(1, 7)
    return table


@pytest.mark.parametrize("start", [21, 41, 129, 199, 211])
def test_passing_over_a_zone(start: int) -> None:
    """Z1: a count that ends beyond a zone meets none of it."""
    table = Table(stand={1: start})
    assert ["counted"] == table.peg(1, 4)
    assert (start + 4, start) == table.pegs(1)


@pytest.mark.parametrize(
    ("start", "kind"), [(39, "slid"), (127, "trapped"), (197, "advanced"), (19, "folded")]
)
@pytest.mark.parametrize("points", [3, 4, 5])
def test_each_of_the_three_holes(start: int, kind: str, points: int) -> None:
    """Z1: a zone is three holes long, and a count that ends on any of them meets it."""
    assert ["counted", kind] == Table(stand={1: start}).peg(1, points)[:2]


@pytest.mark.parametrize(
    ("start", "points"), [(39, 2), (39, 6), (127, 2), (127, 6), (197, 2), (19, 2), (19, 6)]
)
def test_beside_a_zone(start: int, points: int) -> None:
    """Z1: the holes before and after a zone are ordinary ones."""
    assert ["counted"] == Table(stand={1: start}).peg(1, points)


@pytest.mark.parametrize(("points", "to"), [(2, 62), (3, 63), (4, 64)])
def test_a_slide_keeps_the_place_in_the_box(points: int, to: int) -> None:
    """Z2: first to first, second to second, third to third; the back peg tells the count."""
    table = Table(stand={1: 40})
    counted, slid = table.do(Peg(side=1, points=points))
    assert (40, 40 + points, points) == (counted.origin, counted.to, counted.points)
    assert (40 + points, to, "Z2") == (slid.origin, slid.to, slid.rule)
    assert (to, 40) == table.pegs(1)


def test_a_slide_is_no_second_landing() -> None:
    """Z2: a peg that slides onto a trap is not trapped, and its next count stays on the track."""
    track = Track(finish=60, lanes=2, zones=(slide("red", 5, 20), trap("blue", 20, 10)))
    table = Table(track, stand={1: 3})
    assert ["counted", "slid"] == table.peg(1, 3)
    assert 21 == table.state.progress(1)
    table.peg(1, 5)
    assert (26, 21) == table.pegs(1)


def test_a_slide_into_the_finish_wins() -> None:
    """Z2: a slide that reaches the finish of a short game wins it."""
    table = Table(rules=dataclasses.replace(NO_SKUNKS, game_to=63), stand={1: 41})
    assert ["counted", "slid", "won"] == table.peg(1, 3)
    assert (63, 41) == table.pegs(1)


def test_a_trapped_peg_stays() -> None:
    """Z3: the peg stays where it landed; what it has to go is counted by the blue path."""
    table = Table(stand={1: 120})
    counted, trapped = table.do(Peg(side=1, points=11))
    assert (131, 131, "Z3") == (trapped.origin, trapped.to, trapped.rule)
    assert (131, 120) == (counted.to, counted.origin)
    assert (131, 120) == table.pegs(1)
    assert 112 - 7 == table.state.progress(1)


@pytest.mark.parametrize(
    ("points", "front", "progress"),
    [(1, "trap-1:1", 106), (6, "trap-1:6", 111), (7, 112, 112), (8, 113, 113), (24, 129, 129)],
)
def test_the_blue_path(points: int, front: Hole, progress: int) -> None:
    """Z3: from 131, six path holes and rejoining at 112, 8 points end on 113."""
    table = Table(stand={1: 131}, landed=(1,))
    assert ["counted"] == table.peg(1, points)
    assert (front, 131) == table.pegs(1)
    assert progress == table.state.progress(1)


def test_on_along_the_blue_path() -> None:
    """Z3: a count that ends on the path is no landing; the next goes on from there."""
    table = Table(stand={1: 130}, landed=(1,))
    table.peg(1, 4)
    assert ["counted"] == table.peg(1, 5)
    assert (114, "trap-1:4") == table.pegs(1)


def test_every_visit_counts_again() -> None:
    """Z3: 25 points from 130 lead back onto 130, which traps again; the back peg has moved up."""
    table = Table(stand={1: 120})
    table.peg(1, 10)
    assert ["counted", "trapped"] == table.peg(1, 25)
    assert (130, 130) == table.pegs(1)


def test_a_full_round_of_the_path_is_still_a_count() -> None:
    """Z3: 28 from the third trap's second hole go round to it, so back and front are level."""
    table = Table(stand={1: 270})
    table.peg(1, 7)
    assert ["counted", "trapped"] == table.peg(1, 28)
    assert (277, 277) == table.pegs(1)


def test_the_rejoin_hole_is_a_landing() -> None:
    """Z3: a count that ends on the rejoin hole or beyond it meets the zone there."""
    track = Track(finish=60, lanes=2, zones=(slide("red", 10, 40), trap("blue", 20, 10, path=2)))
    table = Table(track, stand={1: 19})
    table.peg(1, 1)
    assert ["counted", "slid"] == table.peg(1, 3)
    assert (40, 20) == table.pegs(1)


def test_only_a_peg_that_landed_takes_the_path() -> None:
    """Z3: a peg that was set back onto a trap's hole has not landed; it stays on the track."""
    table = Table(stand={1: 131})
    assert ["counted"] == table.peg(1, 8)
    assert (139, 131) == table.pegs(1)


@pytest.mark.parametrize(
    ("points", "front", "progress"),
    [(1, "green-1:1", 230), (6, "green-1:6", 235), (7, 236, 236), (9, 238, 238)],
)
def test_the_green_short_cut(points: int, front: Hole, progress: int) -> None:
    """Z4: the count after a landing goes by the green path, which joins further on."""
    table = Table(stand={1: 195})
    assert ["counted", "advanced"] == table.peg(1, 6)
    assert (201, 195) == table.pegs(1)
    assert 236 - 7 == table.state.progress(1)
    assert ["counted"] == table.peg(1, points)
    assert (front, 201) == table.pegs(1)
    assert progress == table.state.progress(1)


def test_an_award_walks_20() -> None:
    """Z9: an award that ends on an ordinary hole is walked like a count, back peg and all."""
    assert (50, 30) == award_from(30).pegs(2)


@pytest.mark.parametrize(
    ("start", "front"), [(110, 133), (111, 133), (112, 133), (192, 215), (194, 215), (2, 25)]
)
def test_an_award_ends_in_no_trap_and_no_box(start: int, front: int) -> None:
    """Z9: an award goes on to the first hole past the trap or box that it would end in."""
    assert (front, start) == award_from(start).pegs(2)


def test_an_award_that_goes_on_says_so() -> None:
    """Z9: the event after `awarded` tells from where to where the peg went on."""
    table = Table(stand={1: 15, 2: 111})
    events = table.do(Peg(side=1, points=7))
    assert ["counted", "folded", "sent_back", "awarded", "skipped"] == [e.kind for e in events]
    assert (2, 131, 133, "Z9") == (events[4].side, events[4].origin, events[4].to, events[4].rule)


def test_an_award_takes_the_side_path() -> None:
    """Z9: an award of a peg that stands landed in a trap goes down the blue path."""
    assert (112 + 13, 131) == award_from(131, landed=True).pegs(2)


def test_an_award_lands_on_red_and_green() -> None:
    """Z10: an award that ends on red slides, on green it takes the short cut next."""
    assert (62, 22) == award_from(22).pegs(2)
    green = award_from(181)
    green.peg(2, 1)
    assert ("green-1:1", 201) == green.pegs(2)


def test_an_award_may_not_land() -> None:
    """Z10: with `award_lands` off an award on red or green does nothing; boxes are still passed."""
    assert (42, 22) == award_from(22, rules=AWARD_STILL).pegs(2)
    green = award_from(181, rules=AWARD_STILL)
    green.peg(2, 1)
    assert (202, 201) == green.pegs(2)
    assert (133, 110) == award_from(110, rules=AWARD_STILL).pegs(2)


def test_a_win_comes_before_the_zone() -> None:
    """Z12: a finish that lies in a box is a win, and nothing else happens."""
    table = Table(rules=dataclasses.replace(NO_SKUNKS, game_to=23), stand={1: 15, 2: 3})
    assert ["counted", "won"] == table.peg(1, 8)
    assert (3, 0) == table.pegs(2)


def test_an_award_may_win() -> None:
    """Z12: an award that reaches the finish ends the game at once."""
    table = Table(stand={1: 15, 2: 343})
    assert ["counted", "folded", "sent_back", "awarded", "won"] == table.peg(1, 7)
    assert (363, 343) == table.pegs(2)
    assert 2 == table.state.winner


def test_an_award_that_goes_on_may_win() -> None:
    """Z12: going on past a box that ends before the finish wins too."""
    rules = dataclasses.replace(NO_SKUNKS, game_to=215)
    table = Table(rules=rules, stand={1: 15, 2: 193})
    assert ["awarded", "skipped", "won"] == table.peg(1, 7)[3:]
    assert 2 == table.state.winner


def test_an_award_goes_on_no_further_than_the_finish() -> None:
    """Z12: where a short game ends inside a box, an award that goes on stops there and wins."""
    rules = dataclasses.replace(NO_SKUNKS, game_to=213)
    table = Table(rules=rules, stand={1: 15, 2: 192})
    assert ["awarded", "skipped", "won"] == table.peg(1, 7)[3:]
    assert (213, 192) == table.pegs(2)


def test_an_award_too_long_is_forfeited() -> None:
    """Z12: with an exact finish an award too long leaves the pegs, as a count too long does."""
    rules = dataclasses.replace(NO_SKUNKS, finish="exact")
    table = Table(rules=rules, stand={1: 15, 2: 344})
    assert ["counted", "folded", "sent_back", "forfeited"] == table.peg(1, 7)
    assert (344, 0) == table.pegs(2)
    assert table.state.winner is None


def test_a_green_path_past_a_short_finish() -> None:
    """Z4: in a game that ends before the rejoin hole, leaving the path is reaching the finish."""
    track = Track(finish=60, lanes=2, zones=(advance("green", 10, 40, path=2),))
    table = Table(track, dataclasses.replace(NO_SKUNKS, game_to=30), stand={1: 9})
    table.peg(1, 1)
    assert 30 - 3 == table.state.progress(1)
    assert ["counted", "won"] == table.peg(1, 3)
    assert (30, 10) == table.pegs(1)
