"""History of a table: commands taken back, begun anew, read from disk again."""

import dataclasses

import pytest

from companion.errors import RuleError
from companion.rules.game import (
    Command,
    Deal,
    History,
    HouseRules,
    Kind,
    Match,
    MoveInBox,
    NewGame,
    Overpeg,
    Peg,
    Setup,
    State,
    Undo,
    new_game,
)
from tests.companion.rules.game.tables import NO_SKUNKS, Table
from tests.support.tracks import CLASSIC

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


def test_undo_takes_back_one_command() -> None:
    """Undo takes back the last accepted command, and the next undo the one before it."""
    table = Table()
    states = states_of(table, (Peg(side=1, points=5), Peg(side=2, points=7)))
    table.undo()
    assert states[1] == table.state
    table.undo()
    assert states[0] == table.state


def test_nothing_left_to_take_back() -> None:
    """Undo is refused, by no rule's number, where nothing was done."""
    table = Table()
    assert table.refusal(Undo()) is None
    table.deal()
    table.undo()
    assert table.refusal(Undo()) is None


@pytest.mark.parametrize(
    ("stand", "command"),
    [
        ({1: 40}, Peg(side=1, points=4)),
        ({1: 128}, Peg(side=1, points=2)),
        ({1: 15, 2: 80}, Peg(side=1, points=7)),
        ({1: 360, 2: 80}, Peg(side=1, points=7)),
        ({1: 15, 2: 350}, Peg(side=1, points=7)),
        ({1: 100}, Deal()),
        ({1: 100}, NewGame()),
    ],
)
def test_undo_over_anything(stand: dict[int, int], command: Command) -> None:
    """Undo steps back over slides, traps, boxes, wins, awards, deals and new games alike."""
    table = Table(rules=HouseRules(), stand=stand)
    before = table.state
    table.do(command)
    assert before != table.state
    table.undo()
    assert before == table.state


def test_undo_over_a_whole_evening() -> None:
    """Every state of an evening comes back in turn, over boxes, an overpeg and a new game."""
    table = Table(rules=HouseRules(), seats=(3, 3))
    states = states_of(table, A_LONG_EVENING)
    for state in reversed(states[:-1]):
        table.undo()
        assert state == table.state
    assert 0 == len(table.history)


def test_undo_of_a_win_lets_play_go_on() -> None:
    """A win taken back is neither a win nor a game of the match."""
    table = Table(CLASSIC, dataclasses.replace(NO_SKUNKS, match_to=1), stand={1: 120})
    assert ["counted", "won", "match_won"] == table.peg(1, 3)
    table.undo()
    assert table.state.winner is None
    assert Match() == table.state.match
    assert ["counted"] == table.peg(2, 3)


def test_undo_into_the_game_before() -> None:
    """Undo of a new game is back in the old one, won as it was."""
    table = Table(CLASSIC, NO_SKUNKS, stand={1: 120})
    table.peg(1, 3)
    table.do(NewGame())
    table.undo()
    assert 1 == table.state.winner
    table.undo()
    assert (120, 0) == table.pegs(1)


def test_an_undo_says_whose_command_it_took_back() -> None:
    """The event of an undo names the side of the command, or none for the table's own."""
    table = Table()
    table.peg(2, 5)
    table.deal()
    assert [None, 2] == [table.do(Undo())[0].side for _ in range(2)]


def test_an_undo_leaves_one_event() -> None:
    """An undo is told by one event of its own kind."""
    table = Table(stand={1: 40})
    table.peg(1, 4)
    assert [Kind.UNDONE] == [event.kind for event in table.do(Undo())]


def test_a_refused_command_is_no_past() -> None:
    """A refused command leaves nothing to take back."""
    table = Table(stand={1: 15, 2: 80})
    table.peg(1, 7)
    assert "Z5" == table.refusal(Peg(side=1, points=1))
    assert 1 == len(table.history)


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


def test_a_new_game_begins_at_the_start() -> None:
    """G1: a new game stands as the first did: pegs at 0, hand 1, dealer seat 1."""
    table = Table(seats=(2, 4))
    before = table.state
    for command in (Peg(side=1, points=5), Deal(), Deal()):
        table.do(command)
    table.do(NewGame())
    assert before == table.state


def test_other_sides_in_a_new_game() -> None:
    """T1: a new game may be for other sides, with as many players to a side as before."""
    table = Table(seats=(3, 6))
    table.do(NewGame(sides=(1, 3)))
    assert ((1, 3), 4) == (table.state.setup.sides, table.state.setup.players)
    assert "T1" == table.refusal(Peg(side=2, points=5))
    table.undo()
    table.peg(2, 5)


@pytest.mark.parametrize("lanes", [(1,), (), (1, 2, 3, 4), (1, 4)])
def test_a_new_game_wants_two_or_three_sides(lanes: tuple[int, ...]) -> None:
    """T1: one side alone begins no game, and a side without a lane does not either."""
    assert "T1" == Table().refusal(NewGame(sides=lanes))


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
