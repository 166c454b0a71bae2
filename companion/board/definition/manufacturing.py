"""What makes a board impossible to build: holes without a place, and strips where none can lie.

Each check yields `(key, text)`: the key of the board file at fault, what is wrong and the remedy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import NamedTuple

from companion.board.definition.validate import Fault
from companion.board.layout import Lamp, Lettering, Row

STRIP_MM = 12.0
"""How wide a bare strip is."""
LAMP_MM = 6.0
"""How much room a lamp beside the track takes, across."""
_LEDS_PER_METRE = (30, 48, 60, 72, 96, 100, 120, 144, 160)
_PITCH_TOLERANCE_MM = 0.005
_NARROWEST_LETTER_EM = 0.4
_SLACK_MM = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A `[[row]]` of a board file: the same run of holes in every lane, `zone` "" on the track.

    `along` and `across` are the ways to the next hole and to the next lane, in millimetres.
    """

    key: str
    zone: str
    first: int
    last: int
    start: tuple[float, float]
    along: tuple[float, float]
    across: tuple[float, float]

    def row(self, lane: int) -> Row:
        """The run of one lane."""
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
        """Whether the two share more than an edge."""
        return (
            min(self.right, other.right) - max(self.left, other.left) > _SLACK_MM
            and min(self.bottom, other.bottom) - max(self.top, other.top) > _SLACK_MM
        )

    def within(self, width: float, height: float) -> bool:
        """Whether all of it lies on a sheet of this size."""
        return (
            min(self.left, self.top) >= -_SLACK_MM
            and self.right <= width + _SLACK_MM
            and self.bottom <= height + _SLACK_MM
        )


def pitch_faults(pitch_mm: float) -> Iterator[Fault]:
    """A pitch that no strip on sale has."""
    pitches = {round(1000 / leds, 3): leds for leds in _LEDS_PER_METRE}
    if all(abs(pitch_mm - pitch) > _PITCH_TOLERANCE_MM for pitch in pitches):
        known = ", ".join(f"{pitch:g} ({leds} a metre)" for pitch, leds in pitches.items())
        yield "sheet.pitch_mm", f"no strip has {pitch_mm:g} mm from LED to LED: take one of {known}"


def coverage_faults(entries: Iterable[Entry], zone: str, last: int) -> Iterator[Fault]:
    """Holes of the track (`zone` "") or of a side path that lie in no row, in two, or not there."""
    owner: dict[int, str] = {}
    length = f"zone[{zone}].path" if zone else "finish"
    for entry in entries:
        if entry.zone != zone:
            continue
        if entry.last > last:
            text = (
                f"there are {last} holes, not {entry.last}: end the row there, or change {length}"
            )
            yield f"{entry.key}.last", text
        holes = range(entry.first, entry.last + 1)
        twice = [hole for hole in holes if hole in owner]
        if twice:
            text = f"holes {_runs(twice)} lie in {owner[twice[0]]} too: keep them in one of the two"
            yield f"{entry.key}.first", text
        owner.update(dict.fromkeys(holes, entry.key))
    missing = [hole for hole in range(1, last + 1) if hole not in owner]
    if missing:
        of = f"holes {_runs(missing)}" + (f" of the side path of {zone}" if zone else "")
        yield "row", f"{of} lie in no row: add a [[row]] for them, or change {length}"


def strip_faults(
    entries: Sequence[Entry], lanes: int, size: tuple[float, float]
) -> Iterator[Fault]:
    """Strips that reach over the edge of the sheet, or lie over each other."""
    strips = {
        entry.key: [strip_area(entry.row(n)) for n in range(1, lanes + 1)] for entry in entries
    }
    for key, areas in strips.items():
        if not all(area.within(*size) for area in areas):
            text = "a strip (12 mm wide) reaches over the edge of the sheet: move the row inwards"
            yield f"{key}.lane_1_mm", text
        if any(one.meets(other) for one, other in combinations(areas, 2)):
            text = "the strips of its lanes lie over each other: 12 mm at least between lanes"
            yield f"{key}.lane_step_mm", text
    for (key, areas), (other, others) in combinations(strips.items(), 2):
        if any(one.meets(another) for one in areas for another in others):
            text = f"its strips (12 mm wide) lie over those of {other}: move one of the two"
            yield f"{key}.lane_1_mm", text


def lamp_faults(
    lamps: Sequence[Lamp], entries: Sequence[Entry], lanes: int, size: tuple[float, float]
) -> Iterator[Fault]:
    """Lamps off the sheet, over each other or over a strip."""
    strips = [strip_area(entry.row(lane)) for entry in entries for lane in range(1, lanes + 1)]
    areas = {lamp.id: _around(lamp.x_mm, lamp.y_mm, LAMP_MM / 2) for lamp in lamps}
    for name, area in areas.items():
        if not area.within(*size):
            yield f"lamp[{name}].at_mm", "lies over the edge of the sheet: move it inwards"
        if any(area.meets(strip) for strip in strips):
            yield f"lamp[{name}].at_mm", "lies over a strip of holes: move it beside the track"
    for (name, area), (other, another) in combinations(areas.items(), 2):
        if area.meets(another):
            yield f"lamp[{name}].at_mm", f"lies over lamp[{other}]: leave {LAMP_MM:g} mm between"


def lettering_faults(lettering: Sequence[Lettering], size: tuple[float, float]) -> Iterator[Fault]:
    """Lettering that runs off the sheet, however narrow its letters are."""
    for number, line in enumerate(lettering, start=1):
        if not lettering_area(line, _NARROWEST_LETTER_EM).within(*size):
            text = f"{line.text!r} runs off the sheet: move it or make it smaller"
            yield f"lettering[{number}].at_mm", text


def strip_area(row: Row) -> Area:
    """The strip under a row: 12 mm wide, half a pitch longer than its holes at both ends."""
    last_x = row.x_mm + (len(row.holes) - 1) * row.dx_mm
    last_y = row.y_mm + (len(row.holes) - 1) * row.dy_mm
    half_x, half_y = (abs(step) / 2 if step else STRIP_MM / 2 for step in (row.dx_mm, row.dy_mm))
    return Area(
        min(row.x_mm, last_x) - half_x,
        min(row.y_mm, last_y) - half_y,
        max(row.x_mm, last_x) + half_x,
        max(row.y_mm, last_y) + half_y,
    )


def lettering_area(line: Lettering, letter_em: float) -> Area:
    """About where a line of print lies, a letter being so many ems wide; turned lines too."""
    width = len(line.text) * letter_em * line.size_mm
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
    """Numbers in ascending order as people write them: 1-3, 7."""
    runs = groupby(enumerate(holes), key=lambda pair: pair[1] - pair[0])
    spans = [[hole for _, hole in run] for _, run in runs]
    return ", ".join(str(span[0]) if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans)
