"""Games among computer players; the same players, set-up and seed always give the same game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.board import Hole
from companion.players.dealer import run_game
from companion.players.player import Player
from companion.players.steps import Answer, Apply, Request
from companion.rules import game


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
        landings: the number of counts and awards that ended on each hole.
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
    recorder = _MatchRecorder(state=game.new_game(setup))
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
class _MatchRecorder:
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
