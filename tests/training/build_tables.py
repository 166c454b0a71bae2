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
from pathlib import Path

import numpy as np
from numpy.random import Generator

from companion.players.values.rollout import Playout
from companion.players.values.tables import (
    CELLS,
    FILE,
    FOURS,
    MEAN_POINTS,
    POINTS,
    Arrays,
    Counts,
    Floats,
    Foresight,
    Tables,
    place_of_four,
    ranks_of,
)
from companion.rules.cards import count_shows
from companion.rules.deal.seats import SIDES
from tests.training.learn_pegging import learn
from tests.training.points_ledger import PointsLedger
from tests.training.random_deals import (
    CribWorth,
    Deals,
    crib_worth,
    cribs_with,
    deal_out,
    draw,
    hand_size,
    owns,
    split_hands,
)

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
