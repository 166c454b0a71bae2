"""Games of cards, played to their end without a table or as a demo in virtual time."""

import asyncio
import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from companion.board import board_source, load_board
from companion.commentary import Commentator
from companion.errors import RuleError
from companion.journal.setup import GameRequest
from companion.lights import View
from companion.players import Child, DiscardRequest, Player, Regular
from companion.players.dealer import run_game
from companion.players.steps import Announce, Answer, Apply, DealerStep, Declare, Request
from companion.rules.game import Command, Entry, Event, History, HouseRules, Setup, State, new_game
from companion.table.demo import Demo, Stage

# Games without a table, with a record of all steps


SIDES = {2: 2, 3: 3, 4: 2, 6: 3}
"""Sides by players (rule T1)."""

STEP_LIMIT = 20_000
"""More steps than any game has, so that an endless game fails."""

Interference = Callable[[DealerStep, History], Command | None]
"""Function that returns a command from outside at a step, or None."""


def setup_for(players: int, *, board: str = "crib-wars", rules: HouseRules | None = None) -> Setup:
    """Return a set-up of a shipped board."""
    lanes = tuple(range(1, SIDES[players] + 1))
    track = load_board(board).track
    return Setup.make(track, rules or HouseRules(), sides=lanes, players=players)


def children(players: int, seed: int) -> dict[int, Player]:
    """Return a child for each seat."""
    return {seat: Child(rng=random.Random(seed + seat)) for seat in range(1, players + 1)}


def regulars(players: int) -> dict[int, Player]:
    """Return a regular player for each seat."""
    return {seat: Regular() for seat in range(1, players + 1)}


def chosen(player: Player, ask: Request) -> Answer:
    """Return the answer of a player."""
    question = ask.request
    return (
        player.discard(question) if isinstance(question, DiscardRequest) else player.play(question)
    )


@dataclass(slots=True, kw_only=True)
class GameRun:
    """Record of a game: its `steps`, and the `states` at each.

    `entries` are all commands that were carried out.
    """

    history: History
    steps: list[DealerStep] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)

    @property
    def applied(self) -> list[Apply]:
        """The dealer's commands that were carried out."""
        return [step for step in self.steps if isinstance(step, Apply)]

    @property
    def requests(self) -> list[Request]:
        """The requests to the seats."""
        return [step for step in self.steps if isinstance(step, Request)]

    @property
    def announced(self) -> list[Announce]:
        """The announced events of the cards."""
        return [step for step in self.steps if isinstance(step, Announce)]

    @property
    def deals(self) -> list[Announce]:
        """The hands that were dealt."""
        return [reported for reported in self.announced if not reported.events]

    @property
    def events(self) -> list[Event]:
        """The events on the board."""
        return [event for entry in self.entries for event in entry.events]

    def carry_out(self, command: Command) -> None:
        """Carry out a command of any origin."""
        self.entries.append(self.history.do(command))


def play_out(
    game: State | Setup,
    players: Mapping[int, Player],
    *,
    seed: int,
    answer: Callable[[Request], Answer] | None = None,
    declare: Callable[[Declare], int] | None = None,
    people: Collection[int] = (),
    interfere: Interference = lambda _step, _history: None,
) -> GameRun:
    """Play one game to its end; `answer` answers in place of the players.

    Sides declare their counts if `declare` answers for them. A command that `interfere` returns is
    carried out between a step and its answer, as may happen at a table; so `people` move in a box.
    """
    done = GameRun(history=History(new_game(game) if isinstance(game, Setup) else game))
    steps = run_game(
        done.history.state,
        random.Random(seed),
        declares=declare is not None,
        people=people,
        commands=lambda: [entry.command for entry in done.history.latest(len(done.history))],
    )
    reply: Answer = None
    while len(done.steps) < STEP_LIMIT:
        try:
            step = steps.send(reply)
        except StopIteration:
            return done
        done.steps.append(step)
        done.states.append(done.history.state)
        command = interfere(step, done.history)
        if command:
            done.carry_out(command)
        if isinstance(step, Apply):
            _obey(done, step, disturbed=command is not None)
        if isinstance(step, Apply) or command:
            reply = done.history.state
        elif isinstance(step, Request):
            reply = answer(step) if answer else chosen(players[step.seat], step)
        elif isinstance(step, Declare) and declare:
            reply = declare(step)
        else:
            reply = None
    raise AssertionError(f"not over after {STEP_LIMIT} steps")


def _obey(done: GameRun, do: Apply, *, disturbed: bool) -> None:
    """Carry out the dealer's step; it may be refused only after a command from outside."""
    try:
        done.carry_out(do.command)
    except RuleError:
        if not disturbed:
            raise


# Demos: a sleep takes no time and moves the clock on


SHORT = HouseRules(board="crib-wars", game_to=121, skunk_at="off")
"""A game of a few hands, with all zones of the first stretch."""

NAMES = {1: "Amber", 2: "White", 3: "Magenta"}

Chosen = TypeVar("Chosen")


class VirtualTime:
    """A clock that each sleep moves on; `on_sleep` is called before each sleep."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.on_sleep: Callable[[], None] = lambda: None

    def clock(self) -> float:
        """Return the seconds."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Move the time on, and let other tasks run."""
        self.on_sleep()
        await asyncio.sleep(0)
        self.now += seconds


async def think_at_once(choose: Callable[[], Chosen]) -> Chosen:
    """Choose without a thread."""
    return choose()


class KeptViews:
    """Lights that keep each view with the time at which it was shown."""

    brightness = 1.0

    def __init__(self, time: VirtualTime) -> None:
        self._time = time
        self.shown: list[tuple[float, View]] = []

    def show(self, view: View) -> None:
        """Keep a view that differs from the last."""
        if not self.shown or self.shown[-1][1] is not view:
            self.shown.append((self._time.now, view))


class Night:
    """A demo in virtual time; all shown views are kept unless `keep` is False."""

    def __init__(
        self, *, players: int = 2, calm: bool = False, keep: bool = True, rules: HouseRules = SHORT
    ) -> None:
        self.time = VirtualTime()
        self.began = self.time.now
        self.lights = KeptViews(self.time)
        self.setup: Setup = setup_for(players, rules=rules)
        self.lines: list[str] = []
        self.stages: list[tuple[float, Stage]] = []
        self.deals = 0
        self._hand: object = None
        seats: dict[int, Player] = children(players, 1)
        self.demo = Demo(
            GameRequest(board_file=board_source("crib-wars"), setup=self.setup),
            seats,
            Commentator.make("en", NAMES, self.setup),
            show=self.lights.show if keep else lambda _view: None,
            narrate=lambda line: self.lines.append(line.text) if keep else None,
            changed=self._look,
            rng=random.Random(1),
            think=think_at_once,
            calm=calm,
            clock=self.time.clock,
            sleep=self.time.sleep,
        )

    def _look(self) -> None:
        if not self.stages or self.stages[-1][1] is not self.demo.stage:
            self.stages.append((self.time.now, self.demo.stage))
        state = self.demo.table.display.view.state if self.demo.table else None
        hand = state and (state.setup, state.hand, state.dealer)
        if hand != self._hand:
            self.deals += 1
            self._hand = hand

    def play(self, games: int) -> None:
        """Play this number of games."""
        asyncio.run(self.demo.run(games))

    def states(self) -> list[State]:
        """Return each state that was shown, in order."""
        shown: list[State] = []
        for _, view in self.lights.shown:
            if not shown or shown[-1] is not view.state:
                shown.append(view.state)
        return shown

    def window(self, stage: Stage) -> tuple[float, float]:
        """Return the times at which a stage was first shown and ended."""
        times = [*self.stages, (self.time.now, Stage.SHOW)]
        return next((start, end) for (start, was), (end, _) in pairwise(times) if was is stage)

    def between(self, start: float, end: float) -> list[View]:
        """Return the views that were shown in this time."""
        return [view for t, view in self.lights.shown if start <= t < end]


def open_files() -> int:
    """Return the files that this process has open on Linux."""
    return len(list(Path("/proc/self").glob("fd/*")))
