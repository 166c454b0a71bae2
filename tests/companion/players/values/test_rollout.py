"""Hands that are played out many at once peg the same as one at a time."""

import random

import numpy as np
import pytest

from companion.players.values.rollout import Playout
from companion.players.values.tables import SHAPE, Foresight
from companion.rules.deal.seats import SIDES
from tests.companion.rules.deal.slow_deal import RANKS, SlowDeal, play_points, rank, value
from tests.training.random_deals import NO_FORESIGHT, PointsLedger

DECK = [rank_ + suit for rank_ in RANKS for suit in "SHDC"]
BY_RANK = Foresight(left=np.zeros(SHAPE) + np.arange(SHAPE[-1]) / 100, kept=np.zeros(SHAPE))
"""Of cards worth the same the highest is played."""


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_pegged_as_one_by_one(players: int) -> None:
    """Fifteens, pairs, runs, 31, go and last card are those of the slow deal (P1 to P6)."""
    rng = random.Random(players)
    deals = [dealt(rng, players) for _ in range(400)]
    ranks = np.array([[list(map(rank, hand)) for hand in hands] for hands in deals], np.uint8)
    tally = PointsLedger(len(deals), players, BY_RANK)
    Playout(ranks, tally).play_out(0)
    assert [pegged(hands) for hands in deals] == tally.points.tolist()


def dealt(rng: random.Random, players: int) -> list[list[str]]:
    """Return hands of four cards from the dealer's left on."""
    cards = rng.sample(DECK, 4 * players)
    return [cards[4 * seat : 4 * seat + 4] for seat in range(players)]


def pegged(hands: list[list[str]]) -> list[int]:
    """Return each seat's pegging if all take the most points, then play the highest card."""
    players = len(hands)
    deal = SlowDeal(range(1, players + 1), players, players)
    deal.left = {seat: list(hand) for seat, hand in enumerate(hands, start=1)}
    deal.play_out(greedy(hands))
    points = [0] * players
    for reported in deal.reported:
        match reported:
            case ("count", int(seat), int(made), _):
                points[seat - 1] += made
    return points


def greedy(hands: list[list[str]]) -> list[str]:
    """Return the cards in the order in which greedy seats play them."""
    left, seat, last = [list(hand) for hand in hands], 0, -1
    pile: list[str] = []
    plays: list[str] = []
    while any(left):
        room = 31 - sum(map(value, pile))
        playable = [card for card in left[seat] if value(card) <= room]
        if playable:
            card = max(playable, key=lambda card: (play_points([*pile, card]), rank(card)))
            left[seat].remove(card)
            pile.append(card)
            plays.append(card)
            last = seat
        if (not playable and last == seat) or sum(map(value, pile)) == 31:
            pile, last = [], -1
        seat = (seat + 1) % len(hands)
    return plays


def test_a_pile_is_played_on() -> None:
    """Pairs and runs reach back into the pile, but not into an earlier count (P4 to P6)."""
    hands = np.array([[[8, 0, 0, 0], [0, 0, 0, 9]]], dtype=np.uint8)
    tally = PointsLedger(1, 2, NO_FORESIGHT)
    Playout(hands, tally, pile=(7, 8)).play_out(0, last=1)
    # 7-8-8: a pair for 2 at 23; the 9 does not fit: go; then it is the last card.
    assert [[3, 1]] == tally.points.tolist()


def test_counts_and_their_sizes() -> None:
    """Each landing is a count of its own, also the go after a card (P7)."""
    hands = np.array([[[5, 0, 0, 0], [10, 0, 0, 0]]], dtype=np.uint8)
    tally = PointsLedger(1, 2, NO_FORESIGHT)
    Playout(hands, tally).play_out(0)
    assert [[0, 2]] == tally.counts.tolist()
    assert (1, 1) == (tally.sizes[1, 1], tally.sizes[1, 2])


def test_who_plays_last_is_no_side_but_a_seat() -> None:
    """Partners' points go to one side (T1)."""
    assert SIDES[4] == 2
    hands = np.array([[[10], [10], [10], [1]]], dtype=np.uint8)
    tally = PointsLedger(1, SIDES[4], NO_FORESIGHT)
    Playout(hands, tally).play_out(0)
    assert [[6, 4]] == tally.points.tolist()
