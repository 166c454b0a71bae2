"""Games of cards that are played to their end without a table, with a record of all steps."""

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from companion.board import load_board
from companion.errors import RuleError
from companion.players import Child, DiscardRequest, Player, Regular
from companion.players.match.dealer import run_game
from companion.players.match.steps import Announce, Answer, Apply, DealerStep, Declare, Request
from companion.rules.game import Command, Entry, Event, History, HouseRules, Setup, State, new_game

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
        done.history.state, random.Random(seed), declares=declare is not None, people=people
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
