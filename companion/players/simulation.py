"""Games among computer players: one game, and simulations of many games in several processes.

The same players, set-up and seed always give the same game. All random numbers of a simulated game
come from the seed and the game's number. So a game is the same in every process and in a simulation
of any length.
"""

from __future__ import annotations

import os
import random
import signal
from collections import Counter, deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import active_children, get_context, resource_tracker

from companion.board import Hole, Track
from companion.errors import BadInputError, WorkerError
from companion.players import make_player
from companion.players.dealer import run_game
from companion.players.player import Player
from companion.players.steps import Answer, Apply, Request
from companion.rules import game
from companion.rules.deal.seats import SIDES
from companion.rules.game import HouseRules, Setup

_SPAWN = get_context("spawn")
"""Worker processes are not forked: a fork of a process with threads, as numpy has, can hang."""

_AHEAD = 16
"""Games running or queued for each worker, so that no worker is idle while a long game runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """Record of a finished game.

    Attributes:
        winner: the side that won.
        first_dealer: the seat that dealt first.
        deals: the number of deals; the win ends the last one.
        points: the points pegged in all deals but the last; the key is True for the dealing side
            and False for all other sides together.
        zones: the number of landings in each zone; the key is the zone's id.
        led_into: pairs of a zone's id and a side that landed there while it led all others.
        landings: the number of counts, and of awards of holes (Z6), that ended on each hole.
        worth: the games for which the win counts; more than one after a skunk (G4 to G6).
    """

    winner: int
    first_dealer: int
    deals: int
    points: Mapping[bool, int]
    zones: Mapping[str, int]
    led_into: frozenset[tuple[str, int]]
    landings: Mapping[Hole, int]
    worth: int


def play_game(setup: game.Setup, players: Mapping[int, Player], rng: random.Random) -> GameRecord:
    """Play a game to its win; players make no errors, so there are no referee's penalties.

    Args:
        setup: board, house rules and sides.
        players: the player of each seat, from 1 on.
        rng: generator for the cut for deal, the shuffles and the cut of the starter.

    Raises:
        RuleError: the rules refuse a player's answer.
    """
    recorder = _GameRecorder(state=game.new_game(setup))
    steps = run_game(recorder.state, rng)
    answer: Answer = None
    while True:
        try:
            step = steps.send(answer)
        except StopIteration:
            return recorder.record()
        match step:
            case Request():
                answer = step.answer_of(players[step.seat])
            case Apply():
                answer = recorder.carry_out(step)
            case _:
                answer = None


@dataclass(slots=True, kw_only=True)
class _GameRecorder:
    state: game.State
    first_dealer: int = 1
    points: Counter[bool] = field(default_factory=Counter)
    in_deal: Counter[bool] = field(default_factory=Counter)
    zones: Counter[str] = field(default_factory=Counter)
    led_into: set[tuple[str, int]] = field(default_factory=set)
    landings: Counter[Hole] = field(default_factory=Counter)

    def carry_out(self, do: Apply) -> game.State:
        before, command = self.state, do.command
        if isinstance(command, game.Correct | game.NewGame | game.Undo):
            raise TypeError(f"{command}: a dealer runs one game, and takes nothing back")
        events = game.decide(before, command)
        self.state = game.apply_all(before, events)
        if isinstance(command, game.Deal):
            self.points.update(self.in_deal)
            self.in_deal.clear()
            if not before.counts:
                self.first_dealer = self.state.dealer
        if isinstance(command, game.Peg):
            own = command.side == before.setup.side_of(before.dealer)
            self.in_deal[own] += command.points
        for event in events:
            self.note(before, event)
        return self.state

    def note(self, before: game.State, event: game.Event) -> None:
        if event.side is None or event.origin is None or event.to is None:
            return
        if event.kind.facts.movement is game.Movement.WALKS:
            self.landings[event.to] += 1
        elif event.kind is game.Kind.SKIPPED:
            self.landings[event.origin] -= 1
            self.landings[event.to] += 1
        zone = before.setup.track.zone_at(event.origin)
        if zone and event.kind.facts.zone:
            self.zones[zone.id] += 1
            if _leads(before, event.side):
                self.led_into.add((zone.id, event.side))

    def record(self) -> GameRecord:
        state = self.state
        assert state.winner is not None  # noqa: S101  # `run_game` ends after the win
        return GameRecord(
            winner=state.winner,
            first_dealer=self.first_dealer,
            deals=state.hand,
            points=dict(self.points),
            zones=dict(self.zones),
            led_into=frozenset(self.led_into),
            landings={hole: times for hole, times in self.landings.items() if times},
            worth=state.match.won(state.winner),
        )


def _leads(state: game.State, side: int) -> bool:
    return all(state.progress(side) > state.progress(other) for other in state.others(side))


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationPlan:
    """Plan of games with one set-up.

    Attributes:
        setup: the board, the house rules and the sides.
        kinds: the kinds of the players in the first game; the list is repeated if there are more
            seats. From game to game each player moves to the next seat.
    """

    setup: Setup
    kinds: tuple[str, ...]
    seed: int

    @classmethod
    def make(
        cls,
        track: Track,
        rules: HouseRules,
        kinds: Sequence[str],
        *,
        seats: int | None = None,
        seed: int,
    ) -> SimulationPlan:
        """Return a plan for a number of seats; by default a seat for each kind, and at least two.

        Raises:
            BadInputError: a kind is unknown, no game has this many seats, or there are more kinds
                than seats.
            RuleError: the game has more sides than the board has lanes (rule T1).
        """
        seats = max(len(kinds), min(SIDES)) if seats is None else seats
        if seats not in SIDES:
            text = "{seats} players cannot play: choose 2, 3, 4 or 6 players (T1)"
            raise BadInputError(text, seats=seats)
        if not 1 <= len(kinds) <= seats:
            text = "{kinds} kinds of player cannot take {seats} seats: name 1 to {seats} kinds"
            raise BadInputError(text, kinds=len(kinds), seats=seats)
        setup = Setup.make(track, rules, sides=tuple(range(1, SIDES[seats] + 1)), players=seats)
        for kind in kinds:
            make_player(kind, setup, random.Random(seed))  # noqa: S311  # only checks the kind
        return cls(setup=setup, kinds=tuple(kinds), seed=seed)

    def seated(self, number: int) -> dict[int, int]:
        """Return, for each seat in game `number`, the index in `kinds` of the seat's player."""
        seats = self.setup.players
        return {seat: (seat - 1 + number) % seats % len(self.kinds) for seat in range(1, seats + 1)}

    def winners(self, number: int, winner: int) -> frozenset[int]:
        seated = self.seated(number).items()
        return frozenset(kind for seat, kind in seated if self.setup.side_of(seat) == winner)

    def play(self, number: int) -> GameRecord:
        players = {
            seat: make_player(self.kinds[kind], self.setup, self._rng(number, seat))
            for seat, kind in self.seated(number).items()
        }
        return play_game(self.setup, players, self._rng(number))

    def _rng(self, *of: int) -> random.Random:
        return random.Random("/".join(map(str, (self.seed, *of))))  # noqa: S311  # no secrets


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_games(plan: SimulationPlan, games: int, *, jobs: int) -> Generator[GameRecord]:
    """Yield the records of the games in order of their numbers, from 0.

    With one job the games run in this process. Closing the generator ends the workers.

    Raises:
        WorkerError: a worker has died.
    """
    jobs = min(jobs, games)
    if jobs == 1:
        yield from map(plan.play, range(games))
        return
    with _pool(jobs) as pool:
        numbers = iter(range(games))
        with _interrupts_blocked():
            ahead = deque(pool.submit(plan.play, n) for n in islice(numbers, jobs * _AHEAD))
        try:
            while ahead:
                yield ahead.popleft().result()
                ahead.extend(pool.submit(plan.play, n) for n in islice(numbers, 1))
        except BrokenProcessPool:
            raise WorkerError(
                "a process that played games has died, maybe for lack of memory: use fewer --jobs"
            ) from None


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Start worker processes. At the end of the block, kill them, even in the middle of a game."""
    pool = ProcessPoolExecutor(jobs, mp_context=_SPAWN)
    try:
        yield pool
    finally:
        for worker in active_children():
            worker.terminate()
        pool.shutdown()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Hold Ctrl-C back until the `with` ends; processes that start inside it never get Ctrl-C.

    A terminal sends Ctrl-C to all processes, but only this process must act on it and end the
    workers. Python's resource tracker is started first, because its start would unblock the signal.
    """
    resource_tracker.ensure_running()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
