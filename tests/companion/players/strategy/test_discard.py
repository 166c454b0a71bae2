"""Discards: random cribs and all choices of four cards, counted one by one."""

import random
from collections import Counter
from itertools import combinations

import pytest

from companion.players.strategy.discard import keep_four, random_cribs
from companion.rules.cards import DECK, PartKind, cards, count_show, show_points

BY_SUIT = (PartKind.FLUSH, PartKind.NOBS)


@pytest.mark.parametrize("known", ["5H 5S", "TD KC", "AS 2H"])
def test_every_crib_with_a_starter(known: str) -> None:
    """The fifteens, pairs and runs of all 990 cribs are those of the show (S2)."""
    discarded, (*kept, starter) = cards(known), cards("5D 6C 7H JS 4H")
    unseen = [card for card in DECK if card not in (*discarded, *kept, starter)]
    counts = Counter[int]()
    for others in combinations(unseen, 2):
        show = count_show((*discarded, *others), starter, crib=True)
        counts[sum(part.points for part in show.parts if part.kind not in BY_SUIT)] += 1
    chances = random_cribs([discarded], (*discarded, *kept), starter)
    assert [counts[points] / 990 for points in range(30)] == pytest.approx(chances[0].tolist())


def test_an_unknown_starter_is_any_card() -> None:
    """Without a starter, the chances are the mean over all starters."""
    hand = cards("5H 6H 9D KC QS")
    starters = [card for card in DECK if card not in hand]
    each = [random_cribs([hand[:1]], hand, starter)[0] for starter in starters]
    mean = sum(each[1:], each[0]) / len(each)
    assert random_cribs([hand[:1]], hand, None)[0].tolist() == pytest.approx(mean.tolist())


# All choices of four cards


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
