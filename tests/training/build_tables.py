"""Maker of the shipped tables from one seed: `python -m tests.training.build_tables [FILE]`.

The method is self-play on random deals, many at once. A player keeps the four cards with the best
sum of their mean over all starters and the mean of the crib. The means of cribs come from the table
of cribs that is being made, so it is made in rounds, the first one with an empty table. For each
cell, cards of its ranks are discarded; the other players get cards from the rest of the deck and
discard by the table of the last round, and a starter is turned up. Then `Playout` plays the hands:
each seat plays by the points of a card and its later balance. This foresight is learned in rounds
too, in which some cards are played at random.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.random import Generator

from companion.players.values.rollout import VALUE, Bools, Playout
from companion.players.values.tables import (
    CELLS,
    FILE,
    FOURS,
    MEAN_POINTS,
    POINTS,
    SHAPE,
    Arrays,
    Choice,
    Counts,
    Floats,
    Foresight,
    Numbers,
    Ranks,
    Tables,
    place_of_four,
    ranks_of,
)
from companion.rules.cards import count_shows
from companion.rules.deal.seats import SIDES
from tests.training.random_deals import (
    NO_FORESIGHT,
    CribWorth,
    Deals,
    PointsLedger,
    crib_worth,
    cribs_with,
    deal_out,
    draw,
    hand_size,
    owns,
    split_hands,
)

# Learning of foresight: the later balance of each card in hands that are played out


PEGGING_ROUNDS = 6
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
    for _ in range(PEGGING_ROUNDS):
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


# The tables


SEED = 121
ROUNDS = (2_000, 8_000, 40_000)
"""Deals a cell in each round."""
DEALS = 200_000
"""Deals that are played for what a deal brings."""
LESSONS = 400_000
"""Deals that are played to learn from."""
CHANCES = 4_000_000
"""Hands dealt to learn which four cards are kept."""
GREATEST_MEAN = 24
"""No four cards make more on average."""

CRIBS = ((2, True), (2, False), (3, True), (3, False), (4, True), (4, False), (6, False))
"""The number of players and whose the crib is; the dealer's side of six throws under the deck."""


def make(seed: int = SEED, *, scale: float = 1) -> Tables:
    """Build the tables; `scale` multiplies the number of deals."""
    rng = np.random.default_rng(seed)
    cribs: dict[tuple[int, bool], Counts] = {}
    for deals in ROUNDS:
        cribs = _cribs(rng, round(deals * scale), crib_worth(cribs))
    worth = crib_worth(cribs)
    number = round(DEALS * scale)
    learned = learn(deal_out(rng, round(LESSONS * scale), 2, worth), rng)
    foresight = Foresight(left=learned.left.round(2), kept=learned.kept.round(2))
    deals_of = {players: deal_out(rng, number, players, worth) for players in SIDES}
    tallies = {players: _played(deals, foresight) for players, deals in deals_of.items()}
    return Tables(
        cribs=cribs,
        hands={
            (players, own): _shown(deals, own=own)
            for players, deals in deals_of.items()
            for own in (False, True)
        },
        counts={players: _how_many(tally) for players, tally in tallies.items()},
        sizes={players: tally.sizes for players, tally in tallies.items()},
        keeps=np.array([_kept(rng, round(CHANCES * scale), n, worth) for n in (2, 4)]),
        foresight=foresight,
    )


def _cribs(rng: Generator, number: int, worth: CribWorth) -> dict[tuple[int, bool], Counts]:
    """Return the points of `number` cribs in each cell."""
    return {
        crib: np.array(
            [
                crib_points(rng, number, cell, crib, worth)
                for cell in CELLS[hand_size(crib[0]) - len(FOURS[0])]
            ]
        )
        for crib in CRIBS
    }


def crib_points(
    rng: Generator, number: int, cell: tuple[int, ...], crib: tuple[int, bool], worth: CribWorth
) -> Counts:
    """Return the points of `number` cribs with cards of these ranks discarded into them, (30,)."""
    cribs, starters = cribs_with(rng, number, cell, crib, worth)
    return np.bincount(count_shows(cribs, starters, crib=True), minlength=len(POINTS))


def _shown(deals: Deals, *, own: bool) -> Counts:
    """Return the points of the hands whose side owns the crib, or does not, (30,)."""
    seats = [seat for seat, theirs in enumerate(owns(deals.hands.shape[1])) if theirs == own]
    points = [count_shows(deals.hands[:, seat], deals.starter) for seat in seats]
    return np.bincount(np.concatenate(points), minlength=len(POINTS))


def _played(deals: Deals, foresight: Foresight) -> PointsLedger:
    """Play the deals and return the points that each side pegs."""
    number, players = deals.hands.shape[:2]
    tally = PointsLedger(number, SIDES[players], foresight)
    Playout(ranks_of(deals.hands), tally).play_out(0)
    return tally


def _how_many(tally: PointsLedger) -> Counts:
    """Return the frequency of each number of counts in a deal, (sides, n)."""
    most = tally.counts.max() + 1
    return np.array([np.bincount(side, minlength=most) for side in tally.counts.T])


def _kept(rng: Generator, number: int, players: int, worth: CribWorth) -> Floats:
    """Return the frequency of keeping four of the cards dealt, by their mean points, (25,).

    The frequency is made to rise with the mean, also where few hands were dealt.
    """
    dealt = draw(rng, number, hand_size(players))
    four = np.sort(dealt[:, : len(FOURS[0])], axis=1)
    half = number // 2
    kept = np.concatenate(
        [
            split_hands(dealt[:half], worth[players, True])[0],
            split_hands(dealt[half:], worth[players, False])[0],
        ]
    )
    taken = (np.sort(kept, axis=1) == four).all(axis=1)
    mean = np.rint(MEAN_POINTS[place_of_four(ranks_of(four))]).astype(np.int64)
    offered = np.bincount(mean, minlength=GREATEST_MEAN + 1)
    part = np.bincount(mean, weights=taken, minlength=len(offered)) / np.maximum(offered, 1)
    return np.maximum.accumulate(part)


def pack(tables: Tables) -> Arrays:
    """Return the file's arrays, named by table, number of players and owner of the crib."""
    arrays: Arrays = {
        "keeps": tables.keeps,
        "left": tables.foresight.left,
        "kept": tables.foresight.kept,
    }
    for table, found in (("cribs", tables.cribs), ("hands", tables.hands)):
        arrays |= {f"{table} {players} {own:d}": counts for (players, own), counts in found.items()}
    for table, counted in (("counts", tables.counts), ("sizes", tables.sizes)):
        arrays |= {f"{table} {players}": counts for players, counts in counted.items()}
    return arrays


def main() -> None:
    """Make the tables and write them into the package, or to the file named."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(str(FILE))
    np.savez_compressed(file, allow_pickle=False, **pack(make()))


if __name__ == "__main__":
    main()
