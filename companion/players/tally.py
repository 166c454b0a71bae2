"""Sums over the records of simulated games, a report of these sums, and faults of the board.

The records are added in any order. The fairness of a board is judged by games between two players
of the kind `regular`. Each `Fault` describes something unfair; its `key` names the key of the board
file to change.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from companion.board import Board, Hole, Track, ZoneKind
from companion.errors import Fault, Text
from companion.players.simulation import GameRecord, SimulationPlan
from companion.rules.game import HouseRules

_MINUTES_A_DEAL = 3
"""Minutes that people take for a deal at a table."""

FAIRNESS_GAMES: Final = 300
_ORDINARY: Final = 121  # the holes of an ordinary game
_LENGTHS: Final = (2.0, 4.0)
"""Least and greatest fair number of deals on a board with zones, per deal of an ordinary game."""
FEWEST_VISITS, MOST_VISITS = 0.25, 6.0  # fair means of the landings on a zone in a game
_GREATEST_EDGE: Final = 0.58
"""Largest fair share of games won by the first dealer; the share is 0.56 in an ordinary game."""

_KINDS = ("regular",)
_SEATS = 2
_SEED = 1


@dataclass(slots=True, kw_only=True)
class SimulationTally:
    """Sums over the added games of a plan.

    Attributes:
        whole_deals: the number of deals in all games, without the last deal of each game.
        decided: the number of games that the last time trap (a kind of zone) decided: a losing side
            landed in it while this side led all others.
        wins: the number of wins of each kind of player; the key is the kind's index in the plan.
        deals: the number of games of each length; the key is the number of deals.
        worth: the number of games of each `GameRecord.worth`.
        points: the points in whole deals; the key is True for the dealing side.
        zones: the number of landings on each zone, by the zone's id.
        landings: the number of counts, and of awards of holes (Z6), that ended on each hole.
    """

    plan: SimulationPlan
    games: int = 0
    whole_deals: int = 0
    first_dealer_wins: int = 0
    decided: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    deals: Counter[int] = field(default_factory=Counter)
    worth: Counter[int] = field(default_factory=Counter)
    points: Counter[bool] = field(default_factory=Counter)
    zones: Counter[str] = field(default_factory=Counter)
    landings: Counter[Hole] = field(default_factory=Counter)

    def add(self, number: int, record: GameRecord) -> None:
        setup = self.plan.setup
        self.games += 1
        self.whole_deals += record.deals - 1
        self.first_dealer_wins += setup.side_of(record.first_dealer) == record.winner
        self.decided += any(
            zone == self.last_trap and side != record.winner for zone, side in record.led_into
        )
        self.wins.update(self.plan.winners(number, record.winner))
        self.deals[record.deals] += 1
        self.worth[record.worth] += 1
        self.zones.update(record.zones)
        self.landings.update(record.landings)
        self.points.update(record.points)

    @property
    def last_trap(self) -> str | None:
        zones = self.plan.setup.track.zones
        traps = [zone for zone in zones if zone.kind is ZoneKind.TIME_TRAP]
        return max(traps, key=lambda zone: zone.box).id if traps else None

    @property
    def deals_per_game(self) -> float:
        return (self.whole_deals + self.games) / self.games

    def points_per_deal(self, *, own: bool) -> float:
        sides = 1 if own else len(self.plan.setup.sides) - 1
        return self.points[own] / max(self.whole_deals, 1) / sides


def json_value(tally: SimulationTally, *, seconds: float) -> dict[str, object]:
    """Return the value of `cribwars simulate --json`; `seconds` is the time of the simulation."""
    plan, games = tally.plan, tally.games
    return {
        "games": games,
        "wins": [tally.wins[kind] for kind in range(len(plan.kinds))],
        "deals_per_game": tally.deals_per_game,
        "points_per_deal": {
            "dealer": tally.points_per_deal(own=True),
            "pone": tally.points_per_deal(own=False),
        },
        "zones": {zone.id: tally.zones[zone.id] / games for zone in plan.setup.track.zones},
        "first_dealer_wins": tally.first_dealer_wins,
        "seconds": seconds,
    }


def report(
    tally: SimulationTally, *, seconds: float, say: Callable[[Text], str] = str
) -> Iterator[str]:
    """Yield the lines of the report; `say` translates each text."""
    setup = tally.plan.setup
    yield say(
        Text(
            "{board}, {holes} holes, {seats} seats: {games} games, seed {seed}, {seconds} s",
            board=setup.rules.board,
            holes=setup.track.finish,
            seats=setup.players,
            games=f"{tally.games:,}",
            seed=tally.plan.seed,
            seconds=f"{seconds:.1f}",
        )
    )
    yield from _wins(tally, say)
    yield from _length(tally, say)
    yield from _shares(tally, say)
    yield from _zones(tally, say)


def _wins(tally: SimulationTally, say: Callable[[Text], str]) -> Iterator[str]:
    yield ""
    yield say(Text("games won (after each game every player moves to the next seat)"))
    for place, kind in enumerate(tally.plan.kinds):
        yield f"  {kind:<26} {tally.wins[place]:>8,}  {_share(tally, tally.wins[place]):>6}"


def _length(tally: SimulationTally, say: Callable[[Text], str]) -> Iterator[str]:
    deals = tally.deals_per_game
    hours, minutes = divmod(round(deals * _MINUTES_A_DEAL), 60)
    low, high = (_quantile(tally.deals, part) for part in (0.05, 0.95))
    most = say(Text("nine in ten games take {low} to {high}", low=low, high=high))
    pace = say(Text("at {minutes} minutes a deal", minutes=_MINUTES_A_DEAL))
    yield ""
    yield f"{say(Text('deals a game')):<28} {deals:>8.1f}  {most}"
    yield f"{say(Text('time at a table')):<28} {hours:>4} h {minutes:02}  {pace}"
    yield f"{say(Text('points a deal, dealer')):<28} {tally.points_per_deal(own=True):>8.2f}"
    yield f"{say(Text('points a deal, pone')):<28} {tally.points_per_deal(own=False):>8.2f}"


def _shares(tally: SimulationTally, say: Callable[[Text], str]) -> Iterator[str]:
    even = 1 / len(tally.plan.setup.sides)
    edge = f"{(tally.first_dealer_wins / tally.games - even) * 100:+.1f}"
    share = _share(tally, tally.first_dealer_wins)
    beyond = say(Text("{edge} percentage points from an even share", edge=edge))
    yield ""
    yield f"{say(Text('won by the first dealer')):<28} {share:>8}  {beyond}"
    yield f"{say(Text('won by a skunk')):<28} {_share(tally, tally.worth[2]):>8}"
    yield f"{say(Text('won by a double skunk')):<28} {_share(tally, tally.worth[4]):>8}"
    if tally.last_trap:
        decided = say(Text("decided by {zone}", zone=tally.last_trap))
        led = say(Text("a loser landed there while in the lead"))
        yield f"{decided:<28} {_share(tally, tally.decided):>8}  {led}"


def _zones(tally: SimulationTally, say: Callable[[Text], str]) -> Iterator[str]:
    zones = tally.plan.setup.track.zones
    if zones:
        yield ""
        yield say(Text("visits a game"))
    for zone in zones:
        visits = tally.zones[zone.id] / tally.games
        yield f"  {zone.id:<12} {f'{zone.box[0]}-{zone.box[-1]}':<13} {visits:>8.2f}  {zone.kind}"


def _share(tally: SimulationTally, games: int) -> str:
    return f"{games / tally.games:.1%}"


def _quantile(counts: Counter[int], part: float) -> int:
    values = sorted(counts.elements())
    return values[round(part * (len(values) - 1))]


def unfair(board: Board, play: Callable[[SimulationPlan, int], SimulationTally]) -> Iterator[Fault]:
    """Yield the faults of a board that simulated games show.

    Args:
        board: the board. Without zones, only the first dealer's share of wins is judged.
        play: the simulation; its arguments are a plan and the number of games.
    """
    tally = play(_plan(board.track), FAIRNESS_GAMES)
    if board.track.zones:
        ordinary = play(_plan(Track(finish=_ORDINARY, lanes=_SEATS)), FAIRNESS_GAMES)
        yield from _length_faults(tally, ordinary)
    yield from _visit_faults(tally)
    yield from _edge_faults(tally)


def _plan(track: Track) -> SimulationPlan:
    return SimulationPlan.make(track, HouseRules(), _KINDS, seats=_SEATS, seed=_SEED)


def _length_faults(tally: SimulationTally, ordinary: SimulationTally) -> Iterator[Fault]:
    times = tally.deals_per_game / ordinary.deals_per_game
    low, high = _LENGTHS
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


def _visit_faults(tally: SimulationTally) -> Iterator[Fault]:
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


def _edge_faults(tally: SimulationTally) -> Iterator[Fault]:
    """Yield a fault if the first dealer's share of wins is too large.

    The limit is two standard errors above `_GREATEST_EDGE`.
    """
    share = tally.first_dealer_wins / tally.games
    if share > _GREATEST_EDGE + 2 * sqrt(0.25 / tally.games):
        problem = Text(
            "the first dealer wins {share} of games, more than {greatest_edge}",
            share=f"{share:.0%}",
            greatest_edge=f"{_GREATEST_EDGE:.0%}",
        )
        remedy = Text("move the finish by some holes")
        yield Fault(key="finish", problem=problem, remedy=remedy)
