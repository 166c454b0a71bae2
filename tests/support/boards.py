"""Boards and tracks for tests: small and crowded, the default one, and an ordinary one."""

from companion.board import Hole, Track, Zone, ZoneKind
from companion.board.layout import Board, Lamp, Mark, Row

# Small boards without a file: a few columns with every kind of zone.


PITCH = 7.0
LANE_PITCH = 13.0
COLUMN_PITCH = 60.0


def small_zones() -> tuple[Zone, ...]:
    """Return one zone of each kind, for a track of 60 holes or more."""
    return (
        Zone(id="red-6", kind=ZoneKind.RED_SLIDE, box=(6, 7, 8), to=(16, 17, 18)),
        Zone(
            id="trap-26",
            kind=ZoneKind.TIME_TRAP,
            box=(26, 27, 28),
            path=("trap-26:1", "trap-26:2", "trap-26:3"),
            rejoin=15,
        ),
        Zone(
            id="green-34",
            kind=ZoneKind.GREEN_ADVANCE,
            box=(34, 35, 36),
            path=("green-34:1", "green-34:2", "green-34:3"),
            rejoin=46,
        ),
        Zone(id="box-40", kind=ZoneKind.PENALTY_BOX, box=(40, 41, 42)),
    )


def make_board(
    *,
    finish: int = 60,
    lanes: int = 3,
    column: int = 20,
    zones: tuple[Zone, ...] | None = None,
    seats: int = 6,
) -> Board:
    """Return a board of columns of `column` holes, up and down in turn, with level side paths."""
    zones = small_zones() if zones is None else zones
    rows = [
        _column_row(lane, first, min(first + column - 1, finish), column)
        for first in range(1, finish + 1, column)
        for lane in range(1, lanes + 1)
    ]
    rows += [
        _path_row(lane, zone.path, place)
        for place, zone in enumerate(zone for zone in zones if zone.path)
        for lane in range(1, lanes + 1)
    ]
    return Board(
        name="small",
        title="Small",
        track=Track(finish=finish, lanes=lanes, zones=zones),
        width_mm=420,
        height_mm=297,
        pitch_mm=PITCH,
        rows=tuple(rows),
        lamps=(*_lamps("start", lanes, 8.0), *_lamps("dealer", seats, 20.0)),
        marks=(Mark(hole=min(10, finish), caption="a mark"),),
    )


def _column_row(lane: int, first: int, last: int, column: int) -> Row:
    place = (first - 1) // column
    up = place % 2 == 0
    return Row(
        lane=lane,
        holes=tuple(range(first, last + 1)),
        x_mm=10 + place * COLUMN_PITCH + lane * LANE_PITCH,
        y_mm=40 + (column - 1) * PITCH if up else 40,
        dx_mm=0.0,
        dy_mm=-PITCH if up else PITCH,
    )


def _path_row(lane: int, path: tuple[Hole, ...], place: int) -> Row:
    return Row(
        lane=lane,
        holes=path,
        x_mm=60 + place * COLUMN_PITCH,
        y_mm=200 + lane * LANE_PITCH,
        dx_mm=PITCH,
        dy_mm=0.0,
    )


def _lamps(kind: str, count: int, y_mm: float) -> tuple[Lamp, ...]:
    return tuple(
        Lamp(id=f"{kind}-{n}", x_mm=10 + n * LANE_PITCH, y_mm=y_mm) for n in range(1, count + 1)
    )


# Tracks for tests: the default board, a small crowded one, and an ordinary one.


def slide(name: str, box: int, to: int, *, size: int = 3) -> Zone:
    """Return a red slide from `size` holes to holes further on (Z2)."""
    return Zone(
        id=name,
        kind=ZoneKind.RED_SLIDE,
        box=tuple(range(box, box + size)),
        to=tuple(range(to, to + size)),
    )


def trap(name: str, box: int, rejoin: int, *, size: int = 3, path: int = 6) -> Zone:
    """Return a time trap with a side path of `path` holes back to `rejoin` (Z3)."""
    return _bridge(ZoneKind.TIME_TRAP, name, range(box, box + size), rejoin, path)


def advance(name: str, box: int, rejoin: int, *, size: int = 3, path: int = 6) -> Zone:
    """Return a green advance with a side path of `path` holes on to `rejoin` (Z4)."""
    return _bridge(ZoneKind.GREEN_ADVANCE, name, range(box, box + size), rejoin, path)


def penalty_box(name: str, box: int, *, size: int = 3) -> Zone:
    """Return a penalty box of `size` holes (Z5)."""
    return Zone(id=name, kind=ZoneKind.PENALTY_BOX, box=tuple(range(box, box + size)))


def _bridge(kind: ZoneKind, name: str, box: range, rejoin: int, path: int) -> Zone:
    holes = tuple(f"{name}:{number}" for number in range(1, path + 1))
    return Zone(id=name, kind=kind, box=tuple(box), path=holes, rejoin=rejoin)


CRIB_WARS = Track(
    finish=363,
    lanes=3,
    zones=(
        penalty_box("box-1", 22),
        slide("red-1", 42, 62),
        trap("trap-1", 130, 112),
        slide("red-2", 150, 170),
        trap("trap-2", 180, 158),
        advance("green-1", 200, 236),
        penalty_box("box-2", 212),
        advance("green-2", 246, 286),
        trap("trap-3", 276, 256),
        slide("red-3", 304, 324),
        trap("trap-4", 333, 297),
        penalty_box("box-3", 346),
    ),
)
"""The zone numbers that the design starts from."""

CROWDED = Track(
    finish=140,
    lanes=3,
    zones=(
        penalty_box("box-1", 5, size=2),
        slide("red-1", 8, 12, size=2),
        trap("trap-1", 12, 3, size=3, path=2),
        penalty_box("box-2", 18, size=5),
        advance("green-1", 24, 33, size=2, path=3),
        penalty_box("box-3", 26, size=1),
        trap("trap-2", 33, 26, size=3, path=4),
        slide("red-2", 37, 45),
        penalty_box("box-4", 45),
        trap("trap-3", 48, 37, size=2, path=1),
        penalty_box("box-5", 65, size=6),
        advance("green-2", 85, 96, path=2),
        slide("red-3", 88, 118),
        trap("trap-4", 105, 88),
        penalty_box("box-6", 116, size=5),
        slide("red-4", 127, 138),
        trap("trap-5", 130, 125, path=1),
        penalty_box("box-7", 135, size=4),
    ),
)
"""Zones so close that slides, traps, awards and boxes run into each other; not a fair board."""

CLASSIC = Track(finish=121, lanes=3)
"""An ordinary cribbage board."""
