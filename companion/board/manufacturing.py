"""Checks that a board can be built: each hole lies in one row, each strip has room on the sheet.

Under each row of holes lies an LED strip, a rectangle 12 mm wide, with one LED under each hole. The
pitch is the distance from LED to LED. The strip reaches half a pitch beyond the first and the last
hole. A board can be built if a strip on sale has the board's pitch, and if all strips and lamps lie
on the sheet without overlapping. For example, three holes go upwards from (100, 50), 7 mm apart.
Their strip reaches from y 32.5 to y 53.5:

>>> strip_area(Row(lane=1, holes=(1, 2, 3), x_mm=100.0, y_mm=50.0, dx_mm=0.0, dy_mm=-7.0))
Area(left=94.0, top=32.5, right=106.0, bottom=53.5)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import NamedTuple

from companion.board.layout import Lamp, Lettering, Row
from companion.errors import Text, joined

STRIP_MM = 12.0  # width of a bare strip
LAMP_MM = 6.0  # width of a lamp beside the track
_LEDS_PER_METRE = (30, 48, 60, 72, 96, 100, 120, 144, 160)
_PITCH_TOLERANCE_MM = 0.005
_NARROWEST_LETTER_EM = 0.4
_SLACK_MM = 0.001


class BoardFault(NamedTuple):
    """Fault of a board; `key` is the key of the board file where the fault is."""

    key: str
    problem: Text
    remedy: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDefinition:
    """A `[[row]]` of a board file: holes `first` to `last` in a straight line, in every lane.

    Attributes:
        key: the key of the row in faults, such as `row[2]`.
        zone: the id of the zone whose side path has the holes; "" for holes of the track.
        start: the place of the first hole in lane 1, as x and y in mm.
        along: the step to the next hole, as x and y in mm.
        across: the step to the next lane, as x and y in mm.
    """

    key: str
    zone: str
    first: int
    last: int
    start: tuple[float, float]
    along: tuple[float, float]
    across: tuple[float, float]

    def row(self, lane: int) -> Row:
        numbers = range(self.first, self.last + 1)
        return Row(
            lane=lane,
            holes=tuple(f"{self.zone}:{n}" if self.zone else n for n in numbers),
            x_mm=self.start[0] + (lane - 1) * self.across[0],
            y_mm=self.start[1] + (lane - 1) * self.across[1],
            dx_mm=self.along[0],
            dy_mm=self.along[1],
        )


class Area(NamedTuple):
    """A rectangle on the sheet, in millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Area) -> bool:
        return (
            min(self.right, other.right) - max(self.left, other.left) > _SLACK_MM
            and min(self.bottom, other.bottom) - max(self.top, other.top) > _SLACK_MM
        )

    def within(self, width: float, height: float) -> bool:
        return (
            min(self.left, self.top) >= -_SLACK_MM
            and self.right <= width + _SLACK_MM
            and self.bottom <= height + _SLACK_MM
        )


def pitch_faults(pitch_mm: float) -> Iterator[BoardFault]:
    """Yield a fault for a pitch that no strip on sale has."""
    pitches = {round(1000 / leds, 3): leds for leds in _LEDS_PER_METRE}
    if all(abs(pitch_mm - pitch) > _PITCH_TOLERANCE_MM for pitch in pitches):
        text = "{pitch} ({leds} a metre)"
        known = [Text(text, pitch=f"{pitch:g}", leds=leds) for pitch, leds in pitches.items()]
        problem = Text("no strip has {pitch_mm} mm from LED to LED", pitch_mm=f"{pitch_mm:g}")
        yield BoardFault(
            "sheet.pitch_mm", problem, Text("take one of {known}", known=joined(", ", known))
        )


def coverage_faults(entries: Iterable[RowDefinition], zone: str, last: int) -> Iterator[BoardFault]:
    """Yield faults: holes up to `last` that lie in no row or in two rows, and rows beyond `last`.

    Args:
        entries: all rows of the file.
        zone: the id of the zone whose side path is checked; "" means the track.
        last: the number of holes of the path or the track.
    """
    owner: dict[int, str] = {}
    length = f"zone[{zone}].path" if zone else "finish"
    for entry in entries:
        if entry.zone != zone:
            continue
        if entry.last > last:
            problem = Text("there are {holes} holes, not {last}", holes=last, last=entry.last)
            remedy = Text("end the row there, or change {length}", length=length)
            yield BoardFault(f"{entry.key}.last", problem, remedy)
        holes = range(entry.first, entry.last + 1)
        twice = [hole for hole in holes if hole in owner]
        if twice:
            problem = Text(
                "holes {runs} lie in {owner} too", runs=_runs(twice), owner=owner[twice[0]]
            )
            yield BoardFault(f"{entry.key}.first", problem, Text("keep them in one of the two"))
        owner.update(dict.fromkeys(holes, entry.key))
    missing = [hole for hole in range(1, last + 1) if hole not in owner]
    if missing:
        problem = Text("holes {holes} lie in no row", holes=_runs(missing))
        if zone:
            text = "holes {holes} of the side path of {zone} lie in no row"
            problem = Text(text, holes=_runs(missing), zone=zone)
        yield BoardFault(
            "row", problem, Text("add a [[row]] for them, or change {length}", length=length)
        )


def strip_faults(
    entries: Sequence[RowDefinition], lanes: int, size: tuple[float, float]
) -> Iterator[BoardFault]:
    """Yield faults of strips that overlap or leave the sheet; `size` is its width and height."""
    strips = {
        entry.key: [strip_area(entry.row(n)) for n in range(1, lanes + 1)] for entry in entries
    }
    for key, areas in strips.items():
        if not all(area.within(*size) for area in areas):
            problem = Text("a strip (12 mm wide) reaches over the edge of the sheet")
            yield BoardFault(f"{key}.lane_1_mm", problem, Text("move the row inwards"))
        if any(one.meets(other) for one, other in combinations(areas, 2)):
            problem = Text("the strips of its lanes lie over each other")
            remedy = Text("leave 12 mm at least between lanes")
            yield BoardFault(f"{key}.lane_step_mm", problem, remedy)
    for (key, areas), (other, others) in combinations(strips.items(), 2):
        if any(one.meets(another) for one in areas for another in others):
            problem = Text("its strips (12 mm wide) lie over those of {other}", other=other)
            yield BoardFault(f"{key}.lane_1_mm", problem, Text("move one of the two"))


def lamp_faults(
    lamps: Sequence[Lamp], entries: Sequence[RowDefinition], lanes: int, size: tuple[float, float]
) -> Iterator[BoardFault]:
    """Yield faults of lamps off the sheet, over each other or over a strip."""
    strips = [strip_area(entry.row(lane)) for entry in entries for lane in range(1, lanes + 1)]
    areas = {lamp.id: _around(lamp.x_mm, lamp.y_mm, LAMP_MM / 2) for lamp in lamps}
    for name, area in areas.items():
        key = f"lamp[{name}].at_mm"
        if not area.within(*size):
            yield BoardFault(key, Text("lies over the edge of the sheet"), Text("move it inwards"))
        if any(area.meets(strip) for strip in strips):
            problem = Text("lies over a strip of holes")
            yield BoardFault(key, problem, Text("move it beside the track"))
    for (name, area), (other, another) in combinations(areas.items(), 2):
        if area.meets(another):
            remedy = Text("leave {lamp_mm} mm between", lamp_mm=f"{LAMP_MM:g}")
            yield BoardFault(
                f"lamp[{name}].at_mm", Text("lies over lamp[{other}]", other=other), remedy
            )


def lettering_faults(
    lettering: Sequence[Lettering], size: tuple[float, float]
) -> Iterator[BoardFault]:
    """Yield a fault for each line of print that runs off the sheet even with narrow letters."""
    for number, line in enumerate(lettering, start=1):
        if not _lettering_area(line).within(*size):
            problem = Text("{text} runs off the sheet", text=repr(line.text))
            remedy = Text("move it or make it smaller")
            yield BoardFault(f"lettering[{number}].at_mm", problem, remedy)


def strip_area(row: Row) -> Area:
    """Return the strip under a row: 12 mm wide, half a pitch beyond its holes at both ends."""
    _, xs, ys = zip(*row.places(), strict=True)
    half_x, half_y = (abs(step) / 2 if step else STRIP_MM / 2 for step in (row.dx_mm, row.dy_mm))
    return Area(min(xs) - half_x, min(ys) - half_y, max(xs) + half_x, max(ys) + half_y)


def _lettering_area(line: Lettering) -> Area:
    """Return the estimated area of a line of narrow letters."""
    width = len(line.text) * _NARROWEST_LETTER_EM * line.size_mm
    before = {"start": 0.0, "middle": width / 2, "end": width}[line.anchor]
    angle = math.radians(line.turn_deg)
    corners = [
        (
            line.x_mm + x * math.cos(angle) - y * math.sin(angle),
            line.y_mm + x * math.sin(angle) + y * math.cos(angle),
        )
        for x in (-before, width - before)
        for y in (-0.7 * line.size_mm, 0.2 * line.size_mm)
    ]
    return Area(*map(min, zip(*corners, strict=True)), *map(max, zip(*corners, strict=True)))


def _around(x: float, y: float, half: float) -> Area:
    return Area(x - half, y - half, x + half, y + half)


def _runs(holes: Iterable[int]) -> str:
    """Return ascending numbers as text with ranges: 1-3, 7."""
    runs = groupby(enumerate(holes), key=lambda pair: pair[1] - pair[0])
    spans = [[hole for _, hole in run] for _, run in runs]
    return ", ".join(str(span[0]) if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans)
