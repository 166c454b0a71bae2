"""An earlier count is corrected or removed: what came after it is played again.

That the game is then the fold of the corrected list is proved in `test_against_slow_game`.
"""

import pytest

from companion.errors import LaterCommandError, RuleError
from companion.rules.game import Claim, Correct, Deal, MoveInBox, NewGame, Peg, Penalty, Undo
from companion.rules.game.commands import Command
from companion.rules.game.correction import standing
from tests.companion.rules.game.tables import Table

GAME: tuple[Command, ...] = (
    Peg(side=1, points=10),
    Peg(side=2, points=5),
    Peg(side=1, points=12),  # in the box of 22: back to 2, the other side on to 25
    Deal(),
    Penalty(rule="N9", by=1, taken=(2,)),
    Peg(side=2, points=6),
)


def played(*commands: Command, sides: int = 2) -> Table:
    """Return a table at which these commands were given."""
    table = Table(seats=(sides, sides))
    for command in commands:
        table.do(command)
    return table


@pytest.mark.parametrize(
    ("entry", "points", "pegs"),
    [
        (1, 9, ((21, 9), (13, 7))),
        (1, None, ((12, 0), (13, 7))),
        (2, 29, ((2, 10), (57, 51))),
        (3, None, ((10, 0), (13, 7))),
        (5, None, ((2, 10), (31, 25))),
        (6, 1, ((2, 10), (28, 27))),
    ],
)
def test_the_later_commands_are_played_again(
    entry: int, points: int | None, pegs: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    """N11: a count that lands elsewhere, or never was, leaves a game in which the rest follows."""
    table = played(*GAME, Correct(entry=entry, points=points))
    assert pegs == (table.pegs(1), table.pegs(2))
    assert (2, 2) == (table.state.hand, table.state.dealer)


def test_one_undo_takes_all_of_a_correction_back() -> None:
    """The game stands as before; a second correction builds on the first, and goes alone."""
    table = played(*GAME)
    before = table.state
    table.do(Correct(entry=3, points=4))
    once = table.state
    table.do(Correct(entry=1, points=None))
    assert (4, 0) == table.pegs(1)
    table.undo()
    assert once == table.state
    table.undo()
    assert before == table.state


def test_a_removed_count_can_come_back() -> None:
    """A number stays that of its command, so that what was removed is corrected again."""
    table = played(*GAME)
    before = table.state
    for points in (None, 12):
        table.do(Correct(entry=3, points=points))
    assert before.all_pegs == table.state.all_pegs


def test_a_later_count_that_is_refused_refuses_the_correction() -> None:
    """Z5: a side that would have folded could not have counted; the error names which and why."""
    table = played(Peg(side=1, points=5), Peg(side=2, points=1), Peg(side=1, points=6))
    with pytest.raises(LaterCommandError, match=r"command 3 .* has folded") as caught:
        table.do(Correct(entry=1, points=22))
    assert ("Z5", 3, 1) == (caught.value.rule, caught.value.number, caught.value.side)


def test_a_move_in_the_box_without_a_box_is_dropped() -> None:
    """Z7: corrected out of the box, a side has no move to make there; its counts go on."""
    table = played(
        Peg(side=1, points=22), Deal(), MoveInBox(side=1), Peg(side=2, points=3), sides=3
    )
    table.do(Correct(entry=1, points=21))
    assert ((21, 0), None) == (table.pegs(1), table.hands(1))
    _, entries = table.history.game
    assert () == standing(Table(seats=(3, 3)).state, entries)[2].events


def test_a_correction_may_win() -> None:
    """G2: a last count that was entered too small wins after all, and ends the corrections."""
    table = Table(stand={1: 350})
    table.peg(1, 3)
    table.do(Correct(entry=1, points=13))
    assert 1 == table.state.winner
    assert "G2" == table.refusal(Correct(entry=1, points=3))


@pytest.mark.parametrize(
    ("entry", "points", "rule"),
    [(0, 5, None), (7, 5, None), (4, None, None), (5, 3, None), (1, 30, "S5"), (1, 0, "S5")],
)
def test_what_cannot_be_corrected(entry: int, points: int | None, rule: str | None) -> None:
    """S5: there is no such command, it is no count, or no count has so many points."""
    assert rule == played(*GAME).refusal(Correct(entry=entry, points=points))


def test_numbers_are_those_of_the_running_game() -> None:
    """Counts of a game that is over are out of reach; what was taken back has no number."""
    table = played(Peg(side=1, points=3), Claim(rule="N10", by=1, game_to=2), NewGame())
    assert table.refusal(Correct(entry=1, points=2)) is None  # refused, and by no numbered rule
    for command in (Peg(side=1, points=4), Undo(), Peg(side=2, points=6)):
        table.do(command)
    table.do(Correct(entry=1, points=2))
    assert ((0, 0), (2, 0)) == (table.pegs(1), table.pegs(2))


def test_a_correction_is_corrected_by_its_count() -> None:
    """A correction is no count itself: another one of the same count replaces it."""
    table = played(Peg(side=1, points=3), Correct(entry=1, points=4))
    with pytest.raises(RuleError, match="only a count"):
        table.do(Correct(entry=2, points=5))
    table.do(Correct(entry=1, points=5))
    assert (5, 0) == table.pegs(1)
