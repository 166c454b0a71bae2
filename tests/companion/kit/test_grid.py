"""Light grid: printable solids, with one cell for every LED."""

import io
from functools import cache
from itertools import combinations

import numpy as np
import pytest
import trimesh
from manifold3d import Manifold

from companion.board import board_names, load_board
from companion.kit.grid import HEIGHT_MM, GridTile, grid_tiles, stl
from companion.lights.compositor import Per

BED = (220.0, 220.0)
NOZZLE_MM = 0.4


@cache
def tiles(name: str) -> list[GridTile]:
    """Return the tiles of a shipped board."""
    return grid_tiles(load_board(name), Per.HOLE_AND_LANE, BED)


def mesh(tile: GridTile) -> trimesh.Trimesh:
    """Return a tile as another library reads its STL."""
    loaded = trimesh.load(io.BytesIO(stl(tile.solid)), file_type="stl")
    assert isinstance(loaded, trimesh.Trimesh)
    return loaded


def bodies(solid: trimesh.Trimesh) -> int:
    """Return the number of bodies, counted by a walk over neighbouring faces."""
    beside: dict[int, list[int]] = {face: [] for face in range(len(solid.faces))}
    for one, other in solid.face_adjacency:
        beside[one].append(other)
        beside[other].append(one)
    found = 0
    while beside:
        found += 1
        waiting = [next(iter(beside))]
        while waiting:
            waiting += beside.pop(waiting.pop(), [])
    return found


LARGE = pytest.param("crib-wars", marks=pytest.mark.deep)


@pytest.mark.parametrize("name", [LARGE, "classic", "classic-61"])
def test_a_cell_for_every_led(name: str) -> None:
    """The solids are watertight single bodies, with as many holes as LEDs."""
    board = load_board(name)
    leds = sum(len(row.holes) for row in board.rows) + len(board.lamps)
    genus = 0
    for tile in tiles(name):
        solid = mesh(tile)
        assert solid.is_watertight
        assert solid.is_winding_consistent
        assert solid.volume > 0
        assert 1 == bodies(solid)
        holes = (2 - solid.euler_number) // 2
        assert not tile.is_test or holes == 5
        genus += 0 if tile.is_test else holes
    assert leds == genus


@pytest.mark.parametrize("name", board_names())
def test_tiles_fit_the_bed_and_lie_under_their_holes(name: str) -> None:
    """No tile exceeds the bed; below each hole is air, beside it a wall."""
    board = load_board(name)
    for tile in tiles(name):
        left, bottom, low, right, top, high = tile.solid.bounding_box()
        assert (0, HEIGHT_MM) == pytest.approx((low, high))
        assert right - left <= BED[0]
        assert top - bottom <= BED[1]
        assert 0 <= left < right <= board.width_mm
        assert 0 <= bottom < top <= board.height_mm
    above = [(x, board.height_mm - y) for row in board.rows for _, x, y in row.places()]
    sections = [tile.solid.slice(HEIGHT_MM / 2) for tile in tiles(name) if not tile.is_test]
    outlines = np.vstack([line for part in sections for line in part.to_polygons()])
    for x, y in above[:: len(above) // 40]:
        nearest = np.abs(outlines - (x, y)).max(axis=1).min()
        assert 5 / 2 <= nearest <= 10.8 / 2 + 1e-6


def test_walls_are_two_nozzles_wide() -> None:
    """Shrunk by nearly two nozzles, the walls still hold together."""
    for tile in tiles("classic-61"):
        section = tile.solid.slice(HEIGHT_MM / 2)
        eroded = section.offset(-0.99 * NOZZLE_MM)
        assert len(section.to_polygons()) == len(eroded.to_polygons())
        assert 1 == len(eroded.decompose())


def test_the_weight() -> None:
    """The walls of the largest board take half a reel of 1 kg at most."""
    cm3 = sum(tile.solid.volume() for tile in tiles("crib-wars")) / 1000
    assert cm3 * 1.24 < 500


def test_a_smaller_bed_and_the_same_bytes() -> None:
    """A grid is cut between cells for any bed, twice with the same result."""
    board = load_board("classic-61")
    one, other = (grid_tiles(board, Per.HOLE_AND_LANE, (80, 100)) for _ in range(2))
    assert [stl(tile.solid) for tile in one] == [stl(tile.solid) for tile in other]
    assert all(tile.solid.bounding_box()[3] - tile.solid.bounding_box()[0] <= 80 for tile in one)
    holes = sum(tile.solid.genus() for tile in one if not tile.is_test)
    assert sum(len(row.holes) for row in board.rows) + len(board.lamps) == holes


@pytest.mark.parametrize("name", ["classic", "classic-61"])
def test_lanes_that_share_their_leds_share_cells(name: str) -> None:
    """With one LED a hole a cell reaches over all lanes."""
    board = load_board(name)
    shared = grid_tiles(board, Per.HOLE, BED)
    holes = len({hole for row in board.rows for hole in row.holes})
    assert holes + len(board.lamps) == sum(
        tile.solid.genus() for tile in shared if not tile.is_test
    )
    assert all(1 == len(tile.solid.decompose()) for tile in shared)


# Joints


TOUCH_MM3, PULLED_MM = 1e-3, 0.6
LARGE_BED = pytest.param("crib-wars", (220.0, 220.0), marks=pytest.mark.deep)


def volume(one: Manifold, other: Manifold) -> float:
    """Return the volume that two solids share."""
    return float((one ^ other).volume())


@pytest.mark.parametrize(("name", "bed"), [LARGE_BED, ("classic-61", (90.0, 90.0))])
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
