"""Sums over the records of many games; the records may be added in any order."""

from collections import Counter
from dataclasses import dataclass, field

from companion.board import Hole, ZoneKind
from companion.players.match.match import GameRecord
from companion.players.simulation.plan import SimulationPlan


@dataclass(slots=True, kw_only=True)
class SimulationTally:
    """Sums over the added games of a plan.

    Attributes:
        whole_deals: the number of deals in all games, without the last deal of each game.
        decided: the number of games that the last time trap decided: the loser landed there while
            it led all other sides.
        wins: the number of wins of each kind; the key is its index in the plan.
        deals: the number of games of each length; the key is the number of deals.
        worth: the number of games of each `GameRecord.worth`.
        points: the points in whole deals; the key is True for the dealing side.
        zones: the number of landings on each zone, by the zone's id.
        landings: the number of counts and awards that ended on each hole.
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
