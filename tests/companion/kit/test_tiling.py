"""The sheet on pages: every hole is whole on one of them, with seams between holes."""

import itertools

import pytest

from companion.board import board_names, load_board
from companion.kit.tiling import MARGIN_MM, PAPERS_MM, divide, points

MEASURED = [(100.0, 100.0), (99.2, 99.6), (101.5, 98.0)]
CASES = [*itertools.product(board_names(), PAPERS_MM, MEASURED)]
HOLE_AND_RING_MM = 2.65


@pytest.mark.parametrize(("name", "paper", "measured"), CASES)
def test_every_hole_is_whole_on_a_page(
    name: str, paper: str, measured: tuple[float, float]
) -> None:
    """A hole cut by a seam is whole on a neighbour, as pages overlap."""
    board = load_board(name)
    tiling = divide(board, paper, measured)
    windows = [tiling.window(tile) for tile in tiling.tiles]
    reach = HOLE_AND_RING_MM
    for x, y in points(board):
        assert any(
            shown.left + reach <= x <= shown.right - reach
            and shown.bottom + reach <= y <= shown.top - reach
            for shown in windows
        )


@pytest.mark.parametrize(("name", "paper", "measured"), CASES)
def test_a_page_has_room_for_what_it_shows(
    name: str, paper: str, measured: tuple[float, float]
) -> None:
    """Its part in true size and both borders fit on it."""
    tiling = divide(load_board(name), paper, measured)
    for tile in tiling.tiles:
        shown = tiling.window(tile)
        wide, high = tiling.scale
        assert (shown.right - shown.left) * wide + 2 * tiling.margin <= tiling.page_mm[0] + 1e-6
        assert (shown.top - shown.bottom) * high + 2 * tiling.margin <= tiling.page_mm[1] + 1e-6


@pytest.mark.parametrize(("name", "paper", "measured"), CASES)
def test_no_seam_runs_through_a_hole(name: str, paper: str, measured: tuple[float, float]) -> None:
    """On our boards the scissors avoid all rings."""
    board = load_board(name)
    tiling = divide(board, paper, measured)
    for x, y in points(board):
        for seam in tiling.columns[1:-1]:
            assert abs(x - seam) > HOLE_AND_RING_MM
        for seam in tiling.rows[1:-1]:
            assert abs(y - seam) > HOLE_AND_RING_MM


def test_the_number_of_pages() -> None:
    """It is the least possible, upright or across; large paper takes the whole sheet."""
    board = load_board("crib-wars")
    pages = {paper: len(divide(board, paper, (100, 100)).tiles) for paper in PAPERS_MM}
    assert {"a4": 8, "letter": 8, "a3": 4, "a2": 1} == pages


def test_tiles_are_named_by_row_and_column() -> None:
    """Rows are letters from above, columns numbers from the left; pages go by rows."""
    tiling = divide(load_board("crib-wars"), "a3", (100, 100))
    assert ["A1", "A2", "B1", "B2"] == [tile.label for tile in tiling.tiles]
    corner = tiling.corner(tiling.tiles[2])
    assert (-MARGIN_MM, -MARGIN_MM) == corner
