"""The printed sheet and its tiles, drill templates, and the light grid."""

import io
import itertools
import math
from functools import cache
from itertools import combinations
from typing import NamedTuple
from xml.etree.ElementTree import fromstring

import numpy as np
import pypdfium2
import pytest
import trimesh
from ezdxf import bbox
from ezdxf import filemanagement as dxf_document
from manifold3d import Manifold
from numpy.typing import NDArray

from companion.board import Board, board_names, describe, draw, load_board
from companion.board.drawing.finish import DAY, NIGHT, Finish, SheetStyle
from companion.commentary import load_phrases
from companion.kit.drill import plate_dxf, plate_svg, windows
from companion.kit.grid import HEIGHT_MM, GridTile, grid_tiles, stl
from companion.kit.sheet_pdf import BLEED_MM, SLUG_MM, print_shop_pdf, sheet_pdf, tiles_pdf
from companion.kit.tiling import MARGIN_MM, PAPERS_MM, divide, points
from companion.lights.compositor import Per
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
MEASURED = [UNSCALED, (99.2, 99.6), (101.5, 98.0)]
DEEP = [
    pytest.param(name, paper, MEASURED[(first + second) % 3], marks=pytest.mark.deep)
    for (first, name), (second, paper) in itertools.product(
        enumerate(board_names()), enumerate(PAPERS_MM)
    )
]
"""Every pair of a board, a paper and a measured size, but not all three in each combination."""


def styled(board: Board, finish: Finish = NIGHT) -> SheetStyle:
    """The style of a printed sheet."""
    return SheetStyle(finish=finish, words=sheet_words(board, ENGLISH))


def strip_windows(board: Board) -> list[tuple[float, float, float]]:
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


def _dark_at(row: NDArray[np.float64], pixels_a_mm: float, at_mm: float) -> float:
    """Centre of the ink on a line within half a millimetre of a place."""
    first = round((at_mm - 0.45) * pixels_a_mm)
    ink = row[first : first + 10]
    return first / pixels_a_mm + float(np.average(np.arange(10) + 0.5, weights=ink)) / pixels_a_mm


REACH_MM = 2.65
"""Radius of a hole with its ring."""
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


TOUCH_MM3, PULLED_MM = 1e-3, 0.6
LARGE_BED = pytest.param("crib-wars", (220.0, 220.0), marks=pytest.mark.deep)


def volume(one: Manifold, other: Manifold) -> float:
    """Return the volume that two solids share."""
    return float((one ^ other).volume())


MICRON = 0.001
SVG = "{http://www.w3.org/2000/svg}"
Place = tuple[float, float]


def expected(name: str) -> dict[str, list[Place]]:
    """Return the places of holes and lamps from `board show --json`, y up."""
    board = load_board(name)
    reported = describe(board)
    return {
        kind: sorted((at["x_mm"], board.height_mm - at["y_mm"]) for at in reported[kind])  # type: ignore[attr-defined]
        for kind in ("holes", "lamps")
    }


def assert_same(expected: list[Place], found: list[Place]) -> None:
    """Each place has its own counterpart within a micron."""
    assert len(expected) == len(found)
    rest = {(round(x, 2), round(y, 2)): (x, y) for x, y in found}
    for x, y in expected:
        near = itertools.product(
            *((round(at, 2), round(at - 0.005, 2), round(at + 0.005, 2)) for at in (x, y))
        )
        assert any(place in rest and math.dist(rest[place], (x, y)) <= MICRON for place in near)


@pytest.mark.parametrize(
    "name", ["classic-61", *(pytest.param(n, marks=pytest.mark.deep) for n in board_names())]
)
@pytest.mark.parametrize("finish", [NIGHT, DAY], ids=["night", "day"])
def test_every_hole_lies_true_on_the_sheet(name: str, finish: Finish) -> None:
    """One page of the sheet's size; the windows are where the board file has them, to 0.01 mm."""
    board, ((size,), page) = load_board(name), printed(name, finish)
    assert pytest.approx((board.width_mm, board.height_mm)) == size
    assert max(error(page, *window) for window in strip_windows(board)) < 0.01


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
    nearest = dict.fromkeys(strip_windows(board), math.inf)
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
    x, y, radius = strip_windows(board)[0]
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
    """No part is larger than the bed with its tab, and cells are as many as without joints.

    A second cut has the same bytes.
    """
    board = load_board("classic-61")
    whole = grid_tiles(board, Per.HOLE_AND_LANE, (500.0, 500.0))[1:]
    parts, again = (grid_tiles(board, Per.HOLE_AND_LANE, (80.0, 100.0))[1:] for _ in range(2))
    for part in parts:
        left, bottom, _, right, top, _ = part.solid.bounding_box()
        assert right - left <= 80 + 1e-6
        assert top - bottom <= 100 + 1e-6
    assert len(parts) > len(whole)
    assert sum(tile.solid.genus() for tile in whole) == sum(tile.solid.genus() for tile in parts)
    assert [stl(tile.solid) for tile in parts] == [stl(tile.solid) for tile in again]


@pytest.mark.parametrize("name", board_names())
def test_the_holes_of_the_dxf(name: str) -> None:
    """It is valid R12 in millimetres; each circle is on its layer, once."""
    board = load_board(name)
    drawing = dxf_document.read(io.StringIO(plate_dxf(board, windows(board))))
    assert ("AC1009", 4) == (drawing.dxfversion, drawing.units)
    assert [] == drawing.audit().errors
    size = bbox.extents(drawing.modelspace()).size
    assert (board.width_mm, board.height_mm) == pytest.approx((size.x, size.y))
    for layer, places in expected(name).items():
        circles = drawing.modelspace().query(f'CIRCLE[layer=="{layer}"]')
        assert_same(places, [(at.dxf.center.x, at.dxf.center.y) for at in circles])


def test_no_two_paths_overlap() -> None:
    """No circle of the template touches another, nor the edge."""
    board = load_board("classic")
    circles = (
        dxf_document.read(io.StringIO(plate_dxf(board, windows(board))))
        .modelspace()
        .query("CIRCLE")
    )
    discs = [(at.dxf.center.x, at.dxf.center.y, at.dxf.radius) for at in circles]
    for (x, y, radius), (other_x, other_y, other) in itertools.combinations(discs, 2):
        assert math.hypot(other_x - x, other_y - y) > radius + other
    for x, y, radius in discs:
        assert radius < min(x, y, board.width_mm - x, board.height_mm - y)


@pytest.mark.parametrize("name", board_names())
def test_the_holes_of_both_svgs(name: str) -> None:
    """The template and the sheet have the same windows, in millimetres, y down."""
    board = load_board(name)
    places = [*expected(name)["holes"], *expected(name)["lamps"]]
    for svg in (plate_svg(board, windows(board)), draw(board)):
        tree = fromstring(svg)  # noqa: S314  # our own
        assert f"{board.width_mm:g}mm" == tree.get("width")
        circles = [
            (float(at.get("cx", "")), board.height_mm - float(at.get("cy", "")))
            for group in tree.iter(f"{SVG}g")
            if group.get("class", group.get("id", "")).split()[:1]
            in (["holes"], ["lamps"], ["lamp"])
            for at in group.findall(f"{SVG}circle")
        ]
        assert_same(places, circles)


def test_the_diffuser_is_the_outline_alone() -> None:
    """It has the sheet's size, and no holes."""
    board = load_board("classic")
    document = dxf_document.read(io.StringIO(plate_dxf(board, ())))
    (outline,) = document.modelspace()
    assert "sheet" == outline.dxf.layer
    assert (board.width_mm, board.height_mm, 0) == pytest.approx(
        tuple(bbox.extents([outline]).size)
    )
    tree = fromstring(plate_svg(board, ()))  # noqa: S314  # our own
    assert ["sheet"] == [group.get("id") for group in tree]
