"""Position of the sides when a seat must choose cards, and each side's chance to win from there.

A stance is the state of one side: its hole, whether its next count takes a side path, how long it
is out of play, and its debt (see `Stance`). The worth of a stance is the chance to reach the finish
first (G2), if all following deals are average. Each side's chances are computed alone. So a side
that lands in a penalty box does not move the others forward (Z6), but owes them holes instead.

A deal has a tick for the play, one for each hand and one for the crib. Tick 0 is the play of the
current deal; the numbers go on through all following deals. Stage n of the current deal is the
moment before tick n, and its last stage is after the crib.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from companion.board import Hole
from companion.players.values.deals_ahead import DealsAhead, finishing_stages
from companion.players.values.stances import StanceNumbers, Stances
from companion.players.values.tables import Floats

FinishChances: TypeAlias = tuple[tuple[Floats, ...], ...]
"""Chances to finish in each tick, by role and stage; each array has the shape (stances, ticks).

A role is a side's place in the order of counting in a deal: 0 counts first, the dealer last.
"""

_IN_MEMORY = 2  # entries of the cache; each takes 10 MB for two players and 363 holes
AHEAD = 20  # counts of 0 to 20 points decide what a point is worth
NO_WORTH = 1e-9  # a point is worth at least this; a rise of the chance up to this is ignored


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Position of the sides of a game, from the side that must choose round to the left.

    Attributes:
        ahead: the chances to finish, for every stance.
        at: the number of each side's stance.
        roles: the role of each side.
    """

    deals: DealsAhead
    ahead: FinishChances
    at: tuple[int, ...]
    roles: tuple[int, ...]

    @classmethod
    def make(
        cls, deals: DealsAhead, *, fronts: tuple[Hole, ...], boxed: tuple[int, ...], dealer: int
    ) -> Position:
        """Return the position of sides with these front pegs; some sides may be in penalty boxes.

        Args:
            deals: the deals ahead, for this board and these house rules.
            fronts: the hole of each side's front peg, from the choosing side round to the left.
            boxed: the number of hands that each side must sit out, in the order of `fronts`.
            dealer: the index of the dealing side in `fronts`.
        """
        at = tuple(map(deals.stances.number, fronts, boxed))
        roles = tuple((side - dealer - 1) % len(at) for side in range(len(at)))
        return cls(deals=deals, ahead=finish_chances_of(deals), at=at, roles=roles)

    @property
    def stances(self) -> Stances:
        return self.deals.stances

    def behind(self, stage: int, *, but: tuple[int, ...]) -> Floats:
        """Return, for each tick, the chance that no side has finished; sides in `but` are ignored.

        All sides are at this stage. As in the function `behind`, a finish in the tick counts half.
        """
        waiting = np.ones(self.ahead[0][0].shape[1])
        for side, role in enumerate(self.roles):
            if side not in but:
                waiting = waiting * behind(self.ahead[role][stage][self.at[side]])
        return waiting

    def worth(self, side: int, stage: int, *, others: int) -> Floats:
        """Return a side's chance to win from each stance, shape (stances,).

        Args:
            side: the index of the side.
            stage: the stage at which the side has the stance. A side at the finish is taken to have
                arrived there in the last tick before this stage.
            others: the stage of the other sides; their stances are those of this position.
        """
        waiting = self.behind(others, but=(side,))
        worth: Floats = self.ahead[self.roles[side]][stage] @ waiting
        worth[self.stances.finish] = waiting[stage - 1]
        return worth

    def gains(self, own: int | None) -> list[Floats]:
        """Return each side's gain by a count of 0 to 29 in the play: arrays of shape (stances, 30).

        The gain is the rise of the side's chance to win, divided by the worth of a point. This is
        the median rise if a count of 0 to `AHEAD` from the side's stance has one point more.
        `own` is the points of the choosing side's hand with the starter; None if unknown.
        """
        worths = [self.worth(side, 1, others=1) for side in range(len(self.at))]
        if own is not None:
            finished = worths[0][self.stances.finish]
            counted = self.worth(0, self.deals.hands_counted, others=1)
            worths[0] = counted[self.stances.landing[:, own]]
            worths[0][self.stances.finish] = finished
        return [self._in_points(at, worth) for at, worth in zip(self.at, worths, strict=True)]

    def _in_points(self, at: int, worth: Floats) -> Floats:
        landing = self.stances.landing
        steps = np.diff(worth[landing[at, : AHEAD + 1]])
        onward = steps[steps > NO_WORTH]
        hole = float(np.median(onward)) if len(onward) else NO_WORTH
        return (worth[landing] - worth[:, None]) / hole

    def winning(self, at: StanceNumbers, stage: int) -> Floats:
        """Return the own side's chance to win at a stage, for each row of `at`.

        `at` has the numbers of the stances of all sides, shape (rows, sides).
        """
        different, back = np.unique(at, axis=0, return_inverse=True)
        won = self.ahead[self.roles[0]][stage][different[:, 0]]
        for side in range(1, len(self.roles)):
            won = won * behind(self.ahead[self.roles[side]][stage][different[:, side]])
        chance: Floats = won.sum(axis=1)[back.ravel()]
        return chance


def behind(ahead: Floats) -> Floats:
    """Return, for each tick, the chance that a side has not finished when the tick ends.

    A finish in the tick itself counts half, because another side can finish in the same tick.
    """
    return 1 - ahead.cumsum(axis=-1) + ahead / 2


@lru_cache(_IN_MEMORY)
def finish_chances_of(deals: DealsAhead) -> FinishChances:
    """Return the chances to finish; cached."""
    stages = []
    for role, counts in enumerate(deals.counts):
        later = deals.starts[deals.next_role(role)]
        end = np.zeros_like(later)
        end[:, len(counts) :] = deals.stances.before_deal(later)[:, : -len(counts)]
        stages.append(finishing_stages(deals.stances, counts, end))
    return tuple(stages)
