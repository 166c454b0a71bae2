"""Later balance of a card, added up card by card, and learned from play."""

import random

import numpy as np

from companion.players.values.rollout import Playout
from companion.players.values.tables import (
    SHAPE,
    Choice,
    Floats,
    Foresight,
    Numbers,
    Ranks,
    load_tables,
    ranks_of,
)
from companion.rules.cards import DECK
from tests.training.random_deals import PointsLedger


def test_added_up_card_by_card() -> None:
    """The balance is the term of the pile plus the terms of each other card of the hand."""
    rng = np.random.default_rng(1)
    foresight = Foresight(left=rng.random(SHAPE), kept=rng.random(SHAPE))
    chance = random.Random(1)
    hands = np.array([[chance.randint(1, 13) for _ in range(4)] for _ in range(50)], dtype=np.uint8)
    below = np.array([[chance.randint(0, 13)] for _ in hands], dtype=np.uint8)
    counts = np.array([[chance.randint(1, 31) for _ in range(4)] for _ in hands])
    brought = foresight.of((counts, below, hands))
    for row, hand in enumerate(hands.tolist()):
        for place, rank in enumerate(hand):
            count = counts[row, place]
            others = hand[:place] + hand[place + 1 :]
            expected = foresight.left[count, below[row, 0], rank]
            expected += sum(foresight.kept[count, rank, other] for other in others)
            assert abs(expected - brought[row, place]) < 1e-9


def test_known_of_good_play() -> None:
    """A four is a better lead than a five, and a seven of a pair of sevens is a good lead."""
    foresight = load_tables().foresight
    assert foresight.left[4, 0, 4] > foresight.left[5, 0, 5]
    assert foresight.kept[7, 7, 7] > foresight.kept[7, 7, 13]


def test_foresight_pegs_more_than_greed() -> None:
    """With the same cards in either seat, a player with foresight pegs more than a greedy one."""
    rng = np.random.default_rng(4)
    decks = rng.permuted(np.tile(np.array(DECK, dtype=np.uint8), (4_000, 1)), axis=1)
    hands = ranks_of(decks[:, :8].reshape(-1, 2, 4))
    gained = sum(_gained(hands, seat) for seat in (0, 1))
    assert gained > 0.3 * len(hands)


def _gained(hands: Ranks, seat: int) -> int:
    """Return the lead in pegging of a seat with foresight over a greedy seat."""
    tally = _Uneven(len(hands), seat)
    Playout(hands.copy(), tally).play_out(0)
    return int((tally.points[:, seat] - tally.points[:, 1 - seat]).sum())


class _Uneven(PointsLedger):
    """Ledger in which one seat has foresight; the other plays the highest of equal cards."""

    def __init__(self, rows: int, seat: int) -> None:
        super().__init__(rows, 2, load_tables().foresight)
        self.seat = seat

    def scores(self, seat: int, points: Numbers, choice: Choice) -> Floats:
        """Return the score with foresight, or the greedy score."""
        found = super().scores(seat, points, choice)
        return found if seat == self.seat else points + choice[2] / 100
