"""White balance: the range of three choices, and the patches to choose from."""

from itertools import pairwise, product

import numpy as np
import pytest

from companion.lights.colour.white_balance import (
    CANDIDATES,
    ROUNDS,
    White,
    candidates,
    chosen,
    patches,
)


def distance(one: White, other: White) -> float:
    """Return the largest difference of two whites, in doublings."""
    ratios = np.log2(np.array(one) / np.array(other))
    return float(np.ptp(ratios))


def test_the_middle_each_time_changes_nothing() -> None:
    """Red, green and blue stay as they are."""
    assert (1.0, 1.0, 1.0) == chosen([2] * ROUNDS)


def test_every_white_can_be_set() -> None:
    """The largest part is 1, and the least is within the setting's limits."""
    for choices in product(range(CANDIDATES), repeat=ROUNDS):
        white = chosen(choices)
        assert 1.0 == max(white)
        assert 0.2 <= min(white)


def test_somebody_with_good_eyes_finds_the_white_of_a_strip() -> None:
    """The nearest choices end within a tenth of a doubling either way."""
    for strip in ((1.0, 0.69, 0.94), (1.0, 0.8, 0.6), (0.7, 0.85, 1.0)):
        choices: list[int] = []
        for _ in range(ROUNDS):
            apart = [distance(offered, strip) for offered in candidates(choices)]
            choices.append(apart.index(min(apart)))
        assert distance(chosen(choices), strip) <= 0.25


def test_the_patches_are_apart() -> None:
    """Each white has an LED, in the order of the wire."""
    expected = [pytest.approx(row) for row in (np.array(candidates([])) * 0.25).tolist()]
    for leds in (5, 9, 60, 1206):
        light = patches(candidates([]), leds)
        assert (leds, 3) == light.shape
        lit = light[light.any(axis=1)]
        firsts = [lit[0], *(other for one, other in pairwise(lit) if (one != other).any())]
        assert expected == [each.tolist() for each in firsts]
        assert leds < 15 or not light.any(axis=1).all()
