"""Hands and cribs: their points by table and by parts, compared with the slow twin."""

from collections import Counter
from itertools import combinations_with_replacement, product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.cards import (
    DECK,
    Card,
    Show,
    cards,
    count_show,
    count_shows,
    distribution,
    show_points,
)
from companion.rules.cards.rank_table import KEYS
from tests.companion.rules.cards.dealt import FIVES, ONE_SUIT
from tests.companion.rules.cards.slow_count import slow_show

RANKS = [ranks for ranks in combinations_with_replacement(range(13), 5) if ranks[0] != ranks[4]]
"""Every choice of five ranks that a deck can give."""


def shown(hand: str, starter: str, *, crib: bool = False) -> Show:
    """Return the count of cards given as texts."""
    return count_show(cards(hand), Card.parse(starter), crib=crib)


def reported(show: Show) -> list[str]:
    """Return each part as a text: kind, points, cards."""
    return [f"{part.kind} {part.points}: {' '.join(map(str, part.cards))}" for part in show.parts]


def of_ranks(ranks: tuple[int, ...]) -> list[Card]:
    """Return cards of these ranks, equal ones in different suits."""
    return [DECK[4 * rank + ranks[:place].count(rank)] for place, rank in enumerate(ranks)]


def assert_like_the_slow_twin(five: list[Card], *, crib: bool) -> None:
    """Assert that table, parts and twin agree, and that the parts have the total."""
    *hand, starter = five
    show = count_show(hand, starter, crib=crib)
    expected = slow_show([str(card) for card in hand], str(starter), crib=crib)
    assert expected == show.by_kind
    assert sum(expected.values()) == show.points == show_points(hand, starter, crib=crib)
    assert show.points == sum(part.points for part in show.parts)


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("5H 5S 5D JC", "5C", 29),
        ("5H 5S 5D 5C", "JC", 28),
        ("5H 5S 5D TC", "5C", 28),
        ("TH TS 5D 5C", "2H", 12),
        ("4H 4S 5D 6C", "6H", 24),
        ("4H 5S 6D 7C", "6H", 14),
        ("3H 3S 3D 4C", "5H", 21),
        ("7H 7S 8D 8C", "9H", 24),
        ("AH 3S 7D 9C", "KH", 0),
    ],
)
def test_hands_that_are_known(hand: str, starter: str, points: int) -> None:
    """S2: hands with published points have these."""
    assert points == shown(hand, starter).points


def test_what_makes_a_double_run() -> None:
    """S2: a double run is two runs and a pair."""
    assert ["pair 2: 4S 4H", "run 3: 2D 3C 4S", "run 3: 2D 3C 4H"] == [
        part for part in reported(shown("4H 4S 3C 2D", "KD")) if not part.startswith("fifteen")
    ]


@pytest.mark.parametrize(
    ("hand", "starter", "runs"),
    [
        ("2H 3S 4D 9C", "KH", 3),
        ("2H 3S 4D 5C", "KH", 4),
        ("2H 3S 4D 5C", "6H", 5),
        ("2H 3S 4D 4C", "KH", 6),
        ("2H 3S 4D 4C", "5H", 8),
        ("2H 3S 4D 4C", "4H", 9),
        ("2H 3S 3D 4C", "4H", 12),
        ("QH KS AD 2C", "8H", 0),
        ("2H 3S 6D 7C", "KH", 0),
    ],
)
def test_runs(hand: str, starter: str, runs: int) -> None:
    """S2: each run of three or more is 1 a card, as often as it can be formed; ace is low only."""
    assert runs == shown(hand, starter).by_kind["runs"]


@pytest.mark.parametrize(
    ("hand", "starter", "flush", "crib_flush"),
    [
        ("2H 4H 8H TH", "KH", 5, 5),
        ("2H 4H 8H TH", "KS", 4, 0),
        ("2H 4H 8H TS", "KH", 0, 0),
        ("TS 2H 4H 8H", "KH", 0, 0),
        ("2H 4S 8H TH", "KH", 0, 0),
        ("2H 4H 8S TH", "KH", 0, 0),
        ("2H 4H 8H TS", "KS", 0, 0),
    ],
)
def test_flush(hand: str, starter: str, flush: int, crib_flush: int) -> None:
    """S3: four of the hand 4, five 5; a crib only five; four with the starter's help nothing."""
    assert flush == shown(hand, starter).by_kind["flush"]
    assert crib_flush == shown(hand, starter, crib=True).by_kind["flush"]


@pytest.mark.parametrize(
    ("hand", "starter", "nobs"),
    [
        ("JH 2S 4D 8C", "9H", 1),
        ("2S JH 4D 8C", "9H", 1),
        ("2S 4D JH 8C", "9H", 1),
        ("2S 4D 8C JH", "9H", 1),
        ("JH JS JD 8C", "9H", 1),
        ("JH 2S 4D 8C", "KH", 1),
        ("JH 2S 4D 8C", "9S", 0),
        ("TH 2S 4D 8C", "JH", 0),
        ("JS 2S 4D 8C", "JH", 0),
        ("QH 2S 4D 8C", "9H", 0),
    ],
)
def test_nobs(hand: str, starter: str, nobs: int) -> None:
    """S4: the jack of the starter's suit is 1, in the crib too; a jack turned up is none."""
    assert nobs == shown(hand, starter).by_kind["nobs"]
    assert nobs == shown(hand, starter, crib=True).by_kind["nobs"]


@pytest.mark.parametrize("ranks", [RANKS[start::25] for start in range(25)])
def test_every_choice_of_ranks(ranks: list[tuple[int, ...]]) -> None:
    """S2: for all 6,175 choices of ranks the table, the parts and the slow twin agree."""
    for five in map(of_ranks, ranks):
        assert_like_the_slow_twin(five, crib=False)


def test_every_choice_of_suits() -> None:
    """S3: for every way to give five ranks their suits flush and nobs are as the twin counts."""
    for suits in product(range(4), repeat=5):
        five = [DECK[4 * rank + suit] for rank, suit in zip((0, 10, 4, 7, 8), suits, strict=True)]
        for crib in (False, True):
            assert_like_the_slow_twin(five, crib=crib)


@given(FIVES | ONE_SUIT, st.booleans())
def test_any_hand(five: list[Card], crib: bool) -> None:
    """S2: any hand or crib, in any order, counts as the slow twin counts it."""
    assert_like_the_slow_twin(five, crib=crib)


def test_keys_keep_choices_apart() -> None:
    """Any five ranks of a deck have a sum of keys of their own: the table knows them by it."""
    sums = Counter(sum(KEYS[rank] for rank in ranks) for ranks in RANKS)
    assert 6175 == len(sums) == len(RANKS)


@pytest.mark.parametrize(
    ("kind", "mean"), [("fifteens", 2.6061), ("pairs", 1.1765), ("runs", 0.8700)]
)
def test_published_means_of_the_kinds(kind: str, mean: float) -> None:
    """S2: over all hands fifteens, pairs and runs bring what is published."""
    made = hands = 0
    for ranks in RANKS:
        *hand, starter = of_ranks(ranks)
        ways = prod(comb(4, alike) for alike in Counter(ranks).values())
        made += ways * count_show(hand, starter).by_kind[kind]
        hands += ways
    assert 2_598_960 == hands
    assert mean == pytest.approx(made / hands, abs=5e-5)


PUBLISHED = {
    0: 1_009_008,
    1: 99_792,
    2: 2_813_796,
    3: 505_008,
    4: 2_855_676,
    5: 697_508,
    6: 1_800_268,
    7: 751_324,
    8: 1_137_236,
    9: 361_224,
    10: 388_740,
    11: 51_680,
    12: 317_340,
    13: 19_656,
    14: 90_100,
    15: 9_168,
    16: 58_248,
    17: 11_196,
    18: 2_708,
    20: 8_068,
    21: 2_496,
    22: 444,
    23: 356,
    24: 3_680,
    28: 76,
    29: 4,
}
"""Hands by points; no other number of points can be made (rule S5)."""

POINTS = np.arange(30)


def test_distribution_of_all_hands() -> None:
    """S5: all 12,994,800 hands with a starter spread over the points as published."""
    made = distribution()
    assert PUBLISHED == {points: number for points, number in enumerate(made.tolist()) if number}
    assert 12_994_800 == made.sum()
    assert 4.769152 == pytest.approx((POINTS * made).sum() / made.sum(), abs=5e-7)


def test_distribution_of_all_cribs() -> None:
    """S3: a crib's harder flush brings the published mean, and no hand is lost."""
    made = distribution(crib=True)
    assert 12_994_800 == made.sum()
    assert 4.734819 == pytest.approx((POINTS * made).sum() / made.sum(), abs=5e-7)
    assert [4, 76, 0, 0, 0] == made[[29, 28, 27, 26, 19]].tolist()


@pytest.mark.parametrize("crib", [False, True])
def test_as_one_by_one(crib: bool) -> None:
    """S2: as many hands as fill several chunks count in bulk as they do one by one."""
    rng = np.random.default_rng(363)
    fives = rng.random((70_001, 52)).argpartition(5)[:, :5].astype(np.uint8)
    fives[::10] &= ~np.uint8(3)  # all of one suit: flushes are rare otherwise
    hands, starters = fives[:, :4], fives[:, 4]
    expected = [show_points(hand, starter, crib=crib) for *hand, starter in fives.tolist()]
    assert expected == count_shows(hands, starters, crib=crib).tolist()


def test_no_hands() -> None:
    """No hands make no points."""
    points = count_shows(np.empty((0, 4), dtype=np.uint8), np.empty(0, dtype=np.uint8))
    assert (0,) == points.shape
