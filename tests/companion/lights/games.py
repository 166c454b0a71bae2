"""Random games for the lights: every accepted command, in any order."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from hypothesis import strategies as st

from companion.board.layout import Board
from companion.errors import RuleError
from companion.rules.game import (
    Command,
    Deal,
    Entry,
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
from tests.support.boards import CROWDED, make_board

SMALL = make_board()
"""60 holes, one zone of each kind."""

CROWDED_BOARD = make_board(finish=CROWDED.finish, zones=CROWDED.zones, column=35)
"""140 holes whose zones run into each other."""

Draw = tuple[str, int, int]


def draws(*, at_most: int = 40) -> st.SearchStrategy[list[Draw]]:
    """Return commands to try as verb, side and number; most are counts."""
    verbs = st.sampled_from(["peg"] * 6 + ["deal", "deal", "box", "overpeg", "undo", "new"])
    return st.lists(st.tuples(verbs, st.integers(1, 3), st.integers(1, 29)), max_size=at_most)


def setups(board: Board = CROWDED_BOARD) -> st.SearchStrategy[Setup]:
    """Return two or three sides, and house rules that move pegs differently."""
    rules = st.builds(
        HouseRules,
        finish=st.sampled_from(["overshoot", "exact"]),
        back_lands=st.booleans(),
        award_lands=st.booleans(),
        occupant_advance=st.sampled_from(["box", "track"]),
    )
    sides = st.sampled_from([(1, 2), (1, 3), (2, 3), (1, 2, 3)])
    return st.builds(lambda r, sides: Setup.make(board.track, r, sides=sides), rules, sides)


def steps(setup: Setup, tries: Sequence[Draw]) -> Iterator[tuple[State, Entry]]:
    """Return for each accepted command the state before it and its entry."""
    history = History(new_game(setup))
    for verb, side, number in tries:
        before = history.state
        with suppress(RuleError):
            yield before, history.do(_command(verb, side, number))


def last_state(setup: Setup, tries: Sequence[Draw]) -> State:
    """Return the last state."""
    state = new_game(setup)
    for _, entry in steps(setup, tries):
        state = entry.state
    return state


def after(setup: Setup, *commands: Command) -> State:
    """Return the state after these commands, all of which must be accepted."""
    history = History(new_game(setup))
    for command in commands:
        history.do(command)
    return history.state


def small_setup(sides: tuple[int, ...] = (1, 2, 3)) -> Setup:
    """Return a game on the small board by the default rules."""
    return Setup.make(SMALL.track, HouseRules(), sides=sides)


def _command(verb: str, side: int, number: int) -> Command:
    commands: dict[str, Command] = {
        "peg": Peg(side=side, points=number),
        "deal": Deal(),
        "box": MoveInBox(side=side),
        "overpeg": Overpeg(side=side, extra=min(number, 5), taken_by=number % 3 + 1),
        "undo": Undo(),
        "new": NewGame(sides=(1, 2) if number % 2 else None),
    }
    return commands[verb]
