"""History of a table: commands taken back, begun anew, read from disk again."""

import pytest

from companion.errors import RuleError
from companion.rules.game import (
    Command,
    Deal,
    History,
    HouseRules,
    MoveInBox,
    NewGame,
    Overpeg,
    Peg,
    Setup,
    State,
    Undo,
    new_game,
)
from tests.companion.rules.game.tables import Table
from tests.support.boards import CLASSIC

A_LONG_EVENING: tuple[Command, ...] = (
    Deal(),
    Peg(side=1, points=22),
    Peg(side=2, points=29),
    Overpeg(side=2, extra=3, taken_by=3),
    Deal(),
    MoveInBox(side=1),
    Peg(side=2, points=16),
    Peg(side=3, points=19),
    Deal(),
    NewGame(),
    Deal(dealer=3),
    Peg(side=3, points=12),
)
"""Three sides: a box, a slide, an overpeg, a newcomer in the box, a new game."""


def states_of(table: Table, commands: tuple[Command, ...]) -> list[State]:
    """Return the state before the first command and after each."""
    states = [table.state]
    for command in commands:
        table.do(command)
        states.append(table.state)
    return states


def test_undo_over_a_whole_evening() -> None:
    """Every state of an evening comes back in turn, over boxes, an overpeg and a new game."""
    table = Table(rules=HouseRules(), seats=(3, 3))
    states = states_of(table, A_LONG_EVENING)
    for state in reversed(states[:-1]):
        table.undo()
        assert state == table.state
    assert 0 == len(table.history)


def test_deciding_changes_nothing() -> None:
    """An entry may be decided and never added."""
    table = Table()
    before = table.state
    entry = table.history.decide(Peg(side=1, points=5))
    assert before is table.state
    assert table.history.last is None
    table.history.add(entry)
    assert entry is table.history.last
    assert entry.state is table.state


def test_deciding_an_undo_changes_nothing() -> None:
    """An undo may be decided first and added later, as any command."""
    table = Table()
    before = table.state
    table.peg(1, 5)
    entry = table.history.decide(Undo())
    assert 1 == len(table.history)
    table.history.add(entry)
    assert before == table.state


def test_a_long_evening_is_kept_by_whole_games() -> None:
    """Beyond the limit the oldest games go when one begins; the last two can be taken back."""
    history = History(Table().state, limit=8)
    for _ in range(5):
        for command in (Peg(side=1, points=1), Peg(side=2, points=2), NewGame()):
            history.do(command)
        assert len(history) <= 8
    for _ in range(len(history)):
        history.do(Undo())
    assert (0, 0) == (len(history), history.state.pegs(1).front)
    for _ in range(20):
        history.do(Peg(side=1, points=1))
    history.do(NewGame())
    history.do(Undo())
    assert 20 == history.state.pegs(1).front


def test_a_preset_is_chosen_for_a_game_and_the_longer_one_comes_back() -> None:
    """G7: on the board's whole track, whatever the last game was; kept until another is chosen."""
    short = Setup.make(CLASSIC, HouseRules(board="classic", game_to=61), sides=(1, 2))
    history = History(new_game(short), next_setup=short)
    assert ("", "classic-121", "electronic", "lurch", "family") == tuple(history.presets)

    def finish(preset: str | None) -> int:
        return history.do(NewGame(preset=preset)).state.setup.track.finish

    assert [121, 121, 61, 61] == [finish(preset) for preset in ("electronic", None, "", None)]
    history.do(NewGame(preset="family"))
    assert not history.has_new_rules
    history.do(Undo())
    assert "" == history.state.setup.preset


def test_a_preset_of_another_board_is_no_choice() -> None:
    """G7: the board that lies on the table is not changed by a button."""
    history = History(new_game(Setup.make(CLASSIC, HouseRules(board="classic"), sides=(1, 2))))
    with pytest.raises(RuleError, match="no choice"):
        history.do(NewGame(preset="crib-wars"))
