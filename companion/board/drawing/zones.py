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
    heading,
    hole_at,
    track_rows,
    unit,
)
from companion.board.drawing.icons import icon
from companion.board.drawing.lanes import NUMBERED, gaps, lane_numbers, row_of
from companion.board.drawing.lettering import LEAST_MM, broken, centred, width
from companion.board.drawing.style import SheetStyle
from companion.board.drawing.svg import tag, way
from companion.board.drawing.typeface import Face
from companion.board.layout import Board
from companion.board.track import Zone, ZoneKind

_ALONG_MM, _ACROSS_MM = 4.2, 5.0
_BRIDGE_MM = 6.0
_CORNER_MM = 2.4
_SAME_ROW_MM = 1.0
_BESIDE_MM = 5.0
_SLIDE_MM, _CASING_MM, _CLEAR_MM = 3.4, 5.2, 3.0
_PARAPET_MM, _FLARE_MM = 2.3, 1.8
_ICON_MM, _ICON_LEAST_MM = 3.4, 2.0
_LANES_WITH_NAMES, _NAME_LINES = 3, 2
_NUMBER_ROOM_MM, _NAME_ROOM_MM, _LINE_MM = 2.7, 1.0, 4.2
_LINE: dict[str, str | float] = {
    "fill": "none",
    "stroke_linecap": "round",
    "stroke_linejoin": "round",
}


def draw_zones(board: Board, style: SheetStyle) -> Iterator[str]:
    """Draw a group for each zone, in the board's order: its side path and its box."""
    for zone in board.track.zones:
        ink = style.finish.zones[zone.kind]
        parts = [*_bridge(board, zone), *_boxes(board, zone, style)]
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


def draw_slides(board: Board, style: SheetStyle) -> Iterator[str]:
    """Draw each slide over all that it crosses, from its first box to its second."""
    for zone in board.track.zones:
        if zone.to:
            ink = style.finish.zones[zone.kind]
            slide = _slide(board, zone, style.finish.ground)
            yield tag("g", *slide, class_="slide", stroke=ink, fill="none")


def _boxes(board: Board, zone: Zone, style: SheetStyle) -> Iterator[str]:
    tint = style.finish.tint
    for area in _areas(board, zone.box):
        yield _frame(area, class_="box", fill_opacity=tint, stroke_width=0.7)
        yield _frame(_inset(area, 1), class_="line", fill="none", stroke_width=0.25)
    for area in _areas(board, zone.to):
        yield _frame(area, class_="box to", fill_opacity=tint / 2, stroke_width=0.5)
    yield from _icon(board, zone.kind, zone.box, style)
    yield from _icon(board, zone.kind, zone.to, style)
    yield from _name(board, zone, style)


def _icon(board: Board, kind: ZoneKind, box: tuple[int, ...], style: SheetStyle) -> Iterator[str]:
    """Draw the icon in the left or upper gap of a box, where no number is."""
    if not box or not _is_in_one_row(board, box):
        return
    first, last = gaps(board, box[0])[0], gaps(board, box[-1])[0]
    onward = unit(last - first) or heading(row_of(board, box[0]))
    numbered = [gaps(board, hole)[0] for hole in box if hole % NUMBERED == 0]
    edges = [first - _ALONG_MM * onward]
    for at in numbered:
        edges += [at - _NUMBER_ROOM_MM * onward, at + _NUMBER_ROOM_MM * onward]
    edges.append(last + _ALONG_MM * onward)
    free = [
        (dot(end - start, onward), start, end)
        for start, end in zip(edges[::2], edges[1::2], strict=True)
    ]
    room, start, end = max(free, key=lambda span: span[0])
    half = min(_ICON_MM, room / 2 - 0.5)
    if half >= _ICON_LEAST_MM:
        yield icon(kind, (start + end) / 2, half, style.finish.zones[kind])


def _name(board: Board, zone: Zone, style: SheetStyle) -> Iterator[str]:
    """Write the name of a zone in the right or lower gap of its box, if it has room."""
    if (
        style.words is None
        or not style.finish.notes
        or board.track.lanes < _LANES_WITH_NAMES
        or not _is_in_one_row(board, zone.box)
    ):
        return
    first, last = (gaps(board, hole)[-1] for hole in (zone.box[0], zone.box[-1]))
    room = abs(last - first) + 2 * (_ALONG_MM - _NAME_ROOM_MM)
    lines = list(broken(style.words.kinds[zone.kind].upper(), room, face=Face.BOLD))
    if len(lines) > _NAME_LINES or any(width(text, LEAST_MM, Face.BOLD) > room for text in lines):
        return
    turned = 0 if row_of(board, zone.box[0]).dx_mm else 90
    aside = -1 if turned else 1j
    for number, text in enumerate(lines):
        shift = (number - (len(lines) - 1) / 2) * _LINE_MM * aside
        yield centred(text, (first + last) / 2 + shift, turn_deg=turned, stroke="none")


def _slide(board: Board, zone: Zone, ground: str) -> Iterator[str]:
    """Draw the curve between the two boxes: beside the lanes, or across to another row."""
    box, to = _areas(board, zone.box)[0], _areas(board, zone.to)[0]
    lane_1, last_lane = (hole_at(board, lane, zone.box[0]) for lane in (1, board.track.lanes))
    out = unit(lane_1 - last_lane)
    over = dot(_centre(to) - _centre(box), out)
    parapets = ""
    if abs(over) < _SAME_ROW_MM:
        start, end, arrival = _edge(box, out), _edge(to, out), -out
        curve = detour(start, out, end, _BESIDE_MM)
    else:
        arrival = out if over > 0 else -out
        start, end = _edge(box, arrival), _edge(to, -arrival)
        reach = _free_reach(board, start, end, arrival)
        curve = detour(start, arrival, end, reach)
        parapets = _parapets(board, start + reach * arrival, end, arrival)
    tip = chevron(end - 1.4 * arrival, arrival, 2.6)
    yield tag("path", d=curve, stroke=ground, stroke_width=_CASING_MM)
    yield tag("path", class_="ribbon", d=curve, stroke_width=_SLIDE_MM, stroke_opacity=0.45)
    yield tag("path", d=curve + tip, **_LINE, stroke_width=0.9)
    if parapets:
        yield tag("path", class_="overpass", d=parapets, **_LINE, stroke_width=0.8)


def _free_reach(board: Board, start: complex, end: complex, out: complex) -> float:
    """Return how far out a slide turns: near the middle, but clear of side paths and boxes."""
    whole = dot(end - start, out)
    middle, along = whole / 2, out * 1j
    low, high = sorted((0.0, dot(end - start, along)))
    busy = [
        (dot(at - start, out) - HOLE_MM, dot(at - start, out) + HOLE_MM)
        for row in board.rows
        for at in (complex(x, y) for _, x, y in row.places())
        if low - _CLEAR_MM < dot(at - start, along) < high + _CLEAR_MM
    ]
    for zone in board.track.zones:
        for area in (*_areas(board, zone.box), *_areas(board, zone.to), *_rejoin(board, zone)):
            corners = (
                complex(area.left, area.top) - start,
                complex(area.right, area.bottom) - start,
            )
            spans = sorted(dot(corner, along) for corner in corners)
            if spans[0] < high and spans[1] > low:
                near, far = sorted(dot(corner, out) for corner in corners)
                busy.append((near, far))

    def clearance(reach: float) -> float:
        return min((max(near - reach, reach - far) for near, far in busy), default=_CLEAR_MM)

    tried = [whole * step / 200 for step in range(2, 199)]
    return max(tried, key=lambda reach: (min(clearance(reach), _CLEAR_MM), -abs(reach - middle)))


def _parapets(board: Board, corner: complex, end: complex, out: complex) -> str:
    """Path data of the walls of a slide where it passes over a side path."""
    along, data = unit(dot(end - corner, out * 1j) * out * 1j), ""
    reach = dot(end - corner, along)
    for zone in board.track.zones:
        runs = [hole_at(board, lane, hole) for lane in lane_numbers(board) for hole in zone.path]
        offsets = [dot(at - corner, along) for at in runs]
        rows = [dot(at - corner, out) for at in runs] or [1.0]
        inside = runs and min(offsets) > 0 and max(offsets) < reach
        if inside and min(rows) - 2 * _CLEAR_MM < 0 < max(rows) + 2 * _CLEAR_MM:
            ends = [
                corner + (edge + sign * _BRIDGE_MM) * along
                for edge, sign in ((min(offsets), -1), (max(offsets), 1))
            ]
            for side in (-out, out):
                wall = [at + _PARAPET_MM * side for at in ends]
                flared = [
                    wall[0] + _FLARE_MM * (side - along),
                    *wall,
                    wall[1] + _FLARE_MM * (side + along),
                ]
                data += way("M", flared[0], "L", *flared[1:])
    return data


def _bridge(board: Board, zone: Zone) -> Iterator[str]:
    """Draw the side path: a ribbon a lane, from the box to the rejoin hole."""
    if not zone.path:
        return
    lanes = range(1, board.track.lanes + 1)
    runs = [[hole_at(board, lane, hole) for hole in zone.path] for lane in lanes]
    rejoin = _rejoin(board, zone)[0]
    box = _areas(board, zone.box)[0]
    onward = unit(runs[0][-1] - runs[0][0]) or unit(_centre(rejoin) - _centre(box))
    yield _frame(rejoin, class_="rejoin", fill="none", stroke_width=0.6, stroke_dasharray="1.6 1")
    ribbons = "".join(way("M", run[0], "L", run[-1] + 0.01 * onward) for run in runs)
    yield tag(
        "path", class_="ribbon", d=ribbons, **_LINE, stroke_width=_BRIDGE_MM, stroke_opacity=0.3
    )
    out, into = _edge(box, onward), _edge(rejoin, -onward)
    fans = (
        bend(out, run[0] - HOLE_MM * onward, onward)
        + bend(run[-1] + HOLE_MM * onward, into, onward)
        for run in runs
    )
    tip = chevron(into - 0.8 * onward, onward, 1.5)
    yield tag("path", class_="fan", d="".join(fans) + tip, **_LINE, stroke_width=0.8)
    yield from _chase(runs, onward)


def _rejoin(board: Board, zone: Zone) -> list[Area]:
    """Return the area of the hole where a side path ends, if there is one."""
    return _areas(board, (zone.rejoin,), along=2.7, across=4.2) if zone.path else []


def _is_in_one_row(board: Board, box: tuple[int, ...]) -> bool:
    return any(set(box) <= set(row.holes) for row in track_rows(board, 1))


def _chase(runs: list[list[complex]], onward: complex) -> Iterator[str]:
    """Arrow heads between the holes of a side path, stronger step by step."""
    steps = [list(pairwise(run)) for run in runs]
    for step, pairs in enumerate(zip(*steps, strict=True), start=1):
        heads = "".join(chevron((a + b) / 2, onward, 0.85) for a, b in pairs)
        strength = 0.25 + 0.75 * step / len(steps[0])
        yield tag(
            "path", class_="chase", d=heads, **_LINE, stroke_width=0.7, stroke_opacity=strength
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
