"""Records once more, slow and obvious: every game is played again from its commands alone.

The oracle of `companion.journal`. It knows no rows, no chain and no events of counts: it keeps the
commands that stand in a list, an undo takes the last one out, and a count that was put right is
replaced in the list by the smaller one.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec import structs

from companion.errors import RuleError
from companion.rules.game import (
    Command,
    Correct,
    History,
    Kind,
    MoveInBox,
    NewGame,
    Overpeg,
    Peg,
    Penalty,
    Setup,
    State,
    Undo,
    new_game,
)

ZONES = {
    Kind.SLID: "red-slide",
    Kind.TRAPPED: "time-trap",
    Kind.ADVANCED: "green-advance",
    Kind.FOLDED: "penalty-box",
}


@dataclass(kw_only=True)
class SlowGame:
    """A game by its commands; `states` has that after the start and after each command."""

    setup: Setup
    names: dict[str, str]
    commands: list[Command] = field(default_factory=list)
    states: list[State] = field(default_factory=list)

    def standing(self) -> list[Command]:
        """The commands after their corrections, without removed ones."""
        listed: list[Command | None] = []
        for command in self.commands:
            listed.append(None if isinstance(command, Correct) else command)
            if isinstance(command, Correct):
                wrong = self.commands[command.entry - 1]
                assert isinstance(wrong, Peg)
                right = command.points and structs.replace(wrong, points=command.points)
                listed[command.entry - 1] = right or None
        return [command for command in listed if command]

    def corrected(self) -> list[Command]:
        """The commands as if every count had been right at once."""
        right: list[Command] = []
        for command in self.standing():
            if not isinstance(command, Overpeg):
                right.append(command)
                continue
            place = max(n for n, made in enumerate(right) if isinstance(made, Peg))
            wrong = right[place]
            assert isinstance(wrong, Peg)
            right[place] = structs.replace(wrong, points=wrong.points - command.extra)
            if command.taken_by is not None:
                right.append(Peg(side=command.taken_by, points=command.extra))
        return right

    def taken(self) -> Counter[int]:
        """Return points of penalties and overpegs, by the side that took them."""
        points: Counter[int] = Counter()
        for command in self.standing():
            if isinstance(command, Penalty):
                points.update(dict.fromkeys(command.taken, 2))
            elif isinstance(command, Overpeg) and command.taken_by is not None:
                points[command.taken_by] += command.extra
        return points

    def of_cards(self, side: int) -> list[int]:
        """Return a side's counts of cards, with corrected points."""
        right: list[tuple[int, int]] = []
        for command in self.standing():
            if isinstance(command, Peg):
                right.append((command.side, command.points))
            elif isinstance(command, Overpeg):
                counter, points = right.pop()
                right.append((counter, points - command.extra))
        return [points for counter, points in right if counter == side]


@dataclass(kw_only=True)
class SlowRecords:
    """Sessions of a table, each begun with settings, as lists of games."""

    games: list[SlowGame] = field(default_factory=list)
    _stack: list[SlowGame] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)

    def start(self, setup: Setup, names: dict[str, str], *, opens: bool) -> None:
        """Start the table; a start that opens a series leaves no way back to the games before.

        Other rules alone open none: the game goes on, and the next one has them.
        """
        self._names = names
        if opens:
            self.games += self._stack
            self._stack = []
            self._stack.append(SlowGame(setup=setup, names=names))

    def do(self, command: Command, after: State) -> None:
        """Take an accepted command."""
        game = self._stack[-1]
        if isinstance(command, NewGame):
            self._stack.append(SlowGame(setup=after.setup, names=self._names))
        elif not isinstance(command, Undo):
            game.commands.append(command)
            game.states.append(after)
        elif game.commands:
            game.commands.pop()
            game.states.pop()
        else:
            self._stack.pop()

    def end(self) -> list[SlowGame]:
        """Return every game with an event, oldest first."""
        self.games += self._stack
        self._stack = []
        return [game for game in self.games if game.states and _happened(game.states[-1])]


def _happened(state: State) -> bool:
    return state.counts > 0 or state.winner is not None


@dataclass(frozen=True, kw_only=True)
class SlowFigures:
    """Tally of a side in the game with every count right at once."""

    zones: dict[str, int]
    best: int
    worst: int
    behind: int


def slow_figures(game: SlowGame) -> dict[int, SlowFigures]:
    """Return the tally of each side, from the right commands played one by one."""
    history = History(new_game(game.setup))
    zones = {side: Counter[str]() for side in game.setup.sides}
    leads = {side: [0] for side in game.setup.sides}
    swings = {side: [0] for side in game.setup.sides}
    for command in game.corrected():
        before = history.state
        try:
            entry = history.do(command)
        except RuleError:
            assert isinstance(command, MoveInBox)  # the box that it was made in was corrected away
            continue
        for event in entry.events:
            if event.side and event.kind in ZONES:
                zones[event.side][ZONES[event.kind]] += 1
        if not isinstance(command, Peg | Penalty):
            continue
        for side in game.setup.sides:
            leads[side].append(slow_lead(entry.state, side))
            swings[side].append(leads[side][-1] - slow_lead(before, side))
    return {
        side: SlowFigures(
            zones=dict(zones[side]),
            best=max(swings[side]),
            worst=min(swings[side]),
            behind=-min(leads[side]),
        )
        for side in game.setup.sides
    }


def slow_lead(state: State, side: int) -> int:
    """Return the holes ahead of the best other side."""
    ways = {each: state.progress(each) for each in state.setup.sides}
    mine = ways.pop(side)
    return mine - max(ways.values())


def slow_results(games: Iterable[SlowGame], side: int | None, name: str | None) -> list[bool]:
    """Return for each won game if a side has won it, by its lane or its name."""
    results = []
    for game in games:
        winner = game.states[-1].winner
        named = {int(lane) for lane, each in game.names.items() if each == name}
        mine = [lane for lane in game.setup.sides if lane == side or lane in named]
        results += [lane == winner for lane in mine if winner is not None]
    return results
