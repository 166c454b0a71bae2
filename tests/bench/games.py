"""Hands counted, deals and games played, and the strength of the players."""

import asyncio
import gc
import math
import os
import random
import resource
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from timeit import repeat

import numpy as np

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
from companion.players.simulation import GameRecord, SimulationPlan, play_game
from companion.players.tally import SimulationTally
from companion.rules.cards import (
    DECK,
    Card,
    count_play,
    count_show,
    count_shows,
    distribution,
    play_points,
    show_points,
)
from companion.rules.deal import (
    Command,
    ConfirmCount,
    CutStarter,
    Discard,
    Phase,
    PlayCard,
    Seating,
    State,
    apply_all,
    decide,
    new_deal,
)
from companion.rules.game import Setup
from companion.rules.game.house_rules import preset
from tests.bench.rig import Report, percentile, row, table
from tests.companion.players.slow_player import SlowPlayer
from tests.companion.players.strategy.test_shark import BlindShark
from tests.support.card_games import Night, open_files

# Hands counted a second, one by one and in bulk, beside other packages in the same run.
#
# The other packages are no dependencies. To have them in the table, install them into a folder of
# their own and name it:
#
#     pip install --no-deps --target DIR cribbage-scorer pycribbage cribbage more-itertools
#     CRIBWARS_BENCH_SITE=DIR python -m tests.bench cards


SITE = "CRIBWARS_BENCH_SITE"

_HANDS = 2_000
_IN_BULK = 1_000_000
_ROUNDS = 5

_Five = tuple[list[Card], Card]


def measure_cards() -> list[Report]:
    """Return tables of hands a second beside other packages, of all combinations, and of plays."""
    fives = _fives()
    others = {name: _rate_of(make, fives) for name, make in _OTHERS.items()}
    singly = _rate(partial(_each, show_points, fives), _HANDS)
    bulk = _bulk_rate()
    return [
        _beside(f"{_HANDS:,} hands one by one, beside others", singly, others, times=5),
        _beside(f"{_IN_BULK:,} hands in bulk, beside others one by one", bulk, others, times=50),
        table("All 12,994,800 hands with their starters", _whole()),
        ("Other counts", ["what", "a second"], _other_counts(fives)),
    ]


def _fives() -> list[_Five]:
    rng = random.Random(363)
    dealt = [rng.sample(DECK, 5) for _ in range(_HANDS)]
    return [(hand, starter) for *hand, starter in dealt]


def _rate(run: Callable[[], object], number: int) -> float:
    """Return the rate a second in the best of a few rounds, since other programs run too."""
    return number / min(repeat(run, number=1, repeat=_ROUNDS))


def _each(count: Callable[..., object], arguments: Sequence[tuple[object, ...]]) -> None:
    for given in arguments:
        count(*given)


def _bulk_rate() -> float:
    numbers = np.random.default_rng(363).random((_IN_BULK // 10, len(DECK)), dtype=np.float32)
    fives = np.tile(numbers.argpartition(5)[:, :5].astype(np.uint8), (10, 1))
    return _rate(partial(count_shows, fives[:, :4], fives[:, 4]), len(fives))


def _beside(title: str, ours: float, others: Mapping[str, float | None], *, times: int) -> Report:
    """Return our rate, then each other package's and how many times faster ours is."""
    rows = [["ours", f"{ours:,.0f}", "", "", ""]]
    for name, theirs in others.items():
        if theirs is None:
            rows.append([name, "not installed", "", "", f"see {SITE}"])
            continue
        reported = "holds" if ours >= times * theirs else "MISSED"
        rows.append(
            [name, f"{theirs:,.0f}", f"{ours / theirs:,.0f} times", f">= {times}", reported]
        )
    return title, ["what", "hands/s", "ours is faster", "target", ""], rows


def _whole() -> list[list[str]]:
    return [
        row(name, min(repeat(partial(distribution, crib=crib), number=1, repeat=2)), "s", below=10)
        for name, crib in (("as hands", False), ("as cribs", True))
    ]


def _other_counts(fives: Sequence[_Five]) -> list[list[str]]:
    piles = [(hand[:3],) for hand, _ in fives]
    counts: list[tuple[str, Callable[..., object], Sequence[tuple[object, ...]]]] = [
        ("a hand with all its parts", lambda *five: count_show(*five).parts, fives),
        ("a card played, its points", play_points, piles),
        ("a card played, with its parts", count_play, piles),
    ]
    return [
        [name, f"{_rate(partial(_each, count, given), _HANDS):,.0f}"]
        for name, count, given in counts
    ]


_Made = tuple[Callable[..., object], list[tuple[object, ...]]]
"""A function that counts a hand, and for each hand what it takes."""


def _rate_of(make: Callable[[Sequence[_Five]], _Made], fives: Sequence[_Five]) -> float | None:
    """Return the hands a second of another package, if installed; its cards are made before."""
    site = os.environ.get(SITE)
    if site and site not in sys.path:
        sys.path.append(site)
    try:
        count, arguments = make(fives)
    except ImportError:
        return None
    return _rate(partial(_each, count, arguments), len(fives))


def _cribbage_scorer(fives: Sequence[_Five]) -> _Made:
    count = import_module("cribbage_scorer.cribbage_scorer").show_calc_score

    def pair(card: Card) -> tuple[int, str]:
        return card.rank, card.suit

    return count, [(pair(starter), [pair(card) for card in hand]) for hand, starter in fives]


def _pycribbage(fives: Sequence[_Five]) -> _Made:
    count = import_module("pycribbage.scorer").ScoreTheShow
    tools = import_module("pycribbage.deck_tools")

    def held(hand: list[Card], starter: Card) -> tuple[object]:
        made = tools.Hand()
        for card in (*hand, starter):
            made.add_card(tools.Card("CDHS".index(card.suit), card.rank))
        return (made,)

    return count, [held(hand, starter) for hand, starter in fives]


def _cribbage(fives: Sequence[_Five]) -> _Made:
    count = import_module("cribbage.score").score_hand
    tools = import_module("cribbage.card")

    def made(card: Card) -> object:
        return tools.Card("DCHS".index(card.suit) * 13 + card.rank - 1)

    return count, [([made(card) for card in hand], made(starter)) for hand, starter in fives]


_OTHERS = {"cribbage-scorer": _cribbage_scorer, "pycribbage": _pycribbage, "cribbage": _cribbage}


# Rate of deals and of whole games, and the demo through a night in virtual time.
#
# `cribwars simulate` runs one process a core. The shark makes its own tables of the race before its
# first game, once a process: they are not in its rate.


_DEALS = 1_500
_GAMES = {"child": 40, "regular": 80, "shark": 10}
"""Number of games by kind; kinds that think longer play fewer."""
_WARM, _NIGHT = 1_000, 10_000
"""Deals of a night until its first look, and until its last."""
_PAGE_MB = resource.getpagesize() / 1e6

_Use = tuple[float, int, int]


def deals() -> list[Report]:
    """Return a table of whole deals a second for two and three players."""
    rows = [row(f"{players} players", _deals_a_second(players), "deals/s") for players in (2, 3)]
    return [table("Whole deals by the state machine, random legal cards", rows)]


def _deals_a_second(players: int) -> float:
    rng = random.Random(players)
    _deal(players, rng)
    begun = time.perf_counter()
    for _ in range(_DEALS):
        _deal(players, rng)
    return _DEALS / (time.perf_counter() - begun)


def _deal(players: int, rng: random.Random) -> None:
    seating = Seating.make(players=players, dealer=rng.randint(1, players))
    deck = rng.sample(DECK, len(DECK))
    state = new_deal(seating, deck)
    for hand in state.hands:
        state = _after(state, Discard(seat=hand.seat, cards=hand.cards[: seating.discards]))
    state = _after(state, CutStarter(seat=seating.cutter))
    while state.phase is not Phase.OVER:
        state = _after(state, _next(state, rng))


def _next(state: State, rng: random.Random) -> Command:
    if state.due or state.turn is None:
        return ConfirmCount()
    return PlayCard(seat=state.turn, card=rng.choice(state.playable(state.turn)))


def _after(state: State, command: Command) -> State:
    return apply_all(state, decide(state, command))


def simulated_games() -> list[Report]:
    """Return a table for each board: each kind against itself."""
    return [_simulated(name) for name in ("classic-121", "crib-wars")]


def _simulated(name: str) -> Report:
    rules = preset(name)
    track = load_board(rules.board).track
    rows = []
    for kind, games in _GAMES.items():
        plan = SimulationPlan.make(track, rules, [kind], seed=1)
        plan.play(games)
        began = time.process_time()
        tally = SimulationTally(plan=plan)
        for number in range(games):
            tally.add(number, plan.play(number))
        rate = games / (time.process_time() - began)
        rows += [
            row(f"{kind}, games a second and core", rate, "games/s"),
            row(f"{kind}, deals a game", tally.deals_per_game, "deals"),
            row(f"{kind}, points a deal, dealer", tally.points_per_deal(own=True), "points"),
            row(f"{kind}, points a deal, pone", tally.points_per_deal(own=False), "points"),
        ]
    return table(f"Games by `cribwars simulate`, {name}, two seats", rows)


def nights() -> list[Report]:
    """Return a table of a night of children, at a table of two sides and one of three."""
    return [_night(players) for players in (2, 3)]


def _night(players: int) -> Report:
    night = Night(players=players, keep=False)
    first, last, seconds = asyncio.run(_play(night))
    hours = (night.time.now - night.began) / 3600
    title = f"A night of {night.deals:,} deals, {players} sides, {hours:.0f} hours at the table"
    return table(
        title,
        [
            row("deals", night.deals, "", at_least=_NIGHT),
            row(f"resident memory more than after {_WARM:,}", last[0] - first[0], "MB", below=2),
            row("threads more", last[1] - first[1], "", below=1),
            row("open files more", last[2] - first[2], "", below=1),
            row("a deal, but for the thinking", seconds / night.deals * 1e3, "ms"),
        ],
    )


async def _play(night: Night) -> tuple[_Use, _Use, float]:
    began = time.perf_counter()
    while night.deals < _WARM:
        await night.demo.run(1)
    first = _use()
    while night.deals < _NIGHT:
        await night.demo.run(2)
    return first, _use(), time.perf_counter() - began


def _use() -> _Use:
    """Return megabytes resident, threads, and open files."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * _PAGE_MB, threading.active_count(), open_files()


# Strength of the players in duplicate matches: each deal is played twice, the seats swapped.
#
# A pair of games has two wins, one, or none; the standard error is that of pairs. The number of
# pairs is CRIBWARS_BENCH_PAIRS, by default 40: enough to see that all is well, but not to prove a
# target. With 1,000 pairs the error is 0.8 in 100.


PAIRS = "CRIBWARS_BENCH_PAIRS"

Make = Callable[[], Player]


def measure_players() -> list[Report]:
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
) -> Report:
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


def _deals(setup: Setup, games: int) -> Report:
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


def _decisions(setups: Mapping[str, Setup]) -> Report:
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
