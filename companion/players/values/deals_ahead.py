"""Deals ahead: the counts of average deals, and when a side finishes that starts a deal at a place.

A deal has a tick for the play, one for each hand in the order of counting, and one for the crib.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from companion.board import Track
from companion.players.values.board_states import BoardStates, board_states_of
from companion.players.values.hands import Floats
from companion.players.values.tables import Tables, all_cribs, chances, load_tables
from companion.rules.deal.seats import SIDES
from companion.rules.game import HouseRules

SLOW = 5
"""Holes a deal of a very slow side: the finish divided by it is the number of deals ahead."""
SPARE = 12
"""Additional deals, for sides that are sent back."""
_IN_MEMORY = 4
"""2.5 MB for two players and 363 holes."""
_ONCE = np.array([0.0, 1.0])


@dataclass(frozen=True, slots=True, kw_only=True)
class TickCounts:
    """Counts of a side in one tick: the chances of their points, (30,), and of their number."""

    points: Floats
    number: Floats

    def before(self, places: BoardStates, after: Floats) -> Floats:
        """Return values by place before these counts, given those after them, (places, n)."""
        total = np.zeros_like(after)
        for chance in self.number[::-1]:
            counted = np.zeros_like(after)
            for points in np.flatnonzero(self.points):
                counted += self.points[points] * total[places.landing[:, points]]
            total = counted + chance * after
        return total

    def finishing(self, places: BoardStates, tick: int, later: Floats) -> Floats:
        """Return the chances to finish by tick before these counts, which are made in `tick`.

        `later` are those after them, (places, ticks).
        """
        after = later.copy()
        after[places.finish, tick] = 1
        before = self.before(places, after)
        before[places.finish] = 0
        return before

    def after(self, places: BoardStates, at: Floats) -> Floats:
        """Return the chances of the place after these counts, given those before, (places,)."""
        total = np.zeros_like(at)
        for chance in self.number:
            total += chance * at
            stands = np.flatnonzero(at)
            weights = np.outer(at[stands], self.points)
            landing = places.landing[stands]
            at = np.bincount(landing.ravel(), weights.ravel(), len(at)).astype(np.float64)
        return total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DealsAhead:
    """Chances of a side to finish at each tick of the deals to come, by its place at their start.

    `counts[role]` are the side's counts at each tick of a deal, None where others count; `role` is
    the place in the order of counting, the dealer's side last. `starts[role]` is (places, ticks).
    """

    places: BoardStates
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
        """Return the role in the next deal: the side that counts first deals then (T2)."""
        return (role - 1) % len(self.counts)

    def after_play(self, role: int, place: int) -> Floats:
        return self._after(self._at(place), role, range(1))

    def after_hand(self, role: int, place: int) -> Floats:
        """Return the chances of a side's place after the play and its hands, (places,)."""
        return self._after(self._at(place), role, range(1 + self.players))

    def _after(self, at: Floats, role: int, ticks: range) -> Floats:
        for tick in ticks:
            counted = self.counts[role][tick]
            at = at if counted is None else counted.after(self.places, at)
        return at

    def ahead(self, role: int, stage: int, place: int) -> Floats:
        """Return the chances of a side to finish by tick, from a stage of this deal on, (ticks,).

        Stage 0 is before the play, stage n follows tick n - 1.
        """
        at, counts = self._at(place), self.counts[role]
        ahead = np.zeros(self.starts[role].shape[1])
        for tick, counted in enumerate(counts[stage:], start=stage):
            if counted is not None:
                at = counted.after(self.places, at)
                ahead[tick], at[self.places.finish] = at[self.places.finish], 0
        at = self.places.after_deal(at)
        stands = np.flatnonzero(at)
        later = self.starts[self.next_role(role)][stands]
        ahead[len(counts) :] = (at[stands] @ later)[: -len(counts)]
        return ahead

    def _at(self, place: int) -> Floats:
        at = np.zeros(len(self.places.landing))
        at[place] = 1
        return at


@lru_cache(_IN_MEMORY)
def deals_ahead_of(track: Track, rules: HouseRules, players: int) -> DealsAhead:
    """Return the deals of this many players on a board by these house rules; cached."""
    tables, sides = load_tables(), SIDES[players]
    places = board_states_of(track, rules, players)
    counts = tuple(_counts(tables, players, role) for role in range(sides))
    return DealsAhead(places=places, players=players, counts=counts, starts=_starts(places, counts))


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
    places: BoardStates, counts: tuple[tuple[TickCounts | None, ...], ...]
) -> tuple[Floats, ...]:
    """Return the chances before a deal over all deals in sight, by role."""
    sides, deals = len(counts), places.track.finish // SLOW + SPARE
    deal = [_finishing(places, own) for own in counts]
    ticks = len(counts[0])
    starts = tuple(np.empty((len(places.landing), deals * ticks)) for _ in counts)
    for first in range(0, deals * ticks, ticks):
        for start, chances_in_deal in zip(starts, deal, strict=True):
            start[:, first : first + ticks] = chances_in_deal
        later = [places.before_deal(each) for each in deal]
        deal = [_before(places, counts[role], later[role - 1]) for role in range(sides)]
    return starts


def _finishing(places: BoardStates, counts: tuple[TickCounts | None, ...]) -> Floats:
    """Return the chances to finish at each tick of one deal, (places, ticks)."""
    chance = np.zeros((len(places.landing), len(counts)))
    for tick, counted in reversed(list(enumerate(counts))):
        chance = chance if counted is None else counted.finishing(places, tick, chance)
    return chance


def _before(places: BoardStates, counts: tuple[TickCounts | None, ...], later: Floats) -> Floats:
    """Return chances before a deal, given those after it."""
    for counted in reversed(counts):
        later = later if counted is None else counted.before(places, later)
    return later
