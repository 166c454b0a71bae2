"""Records of games that nobody played, for tests of tallies."""

import dataclasses

from companion.board import load_board
from companion.players.simulation import GameRecord, SimulationPlan
from companion.players.tally import SimulationTally
from companion.rules.game import HouseRules

CRIB_WARS = load_board("crib-wars").track

_RECORD = GameRecord(
    winner=1,
    first_dealer=1,
    deals=3,
    points={True: 30, False: 20},
    zones={"red-42": 2},
    led_into=frozenset(),
    landings={5: 2, 363: 1},
    worth=1,
)


def record(**change: object) -> GameRecord:
    """Return a record of a game of three deals; the changes are fields of `GameRecord`."""
    return dataclasses.replace(_RECORD, **change)  # type: ignore[arg-type]  # the caller's to know


def plan(*kinds: str, seats: int | None = None, seed: int = 1) -> SimulationPlan:
    """Return a plan on the Crib Wars board."""
    return SimulationPlan.make(CRIB_WARS, HouseRules(), kinds, seats=seats, seed=seed)


def tally(*records: GameRecord, of: SimulationPlan | None = None) -> SimulationTally:
    """Return the tally of these records, numbered in their order."""
    added = SimulationTally(plan=of or plan("regular", "child"))
    for number, one in enumerate(records):
        added.add(number, one)
    return added
