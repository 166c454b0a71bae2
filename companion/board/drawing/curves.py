"""Curves of the sheet: turns of a lane from one straight row of holes to the next, and slides.

Points and directions are complex numbers in millimetres with y downwards, as in SVG.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.board.drawing.svg import number, way
from companion.board.layout import Board, Hole, Row

HOLE_MM = 1.75
"""Radius of a hole's window, the spot in the print through which its light is seen."""
_INNERMOST_RADIUS_MM = 4.5
_OPPOSITE = 0.01
_MARK_FROM_MM = 7.0
_WIDEST_RADIUS_MM = 14.0


class Corner(NamedTuple):
    """A point where a path bends, and the largest radius of that bend in millimetres."""

    at: complex
    radius: float = 0.0


def rounded(corners: Sequence[Corner]) -> str:
    """Return path data through rounded corners; near another corner the radius is smaller."""
    data = way("M", corners[0].at)
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        into, onward = corner.at - before.at, after.at - corner.at
        cut = min(corner.radius, *(abs(leg) for leg in (into, onward)))
        if cut <= 0:
            data += way("L", corner.at)
            continue
        clockwise = dot(into * 1j, onward) > 0
        arc = f"A{number(cut)} {number(cut)} 0 0 {clockwise:d} "
        data += way("L", corner.at - cut * unit(into)) + arc + way(corner.at + cut * unit(onward))
    return data + way("L", corners[-1].at)


def lane_way(board: Board, lane: int) -> str:
    """Return path data of a lane and its turns, between its two ends (see `lane_ends`)."""
    rows = track_rows(board, lane)
    start, end = lane_ends(board, lane)
    corners = [Corner(start), Corner(hole_at(board, lane, 0)), Corner(row_ends(rows[0])[0])]
    for before, after in pairwise(rows):
        corners += _turn(board, before, after)
    return rounded([*corners, Corner(row_ends(rows[-1])[1]), Corner(end)])


def lane_ends(board: Board, lane: int) -> tuple[complex, complex]:
    """Return the two ends of a lane, before its start lamp (hole 0) and beyond its last hole."""
    lamp, first = (hole_at(board, lane, hole) for hole in (0, 1))
    last, finish = (hole_at(board, lane, board.track.finish - back) for back in (1, 0))
    return lamp - _MARK_FROM_MM * unit(first - lamp), finish + _MARK_FROM_MM * unit(finish - last)


def apexes(board: Board, lane: int) -> list[tuple[complex, complex]]:
    """Return the middle of each turn of a lane, and the direction of play there."""
    turns = [_turn(board, *rows) for rows in pairwise(track_rows(board, lane))]
    return [((a.at + b.at) / 2, unit(b.at - a.at)) for a, b in turns]


def detour(start: complex, out: complex, end: complex, reach: float) -> str:
    """Return path data from `start` to `end` with two turns of 90 degrees.

    The path goes `reach` mm in direction `out`, then at a right angle, then straight to `end`.
    """
    corner = start + reach * out
    across = corner + dot(end - start, out * 1j) * out * 1j
    half = abs(across - corner) / 2
    radii = (min(reach, half), min(_WIDEST_RADIUS_MM, abs(end - across), half))
    return rounded([Corner(start), Corner(corner, radii[0]), Corner(across, radii[1]), Corner(end)])


def bend(start: complex, end: complex, onward: complex) -> str:
    """Return path data of a curve that leaves `start` and reaches `end` in direction `onward`."""
    pull = dot(end - start, onward) / 2 * onward
    return way("M", start, "C", start + pull, end - pull, end)


def chevron(at: complex, onward: complex, half: float = 1.0) -> str:
    """Return path data of an arrow's head, `half` mm from its middle to each of its ends."""
    back, aside = at - 0.5 * half * onward, half * onward * 1j
    return way("M", back + aside, "L", at + 0.5 * half * onward, back - aside)


def track_rows(board: Board, lane: int) -> list[Row]:
    """Return the rows of the track in one lane, in the order of their holes."""
    rows = [row for row in board.rows if row.lane == lane and isinstance(row.holes[0], int)]
    return sorted(rows, key=lambda row: int(row.holes[0]))


def hole_at(board: Board, lane: int, hole: Hole) -> complex:
    """Return the position of a lane's hole."""
    return complex(*board.place(lane, hole))


def row_ends(row: Row) -> tuple[complex, complex]:
    """Return the positions of a row's first and last hole."""
    first = complex(row.x_mm, row.y_mm)
    return first, first + (len(row.holes) - 1) * complex(row.dx_mm, row.dy_mm)


def heading(row: Row) -> complex:
    """Return the unit vector from a row's first hole to its last."""
    return unit(complex(row.dx_mm, row.dy_mm))


def unit(vector: complex) -> complex:
    """Return the unit vector of a direction; 0 if the vector has no length."""
    return vector / abs(vector) if vector else 0j


def dot(one: complex, other: complex) -> float:
    """Return the scalar product."""
    return (one * other.conjugate()).real


def _turn(board: Board, before: Row, after: Row) -> tuple[Corner, Corner]:
    """Return a lane's two corners between two rows.

    If the second row runs back beside the first, outer lanes turn round the inner lanes.
    """
    start, end, onward = row_ends(before)[1], row_ends(after)[0], heading(before)
    if abs(onward + heading(after)) > _OPPOSITE:
        return Corner(start, _INNERMOST_RADIUS_MM), Corner(end, _INNERMOST_RADIUS_MM)
    ahead, width = dot(end - start, onward), _width(before, after)
    widths = [
        _width(one, other)
        for one in board.rows
        for other in board.rows
        if one.holes == before.holes and other.holes == after.holes and one.lane == other.lane
    ]
    radius = _INNERMOST_RADIUS_MM + (width - min(widths)) / 2
    near = start + (radius + max(0.0, ahead)) * onward
    return Corner(near, radius), Corner(end + (radius + max(0.0, -ahead)) * onward, radius)


def _width(before: Row, after: Row) -> float:
    """Return the distance between two rows, measured at right angles to the first."""
    return abs(dot(row_ends(after)[0] - row_ends(before)[1], heading(before) * 1j))
