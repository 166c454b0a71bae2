"""All choices of four cards, counted with every starter."""

import random

import pytest

from companion.players.strategy.keep_four import keep_four
from companion.rules.cards import DECK, show_points


@pytest.mark.parametrize(("size", "choices"), [(5, 5), (6, 15)])
def test_every_choice_with_every_starter(size: int, choices: int) -> None:
    """Each choice is there once, with the points of the slow count (S2 to S5)."""
    dealt = random.Random(size).sample(DECK, size)
    discards, counted = keep_four(dealt)
    assert choices == len(set(discards))
    starters = [card for card in DECK if card not in dealt]
    for discarded, points in zip(discards, counted, strict=True):
        four = [card for card in dealt if card not in discarded]
        assert [show_points(four, starter) for starter in starters] == points.tolist()
