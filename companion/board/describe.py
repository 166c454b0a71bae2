"""The JSON value of a board: its zones, and its holes and lamps with their positions."""

from companion.board.layout import Board
from companion.board.track import Zone

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
