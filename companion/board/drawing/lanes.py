"""The lanes in print: ribbons, windows, numbers, arrows, a suit for each lane; areas around holes.

A lane is a ribbon through the centres of its holes, with a clear window for each LED. Every fifth
hole has its number beside it. In every ten holes one arrow shows the direction of play: at hole 17,
for example, or if other print is there, at 12, 18, 13, 16 or 11. Each function draws one of these
for all lanes, so that the sheet can draw all ribbons before all numbers.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from companion.board.drawing.curves import (
    HOLE_MM,
    apexes,
    chevron,
    heading,
    hole_at,
    lane_ends,
    lane_way,
    track_rows,
)
from companion.board.drawing.finish import SheetStyle
from companion.board.drawing.lettering import BOLD, TEXT, Face, font_size, width
from companion.board.drawing.svg import ROUND, circle, lane_mark, rect, stroke, tag, words
from companion.board.layout import Board, Row, Zone
from companion.board.manufacturing import Area

RIBBON_MM: Final = 4.8
"""Width of a lane's ribbon."""
NUMBER_MM: Final = 4.0
"""Height of a hole's number."""
NUMBERED: Final = 5
"""Holes from one printed number to the next."""

_FROM_LINE_MM = 0.7
_MARK_MM, _DISC_MM = 2.1, 3.4
_ARROW_MM, _ARROW_STEP_MM = 1.9, 2.3
_TURN_ARROW_MM = 5.6
_ARROW_HOLES = (7, 2, 8, 3, 6, 1)
"""Last digits of the holes where an arrow can be, the best one first."""


def lane_numbers(board: Board) -> range:
    """Return the numbers of a board's lanes."""
    return range(1, board.track.lanes + 1)


def gaps(board: Board, hole: int) -> list[complex]:
    """Return the middle of each gap between two lanes at a hole, the leftmost or topmost first."""
    places = [hole_at(board, lane, hole) for lane in lane_numbers(board)]
    places.sort(key=lambda at: (round(at.real, 3), at.imag))
    return [(one + other) / 2 for one, other in pairwise(places)]


def ribbons(board: Board, style: SheetStyle) -> Iterator[str]:
    """Draw each lane as a broad ribbon, with round ends beyond its first and last hole."""
    for lane, ink in zip(lane_numbers(board), style.lanes, strict=False):
        kind = f"ribbon lane-{lane}"
        yield stroke(lane_way(board, lane), ink, RIBBON_MM, class_=kind, stroke_linecap="round")


def windows(board: Board, style: SheetStyle) -> Iterator[str]:
    """Draw every hole of every lane as a ring round a window, row by row."""
    finish = style.finish
    kinds = {zone.id: zone.kind for zone in board.track.zones}
    for row in board.rows:
        first = row.holes[0]
        kind = kinds[first.split(":")[0]] if isinstance(first, str) else None
        rings = (circle(complex(x, y), HOLE_MM) for _, x, y in row.places())
        yield tag(
            "g",
            *rings,
            class_=f"holes lane-{row.lane}" + (f" {kind}" if kind else ""),
            data_lane=row.lane,
            data_holes=" ".join(map(str, row.holes)),
            fill=finish.window,
            stroke=finish.zone(kind) if kind else finish.rim,
            stroke_width=0.4,
        )


def numbers(board: Board, style: SheetStyle) -> str:
    """Draw the numbers of every fifth hole, of holes with a printed line, and of the finish."""
    finish = board.track.finish
    shifts = {mark.hole: 1 if mark.before else -1 for mark in board.marks}
    marked = {*shifts, finish}
    covered = {hole + step for hole in marked for step in (-1, 1) if _crowds(board, hole)}
    lines = []
    for hole in sorted({*range(NUMBERED, finish, NUMBERED), *marked} - covered):
        aside = _FROM_LINE_MM * shifts.get(hole, 0) * heading(row_of(board, hole))
        at = gaps(board, hole)[0] + aside + 0.5j * NUMBER_MM
        weight = BOLD if hole % 10 == 0 or hole in marked else TEXT
        ink = style.finish.gold if hole in marked else style.finish.ink
        lines.append(words(str(hole), at, fill=ink, font_weight=weight["font_weight"]))
    return tag(
        "g",
        *lines,
        class_="numbers",
        font_family=TEXT["font_family"],
        font_size=font_size(NUMBER_MM),
        text_anchor="middle",
    )


def row_of(board: Board, hole: int) -> Row:
    """Return the row of a hole in lane 1."""
    return next(row for row in track_rows(board, 1) if hole in row.holes)


def _crowds(board: Board, hole: int) -> bool:
    """Return True if a hole's number leaves no room for the number of the next hole."""
    row = row_of(board, hole)
    size = width(str(hole), NUMBER_MM, Face.BOLD) if row.dx_mm else NUMBER_MM
    return size + 2 * _FROM_LINE_MM > abs(complex(row.dx_mm, row.dy_mm))


def arrows(board: Board, style: SheetStyle) -> str:
    """Draw an arrow in the direction of play in every ten holes, in the last gap between lanes."""
    busy = _busy(board)
    heads = []
    for row in track_rows(board, 1):
        onward = heading(row)
        here = range(int(row.holes[0]), int(row.holes[-1]))
        for ten in range(here.start // 10, here.stop // 10 + 1):
            tried = (10 * ten + digit for digit in _ARROW_HOLES)
            free = (hole for hole in tried if hole in here and busy.isdisjoint((hole, hole + 1)))
            for hole in [*free][:1]:
                at = (gaps(board, hole)[-1] + gaps(board, hole + 1)[-1]) / 2
                half = _ARROW_STEP_MM / 2 * onward
                heads += [chevron(at + shift, onward, _ARROW_MM) for shift in (-half, half)]
    return stroke("".join(heads), style.finish.gold, 0.9, class_="arrows", **ROUND)


def sides(board: Board, style: SheetStyle) -> Iterator[str]:
    """Draw each lane's suit at both ends of the lane and, between two arrows, in its turns."""
    ink = style.finish.ink
    for lane, ribbon in zip(lane_numbers(board), style.lanes, strict=False):
        turns = apexes(board, lane)
        heads = "".join(
            chevron(at + shift * onward, onward, 1.6)
            for at, onward in turns
            for shift in (-_TURN_ARROW_MM, _TURN_ARROW_MM)
        )
        for at in (*lane_ends(board, lane), *(at for at, _ in turns)):
            yield circle(at, _DISC_MM, fill=ribbon, stroke=ink, stroke_width=0.4)
            yield lane_mark(lane, at, _MARK_MM, ink)
        if heads:
            yield stroke(heads, ink, 0.8, class_="arrows")


def _busy(board: Board) -> set[int]:
    """Return the holes that have other print beside them."""
    holes = {hole for zone in board.track.zones for hole in (*zone.box, *zone.to, zone.rejoin)}
    lines = {mark.hole for mark in board.marks}
    return {hole + step for hole in holes | lines for step in (-1, 0, 1)}


ALONG_MM: Final = 4.2
"""Distance from the first and last hole of a zone to the edge of the box drawn around it."""

_ACROSS_MM = 5.0
_CORNER_MM = 2.4


def areas(
    board: Board, holes: tuple[int, ...], along: float = ALONG_MM, across: float = _ACROSS_MM
) -> list[Area]:
    """Return an area around these holes in all lanes, or several areas if turns part the holes."""
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
