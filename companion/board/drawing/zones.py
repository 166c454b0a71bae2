"""The zones of the sheet: boxes in their colours, slides as curves, side paths as bridges."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from companion.board.definition.manufacturing import Area
from companion.board.drawing.curves import (
    HOLE_MM,
    bend,
    chevron,
    detour,
    dot,
    hole_at,
    track_rows,
    unit,
)
from companion.board.drawing.svg import tag, way
from companion.board.layout import Board
from companion.board.track import Zone, ZoneKind

INKS = {
    ZoneKind.RED_SLIDE: "#e0634f",
    ZoneKind.TIME_TRAP: "#5b9bea",
    ZoneKind.GREEN_ADVANCE: "#52b578",
    ZoneKind.PENALTY_BOX: "#9a7ff0",
}
_ALONG_MM, _ACROSS_MM = 3.2, 5.0
_BRIDGE_MM = 6.4
_CORNER_MM = 2.4
_SAME_ROW_MM = 1.0
_BESIDE_MM = 5.0
_LINE: dict[str, str | float] = {
    "fill": "none",
    "stroke_linecap": "round",
    "stroke_linejoin": "round",
}


def draw_zones(board: Board) -> Iterator[str]:
    """Draw a group for each zone, in the board's order: the way out of its box, then the box."""
    for zone in board.track.zones:
        ink = INKS[zone.kind]
        parts = [*_slide(board, zone), *_bridge(board, zone), *_boxes(board, zone)]
        yield tag(
            "g",
            *parts,
            class_=f"zone {zone.kind}",
            id=zone.id,
            data_kind=zone.kind,
            data_to=zone.to[0] if zone.to else "",
            data_rejoin=zone.rejoin or "",
            fill=ink,
            stroke=ink,
        )


def _boxes(board: Board, zone: Zone) -> Iterator[str]:
    for area in _areas(board, zone.box):
        yield _frame(area, class_="box", fill_opacity=0.3, stroke_width=0.5)
        yield _frame(_inset(area, 0.9), class_="line", fill="none", stroke_width=0.2)
    for area in _areas(board, zone.to):
        yield _frame(area, class_="box to", fill_opacity=0.14, stroke_width=0.4)


def _slide(board: Board, zone: Zone) -> Iterator[str]:
    """Draw the curve between the two boxes: beside the lanes, or across to another row."""
    if not zone.to:
        return
    box, to = _areas(board, zone.box)[0], _areas(board, zone.to)[0]
    lane_1, last_lane = (hole_at(board, lane, zone.box[0]) for lane in (1, board.track.lanes))
    out = unit(lane_1 - last_lane)
    over = dot(_centre(to) - _centre(box), out)
    if abs(over) < _SAME_ROW_MM:
        start, end, arrival = _edge(box, out), _edge(to, out), -out
        curve = detour(start, out, end, _BESIDE_MM)
    else:
        arrival = out if over > 0 else -out
        start, end = _edge(box, arrival), _edge(to, -arrival)
        curve = _across(start, end, arrival)
    tip = chevron(end - 0.8 * arrival, arrival, 1.5)
    yield tag("path", class_="ribbon", d=curve, fill="none", stroke_width=3, stroke_opacity=0.2)
    yield tag("path", class_="slide", d=curve + tip, **_LINE, stroke_width=0.6)


def _across(start: complex, end: complex, out: complex) -> str:
    """Path data across a gap: a soft bend, or round two corners where the way along is longer."""
    reach = dot(end - start, out) / 2
    along = abs(dot(end - start, out * 1j))
    return detour(start, out, end, reach) if along > 2 * reach > 0 else bend(start, end, out)


def _bridge(board: Board, zone: Zone) -> Iterator[str]:
    """Draw the side path: a ribbon a lane, from the box to the rejoin hole."""
    if not zone.path:
        return
    lanes = range(1, board.track.lanes + 1)
    runs = [[hole_at(board, lane, hole) for hole in zone.path] for lane in lanes]
    rejoin = _areas(board, (zone.rejoin,), along=2.7, across=4.2)[0]
    box = _areas(board, zone.box)[0]
    onward = unit(runs[0][-1] - runs[0][0]) or unit(_centre(rejoin) - _centre(box))
    yield _frame(rejoin, class_="rejoin", fill="none", stroke_width=0.4, stroke_dasharray="1.2 .9")
    ribbons = "".join(way("M", run[0], "L", run[-1] + 0.01 * onward) for run in runs)
    yield tag(
        "path", class_="ribbon", d=ribbons, **_LINE, stroke_width=_BRIDGE_MM, stroke_opacity=0.16
    )
    out, into = _edge(box, onward), _edge(rejoin, -onward)
    fans = (
        bend(out, run[0] - HOLE_MM * onward, onward)
        + bend(run[-1] + HOLE_MM * onward, into, onward)
        for run in runs
    )
    tip = chevron(into - 0.8 * onward, onward, 1.5)
    yield tag("path", class_="fan", d="".join(fans) + tip, **_LINE, stroke_width=0.5)
    yield from _chase(runs, onward)


def _chase(runs: list[list[complex]], onward: complex) -> Iterator[str]:
    """Arrow heads between the holes of a side path, stronger step by step."""
    steps = [list(pairwise(run)) for run in runs]
    for step, pairs in enumerate(zip(*steps, strict=True), start=1):
        heads = "".join(chevron((a + b) / 2, onward, 0.85) for a, b in pairs)
        strength = 0.25 + 0.75 * step / len(steps[0])
        yield tag(
            "path", class_="chase", d=heads, **_LINE, stroke_width=0.45, stroke_opacity=strength
        )


def _areas(
    board: Board, holes: tuple[int, ...], along: float = _ALONG_MM, across: float = _ACROSS_MM
) -> list[Area]:
    """Return the area of these holes in all lanes, one for each row that they lie in."""
    areas = []
    for row in track_rows(board, 1):
        here = [hole for hole in holes if hole in row.holes]
        if here:
            lanes = range(1, board.track.lanes + 1)
            xs, ys = zip(*(board.place(lane, hole) for hole in here for lane in lanes), strict=True)
            dx, dy = (along, across) if row.dx_mm else (across, along)
            areas.append(Area(min(xs) - dx, min(ys) - dy, max(xs) + dx, max(ys) + dy))
    return areas


def _frame(area: Area, **attributes: str | float) -> str:
    return tag(
        "rect",
        x=area.left,
        y=area.top,
        width=area.right - area.left,
        height=area.bottom - area.top,
        rx=_CORNER_MM,
        **attributes,
    )


def _inset(area: Area, by: float) -> Area:
    return Area(area.left + by, area.top + by, area.right - by, area.bottom - by)


def _centre(area: Area) -> complex:
    return complex(area.left + area.right, area.top + area.bottom) / 2


def _edge(area: Area, out: complex) -> complex:
    """Return the middle of the edge on that side; `out` runs along an axis."""
    half = complex(area.right - area.left, area.bottom - area.top) / 2
    return _centre(area) + complex(out.real * half.real, out.imag * half.imag)
