"""Many hands at once: the same counts as one by one, and the published table of all hands."""

import numpy as np
import pytest

from companion.rules.cards import count_shows, distribution, show_points

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
