"""Fairness of a board, judged by simulated games between two players of the kind `regular`.

Each `Fault` describes something unfair; its `key` names the key of the board file to change.
"""

from collections.abc import Callable, Iterator
from math import sqrt
from typing import Final

from companion.board import Board, Track
from companion.errors import Fault, Text
from companion.players.simulation import SimulationPlan
from companion.players.tally import SimulationTally
from companion.rules.game import HouseRules

GAMES: Final = 300
ORDINARY: Final = 121  # the holes of an ordinary game
LENGTHS: Final = (2.0, 4.0)
"""Least and greatest fair length of a game on a board with zones, in lengths of an ordinary game.

The length is counted in deals.
"""
FEWEST_VISITS, MOST_VISITS = 0.25, 6.0  # fair averages: landings of all sides on a zone in a game
GREATEST_EDGE: Final = 0.58
"""Largest fair share of games won by the first dealer; the share is 0.56 in an ordinary game."""

_KINDS = ("regular",)
_SEATS = 2
_SEED = 1


def unfair(board: Board, play: Callable[[SimulationPlan, int], SimulationTally]) -> Iterator[Fault]:
    """Yield the faults of a board that simulated games show.

    Args:
        board: the board. Without zones, only the first dealer's share of wins is judged.
        play: the simulation; its arguments are a plan and the number of games.
    """
    tally = play(_plan(board.track), GAMES)
    if board.track.zones:
        ordinary = play(_plan(Track(finish=ORDINARY, lanes=_SEATS)), GAMES)
        yield from _length(tally, ordinary)
    yield from _visits(tally)
    yield from _edge(tally)


def _plan(track: Track) -> SimulationPlan:
    return SimulationPlan.make(track, HouseRules(), _KINDS, seats=_SEATS, seed=_SEED)


def _length(tally: SimulationTally, ordinary: SimulationTally) -> Iterator[Fault]:
    times = tally.deals_per_game / ordinary.deals_per_game
    low, high = LENGTHS
    if not low <= times <= high:
        remedy = Text("remove a zone that sends pegs back" if times > high else "add some holes")
        problem = Text(
            "a game takes {deals_per_game} deals, {times} times as many as a game to hole 121 "
            "instead of {low} to {high} times",
            deals_per_game=f"{tally.deals_per_game:.0f}",
            times=f"{times:.1f}",
            low=f"{low:g}",
            high=f"{high:g}",
        )
        yield Fault(key="finish", problem=problem, remedy=remedy)


def _visits(tally: SimulationTally) -> Iterator[Fault]:
    for zone in tally.plan.setup.track.zones:
        visits = tally.zones[zone.id] / tally.games
        if visits < FEWEST_VISITS:
            problem = Text("pegs land here only {visits} times a game", visits=f"{visits:.2f}")
            remedy = Text("move this zone to holes where more pegs land")
        elif visits > MOST_VISITS:
            problem = Text("pegs land here {visits} times a game", visits=f"{visits:.1f}")
            remedy = Text("move this zone to holes where fewer pegs land")
        else:
            continue
        yield Fault(key=f"zone[{zone.id}].first", problem=problem, remedy=remedy)


def _edge(tally: SimulationTally) -> Iterator[Fault]:
    """Yield a fault if the first dealer's share of wins is too large.

    The limit is two standard errors above `GREATEST_EDGE`.
    """
    share = tally.first_dealer_wins / tally.games
    if share > GREATEST_EDGE + 2 * sqrt(0.25 / tally.games):
        problem = Text(
            "the first dealer wins {share} of games, more than {greatest_edge}",
            share=f"{share:.0%}",
            greatest_edge=f"{GREATEST_EDGE:.0%}",
        )
        remedy = Text("move the finish by some holes")
        yield Fault(key="finish", problem=problem, remedy=remedy)
