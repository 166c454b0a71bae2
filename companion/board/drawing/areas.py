"""Areas around holes in all lanes: boxes of zones, and the holes where side paths end."""

from typing import Final

from companion.board.definition.manufacturing import Area
from companion.board.drawing.curves import track_rows
from companion.board.drawing.lanes import lane_numbers
from companion.board.drawing.svg import rect
from companion.board.layout import Board
from companion.board.track import Zone

ALONG_MM: Final = 4.2
"""Distance from the first and last hole of a box to its edge."""

_ACROSS_MM = 5.0
_CORNER_MM = 2.4


def areas(
    board: Board, holes: tuple[int, ...], along: float = ALONG_MM, across: float = _ACROSS_MM
) -> list[Area]:
    """Return the areas around these holes in all lanes, one for each row that has such a hole."""
    found = []
    for row in track_rows(board, 1):
        here = [hole for hole in holes if hole in row.holes]
        if here:
            places = (board.place(lane, hole) for hole in here for lane in lane_numbers(board))
            xs, ys = zip(*places, strict=True)
            dx, dy = (along, across) if row.dx_mm else (across, along)
            found.append(Area(min(xs) - dx, min(ys) - dy, max(xs) + dx, max(ys) + dy))
    return found


def frame(area: Area, **attributes: str | float) -> str:
    """Draw an area with round corners."""
    corner = complex(area.left, area.top)
    size = complex(area.right, area.bottom) - corner
    return rect(corner, size, rx=_CORNER_MM, **attributes)


def inset(area: Area, by: float) -> Area:
    """Return an area that is smaller by `by` millimetres on each side."""
    return Area(area.left + by, area.top + by, area.right - by, area.bottom - by)


def centre(area: Area) -> complex:
    """Return the middle of an area."""
    return complex(area.left + area.right, area.top + area.bottom) / 2


def edge(area: Area, out: complex) -> complex:
    """Return the middle of an area's edge on the side `out`, a unit vector along an axis."""
    half = complex(area.right - area.left, area.bottom - area.top) / 2
    return centre(area) + complex(out.real * half.real, out.imag * half.imag)


def rejoin_areas(board: Board, zone: Zone) -> list[Area]:
    """Return the area around the hole where a zone's side path ends; [] without a path."""
    return areas(board, (zone.rejoin,), along=2.7, across=4.2) if zone.path else []
