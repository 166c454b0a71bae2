"""Rate of deals and of whole games, and the demo through a night in virtual time.

`cribwars simulate` runs one process a core. The shark makes its own tables of the race before its
first game, once a process: they are not in its rate.
"""

import asyncio
import gc
import random
import resource
import threading
import time
from pathlib import Path

from companion.board import load_board
from companion.players.simulation import SimulationPlan
from companion.players.tally import SimulationTally
from companion.rules.cards import DECK
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
from companion.rules.game.house_rules import preset
from tests.bench.promise import Table, row, table
from tests.support.card_games import Night, open_files

_DEALS = 1_500
_GAMES = {"child": 40, "regular": 80, "shark": 10}
"""Number of games by kind; kinds that think longer play fewer."""
_WARM, _NIGHT = 1_000, 10_000
"""Deals of a night until its first look, and until its last."""
_PAGE_MB = resource.getpagesize() / 1e6

_Use = tuple[float, int, int]


def deals() -> list[Table]:
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


def simulated_games() -> list[Table]:
    """Return a table for each board: each kind against itself."""
    return [_simulated(name) for name in ("classic-121", "crib-wars")]


def _simulated(name: str) -> Table:
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


def nights() -> list[Table]:
    """Return a table of a night of children, at a table of two sides and one of three."""
    return [_night(players) for players in (2, 3)]


def _night(players: int) -> Table:
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
