"""Worth of a win, and the series."""

import dataclasses

import pytest

from companion.board.track import Track
from companion.rules.game import HouseRules, Kind, NewGame, Peg
from companion.rules.game.house_rules import Measure, SkunkLine, preset
from tests.companion.rules.game.tables import Table
from tests.support.tracks import CLASSIC, CRIB_WARS, CROWDED, slide

LONG = HouseRules()

PLAIN = Track(finish=363, lanes=3)
"""A long track without zones, for games that a test plays to the end."""


def peg_home(table: Table, side: int) -> None:
    """Let one side count until it has won."""
    while table.state.winner is None:
        table.peg(side, 29)
    assert side == table.state.winner


def test_skunks_at_121_are_judged_at_once() -> None:
    """G4: the move that first reaches 121 catches the others where they stand, once."""
    table = Table(CRIB_WARS, LONG, seats=(3, 3), stand={1: 115, 2: 90, 3: 60})
    events = table.do(Peg(side=1, points=6))
    assert ["counted", "skunked", "skunked"] == [event.kind for event in events]
    assert [(2, 2, "G4"), (3, 4, "G4")] == [(e.side, e.points, e.rule) for e in events[1:]]
    assert ["counted"] == table.peg(1, 1)
    table.peg(2, 29)
    assert ["counted"] == table.peg(2, 10)


@pytest.mark.parametrize(("loser", "games"), [(91, []), (90, [2])])
def test_margins_at_121(loser: int, games: list[int]) -> None:
    """G6: judged at 121, a margin is that to hole 121, wherever the leader's count ended."""
    margin = SkunkLine(measure=Measure.MARGIN, points=30)
    rules = dataclasses.replace(LONG, skunk=margin, double_skunk=None)
    table = Table(CRIB_WARS, rules, stand={1: 110, 2: loser})
    events = table.do(Peg(side=1, points=18))
    assert games == [event.points for event in events if event.kind is Kind.SKUNKED]


def test_nobody_is_skunked_before_121() -> None:
    """G4: on 120 nothing is judged yet."""
    assert ["counted"] == Table(CRIB_WARS, LONG, stand={1: 115, 2: 0}).peg(1, 5)


def test_past_the_lines_nobody_is_skunked() -> None:
    """G4: who is past 90 when somebody reaches 121 is not skunked."""
    table = Table(CRIB_WARS, LONG, stand={1: 115, 2: 91})
    assert ["counted"] == table.peg(1, 6)


def test_a_skunk_counts_if_that_side_wins() -> None:
    """G4: the first at 121 wins the long game later, and the skunk's worth with it."""
    table = Table(PLAIN, LONG, stand={1: 115, 2: 60})
    table.peg(1, 6)
    table.peg(2, 29)
    peg_home(table, 1)
    assert 4 == table.state.match.won(1)


def test_a_skunk_falls_if_the_other_side_wins() -> None:
    """G4: if another side wins after all, it wins one game."""
    table = Table(PLAIN, LONG, stand={1: 115, 2: 60})
    table.peg(1, 6)
    peg_home(table, 2)
    assert 1 == table.state.match.won(2)
    assert 0 == table.state.match.won(1)


def test_the_worst_of_two_losers_counts() -> None:
    """G4: with three sides a game is worth the greatest skunk among the losers."""
    table = Table(CLASSIC, preset("classic-121"), seats=(3, 3), stand={1: 120, 2: 95, 3: 55})
    assert ["counted", "skunked", "won"] == table.peg(1, 1)
    assert 4 == table.state.match.won(1)


def test_a_slide_reaches_121_too() -> None:
    """G4: hole 121 is reached by whatever move brings a front peg there."""
    track = Track(finish=200, lanes=2, zones=(slide("red", 110, 121),))
    table = Table(track, LONG, stand={1: 105, 2: 50})
    assert ["counted", "slid", "skunked"] == table.peg(1, 5)


def test_an_award_reaches_121_too() -> None:
    """G4: the side that an award brings to 121 judges the offender where it was sent back to."""
    table = Table(CRIB_WARS, LONG, stand={1: 15, 2: 101})
    kinds = ["counted", "folded", "sent_back", "awarded", "skunked"]
    assert kinds == table.peg(1, 7)


def test_the_count_itself_reaches_121() -> None:
    """G4: the others are judged before a box sends the first one back and gives them 20."""
    table = Table(CROWDED, LONG, stand={1: 120, 2: 80})
    kinds = ["counted", "skunked", "folded", "sent_back", "awarded"]
    assert kinds == table.peg(1, 15)
    assert (115, 120) == table.pegs(1)


def test_a_side_is_judged_by_its_progress() -> None:
    """G4: a peg in a trap beyond the line stands by the way that it still has to take."""
    table = Table(CROWDED, LONG, stand={1: 115, 2: 105}, landed=(2,))
    assert 81 == table.state.progress(2)
    assert ["counted", "skunked"] == table.peg(1, 6)


@pytest.mark.parametrize("skunk_at", ["finish", "off"])
def test_no_other_house_judges_at_121(skunk_at: str) -> None:
    """G4: with skunks at the finish, or off, hole 121 is a hole like any other."""
    rules = dataclasses.replace(LONG, skunk_at=skunk_at)
    assert ["counted"] == Table(CRIB_WARS, rules, stand={1: 115}).peg(1, 6)


@pytest.mark.parametrize(("skunk_at", "games"), [("finish", 4), ("off", 1)])
def test_skunks_of_the_long_track_at_its_finish(skunk_at: str, games: int) -> None:
    """G4: judged at the finish a side below the line costs its games; off, never."""
    rules = dataclasses.replace(LONG, skunk_at=skunk_at)
    table = Table(CRIB_WARS, rules, stand={1: 362, 2: 60})
    table.peg(1, 1)
    assert games == table.state.match.won(1)


def test_the_win_has_its_worth() -> None:
    """G4: the event of the win carries the games that it is worth."""
    table = Table(CLASSIC, preset("classic-121"), stand={1: 120, 2: 70})
    events = table.do(Peg(side=1, points=2))
    assert ["counted", "skunked", "won"] == [event.kind for event in events]
    assert [2, 2, 2] == [event.points for event in events]
    assert [1, 2, 1] == [event.side for event in events]


def win_on_the_classic_board(table: Table, side: int) -> list[str]:
    """Let one side win in 29s; the kinds of event of the last count."""
    for _ in range(4):
        table.peg(side, 29)
    return table.peg(side, 29)


def test_first_to_seven() -> None:
    """G6: the first side with seven match points wins the match, here with two fours."""
    table = Table(CLASSIC, preset("electronic"))
    assert ["counted", "skunked", "won"] == win_on_the_classic_board(table, 2)
    table.do(NewGame())
    assert ["counted", "skunked", "won", "match_won"] == win_on_the_classic_board(table, 2)
    assert (8, 2) == (table.state.match.won(2), table.state.match.winner)


def test_six_points_win_no_match() -> None:
    """G6: with six points the match goes on, and they are kept into the next game."""
    table = Table(CLASSIC, preset("electronic"), stand={1: 120, 2: 70})
    table.peg(1, 1)
    table.do(NewGame())
    win_on_the_classic_board(table, 1)
    assert 6 == table.state.match.won(1)
    assert table.state.match.winner is None


def test_a_series_without_end() -> None:
    """G6: without `match_to` games are added up and nobody wins the match."""
    table = Table(CLASSIC, preset("classic-121"))
    for _ in range(3):
        win_on_the_classic_board(table, 1)
        table.do(NewGame())
    assert 12 == table.state.match.won(1)
    assert table.state.match.winner is None


def test_after_a_match_comes_another() -> None:
    """G6: the game after a won match begins a match from nothing."""
    rules = dataclasses.replace(preset("electronic"), match_to=1)
    table = Table(CLASSIC, rules, stand={1: 120, 2: 110})
    assert ["counted", "won", "match_won"] == table.peg(1, 1)
    table.do(NewGame())
    assert 0 == table.state.match.won(1)
    assert table.state.match.winner is None
