"""The sheet on pages: every hole is whole on one of them, with seams between holes."""

import itertools

from companion.board import board_names, load_board
from companion.kit.tiling import MARGIN_MM, PAPERS_MM, divide, points

MEASURED = [(100.0, 100.0), (99.2, 99.6), (101.5, 98.0)]
REACH_MM = 2.65
"""Radius of a hole with its ring."""


def test_every_hole_is_whole_on_a_page_that_has_room() -> None:
    """Pages overlap and fit their paper in true size; on our boards seams avoid all rings."""
    failures: list[tuple[object, ...]] = []
    boards = {name: load_board(name) for name in board_names()}
    for name, paper, measured in itertools.product(boards, PAPERS_MM, MEASURED):
        board = boards[name]
        tiling = divide(board, paper, measured)
        windows = [tiling.window(tile) for tile in tiling.tiles]
        for x, y in points(board):
            is_whole = any(
                shown.left + REACH_MM <= x <= shown.right - REACH_MM
                and shown.bottom + REACH_MM <= y <= shown.top - REACH_MM
                for shown in windows
            )
            gaps = [abs(x - at) for at in tiling.columns[1:-1]]
            gaps += [abs(y - at) for at in tiling.rows[1:-1]]
            if not is_whole or min(gaps, default=9) <= REACH_MM:
                failures.append((name, paper, measured, x, y))
        (wide, high), (page_wide, page_high) = tiling.scale, tiling.page_mm
        failures += [
            (name, paper, measured, shown)
            for shown in windows
            if (shown.right - shown.left) * wide + 2 * tiling.margin > page_wide + 1e-6
            or (shown.top - shown.bottom) * high + 2 * tiling.margin > page_high + 1e-6
        ]
    assert [] == failures


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
