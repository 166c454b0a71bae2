"""Joints of the light grid: parts that hold together and are not in their neighbours' way."""

from itertools import combinations

import pytest
from manifold3d import Manifold

from companion.board import load_board
from companion.kit.grid import grid_tiles
from companion.lights.pixels import Per

TOUCH_MM3, PULLED_MM = 1e-3, 0.6
LARGE = pytest.param("crib-wars", (220.0, 220.0), marks=pytest.mark.deep)


def volume(one: Manifold, other: Manifold) -> float:
    """Return the volume that two solids share."""
    return float((one ^ other).volume())


@pytest.mark.parametrize(("name", "bed"), [LARGE, ("classic-61", (90.0, 90.0))])
def test_parts_hold_each_other(name: str, bed: tuple[float, float]) -> None:
    """Tiles lie side by side without touching; pulled apart, those of a cut catch each other."""
    solids = [tile.solid for tile in grid_tiles(load_board(name), Per.HOLE_AND_LANE, bed)[1:]]
    caught = 0
    for one, other in combinations(solids, 2):
        assert volume(one, other) < TOUCH_MM3
        away = ((PULLED_MM, 0, 0), (-PULLED_MM, 0, 0), (0, PULLED_MM, 0), (0, -PULLED_MM, 0))
        if one.min_gap(other, 1.0) < 0.2:
            caught += sum(volume(one, other.translate(way)) > 1 for way in away) >= 2
    assert caught >= len(solids) / 4


def test_the_bed_takes_the_tabs_too() -> None:
    """No part is larger than the bed with its tab, and cells are as many as without joints."""
    board = load_board("classic-61")
    whole = grid_tiles(board, Per.HOLE_AND_LANE, (500.0, 500.0))[1:]
    parts = grid_tiles(board, Per.HOLE_AND_LANE, (100.0, 120.0))[1:]
    for part in parts:
        left, bottom, _, right, top, _ = part.solid.bounding_box()
        assert right - left <= 100 + 1e-6
        assert top - bottom <= 120 + 1e-6
    assert len(parts) > len(whole)
    assert sum(tile.solid.genus() for tile in whole) == sum(tile.solid.genus() for tile in parts)
