"""Position of the sides when a seat must choose, and the worth of a stance on the board.

The worth of a stance is the chance to win, that is, to reach the finish first (G2), if all
following deals are average. The counts of these deals move a side along the track, with the effects
of the zones in which it lands. The sides are treated as independent: if a penalty box gives points
to the others, the side in the box gets a debt instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from companion.board import Hole
from companion.players.values.deals_ahead import DealsAhead, finishing_stages
from companion.players.values.hands import Floats
from companion.players.values.stances import StanceNumbers, Stances

FinishChances: TypeAlias = tuple[tuple[Floats, ...], ...]
"""Chances to finish by role and stage, each of shape (stances, ticks).

A role is a place in the order of counting. Stage 0 is before the play, stage n is after tick n - 1,
and the last stage is after the crib. Tick 0 is the play of the current deal.
"""

_IN_MEMORY = 2  # entries of the cache; each takes 10 MB for two players and 363 holes
AHEAD = 20  # holes ahead; the median of their gains is the worth of a point
NO_WORTH = 1e-9  # smaller gains of a hole are ignored; also the least worth of a point


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Position of the sides of a game: the own side first, then round to the left.

    `at` has the numbers of the sides' stances, and `roles` has the sides' places in the order of
    counting. `FinishChances` explains the stages.
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
            deals: the deals ahead on the board by its house rules.
            fronts: the hole of each side's front peg, from the own side round to the left.
            boxed: the number of hands that each side must sit out, in the same order.
            dealer: the index of the dealing side.
        """
        at = tuple(map(deals.stances.number, fronts, boxed))
        roles = tuple((side - dealer - 1) % len(at) for side in range(len(at)))
        return cls(deals=deals, ahead=finish_chances_of(deals), at=at, roles=roles)

    @property
    def stances(self) -> Stances:
        return self.deals.stances

    def behind(self, stage: int, *, but: tuple[int, ...]) -> Floats:
        """Return the chance by tick that no side is at the finish; sides in `but` are ignored."""
        waiting = np.ones(self.ahead[0][0].shape[1])
        for side, role in enumerate(self.roles):
            if side not in but:
                waiting = waiting * behind(self.ahead[role][stage][self.at[side]])
        return waiting

    def worth(self, side: int, stage: int, *, others: int) -> Floats:
        """Return a side's chance to win from each stance, shape (stances,).

        Args:
            side: the side whose stance varies.
            stage: the stage of this side, which may have finished in the tick before this stage.
            others: the stage of the other sides, which are in the stances of this position.
        """
        waiting = self.behind(others, but=(side,))
        worth: Floats = self.ahead[self.roles[side]][stage] @ waiting
        worth[self.stances.finish] = waiting[stage - 1]
        return worth

    def gains(self, own: int | None) -> list[Floats]:
        """Return the worth in points of each count in the play, by side, shape (stances, 30).

        `own` is the number of points of the own hand with the starter, or None if unknown.
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
        """Return the chance to win at a stage for each row of `at`, shape (rows, sides)."""
        different, back = np.unique(at, axis=0, return_inverse=True)
        won = self.ahead[self.roles[0]][stage][different[:, 0]]
        for side in range(1, len(self.roles)):
            won = won * behind(self.ahead[self.roles[side]][stage][different[:, side]])
        chance: Floats = won.sum(axis=1)[back.ravel()]
        return chance


def behind(ahead: Floats) -> Floats:
    """Return the chance by tick not to have finished; a finish in the same tick counts half."""
    return 1 - ahead.cumsum(axis=-1) + ahead / 2


@lru_cache(_IN_MEMORY)
def finish_chances_of(deals: DealsAhead) -> FinishChances:
    """Return the chances to finish by role and stage; cached."""
    stages = []
    for role, counts in enumerate(deals.counts):
        later = deals.starts[deals.next_role(role)]
        end = np.zeros_like(later)
        end[:, len(counts) :] = deals.stances.before_deal(later)[:, : -len(counts)]
        stages.append(finishing_stages(deals.stances, counts, end))
    return tuple(stages)
