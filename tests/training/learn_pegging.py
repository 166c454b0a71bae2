"""Learning of foresight: the later balance of each card in hands that are played out."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from companion.players.values.rollout import VALUE, Bools, Playout
from companion.players.values.tables import (
    SHAPE,
    Choice,
    Floats,
    Foresight,
    Numbers,
    Ranks,
    ranks_of,
)
from tests.training.points_ledger import NO_FORESIGHT, PointsLedger
from tests.training.random_deals import Deals

ROUNDS = 6
EXPLORED_PART = 0.15
"""The part of all cards that is played at random."""
FITTING_STEPS = 12
"""Assembly steps in each round."""
PRIOR_OBSERVATIONS = 20
"""Number of observations whose mean is believed half."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Act:
    """Act of a seat in each row.

    In the rows of `plays` the seat played a card of `rank` after a card of rank `below` (0 at the
    start of a count). The card made `made` points, and the count became `total`. `kept` has the
    rest of the hand. In the rows of `pointed` the seat pegged the point for go or last card.
    """

    seat: int
    plays: Bools
    made: Numbers
    pointed: Bools
    total: Numbers
    below: Ranks
    rank: Ranks
    kept: Ranks


class _Watched(Playout):
    """Playout that keeps every act."""

    def __init__(self, hands: Ranks, ledger: PointsLedger) -> None:
        super().__init__(hands, ledger)
        self.acts: list[_Act] = []

    def lay(self, seat: int, pick: Numbers, plays: Bools, points: Numbers) -> Bools:
        """Play a card, and keep the act."""
        below, rank = self.rank, self.hands[self.row, seat, pick] * plays
        total = self.count + VALUE[rank]
        pointed = super().lay(seat, pick, plays, points)
        act = _Act(
            seat=seat,
            plays=plays,
            made=points * plays,
            pointed=pointed,
            total=total,
            below=below,
            rank=rank,
            kept=self.hands[:, seat].copy(),
        )
        self.acts.append(act)
        return pointed


class _Exploring(PointsLedger):
    """Ledger in which seats sometimes play any card."""

    def __init__(self, rows: int, foresight: Foresight, rng: Generator) -> None:
        super().__init__(rows, 2, foresight)
        self.rng = rng

    def scores(self, seat: int, points: Numbers, choice: Choice) -> Floats:
        """Return the points now and the expected later points, or random scores."""
        found = super().scores(seat, points, choice)
        tries = self.rng.random(len(found)) < EXPLORED_PART
        return np.where(tries[:, None], self.rng.random(found.shape), found)


def learn(deals: Deals, rng: Generator) -> Foresight:
    """Learn the later balance of cards from deals of two players, each round by the last one."""
    foresight = NO_FORESIGHT
    for _ in range(ROUNDS):
        hands = ranks_of(deals.hands)
        playout = _Watched(hands, _Exploring(len(hands), foresight, rng))
        playout.play_out(0)
        foresight = _fitted(foresight, _look_back(playout.acts))
    return foresight


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lessons:
    """Cards played: their indexes in `left` and in `kept`, and the balance that they `brought`."""

    left: Numbers
    kept: Numbers
    brought: Floats


def _look_back(acts: list[_Act]) -> _Lessons:
    """Return the balance after each card to the end of the deal."""
    balance = np.zeros(len(acts[0].plays))  # the first seat's, less the second's
    left, kept, brought = [], [], []
    for act in reversed(acts):
        sign, plays = 1 - 2 * act.seat, act.plays
        balance += sign * act.pointed
        total, rank = act.total[plays], act.rank[plays]
        left.append(_places(total, act.below[plays], rank))
        kept.append(_places(total[:, None], rank[:, None], act.kept[plays]))
        brought.append(sign * balance[plays])
        balance += sign * act.made
    return _Lessons(
        left=np.concatenate(left), kept=np.concatenate(kept), brought=np.concatenate(brought)
    )


def _places(count: Numbers, second: Ranks, third: Ranks) -> Numbers:
    """Return the table index of a count and two ranks."""
    return np.ravel_multi_index(np.broadcast_arrays(count, second, third), SHAPE)


def _fitted(foresight: Foresight, lessons: _Lessons) -> Foresight:
    """Return the foresight after some steps towards the lessons."""
    left, kept = foresight.left.flatten(), foresight.kept.flatten()
    nobody = np.arange(len(kept)) % SHAPE[-1] == 0
    for _ in range(FITTING_STEPS):
        missed = lessons.brought - left[lessons.left] - kept[lessons.kept].sum(axis=1)
        left += _mean(lessons.left, missed)
        missed = lessons.brought - left[lessons.left] - kept[lessons.kept].sum(axis=1)
        # Several cards are kept at once: half a step each, so that they do not overshoot together.
        kept += _mean(lessons.kept, missed[:, None]) / 2
        kept[nobody] = 0
    return Foresight(left=left.reshape(SHAPE), kept=kept.reshape(SHAPE))


def _mean(places: Numbers, missed: Floats) -> Floats:
    """Return the mean residual at each index, smaller where there are few observations."""
    size = SHAPE[0] * SHAPE[1] * SHAPE[2]
    weights = np.broadcast_to(missed, places.shape)
    total = np.bincount(places.ravel(), weights=weights.ravel(), minlength=size)
    return total / (np.bincount(places.ravel(), minlength=size) + PRIOR_OBSERVATIONS)
