"""`board show --json`: the zones, every hole of every lane, and the lamps."""

import json
from typing import Any

import pytest

from companion.board import board_names, describe, load_board


def reported(name: str) -> dict[str, Any]:
    """Return the description as a reader of the JSON gets it."""
    read: dict[str, Any] = json.loads(json.dumps(describe(load_board(name))))
    return read


def test_keys_of_a_board() -> None:
    """It has exactly name, finish, lanes, zones, holes and lamps."""
    assert ["name", "finish", "lanes", "zones", "holes", "lamps"] == list(reported("crib-wars"))


@pytest.mark.parametrize(
    ("zone_id", "more"),
    [
        ("red-42", {"kind": "red-slide", "box": [42, 43, 44], "to": [62, 63, 64]}),
        ("box-22", {"kind": "penalty-box", "box": [22, 23, 24]}),
        (
            "trap-130",
            {
                "kind": "time-trap",
                "box": [130, 131, 132],
                "path": [f"trap-130:{n}" for n in range(1, 7)],
                "rejoin": 112,
            },
        ),
        (
            "green-246",
            {
                "kind": "green-advance",
                "box": [246, 247, 248],
                "path": [f"green-246:{n}" for n in range(1, 7)],
                "rejoin": 286,
            },
        ),
    ],
)
def test_zones_by_kind(zone_id: str, more: dict[str, object]) -> None:
    """Slides have `to`, traps and advances `path` and `rejoin`, penalty boxes only a box."""
    zone = next(zone for zone in reported("crib-wars")["zones"] if zone["id"] == zone_id)
    assert {"id": zone_id, **more} == zone


@pytest.mark.parametrize("name", board_names())
def test_holes_and_lamps_have_their_places(name: str) -> None:
    """Each hole of each lane is there once, with its place to a micron."""
    board = load_board(name)
    assert {("id", "lane", "x_mm", "y_mm")} == set(map(tuple, reported(name)["holes"]))
    assert {("id", "x_mm", "y_mm")} == set(map(tuple, reported(name)["lamps"]))
    holes = {
        (hole["lane"], hole["id"]): (hole["x_mm"], hole["y_mm"]) for hole in reported(name)["holes"]
    }
    assert len(holes) == len(reported(name)["holes"]) == sum(len(row.holes) for row in board.rows)
    for (lane, hole), place in holes.items():
        assert pytest.approx(board.place(lane, hole), abs=0.0005) == place
    assert [lamp.id for lamp in board.lamps] == [lamp["id"] for lamp in reported(name)["lamps"]]
