"""Small boards without a file: a few columns with every kind of zone."""

from companion.board import Hole, Track, Zone, ZoneKind
from companion.board.layout import Board, Lamp, Mark, Row

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
