"""Layout of the sheet in millimetres: x runs right and y down from the top left corner."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from companion.board.track import Hole, Track, Zone
from companion.board.zone_kinds import ZoneKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A straight, evenly spaced run of holes in one lane, lit by one piece of LED strip."""

    lane: int
    holes: tuple[Hole, ...]
    x_mm: float
    y_mm: float
    dx_mm: float
    dy_mm: float

    def places(self) -> Iterator[tuple[Hole, float, float]]:
        for n, hole in enumerate(self.holes):
            yield hole, self.x_mm + n * self.dx_mm, self.y_mm + n * self.dy_mm


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """A lamp beside the track; its id is `start-<lane>` or `dealer-<seat>`."""

    id: str
    x_mm: float
    y_mm: float


STYLES = ("plain", "fine", "title", "place", *ZoneKind)
"""Styles of lettering; "place" is for names of places, a kind of zone for text in its ink."""

START, FINISH, LEGEND, COUNTING, LANES = "start", "finish", "legend", "counting", "lanes"
NOTES = (START, FINISH, LEGEND, COUNTING, LANES)  # subjects of notes that are not about a zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Lettering:
    """A line of print, turned clockwise about its place by `turn_deg`.

    `size_mm` is the size of an em. `anchor` is SVG's `text-anchor`. `style` is one of `STYLES`.
    """

    text: str
    x_mm: float
    y_mm: float
    size_mm: float
    anchor: str = "middle"
    style: str = "plain"
    turn_deg: float = 0.0


class Note(NamedTuple):
    """Note about a zone or one of `NOTES`, turned clockwise about its place by `turn_deg`.

    The place is the centre of a note about a zone, the start or the finish. For all other notes it
    is the middle of the upper edge.
    """

    about: str
    x_mm: float
    y_mm: float
    width_mm: float
    turn_deg: float = 0.0


class District(NamedTuple):
    """Walled district of the sheet (Muggers Alley): holes 1 to `last`, with a gate at each end.

    `outline_mm` has the corners of the wall, clockwise.
    """

    last: int
    outline_mm: tuple[tuple[float, float], ...]


class Mark(NamedTuple):
    """Printed line with a caption, behind a hole or, if `before` is True, before the hole."""

    hole: int
    caption: str
    before: bool = False


@dataclass(frozen=True, kw_only=True)
class Board:
    """A whole board: the track, and the sheet that it is printed on.

    `pitch_mm` is the distance from hole to hole. `marks` are lines such as the skunk lines.
    """

    name: str
    title: str
    track: Track
    width_mm: float
    height_mm: float
    pitch_mm: float
    rows: tuple[Row, ...]
    lamps: tuple[Lamp, ...]
    marks: tuple[Mark, ...] = ()
    lettering: tuple[Lettering, ...] = ()
    notes: tuple[Note, ...] = ()
    district: District | None = None

    @cached_property
    def _places(self) -> dict[tuple[int, Hole], tuple[float, float]]:
        places = {(row.lane, hole): (x, y) for row in self.rows for hole, x, y in row.places()}
        for lamp in self.lamps:
            if lamp.id.startswith("start-"):
                places[int(lamp.id.removeprefix("start-")), 0] = lamp.x_mm, lamp.y_mm
        return places

    def place(self, lane: int, hole: Hole) -> tuple[float, float]:
        """Return x and y of a lane's hole in millimetres; hole 0 is the lane's start lamp."""
        return self._places[lane, hole]


_DIGITS = 3


def describe(board: Board) -> dict[str, object]:
    """Return what `cribwars board show --json` prints; positions are in mm, to a micron."""
    return {
        "name": board.name,
        "finish": board.track.finish,
        "lanes": board.track.lanes,
        "zones": [_zone(zone) for zone in board.track.zones],
        "holes": [
            {"id": hole, "lane": row.lane, "x_mm": round(x, _DIGITS), "y_mm": round(y, _DIGITS)}
            for row in board.rows
            for hole, x, y in row.places()
        ],
        "lamps": [
            {"id": lamp.id, "x_mm": round(lamp.x_mm, _DIGITS), "y_mm": round(lamp.y_mm, _DIGITS)}
            for lamp in board.lamps
        ],
    }


def _zone(zone: Zone) -> dict[str, object]:
    value: dict[str, object] = {"id": zone.id, "kind": str(zone.kind), "box": list(zone.box)}
    if zone.to:
        value["to"] = list(zone.to)
    if zone.diverts:
        value |= {"path": list(zone.path), "rejoin": zone.rejoin}
    return value
