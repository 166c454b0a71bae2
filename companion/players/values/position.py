"""Position of the sides when a seat must choose, and the worth of a stance on the board.

Worth is the chance to win: to be at the finish first (G2), if the deals to come are average ones.
Their counts move a side along the track, with the effects of the zones that it lands in. Sides are
treated as independent: the points that a penalty box gives to the others count as a debt of the
side in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from companion.board import Hole
from companion.players.values.deals_ahead import DealsAhead
from companion.players.values.hands import Floats
from companion.players.values.stances import StanceNumbers, Stances

FinishChances: TypeAlias = tuple[tuple[Floats, ...], ...]
"""Chances by role and stage, (stances, ticks); `role` is the place in the order of counting.

Stage 0 is before the play, stage n is after tick n - 1, the last one after the crib. Ticks count
from the play of this deal on.
"""

_IN_MEMORY = 2  # 10 MB for two players and 363 holes
AHEAD = 20  # holes ahead whose median worth is that of one hole; holes without worth are left out
NO_WORTH = 1e-9  # least worth of a hole, for games that are as good as over


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The sides of a game, the own first, then to the left.

    `at` are the numbers of their stances, `roles` their places in the order of counting. Stages
    are those of `FinishChances`.
    """

    deals: DealsAhead
    ahead: FinishChances
    at: tuple[int, ...]
    roles: tuple[int, ...]

    @classmethod
    def make(
        cls,
        deals: DealsAhead,
        *,
        fronts: tuple[Hole, ...],
        boxed: tuple[int, ...],
        dealer: int,
    ) -> Position:
        """Return the position of sides with these front pegs and hands to sit.

        Args:
            deals: the chances of the board and its house rules.
            fronts: hole of each front peg, the own first, then to the left.
            boxed: hands that each side has still to sit, in the same order.
            dealer: index of the side that deals.
        """
        at = tuple(map(deals.stances.number, fronts, boxed))
        roles = tuple((side - dealer - 1) % len(at) for side in range(len(at)))
        return cls(deals=deals, ahead=finish_chances_of(deals), at=at, roles=roles)

    @property
    def stances(self) -> Stances:
        return self.deals.stances

    def behind(self, stage: int, *, but: tuple[int, ...]) -> Floats:
        """Return the chance by tick that no other side is at the finish, except those in `but`."""
        waiting = np.ones(self.ahead[0][0].shape[1])
        for side, role in enumerate(self.roles):
            if side not in but:
                waiting = waiting * behind(self.ahead[role][stage][self.at[side]])
        return waiting

    def worth(self, side: int, stage: int, *, others: int) -> Floats:
        """Return a side's chance to win from each stance, (stances,).

        Args:
            side: the side whose stance varies.
            stage: the stage of this side; it may have finished in the tick before it.
            others: the stage of the others, which stay in their stances.
        """
        waiting = self.behind(others, but=(side,))
        worth: Floats = self.ahead[self.roles[side]][stage] @ waiting
        worth[self.stances.finish] = waiting[stage - 1]
        return worth

    def gains(self, own: int | None) -> list[Floats]:
        """Return the worth of each count in the play, by side and in points, (stances, 30).

        `own` are the points of the own hand with the starter, None if they are unknown.
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
        gains: Floats = (worth[landing] - worth[:, None]) / hole
        return gains

    def winning(self, at: StanceNumbers, stage: int) -> Floats:
        """Return the chance to win at a stage in rows (rows, sides) of stances before any win."""
        different, back = np.unique(at, axis=0, return_inverse=True)
        won = self.ahead[self.roles[0]][stage][different[:, 0]]
        for side in range(1, len(self.roles)):
            won = won * behind(self.ahead[self.roles[side]][stage][different[:, side]])
        chance: Floats = won.sum(axis=1)[back.ravel()]
        return chance


def behind(ahead: Floats) -> Floats:
    """Return the chances not to have finished by each tick; finishing in that tick counts half."""
    chances: Floats = 1 - ahead.cumsum(axis=-1) + ahead / 2
    return chances


@lru_cache(_IN_MEMORY)
def finish_chances_of(deals: DealsAhead) -> FinishChances:
    """Return the chances of each role from each stage of a deal on; cached."""
    return tuple(_stages(deals, role) for role in range(len(deals.counts)))


def _stages(deals: DealsAhead, role: int) -> tuple[Floats, ...]:
    """Return a role's chances at each stage, from before the play to after the crib."""
    stances, counts = deals.stances, deals.counts[role]
    later = deals.starts[deals.next_role(role)]
    end = np.zeros_like(later)
    end[:, len(counts) :] = stances.before_deal(later)[:, : -len(counts)]
    stages = [end]
    for tick, counted in reversed(list(enumerate(counts))):
        after = stages[-1]
        stages.append(after if counted is None else counted.finishing(stances, tick, after))
    return tuple(reversed(stages))
