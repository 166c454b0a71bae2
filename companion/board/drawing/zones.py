"""Drawing of zones: a box with icon and name, and the side path or slide that takes a peg away.

Side paths are ribbons, and red slides are curves from the box where a peg lands to the box where it
goes. A slide touches no hole. Where it crosses the side path of another zone, it has walls
(parapets) like a bridge.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

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
from companion.board.drawing.finish import SheetStyle
from companion.board.drawing.lanes import (
    ALONG_MM,
    NUMBERED,
    areas,
    centre,
    edge,
    frame,
    gaps,
    inset,
    lane_numbers,
    rejoin_areas,
    row_of,
)
from companion.board.drawing.lettering import LEAST_MM, Face, centred, width, wrap
from companion.board.drawing.svg import ROUND, icon, stroke, tag, way
from companion.board.layout import Board, Zone
from companion.board.zone_kinds import ZoneKind

_BRIDGE_MM = 6.0
_ICON_MM, _ICON_LEAST_MM = 3.4, 2.0
_LANES_WITH_NAMES, _NAME_LINES = 3, 2
_NUMBER_ROOM_MM, _NAME_ROOM_MM, _LINE_MM = 2.7, 1.0, 4.2
_SAME_ROW_MM, _BESIDE_MM = 1.0, 5.0
_SLIDE_MM, _CASING_MM, _CLEAR_MM = 3.4, 5.2, 3.0
_PARAPET_MM, _FLARE_MM, _BEYOND_MM = 2.3, 1.8, 6.0
_TRIED = 200


def draw_zones(board: Board, style: SheetStyle) -> Iterator[str]:
    """Draw a group for each zone, in the board's order: its side path and its box."""
    for zone in board.track.zones:
        ink = style.finish.zone(zone.kind)
        parts = [*_bridge(board, zone, ink), *_boxes(board, zone, style)]
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


def _boxes(board: Board, zone: Zone, style: SheetStyle) -> Iterator[str]:
    tint = style.finish.tint
    for area in areas(board, zone.box):
        yield frame(area, class_="box", fill_opacity=tint, stroke_width=0.7)
        yield frame(inset(area, 1), class_="line", fill="none", stroke_width=0.25)
    for area in areas(board, zone.to):
        yield frame(area, class_="box to", fill_opacity=tint / 2, stroke_width=0.5)
    yield from _icon(board, zone.kind, zone.box, style)
    yield from _icon(board, zone.kind, zone.to, style)
    yield from _name(board, zone, style)


def _icon(board: Board, kind: ZoneKind, box: tuple[int, ...], style: SheetStyle) -> Iterator[str]:
    """Draw the icon in the gap between lanes that has the holes' numbers, clear of the numbers."""
    if not box or not _is_in_one_row(board, box):
        return
    first, last = gaps(board, box[0])[0], gaps(board, box[-1])[0]
    onward = unit(last - first) or heading(row_of(board, box[0]))
    numbered = [gaps(board, hole)[0] for hole in box if hole % NUMBERED == 0]
    edges = [first - ALONG_MM * onward]
    for at in numbered:
        edges += [at - _NUMBER_ROOM_MM * onward, at + _NUMBER_ROOM_MM * onward]
    edges.append(last + ALONG_MM * onward)
    free = [
        (dot(end - start, onward), start, end)
        for start, end in zip(edges[::2], edges[1::2], strict=True)
    ]
    room, start, end = max(free, key=lambda span: span[0])
    half = min(_ICON_MM, room / 2 - 0.5)
    if half >= _ICON_LEAST_MM:
        yield icon(kind, (start + end) / 2, half, style.finish.zone(kind))


def _name(board: Board, zone: Zone, style: SheetStyle) -> Iterator[str]:
    """Write the name of a zone in the right or lower gap between the lanes, if there is room."""
    if (
        style.words is None
        or board.track.lanes < _LANES_WITH_NAMES
        or not _is_in_one_row(board, zone.box)
    ):
        return
    first, last = (gaps(board, hole)[-1] for hole in (zone.box[0], zone.box[-1]))
    room = abs(last - first) + 2 * (ALONG_MM - _NAME_ROOM_MM)
    lines = list(wrap(style.words.kinds[zone.kind].upper(), room, face=Face.BOLD))
    if len(lines) > _NAME_LINES or any(width(text, LEAST_MM, Face.BOLD) > room for text in lines):
        return
    turned = 0 if row_of(board, zone.box[0]).dx_mm else 90
    aside = -1 if turned else 1j
    for number, text in enumerate(lines):
        shift = (number - (len(lines) - 1) / 2) * _LINE_MM * aside
        yield centred(
            text, (first + last) / 2 + shift, turn_deg=turned, stroke="none", class_="label"
        )


def _bridge(board: Board, zone: Zone, ink: str) -> Iterator[str]:
    """Draw the side path as one ribbon for each lane, from the box to the hole where it ends."""
    if not zone.path:
        return
    lanes = lane_numbers(board)
    runs = [[hole_at(board, lane, hole) for hole in zone.path] for lane in lanes]
    rejoin = rejoin_areas(board, zone)[0]
    box = areas(board, zone.box)[0]
    onward = unit(runs[0][-1] - runs[0][0]) or unit(centre(rejoin) - centre(box))
    yield frame(rejoin, class_="rejoin", fill="none", stroke_width=0.6, stroke_dasharray="1.6 1")
    ribbons = "".join(way("M", run[0], "L", run[-1] + 0.01 * onward) for run in runs)
    yield stroke(ribbons, ink, _BRIDGE_MM, class_="ribbon", stroke_opacity=0.3, **ROUND)
    out, into = edge(box, onward), edge(rejoin, -onward)
    fans = (
        bend(out, run[0] - HOLE_MM * onward, onward)
        + bend(run[-1] + HOLE_MM * onward, into, onward)
        for run in runs
    )
    tip = chevron(into - 0.8 * onward, onward, 1.5)
    yield stroke("".join(fans) + tip, ink, 0.8, class_="fan", **ROUND)
    yield from _chase(runs, onward, ink)


def _is_in_one_row(board: Board, box: tuple[int, ...]) -> bool:
    return any(set(box) <= set(row.holes) for row in track_rows(board, 1))


def _chase(runs: list[list[complex]], onward: complex, ink: str) -> Iterator[str]:
    """Draw arrow heads between the holes of a side path, each stronger than the one before."""
    steps = [list(pairwise(run)) for run in runs]
    for step, pairs in enumerate(zip(*steps, strict=True), start=1):
        heads = "".join(chevron((a + b) / 2, onward, 0.85) for a, b in pairs)
        strength = 0.25 + 0.75 * step / len(steps[0])
        yield stroke(heads, ink, 0.7, class_="chase", stroke_opacity=strength, **ROUND)


class _Crossing(NamedTuple):
    """Gap between two rows of holes, which a slide crosses from `start` to `end`.

    The slide goes into the gap, turns and runs along it, and turns again. `out` is the unit vector
    across the gap.
    """

    board: Board
    start: complex
    end: complex
    out: complex

    def across(self, at: complex) -> float:
        """Return how far across the gap a point lies."""
        return dot(at - self.start, self.out)

    def along(self, at: complex) -> float:
        """Return how far along the gap a point lies, in the direction of the slide."""
        return dot(at - self.start, self.onward)

    @property
    def onward(self) -> complex:
        aside = self.out * 1j
        return unit(dot(self.end - self.start, aside) * aside)

    def turn(self) -> float:
        """Return how far into the gap the slide turns, clear of other print and near the middle."""
        busy = [*self._holes(), *self._boxes()]
        whole = self.across(self.end)

        def merit(reach: float) -> tuple[float, float]:
            free = (max(near - reach, reach - far) for near, far in busy)
            return min(*free, _CLEAR_MM, _CLEAR_MM), -abs(reach - whole / 2)

        return max((whole * step / _TRIED for step in range(2, _TRIED - 1)), key=merit)

    def _holes(self) -> Iterator[tuple[float, float]]:
        """Yield where each hole that the slide passes begins and ends, measured across the gap."""
        for row in self.board.rows:
            for _, x, y in row.places():
                at = complex(x, y)
                if -_CLEAR_MM < self.along(at) < self.along(self.end) + _CLEAR_MM:
                    yield self.across(at) - HOLE_MM, self.across(at) + HOLE_MM

    def _boxes(self) -> Iterator[tuple[float, float]]:
        for zone in self.board.track.zones:
            found = (*areas(self.board, zone.box), *areas(self.board, zone.to))
            for area in (*found, *rejoin_areas(self.board, zone)):
                corners = (complex(area.left, area.top), complex(area.right, area.bottom))
                before, behind = sorted(map(self.along, corners))
                if before < self.along(self.end) and behind > 0:
                    near, far = sorted(map(self.across, corners))
                    yield near, far

    def parapets(self, reach: float) -> str:
        """Return path data of walls over side paths; the slide turns `reach` mm from `start`."""
        return "".join(
            self._wall(reach, side, *span)
            for zone in self.board.track.zones
            for span in self._under(zone, reach)
            for side in (-self.out, self.out)
        )

    def _under(self, zone: Zone, reach: float) -> Iterator[tuple[float, float]]:
        """Yield where a side path under the slide begins and ends, measured along the gap."""
        lanes = lane_numbers(self.board)
        places = [hole_at(self.board, lane, hole) for lane in lanes for hole in zone.path]
        if places:
            along, across = (sorted(map(measure, places)) for measure in (self.along, self.across))
            if along[0] > 0 and along[-1] < self.along(self.end):
                near, far = across[0] - 2 * _CLEAR_MM, across[-1] + 2 * _CLEAR_MM
                if near < reach < far:
                    yield along[0] - _BEYOND_MM, along[-1] + _BEYOND_MM

    def _wall(self, reach: float, side: complex, first: float, last: float) -> str:
        line = self.start + reach * self.out + _PARAPET_MM * side
        ends = (line + first * self.onward, line + last * self.onward)
        flares = (_FLARE_MM * (side - self.onward), _FLARE_MM * (side + self.onward))
        return way("M", ends[0] + flares[0], "L", *ends, ends[1] + flares[1])


def draw_slides(board: Board, style: SheetStyle) -> Iterator[str]:
    """Draw each slide from its first box to its second, on top of other print."""
    for zone in board.track.zones:
        if zone.to:
            ink = style.finish.zone(zone.kind)
            slide = _slide(board, zone, style.finish.ground)
            yield tag("g", *slide, class_="slide", stroke=ink, fill="none")


def _slide(board: Board, zone: Zone, ground: str) -> Iterator[str]:
    """Draw the curve: beside the lanes to a box in the same row, or over the gap to another row."""
    box, to = areas(board, zone.box)[0], areas(board, zone.to)[0]
    lane_1, last_lane = (hole_at(board, lane, zone.box[0]) for lane in (1, board.track.lanes))
    out = unit(lane_1 - last_lane)
    over = dot(centre(to) - centre(box), out)
    parapets = ""
    if abs(over) < _SAME_ROW_MM:
        end, arrival = edge(to, out), -out
        curve = detour(edge(box, out), out, end, _BESIDE_MM)
    else:
        arrival = out if over > 0 else -out
        start, end = edge(box, arrival), edge(to, -arrival)
        crossing = _Crossing(board, start, end, arrival)
        reach = crossing.turn()
        curve = detour(start, arrival, end, reach)
        parapets = crossing.parapets(reach)
    tip = chevron(end - 1.4 * arrival, arrival, 2.6)
    yield tag("path", d=curve, stroke=ground, stroke_width=_CASING_MM)
    yield tag("path", class_="ribbon", d=curve, stroke_width=_SLIDE_MM, stroke_opacity=0.45)
    yield tag("path", d=curve + tip, **ROUND, stroke_width=0.9)
    if parapets:
        yield tag("path", class_="overpass", d=parapets, **ROUND, stroke_width=0.8)
