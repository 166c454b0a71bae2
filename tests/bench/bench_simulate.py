"""Rate of games by kind of player, and their results: points a deal, the edge.

`cribwars simulate` runs one such process a core. The shark makes its own tables of the race before
its first game, once a process: they are not in its rate.
"""

import time

from companion.board import load_board
from companion.players.simulation import SimulationPlan, SimulationTally
from companion.rules.game.house_rules import preset
from tests.bench.promise import HEADER, Table, row

_GAMES = {"child": 40, "regular": 80, "shark": 10}
"""Number of games by kind; kinds that think longer play fewer."""
_PRESETS = ("classic-121", "crib-wars")


def measure() -> list[Table]:
    """Return a table for each board: each kind against itself."""
    return [_table(name) for name in _PRESETS]


def _table(name: str) -> Table:
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
    return f"Games by `cribwars simulate`, {name}, two seats", HEADER, rows
