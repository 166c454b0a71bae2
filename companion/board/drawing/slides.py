"""Drawing of red slides: curves from the box of holes where a peg lands to the box where it goes.

A slide touches no hole. Over the side path of another zone it is a bridge with walls (parapets).
"""

from collections.abc import Iterator
from typing import NamedTuple

from companion.board.drawing.curves import HOLE_MM, chevron, detour, dot, hole_at, unit
from companion.board.drawing.finish import SheetStyle
from companion.board.drawing.lanes import areas, centre, edge, lane_numbers, rejoin_areas
from companion.board.drawing.svg import ROUND, tag, way
from companion.board.layout import Board, Zone

_SAME_ROW_MM, _BESIDE_MM = 1.0, 5.0
_SLIDE_MM, _CASING_MM, _CLEAR_MM = 3.4, 5.2, 3.0
_PARAPET_MM, _FLARE_MM, _BEYOND_MM = 2.3, 1.8, 6.0
_TRIED = 200


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
        """Return how far across the gap the slide turns: clear of other print, near the middle."""
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
            along, across = (sorted(map(way, places)) for way in (self.along, self.across))
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
