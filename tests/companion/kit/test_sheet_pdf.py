"""PDFs of the sheet, looked at as pixels: true to size, every hole where the board has it."""

import itertools
import math
from functools import cache
from typing import NamedTuple

import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from companion.board import Board, board_names, load_board
from companion.board.drawing.finish import DAY, NIGHT, Finish, SheetStyle
from companion.commentary import load_phrases
from companion.kit.sheet_pdf import BLEED_MM, SLUG_MM, print_shop_pdf, sheet_pdf, tiles_pdf
from companion.kit.tiling import PAPERS_MM, divide
from companion.settings.sheet_style import sheet_words

_PIXELS_A_MM = 10


class Raster(NamedTuple):
    """Brightness of a page, 0 to 255, in rows from below, with its pixels for each millimetre."""

    pixels: NDArray[np.float64]
    across: float
    up: float

    def window_at(self, x_mm: float, y_mm: float, radius_mm: float) -> tuple[float, float]:
        """Return the centre of a disc within a darker or a lighter ring, expected at a place.

        Both are infinite if there is no disc.
        """
        left, below = int((x_mm - 3) * self.across), int((y_mm - 3) * self.up)
        size = 6 * _PIXELS_A_MM + 1
        around = self.pixels[below : below + size, left : left + size]
        rows, columns = np.indices(around.shape) + 0.5
        x, y = (left + columns) / self.across, (below + rows) / self.up
        within = np.hypot(x - x_mm, y - y_mm) < radius_mm
        disc = np.median(around[within])
        ring = max(np.percentile(around[within], (2, 98)), key=lambda edge: abs(edge - disc))
        if ring == disc:
            return math.inf, math.inf
        inside = np.clip((around - (ring + disc) / 2) / (disc - ring), 0, 0.5) * within
        total = max(inside.sum(), 1e-9)
        return float((inside * x).sum() / total), float((inside * y).sum() / total)


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Return width and height of each page in millimetres."""
    pages = pypdfium2.PdfDocument(pdf)
    return [
        (width / 72 * 25.4, height / 72 * 25.4) for width, height in (p.get_size() for p in pages)
    ]


def raster(pdf: bytes, page: int) -> Raster:
    """Return a page, counted from 1, at about ten pixels for each millimetre."""
    shown = pypdfium2.PdfDocument(pdf)[page - 1]
    width, height = (side / 72 * 25.4 for side in shown.get_size())
    pixels = shown.render(scale=_PIXELS_A_MM * 25.4 / 72).to_numpy().mean(axis=2)[::-1]
    return Raster(pixels.astype(float), pixels.shape[1] / width, pixels.shape[0] / height)


ENGLISH = load_phrases("en")
UNSCALED = (100.0, 100.0)
DEEP = [
    pytest.param(name, paper, measured, marks=pytest.mark.deep)
    for name, paper, measured in itertools.product(
        board_names(), PAPERS_MM, [UNSCALED, (99.2, 99.6), (101.5, 98.0)]
    )
]


def styled(board: Board, finish: Finish = NIGHT) -> SheetStyle:
    """The style of a printed sheet."""
    return SheetStyle(finish=finish, words=sheet_words(board, ENGLISH))


def windows(board: Board) -> list[tuple[float, float, float]]:
    """X and y from the sheet's lower left, and radius, of each hole's and lamp's ring."""
    holes = [(x, y, 1.75) for row in board.rows for _, x, y in row.places()]
    lamps = [(lamp.x_mm, lamp.y_mm, 2.3) for lamp in board.lamps]
    return [(x, board.height_mm - y, radius) for x, y, radius in holes + lamps]


def error(page: Raster, x: float, y: float, radius: float) -> float:
    """Millimetres from where a ring is expected on a page to where it is; infinite off the page."""
    height, width = page.pixels.shape
    if not (3.1 < x < width / page.across - 3.1 and 3.1 < y < height / page.up - 3.1):
        return math.inf
    return math.dist((x, y), page.window_at(x, y, radius))


@cache
def printed(name: str, finish: Finish) -> tuple[list[tuple[float, float]], Raster]:
    """Return the page sizes and the first page of a sheet."""
    board = load_board(name)
    pdf = sheet_pdf(board, styled(board, finish))
    return page_sizes(pdf), raster(pdf, 1)


@pytest.mark.parametrize(
    "name", ["classic-61", *(pytest.param(n, marks=pytest.mark.deep) for n in board_names())]
)
@pytest.mark.parametrize("finish", [NIGHT, DAY], ids=["night", "day"])
def test_every_hole_lies_true_on_the_sheet(name: str, finish: Finish) -> None:
    """One page of the sheet's size; the windows are where the board file has them, to 0.01 mm."""
    board, ((size,), page) = load_board(name), printed(name, finish)
    assert pytest.approx((board.width_mm, board.height_mm)) == size
    assert max(error(page, *window) for window in windows(board)) < 0.01


@pytest.mark.parametrize(("name", "paper", "measured"), [("classic-61", "a4", (99.2, 99.6)), *DEEP])
def test_every_hole_lies_true_on_the_tiles(
    name: str, paper: str, measured: tuple[float, float]
) -> None:
    """On a printer that makes 100 mm as long as measured, the tiles are true to 0.01 mm."""
    board = load_board(name)
    tiling = divide(board, paper, measured)
    pdf = tiles_pdf(board, tiling, styled(board), ENGLISH)
    sizes = page_sizes(pdf)
    assert 1 + len(tiling.tiles) == len(sizes)
    assert all(sorted(size) == pytest.approx(sorted(PAPERS_MM[paper])) for size in sizes)
    drawn = [100 / shown for shown in measured]
    nearest = dict.fromkeys(windows(board), math.inf)
    for number, tile in enumerate(tiling.tiles, start=2):
        page, corner = raster(pdf, number), tiling.corner(tile)
        for window, least in nearest.items():
            x, y, radius = window
            found = error(page, (x - corner.x) * drawn[0], (y - corner.y) * drawn[1], radius)
            nearest[window] = min(found, least)
    assert max(nearest.values()) < 0.01


@pytest.mark.parametrize("measured", [UNSCALED, (99.2, 101.5)])
def test_the_rulers_measure_100_mm(measured: tuple[float, float]) -> None:
    """On every printed page, the cover too, both rulers are 100 mm long."""
    board = load_board("classic-61")
    pdf = tiles_pdf(board, divide(board, "a4", measured), SheetStyle(), ENGLISH)
    for number in range(1, len(page_sizes(pdf)) + 1):
        page = raster(pdf, number)
        ways = ((page.pixels, page.across, page.up), (page.pixels.T, page.up, page.across))
        for (pixels, along, aside), shown in zip(ways, measured, strict=True):
            row = 255 - pixels[round(8.5 * aside)]  # through the longer ticks
            ends = [_dark_at(row, along, at) for at in (20, 20 + 100 * 100 / shown)]
            assert 100 == pytest.approx((ends[1] - ends[0]) * shown / 100, abs=0.02)


def _dark_at(row: NDArray[np.float64], pixels_a_mm: float, at_mm: float) -> float:
    """Centre of the ink on a line within half a millimetre of a place."""
    first = round((at_mm - 0.45) * pixels_a_mm)
    ink = row[first : first + 10]
    return first / pixels_a_mm + float(np.average(np.arange(10) + 0.5, weights=ink)) / pixels_a_mm


def test_the_print_shop_finds_its_boxes() -> None:
    """The sheet lies within its border true to size, 3 mm of its ground around it."""
    board = load_board("classic-61")
    pdf = print_shop_pdf(board, styled(board))
    page = pypdfium2.PdfDocument(pdf)[0]
    for reach, box in ((0.0, page.get_trimbox()), (BLEED_MM, page.get_bleedbox())):
        near = SLUG_MM - reach
        far = (SLUG_MM + board.width_mm + reach, SLUG_MM + board.height_mm + reach)
        assert pytest.approx((near, near, *far)) == [side / 72 * 25.4 for side in box]
    shown = raster(pdf, 1)
    inked = shown.pixels[shown.pixels.shape[0] // 2] < 200
    left = np.flatnonzero(inked)[0] / shown.across
    assert SLUG_MM - BLEED_MM == pytest.approx(left, abs=0.1)
    x, y, radius = windows(board)[0]
    assert error(shown, x + SLUG_MM, y + SLUG_MM, radius) < 0.01


def test_day_takes_little_ink() -> None:
    """White paper with print on it: less than a fifth of the ink of night."""
    night, day = (
        float((255 - printed("classic-61", finish)[1].pixels).mean()) for finish in (NIGHT, DAY)
    )
    assert day < night / 5


def test_lettering_is_outlines() -> None:
    """No typeface is in the file, so that no printer can take another."""
    board = load_board("classic-61")
    page = pypdfium2.PdfDocument(sheet_pdf(board, styled(board)))[0]
    assert "" == page.get_textpage().get_text_bounded()
