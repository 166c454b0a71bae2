"""A table for tests of rules: pegs are placed by the test, events are plain words."""

from collections.abc import Collection, Mapping

import pytest

from companion.board.layout import Hole, Track
from companion.errors import RuleError
from companion.rules.game import (
    Command,
    Deal,
    Event,
    History,
    HouseRules,
    MoveInBox,
    Peg,
    Pegs,
    Setup,
    State,
    Undo,
    new_game,
)
from tests.support.boards import CRIB_WARS

NO_SKUNKS = HouseRules(skunk_at="off")
"""Crib Wars without skunks, whose announcements would stand between the events of a zone."""


def _state(setup: Setup, stand: Mapping[int, Hole], landed: Collection[int]) -> State:
    state = new_game(setup)
    if not stand:
        return state
    sides = tuple(
        Pegs(front=stand.get(side, 0), back=0, landed=side in landed) for side in setup.sides
    )
    return State(setup=setup, all_pegs=sides, counts=1)


class Table:
    """Sides that play in the middle of a game, or from its start where nobody `stand`s anywhere.

    `stand` are front pegs by side; those in `landed` landed in the trap or advance there.
    """

    def __init__(
        self,
        track: Track = CRIB_WARS,
        rules: HouseRules = NO_SKUNKS,
        *,
        seats: tuple[int, int] = (2, 2),
        stand: Mapping[int, Hole] | None = None,
        landed: Collection[int] = (),
    ) -> None:
        sides, players = seats
        setup = Setup.make(track, rules, sides=tuple(range(1, sides + 1)), players=players)
        self.history = History(_state(setup, stand or {}, landed))

    @property
    def state(self) -> State:
        """The present game."""
        return self.history.state

    def do(self, command: Command) -> tuple[Event, ...]:
        """Carry out a command. Return its events."""
        return self.history.do(command).events

    def kinds(self, command: Command) -> list[str]:
        """Return the kinds of a command's events, in order."""
        return [event.kind.value for event in self.do(command)]

    def peg(self, side: int, points: int) -> list[str]:
        """Return the kinds of a count's events."""
        return self.kinds(Peg(side=side, points=points))

    def deal(self, dealer: int | None = None) -> list[str]:
        """Return the kinds of a deal's events."""
        return self.kinds(Deal(dealer=dealer))

    def move_in_box(self, side: int) -> list[str]:
        """Return the kinds of the events of a boxed side's own move."""
        return self.kinds(MoveInBox(side=side))

    def undo(self) -> None:
        """Take the last command back."""
        self.do(Undo())

    def refusal(self, command: Command) -> str | None:
        """Return the rule that refuses a command, which must change nothing."""
        before = self.state
        with pytest.raises(RuleError) as caught:
            self.do(command)
        assert before is self.state
        assert "\n" not in str(caught.value)
        return caught.value.rule

    def pegs(self, side: int) -> tuple[Hole, Hole]:
        """Return a side's front and back peg."""
        pegs = self.state.pegs(side)
        return pegs.front, pegs.back


def one_boxed(rules: HouseRules = NO_SKUNKS) -> Table:
    """Return three sides, the first just boxed from 15, the others on 205 and 50."""
    table = Table(rules=rules, seats=(3, 3), stand={1: 15, 2: 205, 3: 50})
    table.peg(1, 7)
    return table
