"""An earlier count is corrected or removed: what came after it is played again.

That the game is then the fold of the corrected list is proved in `test_against_slow_game`.
"""

import pytest

from companion.errors import LaterCommandError, RuleError
from companion.rules.game import Command, Correct, Deal, MoveInBox, Peg
from companion.rules.game.correction import standing
from tests.companion.rules.game.tables import Table


def played(*commands: Command, sides: int = 2) -> Table:
    """Return a table at which these commands were given."""
    table = Table(seats=(sides, sides))
    for command in commands:
        table.do(command)
    return table


def test_a_later_count_that_is_refused_refuses_the_correction() -> None:
    """Z5: a side that would have folded could not have counted; the error names which and why."""
    table = played(Peg(side=1, points=5), Peg(side=2, points=1), Peg(side=1, points=6))
    with pytest.raises(LaterCommandError, match=r"command 3 .* has folded") as caught:
        table.do(Correct(entry=1, points=22))
    assert ("Z5", 3, 1) == (caught.value.rule, caught.value.number, caught.value.side)


def test_a_correction_is_corrected_by_its_count() -> None:
    """A correction is no count itself: another one of the same count replaces it."""
    table = played(Peg(side=1, points=3), Correct(entry=1, points=4))
    with pytest.raises(RuleError, match="only a count"):
        table.do(Correct(entry=2, points=5))
    table.do(Correct(entry=1, points=5))
    assert (5, 0) == table.pegs(1)


def test_a_move_in_the_box_without_a_box_is_dropped() -> None:
    """Z7: corrected out of the box, a side has no move to make there."""
    table = played(Peg(side=1, points=22), Deal(), MoveInBox(side=1), sides=3)
    table.do(Correct(entry=1, points=21))
    _, entries = table.history.game
    assert () == standing(Table(seats=(3, 3)).state, entries)[2].events
