"""Division of a board's sheet among pages that are glued together; the seams avoid the holes.

A sheet that does not fit on one page is cut by straight seams, across and up. Two neighbouring
pages both print a strip of 10 mm, and the seam runs along its middle. The number of seams is the
smallest that the paper allows. Each seam may lie up to 60 mm from its place in an even division, in
steps of half a millimetre. Its cost is the square of this distance, and much more if it would cut a
hole. Dynamic programming finds the seams with the lowest sum of costs: for each place of one seam
it keeps the cheapest list of seams up to there, and continues this list to each place of the next.

The sheet of crib-wars is 594 mm wide. On A4 its seams are at 142, 299.5 and 446 mm, where no hole
is near, instead of 148.5, 297 and 445.5 mm. Places are millimetres from the sheet's lower
left corner, y up, as in a PDF.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from companion.board.layout import Board

OVERLAP_MM: Final = 10.0
"""Width of the strip that two neighbouring pages both show; a seam is in its middle."""
MARGIN_MM: Final = 12.0
"""Border of a page, for rulers and labels; some printers cannot print its outer half."""
PAPERS_MM: Final = {
    "a4": (210.0, 297.0),
    "letter": (215.9, 279.4),
    "a3": (297.0, 420.0),
    "a2": (420.0, 594.0),
}
"""Width and height of each paper, upright."""

_CLEARANCE_MM = 3.2
"""Least distance of a seam from a hole's centre: the hole's ring, and room for the scissors."""
_SEAM_STEP_MM = 0.5
_SHIFT_MM = 60.0
_ROOM_MM = 5.5
_CLOSE_COST, _CROSSED_COST = 400.0, 1e6


class Point(NamedTuple):
    """A point on the sheet."""

    x: float
    y: float


class Tile(NamedTuple):
    """Part of the sheet between seams; its row and column are counted from the upper left."""

    row: int
    column: int
    left: float
    bottom: float
    right: float
    top: float

    @property
    def label(self) -> str:
        """The tile's name, such as B3: row and column.

        >>> Tile(1, 2, 0, 0, 1, 1).label
        'B3'
        """
        letter = chr(ord("A") + self.row % 26)
        return f"{letter * (self.row // 26 + 1)}{self.column + 1}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiling:
    """Tiles of a sheet.

    Attributes:
        page_mm: width and height of a page.
        scale: the factors in x and y that make up for the printer's wrong scale.
        margin: border of a page, in millimetres.
        columns: the seams from left to right, with both edges of the sheet.
        rows: the seams from bottom to top, with both edges of the sheet.
    """

    page_mm: tuple[float, float]
    scale: tuple[float, float]
    margin: float
    columns: tuple[float, ...]
    rows: tuple[float, ...]

    @property
    def tiles(self) -> list[Tile]:
        """The tiles, row by row from the top."""
        spans = list(pairwise(self.rows))[::-1]
        return [
            Tile(row, column, left, bottom, right, top)
            for row, (bottom, top) in enumerate(spans)
            for column, (left, right) in enumerate(pairwise(self.columns))
        ]

    def window(self, tile: Tile) -> Tile:
        """Return the part of the sheet that a tile's page shows: half an overlap past each seam."""
        half = OVERLAP_MM / 2
        return tile._replace(
            left=max(tile.left - half, self.columns[0]),
            bottom=max(tile.bottom - half, self.rows[0]),
            right=min(tile.right + half, self.columns[-1]),
            top=min(tile.top + half, self.rows[-1]),
        )

    def corner(self, tile: Tile) -> Point:
        """Return the point of the sheet under the lower left corner of a tile's page."""
        window = self.window(tile)
        return Point(
            window.left - self.margin / self.scale[0], window.bottom - self.margin / self.scale[1]
        )


def divide(board: Board, paper: str, measured: tuple[float, float]) -> Tiling:
    """Divide a board's sheet among the fewest pages, which lie upright or across.

    Args:
        board: the board.
        paper: one of `PAPERS_MM`.
        measured: the length on paper of 100 mm of the PDF, in x and y.
    """
    width, height = PAPERS_MM[paper]
    ways = [_divide(board, page, measured) for page in ((width, height), (height, width))]
    return min(ways, key=lambda way: len(way.tiles))


def points(board: Board) -> list[Point]:
    """Return the place of every hole and lamp."""
    holes = [(x, y) for row in board.rows for _, x, y in row.places()]
    lamps = [(lamp.x_mm, lamp.y_mm) for lamp in board.lamps]
    return [Point(x, board.height_mm - y) for x, y in holes + lamps]


def _divide(board: Board, page: tuple[float, float], measured: tuple[float, float]) -> Tiling:
    sheet = (board.width_mm, board.height_mm)
    room = [size * shown / 100 for size, shown in zip(page, measured, strict=True)]
    scale = (100 / measured[0], 100 / measured[1])
    if _fits(board, room):
        gap = [(most - size) / 2 for most, size in zip(room, sheet, strict=True)]
        # One page shows the whole sheet: the seams are the edges of the paper.
        return Tiling(
            page_mm=page,
            scale=scale,
            margin=0.0,
            columns=(-gap[0], sheet[0] + gap[0]),
            rows=(-gap[1], sheet[1] + gap[1]),
        )
    at = points(board)
    seams = [
        _seams(size, most - 2 * MARGIN_MM * shown / 100, sorted({place[axis] for place in at}))
        for axis, (size, most, shown) in enumerate(zip(sheet, room, measured, strict=True))
    ]
    return Tiling(
        page_mm=page, scale=scale, margin=MARGIN_MM, columns=tuple(seams[0]), rows=tuple(seams[1])
    )


def _fits(board: Board, room: Sequence[float]) -> bool:
    """Return True if a page holds the whole sheet, with no hole or lamp in the page's border."""
    width, height = board.width_mm, board.height_mm
    if width > room[0] + 1e-9 or height > room[1] + 1e-9:
        return False
    border = MARGIN_MM + _CLEARANCE_MM
    gaps = ((room[0] - width) / 2, (room[1] - height) / 2)
    return all(
        min(x, width - x) + gaps[0] > border and min(y, height - y) + gaps[1] > border
        for x, y in points(board)
    )


def _seams(length: float, room: float, busy: Sequence[float]) -> list[float]:
    """Return both ends of a length and the seams between them, as even as the holes allow.

    >>> _seams(500.0, 200.0, busy=[]), _seams(500.0, 200.0, busy=[169.0])
    ([0.0, 166.5, 333.5, 500.0], [0.0, 163.5, 333.5, 500.0])

    Args:
        length: the sheet's width or height.
        room: the most of this length that a page shows.
        busy: the places of holes along this length.
    """
    room = math.floor(room / _SEAM_STEP_MM) * _SEAM_STEP_MM
    count = max(1, math.ceil((length - OVERLAP_MM) / (room - OVERLAP_MM) - 1e-9))
    if count == 1:
        return [0.0, length]
    best: dict[float, tuple[float, list[float]]] = {0.0: (0.0, [0.0])}
    for number in range(1, count):
        even = round(length * number / count / _SEAM_STEP_MM) * _SEAM_STEP_MM
        best = _next_seams(best, room, number, even, busy)
    last = {seam: way for seam, way in best.items() if length - seam <= room - OVERLAP_MM / 2}
    return [*min(last.values())[1], length]


def _next_seams(
    best: dict[float, tuple[float, list[float]]],
    room: float,
    number: int,
    even: float,
    busy: Sequence[float],
) -> dict[float, tuple[float, list[float]]]:
    """Return the cheapest list of seams, with its cost, up to each place of the next seam."""
    widest = room - (OVERLAP_MM if number > 1 else OVERLAP_MM / 2)
    found: dict[float, tuple[float, list[float]]] = {}
    steps = round(_SHIFT_MM / _SEAM_STEP_MM)
    for step in range(-steps, steps + 1):
        seam = even + step * _SEAM_STEP_MM
        ways = [way for at, way in best.items() if 2 * OVERLAP_MM < seam - at <= widest]
        if ways:
            cost, seams = min(ways)
            found[seam] = (cost + (seam - even) ** 2 + _crowding(seam, busy), [*seams, seam])
    return found


def _crowding(seam: float, busy: Sequence[float]) -> float:
    """Return the extra cost of a seam that cuts a hole, or leaves no room for its marks."""
    nearest = min((abs(seam - place) for place in busy), default=math.inf)
    if nearest < _CLEARANCE_MM:
        return _CROSSED_COST
    return _CLOSE_COST if nearest < _ROOM_MM else 0.0
