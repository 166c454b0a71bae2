"""A demo for tests: a sleep takes no time and moves the clock on."""

import asyncio
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from companion.board import board_source
from companion.commentary import Commentator
from companion.journal.setup import GameRequest
from companion.lights import View
from companion.players import Player
from companion.rules.game import HouseRules, Setup, State
from companion.table.demo import Demo, Stage
from tests.support.card_games import children, setup_for

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
