"""Mean points of four cards, by their ranks and suits."""

import random

import numpy as np

from companion.players.values.hands import MEAN_POINTS, place_of_four, ranks_of
from companion.rules.cards import DECK, show_points
from tests.training.random_deals import flush_worth


def test_the_mean_over_all_starters() -> None:
    """Ranks and a flush give the exact mean, except for the suit of a jack."""
    rng = random.Random(3)
    for _ in range(300):
        four = rng.sample(DECK, 4)
        starters = [card for card in DECK if card not in four]
        mean = sum(show_points(four, starter) for starter in starters) / len(starters)
        numbers = np.array(four, dtype=np.uint8)
        found = MEAN_POINTS[place_of_four(ranks_of(numbers))] + flush_worth(numbers)
        jacks = sum(card.rank == 11 for card in four)
        assert abs(mean - found) < 1e-9 + jacks * 3.5 / 48


def test_order_does_not_matter() -> None:
    """The cards of a hand may be in any order, and many hands are looked up at once."""
    hands = np.array([[0, 13, 26, 39], [39, 26, 13, 0]], dtype=np.uint8)
    one, other = place_of_four(ranks_of(hands))
    assert one == other
