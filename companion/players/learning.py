"""What a pile left to the next player brings, learned from hands played out and looked back on."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from companion.players.dealing_out import Deals
from companion.players.playout import LEFT_SHAPE, Act, Left, Numbers, Playout, Tally
from companion.players.worth import Floats, ranks_of

ROUNDS = 6
TRIES = 0.15
"""The part of all cards that is played at random."""
FEW = 20
"""What was seen so often is believed half; the rest is what the count and its top bring."""


class _Trying(Tally):
    """A tally whose seats now and then play any card."""

    def __init__(self, rows: int, left: Floats, rng: Generator) -> None:
        super().__init__(rows, 2, left)
        self.rng = rng

    def scores(self, seat: int, points: Numbers, left: Left) -> Floats:
        """Points now and what is left, or nothing but chance."""
        found = super().scores(seat, points, left)
        tries = self.rng.random(len(found)) < TRIES
        return np.where(tries[:, None], self.rng.random(found.shape), found)


def learn_left(deals: Deals, rng: Generator) -> Floats:
    """What leaving a pile so brings on balance until the next count, looked up by `Left`.

    From deals to two players, played again and again by what was learned so far; the older a
    round, the less it weighs.
    """
    left, gained, times = (np.zeros(LEFT_SHAPE) for _ in range(3))
    for _ in range(ROUNDS):
        acts: list[Act] = []
        hands = ranks_of(deals.hands)
        Playout(hands, _Trying(len(hands), left, rng), watch=acts.append).play_out(0)
        gained /= 2
        times /= 2
        _look_back(acts, gained, times)
        by_top = gained.sum(axis=1) / np.maximum(times.sum(axis=1), 1)
        left = (gained + FEW * by_top[:, None]) / (times + FEW)
    return left


def _look_back(acts: list[Act], gained: Floats, times: Floats) -> None:
    """Add to each pile left what came after it in the same count."""
    balance = np.zeros(len(acts[0].plays))  # the first seat's, less the second's
    for act in reversed(acts):
        sign = 1 - 2 * act.seat
        balance = np.where(act.ended, 0.0, balance) + sign * act.pointed
        place = act.total[act.plays], act.below[act.plays], act.rank[act.plays]
        np.add.at(gained, place, sign * balance[act.plays])
        np.add.at(times, place, 1)
        balance += sign * act.made
