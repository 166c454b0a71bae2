"""Strength of the players in duplicate matches: each deal is played twice, the seats swapped.

A pair of games has two wins, one, or none; the standard error is that of pairs. The number of pairs
is CRIBWARS_BENCH_PAIRS, by default 40: enough to see that all is well, but not to prove a target.
With 1,000 pairs the error is 0.8 in 100.
"""

import math
import os
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.board import load_board
from companion.players import (
    Child,
    CountRequest,
    DiscardRequest,
    Player,
    PlayRequest,
    Regular,
    Shark,
)
from companion.players.simulation import GameRecord, play_game
from companion.rules.cards import Card
from companion.rules.game import Setup
from companion.rules.game.house_rules import preset
from tests.bench.promise import Table, percentile, row, table
from tests.companion.players.slow_player import SlowPlayer
from tests.companion.players.strategy.test_shark import BlindShark

PAIRS = "CRIBWARS_BENCH_PAIRS"

Make = Callable[[], Player]


def measure() -> list[Table]:
    """Return tables of matches on both boards, of the points of a deal, and of thinking time."""
    classic = Setup.make(load_board("classic").track, preset("classic-121"), sides=(1, 2))
    wars = Setup.make(load_board("crib-wars").track, preset("crib-wars"), sides=(1, 2))
    pairs = int(os.environ.get(PAIRS, "40"))
    return [
        _matches(
            f"The shark on a plain board to 121, {pairs} pairs of games",
            classic,
            pairs,
            {
                "regular": (Regular, 67),
                "child": (lambda: Child(rng=random.Random(1)), 67),
                "the plain expected-value player": (lambda: SlowPlayer(random.Random(1)), 50),
            },
        ),
        _matches(
            f"The shark on the Crib Wars board, {pairs} pairs of games",
            wars,
            pairs,
            {"blind to zones": (lambda: BlindShark(wars), 60), "regular": (Regular, 60)},
        ),
        _deals(classic, pairs),
        _decisions({"classic": classic, "crib-wars": wars}),
    ]


# Matches


def _matches(
    title: str, setup: Setup, pairs: int, others: Mapping[str, tuple[Make, float]]
) -> Table:
    rows = []
    for name, (make, target) in others.items():
        begun = time.perf_counter()
        wins = [_pair(setup, Shark(setup), make(), seed) for seed in range(pairs)]
        seconds = (time.perf_counter() - begun) / (2 * pairs)
        mean, error = _mean_and_error(wins)
        measured = f"{mean:.1f} +- {error:.1f} %"
        rows.append(
            [
                f"over {name}",
                measured,
                f">= {target:g} %",
                _verdict(mean, error, target),
                f"{1 / seconds:.1f}/s",
            ]
        )
    return title, ["wins", "measured", "target", "", "games"], rows


def _verdict(mean: float, error: float, target: float) -> str:
    if mean >= target:
        return "holds"
    return "undecided" if mean + 2 * error >= target else "MISSED"


def _pair(setup: Setup, shark: Player, other: Player, seed: int) -> float:
    """Return the shark's wins in 100 of two games with the same cards, one at each seat."""
    first = play_game(setup, {1: shark, 2: other}, random.Random(seed))
    second = play_game(setup, {1: other, 2: shark}, random.Random(seed))
    return 50.0 * ((first.winner == 1) + (second.winner == 2))


def _mean_and_error(values: list[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    square = sum((value - mean) ** 2 for value in values)
    return mean, math.sqrt(square / max(1, len(values) - 1) / len(values))


# What a deal brings


def _deals(setup: Setup, games: int) -> Table:
    """Return the points of a deal among sharks, without the last deal of each game."""
    shark = Shark(setup)
    played = [play_game(setup, {1: shark, 2: shark}, random.Random(seed)) for seed in range(games)]
    first = 100 * sum(record.winner == record.first_dealer for record in played) / games
    rows = [
        ["dealer", f"{_points(played, own=True):.2f}", "16.27"],
        ["pone", f"{_points(played, own=False):.2f}", "10.33"],
        ["the first dealer wins", f"{first:.1f} %", "56.6 %"],
    ]
    title = f"Points of a deal, shark against shark, {games} games"
    return title, ["side", "measured", "known of such players"], rows


def _points(played: list[GameRecord], *, own: bool) -> float:
    """Return the points of the dealing side, or of the other, in a whole deal."""
    deals = sum(record.deals - 1 for record in played)
    return sum(record.points[own] for record in played) / deals


# Time


@dataclass(slots=True)
class _Timed:
    """A shark with the time of each of its answers."""

    player: Player
    discards: list[float] = field(default_factory=list)
    plays: list[float] = field(default_factory=list)

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        begun = time.perf_counter()
        answer = self.player.discard(request)
        self.discards.append(time.perf_counter() - begun)
        return answer

    def play(self, request: PlayRequest) -> Card | None:
        begun = time.perf_counter()
        answer = self.player.play(request)
        self.plays.append(time.perf_counter() - begun)
        return answer

    def count(self, request: CountRequest) -> int:
        return self.player.count(request)


def _decisions(setups: Mapping[str, Setup]) -> Table:
    rows = []
    for name, setup in setups.items():
        timed = _Timed(Shark(setup))
        for seed in range(-1, 10):
            play_game(setup, {1: timed, 2: Regular()}, random.Random(seed))
            if seed < 0:  # the first game finds the places and the race
                timed = _Timed(timed.player)
        for what, times, target in (("discard", timed.discards, 5), ("card", timed.plays, 30)):
            rows.append(
                row(f"{name}: {what}, median", percentile(times, 0.5) * 1e3, "ms", below=target)
            )
            rows.append(row(f"{name}: {what}, p99", percentile(times, 0.99) * 1e3, "ms"))
    return table("Time to decide", rows)
