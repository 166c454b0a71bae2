"""Random games and sessions for the lights, and a counter of visible flashes."""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from companion.board.layout import Board
from companion.errors import RuleError
from companion.lights import Flash, FlashKind, FlashLimiter, Light, Scene, View, flashing, plan
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
from companion.rules.game.commands import GameCommand
from tests.support.boards import CROWDED, make_board

# Games: every accepted command, in any order


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


# Sessions at a table: views that follow each other during presses, and their light


START_S = 10.0
FRAMES = 128
"""Frames a second."""

Press = tuple[str, int, float]
"""A button, the side, and the seconds until the next press."""

_BUTTONS = ["one", "one", "five", "back", "enter", "undo", "deal", "mode", "attract", "sleep"]
_FAST_S = 0.15
"""Longest wait between two presses of a player in a hurry."""


def presses(*, at_most: int) -> st.SearchStrategy[list[Press]]:
    """Return presses at any speed, mostly too fast for a hand, in bursts."""
    waits = st.floats(0.02, _FAST_S) | st.floats(0.02, 0.8)
    one = st.tuples(st.sampled_from(_BUTTONS), st.integers(1, 3), waits)
    bursts = st.tuples(st.lists(one, min_size=1, max_size=4), st.integers(1, 8))
    lists = st.lists(bursts, max_size=at_most // 8)
    return lists.map(lambda found: [press for burst, n in found for press in burst * n])


@dataclass(kw_only=True)
class Session:
    """Views of one table, each from its time on."""

    setup: Setup
    calm: bool = False
    t: float = START_S
    views: list[tuple[float, View]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start a game."""
        self.history = History(new_game(self.setup))
        self.pending: dict[int, int] = {}
        state = self.history.state
        self.show(View(state=state, ahead=state))

    @property
    def view(self) -> View:
        """The newest view."""
        return self.views[-1][1]

    def show(self, view: View) -> None:
        """Show this view from now on."""
        self.views.append((self.t, view))

    def play(self, presses: Sequence[Press]) -> Session:
        """Press all of these buttons in order."""
        for button, side, wait in presses:
            self.press(button, side)
            self.t += wait
        return self

    def press(self, button: str, side: int) -> None:
        """Handle a press as the panel and the table do."""
        now = self.view
        match button:
            case "one" | "five":
                self.pend(side, self.pending.get(side, 0) + (1 if button == "one" else 5))
            case "back":
                self.pend(side, 0)
            case "enter":
                points = self.pending.pop(side, 0)
                self.do(Peg(side=side, points=points or 1))
            case "undo":
                self.do(Undo())
            case "deal":
                self.do(Deal())
            case "mode":
                since = None if now.mode_since is not None else self.t
                self.show(dataclasses.replace(now, mode_since=since))
            case "attract":
                self.show(dataclasses.replace(now, attract=not now.attract))
            case "sleep":
                self.show(dataclasses.replace(now, asleep=not now.asleep))

    def pend(self, side: int, points: int) -> None:
        """Change a pending count; one too large is refused."""
        if points > 29:
            self.flash(FlashKind.REFUSED, side)
            return
        self.pending[side] = points
        pending = tuple((pegs, count) for pegs, count in sorted(self.pending.items()) if count)
        self.show(dataclasses.replace(self.view, pending=pending))

    def flash(self, kind: FlashKind, side: int | None) -> None:
        """Show a signal."""
        flashes = flashing(self.view.flashes, Flash(kind=kind, side=side, t0=self.t))
        self.show(dataclasses.replace(self.view, flashes=flashes))

    def do(self, command: GameCommand | Undo) -> None:
        """Carry out a command, or signal its refusal."""
        before = self.history.state
        entry = None
        with suppress(RuleError):
            entry = self.history.do(command)
        if entry is None:
            self.flash(FlashKind.REFUSED, getattr(command, "side", None))
            return
        self.pending.clear()
        motion = self.view.motion.joined(plan(before, entry, self.t, calm=self.calm))
        state = entry.state
        changed = dataclasses.replace(
            self.view, state=state, ahead=state, pending=(), motion=motion, attract=False
        )
        self.show(changed)

    def light(self, scene: Scene, limiter: FlashLimiter | None) -> Callable[[float], Light]:
        """Return the light at the times of the frames, from the first view on."""
        times = [t for t, _ in self.views]
        frames: list[Light] = []
        for t in START_S + np.arange(int(self.seconds * FRAMES)) / FRAMES:
            view = self.views[bisect_right(times, t) - 1][1]
            light, _ = scene.compose(view, float(t))
            frames.append(limiter.limit(light, float(t))[0] if limiter else light)
        return lambda t: frames[round((t - START_S) * FRAMES)]

    @property
    def seconds(self) -> float:
        """The seconds of all views, and of the last one's motion."""
        return self.t - START_S + 4.0

    def most_flashes(self, scene: Scene, *, limited: bool = True) -> int:
        """Return the flashes of the busiest point within one second."""
        limiter = FlashLimiter(scene.points.size) if limited else None
        return most_flashes(self.light(scene, limiter), START_S, self.seconds)


# Counter of visible flashes in light that is sampled over time


CONTRAST = 0.1
"""Part of full light that a point must go up and down again for a flash (WCAG 2: 10 %)."""

_PER_SECOND = 128


def rises(show: Callable[[float], Light], start: float, seconds: float) -> list[list[float]]:
    """Return for each point the times at which it has risen after a fall."""
    times = start + np.arange(int(seconds * _PER_SECOND)) / _PER_SECOND
    levels = np.array([show(float(t)).max(axis=1) for t in times])
    changing = np.ptp(levels, axis=0) >= CONTRAST  # no other point can flash
    return [
        _rises(levels[:, point].tolist(), times.tolist()) if changing[point] else []
        for point in range(levels.shape[1])
    ]


def most_in_a_second(times: list[float]) -> int:
    """Return the greatest number of these times within any one second."""
    return max((sum(t <= other < t + 1 for other in times) for t in times), default=0)


def most_flashes(show: Callable[[float], Light], start: float, seconds: float) -> int:
    """Return the most flashes of any point within one second."""
    return max(map(most_in_a_second, rises(show, start, seconds)))


def _rises(levels: list[float], times: list[float]) -> list[float]:
    found: list[float] = []
    low, high, fell = levels[0], levels[0], False
    for level, t in zip(levels[1:], times[1:], strict=True):
        if fell:
            low = min(low, level)
            if level - low >= CONTRAST:
                found.append(t)
                fell, high = False, level
        else:
            high = max(high, level)
            if high - level >= CONTRAST:
                fell, low = True, level
    return found
