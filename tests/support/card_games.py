"""Games of cards led to the end without a table: who plays, and what the croupier said."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.board import load_board
from companion.errors import RuleError
from companion.players import Child, DiscardRequest, Player, Regular
from companion.players.match.dealer import Answer, Choose, DealerStep, Execute, Notify, run_game
from companion.rules.game import Command, Entry, Event, History, HouseRules, Setup, State, new_game

SIDES = {2: 2, 3: 3, 4: 2, 6: 3}
"""Sides by players (rule T1)."""

MOST_MOMENTS = 20_000
"""More than any game has: one that goes on and on is told."""

Meddle = Callable[[DealerStep, History], Command | None]
"""What somebody else does at the table at a moment, if anything."""


def setup_for(players: int, *, board: str = "crib-wars", rules: HouseRules | None = None) -> Setup:
    """A set-up of a shipped board."""
    lanes = tuple(range(1, SIDES[players] + 1))
    track = load_board(board).track
    return Setup.make(track, rules or HouseRules(), lanes=lanes, players=players)


def children(players: int, seed: int) -> dict[int, Player]:
    """A child a seat."""
    return {seat: Child(rng=random.Random(seed + seat)) for seat in range(1, players + 1)}


def regulars(players: int) -> dict[int, Player]:
    """A regular a seat."""
    return {seat: Regular() for seat in range(1, players + 1)}


def chosen(player: Player, ask: Choose) -> Answer:
    """What a player answers."""
    question = ask.request
    return (
        player.discard(question) if isinstance(question, DiscardRequest) else player.play(question)
    )


@dataclass(slots=True, kw_only=True)
class Led:
    """A game as it was led.

    `moments` in order, `states` how the game stood at each; `entries` are all commands that were
    carried out.
    """

    history: History
    moments: list[DealerStep] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)

    @property
    def dos(self) -> list[Execute]:
        """What the croupier had carried out."""
        return [moment for moment in self.moments if isinstance(moment, Execute)]

    @property
    def asks(self) -> list[Choose]:
        """What the seats were asked."""
        return [moment for moment in self.moments if isinstance(moment, Choose)]

    @property
    def told(self) -> list[Notify]:
        """What was told of the cards."""
        return [moment for moment in self.moments if isinstance(moment, Notify)]

    @property
    def deals(self) -> list[Notify]:
        """The hands as they were dealt."""
        return [told for told in self.told if not told.events]

    @property
    def events(self) -> list[Event]:
        """What happened on the board."""
        return [event for entry in self.entries for event in entry.events]

    def carry_out(self, command: Command) -> None:
        """Carry out a command, whoever gives it."""
        self.entries.append(self.history.do(command))


def led(
    game: State | Setup,
    players: Mapping[int, Player],
    *,
    seed: int,
    answer: Callable[[Choose], Answer] | None = None,
    meddle: Meddle = lambda _moment, _history: None,
) -> Led:
    """One game led to its end; `answer` answers in the players' place.

    What `meddle` gives is carried out between a moment and its answer, as may happen at a table.
    """
    done = Led(history=History(new_game(game) if isinstance(game, Setup) else game))
    leading = run_game(done.history.state, random.Random(seed))
    reply: Answer = None
    while len(done.moments) < MOST_MOMENTS:
        try:
            moment = leading.send(reply)
        except StopIteration:
            return done
        done.moments.append(moment)
        done.states.append(done.history.state)
        command = meddle(moment, done.history)
        if command:
            done.carry_out(command)
        if isinstance(moment, Execute):
            _obey(done, moment, disturbed=command is not None)
        if isinstance(moment, Execute) or command:
            reply = done.history.state
        elif isinstance(moment, Choose):
            reply = answer(moment) if answer else chosen(players[moment.seat], moment)
        else:
            reply = None
    raise AssertionError(f"not over after {MOST_MOMENTS} moments")


def _obey(done: Led, do: Execute, *, disturbed: bool) -> None:
    """Carry out what the croupier wants; only after somebody else's command may it be refused."""
    try:
        done.carry_out(do.command)
    except RuleError:
        if not disturbed:
            raise
