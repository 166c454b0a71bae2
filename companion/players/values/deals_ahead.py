"""Deals ahead: the chance of a side to finish at each tick of the following deals.

A deal has a tick for the play, a tick for each hand in the order of counting, and a tick for the
crib. A count is one score that a side pegs: in the play all sides make counts, in every other tick
one side makes one. Tick 0 is the play of the current deal; stage n is the moment before tick n.
With two players a deal has four ticks, so the crib of the second deal is tick 7. The probabilities
of the points, and of the number of counts in a tick, come from many simulated deals.

A stance is the state of one side: its hole, whether its next count takes a side path, how long it
is out of play, and its debt (see `Stance`). `DealsAhead.starts` has, for each stance at the start
of a deal, the chances to finish in this deal, in the next deal, and so on. The chances for a later
deal are computed from those for the deal before it, tick by tick from the end of a deal to its
start. In each tick, every number of points leads from a stance to another; `TickCounts.before`
takes the mean of the chances there, weighted by the probabilities of the points. `DealsAhead.ahead`
goes forwards: from one stance through the ticks left in the current deal, and then to `starts`.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from companion.board import Track
from companion.players.values.stances import Stances, stances_of
from companion.players.values.tables import Floats, Tables, all_cribs, chances, load_tables
from companion.rules.deal.seats import SIDES
from companion.rules.game import HouseRules

SLOW = 5
"""Holes that a very slow side walks in a deal."""
SPARE = 12
"""Deals computed in addition to those that the slow side needs, for sides that are sent back."""
_IN_MEMORY = 4
"""Entries of the cache; each takes 2.5 MB for two players and 363 holes."""
_ONCE = np.array([0.0, 1.0])


@dataclass(frozen=True, slots=True, kw_only=True)
class TickCounts:
    """Counts of a side in one tick.

    `points[n]` is the probability that a count has n points. `number[n]` is the probability that
    the side makes n counts.
    """

    points: Floats
    number: Floats

    def before(self, stances: Stances, after: Floats) -> Floats:
        """Return each stance's mean value before these counts; `after` has the values after."""
        total = np.zeros_like(after)
        for chance in self.number[::-1]:
            counted = np.zeros_like(after)
            for points in np.flatnonzero(self.points):
                counted += self.points[points] * total[stances.landing[:, points]]
            total = counted + chance * after
        return total

    def finishing(self, stances: Stances, tick: int, later: Floats) -> Floats:
        """Return each stance's chances, before these counts, to finish at each tick of the deal.

        Args:
            stances: the stances of the board.
            tick: the tick of these counts.
            later: the chances after these counts; both arrays have the shape (stances, ticks).
        """
        after = later.copy()
        after[stances.finish, tick] = 1
        before = self.before(stances, after)
        before[stances.finish] = 0
        return before

    def after(self, stances: Stances, at: Floats) -> Floats:
        """Return the chance that the side is in each stance after these counts.

        `at` has these chances before the counts. Both arrays have the shape (stances,).
        """
        total = np.zeros_like(at)
        for chance in self.number:
            total += chance * at
            stands = np.flatnonzero(at)
            weights = np.outer(at[stands], self.points)
            landing = stances.landing[stands]
            at = np.bincount(landing.ravel(), weights.ravel(), len(at)).astype(np.float64)
        return total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DealsAhead:
    """Chances of a side to finish at each tick of the following deals.

    Attributes:
        counts: the counts of a side by role and tick of a deal; None if the side does not count in
            the tick. A role is a side's place in the order of counting; the dealer's side is last.
        starts: by role, the chances to finish, from each stance at the start of a deal; shapes
            (stances, ticks).
    """

    stances: Stances
    players: int
    counts: tuple[tuple[TickCounts | None, ...], ...]
    starts: tuple[Floats, ...]

    @property
    def hands_counted(self) -> int:
        """The stage after the last hand."""
        return self.players + 1

    @property
    def crib_counted(self) -> int:
        return self.players + 2

    def next_role(self, role: int) -> int:
        """Return a side's role in the next deal; its dealer is the seat that now plays first."""
        return (role - 1) % len(self.counts)

    def at_stage(self, stage: int, role: int, stance: int) -> Floats:
        """Return the chance that a side is in each stance at a stage, shape (stances,).

        `stance` is the side's stance at the start of this deal.
        """
        at = self._at(stance)
        for counted in self.counts[role][:stage]:
            at = at if counted is None else counted.after(self.stances, at)
        return at

    def ahead(self, role: int, stage: int, stance: int) -> Floats:
        """Return the chances to finish at each tick, shape (ticks,), from a stance at a stage."""
        at, counts = self._at(stance), self.counts[role]
        ahead = np.zeros(self.starts[role].shape[1])
        for tick, counted in enumerate(counts[stage:], start=stage):
            if counted is not None:
                at = counted.after(self.stances, at)
                ahead[tick], at[self.stances.finish] = at[self.stances.finish], 0
        at = self.stances.after_deal(at)
        stands = np.flatnonzero(at)
        later = self.starts[self.next_role(role)][stands]
        ahead[len(counts) :] = (at[stands] @ later)[: -len(counts)]
        return ahead

    def _at(self, stance: int) -> Floats:
        at = np.zeros(len(self.stances.landing))
        at[stance] = 1
        return at


@lru_cache(_IN_MEMORY)
def deals_ahead_of(track: Track, rules: HouseRules, players: int) -> DealsAhead:
    """Return the deals ahead for this many players, on a board by these house rules; cached."""
    tables, sides = load_tables(), SIDES[players]
    stances = stances_of(track, rules, players)
    counts = tuple(_counts(tables, players, role) for role in range(sides))
    return DealsAhead(
        stances=stances, players=players, counts=counts, starts=_starts(stances, counts)
    )


def _counts(tables: Tables, players: int, role: int) -> tuple[TickCounts | None, ...]:
    sides = SIDES[players]
    is_dealer = role == sides - 1
    number = chances(tables.counts[players][role])
    play = TickCounts(points=chances(tables.sizes[players][role]), number=number)
    hand = TickCounts(points=chances(tables.hands[players, is_dealer]), number=_ONCE)
    crib = TickCounts(points=chances(all_cribs(tables, players)), number=_ONCE)
    hands = (hand if seat % sides == role else None for seat in range(players))
    return (play, *hands, crib if is_dealer else None)


def _starts(
    stances: Stances, counts: tuple[tuple[TickCounts | None, ...], ...]
) -> tuple[Floats, ...]:
    """Return the chances to finish by role, at the start of a deal; see `DealsAhead.starts`."""
    sides, deals = len(counts), stances.track.finish // SLOW + SPARE
    ticks = len(counts[0])
    end = np.zeros((len(stances.landing), ticks))
    deal = [finishing_stages(stances, own, end)[0] for own in counts]
    starts = tuple(np.empty((len(stances.landing), deals * ticks)) for _ in counts)
    for first in range(0, deals * ticks, ticks):
        for start, chances_in_deal in zip(starts, deal, strict=True):
            start[:, first : first + ticks] = chances_in_deal
        later = [stances.before_deal(each) for each in deal]
        deal = [_before(stances, counts[role], later[role - 1]) for role in range(sides)]
    return starts


def finishing_stages(
    stances: Stances, counts: tuple[TickCounts | None, ...], end: Floats
) -> tuple[Floats, ...]:
    """Return, for each stage of a deal, the chances to finish from there on in the deal.

    `end` has these chances for the stage after the last tick.
    """
    stages = [end]
    for tick, counted in reversed(list(enumerate(counts))):
        after = stages[-1]
        stages.append(after if counted is None else counted.finishing(stances, tick, after))
    return tuple(reversed(stages))


def _before(stances: Stances, counts: tuple[TickCounts | None, ...], later: Floats) -> Floats:
    """Return the chances before a deal, given the chances after it."""
    for counted in reversed(counts):
        later = later if counted is None else counted.before(stances, later)
    return later
