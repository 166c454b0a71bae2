"""Layout of a board: its track of holes and zones, and its sheet in millimetres.

On the sheet, x runs right and y down from the top left corner. Rule numbers such as S5 are those of
tests/rules.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from companion.board.zone_kinds import ZoneKind

MOST_POINTS: Final = 29  # most holes of one count: the points of the best hand (rule S5)

Hole: TypeAlias = int | str
"""0 is the start, 1 to `finish` are on the track, `"<zone id>:<n>"` is hole n of a side path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """Box of consecutive holes in every lane that acts on a peg which lands there (rule Z1).

    Attributes:
        id: the name of the zone in the board file, such as `box-22`.
        to: the hole to which a red slide moves a peg, for each hole of the box.
        path: the holes of the side path of a time trap or green advance.
        rejoin: the hole where this side path ends on the track.
    """

    id: str
    kind: ZoneKind
    box: tuple[int, ...]
    to: tuple[int, ...] = ()
    path: tuple[str, ...] = ()
    rejoin: int = 0

    @property
    def diverts(self) -> bool:
        """True if a peg that landed here leaves by a side path (rules Z3 and Z4)."""
        return bool(self.path)

    def after(self, hole: int, finish: int) -> int:
        """Return the hole to which the zone moves a peg at once from `hole`.

        Only red slides (rule Z2) and penalty boxes (rule Z6, as if two sides played) do so.
        """
        to = self.to[self.box.index(hole)] if self.to else hole + self.kind.facts.moves
        return min(max(0, to), finish)


@dataclass(frozen=True, kw_only=True)  # no slots, so that lookup tables can be cached
class Track:
    """A track with holes 1 to `finish` in each of `lanes` lanes, and its zones."""

    finish: int
    lanes: int
    zones: tuple[Zone, ...] = ()

    @cached_property
    def _zone_of(self) -> dict[int, Zone]:
        return {hole: zone for zone in self.zones for hole in zone.box}

    @cached_property
    def _path_zone(self) -> dict[str, tuple[Zone, int]]:
        """The zone of each side path's hole, and the hole's index in the path."""
        return {hole: (zone, n) for zone in self.zones for n, hole in enumerate(zone.path)}

    def has(self, hole: Hole) -> bool:
        """Return True for the start and the holes of the track and its side paths."""
        if isinstance(hole, int):
            return 0 <= hole <= self.finish
        return hole in self._path_zone and self._path_zone[hole][0].box[0] < self.finish

    def zone_at(self, hole: Hole) -> Zone | None:
        """Return the zone whose box has this hole, or None."""
        return self._zone_of.get(hole) if isinstance(hole, int) else None

    def step(self, hole: Hole, *, landed: bool = False) -> Hole:
        """Return the next hole. A peg that `landed` in a box with a side path enters the path."""
        if isinstance(hole, str):
            diversion, index = self._path_zone[hole]
            onward: tuple[Hole, ...] = (*diversion.path, diversion.rejoin)
            return onward[index + 1]
        zone = self._zone_of.get(hole) if landed else None
        return zone.path[0] if zone and zone.diverts else hole + 1

    def walk(self, start: Hole, steps: int, *, landed: bool = False) -> tuple[Hole, ...]:
        """Return the holes that a peg touches, in order; the peg lands on the last one.

        The walk ends at the finish, so it can have fewer holes than `steps` (rule G2). `landed` is
        as in `step`.

        >>> Track(finish=121, lanes=2).walk(118, 5)
        (119, 120, 121)
        """
        way: list[Hole] = []
        hole = start
        for _ in range(steps):
            hole = self.step(hole, landed=landed)
            landed = False
            if isinstance(hole, int) and hole >= self.finish:
                return (*way, self.finish)
            way.append(hole)
        return tuple(way)

    def progress(self, hole: Hole, *, landed: bool = False) -> int:
        """Return a peg's progress: the finish minus the holes that the peg still has to walk."""
        if landed and (zone := self.zone_at(hole)) and zone.diverts:
            return self.progress(zone.path[0]) - 1
        if isinstance(hole, str):
            zone, index = self._path_zone[hole]
            return min(zone.rejoin, self.finish) - (len(zone.path) - index)
        return hole


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
    """A lamp beside the track; its id is `start-<lane>` or `dealer-<number of a player's seat>`."""

    id: str
    x_mm: float
    y_mm: float


STYLES = ("plain", "fine", "title", "place", *ZoneKind)
"""Styles of lettering: "place" is for names of places, and a zone's kind gives the zone's ink."""

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
    """Place of a printed note about a zone or one of `NOTES`, turned clockwise by `turn_deg`.

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
