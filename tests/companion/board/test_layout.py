"""The shipped boards' geometry can be built, and a peg walks their tracks hole by hole."""

import json
import math
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import Board, Hole, Track, Zone, ZoneKind, board_names, describe, load_board

CRIB_WARS = load_board("crib-wars")
TURNS_AFTER = (40, 81, 121, 169, 218, 266, 315)
every_board = pytest.mark.parametrize("name", board_names())


def level(board: Board, hole: int | str) -> float:
    """Return the distance of a hole's middle lane from the top of the sheet."""
    return board.place(2, hole)[1]


def reported(name: str) -> dict[str, Any]:
    """Return the description as a reader of the JSON gets it."""
    read: dict[str, Any] = json.loads(json.dumps(describe(load_board(name))))
    return read


TRACK = load_board("crib-wars").track
HOLES: list[Hole] = [
    *range(TRACK.finish),
    *(hole for zone in TRACK.zones for hole in zone.path),
]


def slow_walk(track: Track, start: Hole, steps: int, *, landed: bool) -> list[Hole]:
    """Return the same walk, with a search in the zones for every step."""
    way: list[Hole] = []
    here = start
    while len(way) < steps and here != track.finish:
        fresh = landed and not way
        here = next(
            hole for zone in (*track.zones, None) for hole in slow_steps(zone, here, fresh=fresh)
        )
        way.append(here)
    return way


def slow_steps(zone: Zone | None, here: Hole, *, fresh: bool) -> list[Hole]:
    """Return the hole to which a zone sends the next step, or the next hole."""
    if zone is None:
        return [here + 1] if isinstance(here, int) else []
    if fresh and here in zone.box and zone.path:
        return [zone.path[0]]
    if here in zone.path:
        number = zone.path.index(str(here)) + 1
        return [zone.path[number] if number < len(zone.path) else zone.rejoin]
    return []


@every_board
def test_one_pitch_apart(name: str) -> None:
    """Consecutive holes of a row lie exactly one pitch apart, in every lane and side path."""
    board = load_board(name)
    for row in board.rows:
        places = [(x, y) for _, x, y in row.places()]
        assert all(
            math.isclose(board.pitch_mm, math.dist(here, there)) for here, there in pairwise(places)
        )


@every_board
def test_every_hole_has_one_place(name: str) -> None:
    """Every hole of every lane and side path lies in exactly one row."""
    board = load_board(name)
    holes = [*range(1, board.track.finish + 1), *(h for z in board.track.zones for h in z.path)]
    expected = {(lane, hole): 1 for lane in range(1, board.track.lanes + 1) for hole in holes}
    placed = [(row.lane, hole) for row in board.rows for hole in row.holes]
    assert expected == {place: placed.count(place) for place in placed}


@every_board
def test_lanes_nest_at_turns(name: str) -> None:
    """The lanes' order mirrors at a turn: each spans its neighbour and two lane steps."""
    board = load_board(name)
    first = [row for row in board.rows if isinstance(row.holes[0], int) and row.lane == 1]
    for row in first[:-1]:
        last = int(row.holes[-1])
        widths = [
            math.dist(board.place(lane, last), board.place(lane, last + 1)) for lane in (1, 2, 3)
        ]
        assert [26.0, 26.0] == [round(abs(b - a), 6) for a, b in pairwise(widths)]


def test_numbers_of_leds() -> None:
    """One LED a hole and lane needs 1,089 and 108 of them, one a hole 399."""
    leds = [len(row.holes) for row in CRIB_WARS.rows]
    assert 1089 + 108 == sum(leds)
    assert 399 == sum(leds) // 3


@pytest.mark.parametrize("turn", TURNS_AFTER)
def test_turns_are_level(turn: int) -> None:
    """The last hole of a column is level with the first of the next: h with 2a + 1 - h."""
    for back in range(40):
        assert math.isclose(level(CRIB_WARS, turn - back), level(CRIB_WARS, turn + 1 + back))


@pytest.mark.parametrize(
    ("zone_id", "beside"),
    [
        ("trap-130", 112),
        ("trap-180", 158),
        ("trap-276", 256),
        ("trap-333", 297),
        ("green-200", 236),
        ("green-246", 286),
    ],
)
def test_bridges_are_level(zone_id: str, beside: int) -> None:
    """A bridge is level with the middle of its box and with the hole at its end."""
    zone = next(zone for zone in CRIB_WARS.track.zones if zone.id == zone_id)
    assert beside == zone.rejoin
    expected = level(CRIB_WARS, zone.box[1])
    assert math.isclose(expected, level(CRIB_WARS, beside))
    assert all(math.isclose(expected, level(CRIB_WARS, hole)) for hole in zone.path)


@pytest.mark.parametrize(("gap", "turns"), [(60, (121, 169, 218, 266, 315)), (20, (40, 81))])
def test_gaps_between_columns(gap: float, turns: tuple[int, ...]) -> None:
    """Outer lanes of neighbours are 60 mm apart on the left and 20 on the right."""
    for turn in turns:
        xs = [CRIB_WARS.place(lane, turn)[0] for lane in (1, 2, 3)]
        others = [CRIB_WARS.place(lane, turn + 1)[0] for lane in (1, 2, 3)]
        assert math.isclose(gap, min(abs(x - other) for x in xs for other in others))


def test_alley_on_the_right() -> None:
    """Muggers Alley, the first 121 holes, is on the right-hand side of an A2 sheet."""
    assert (594, 420) == (CRIB_WARS.width_mm, CRIB_WARS.height_mm)
    alley = min(CRIB_WARS.place(lane, hole)[0] for lane in (1, 2, 3) for hole in range(1, 122))
    rest = max(CRIB_WARS.place(lane, hole)[0] for lane in (1, 2, 3) for hole in range(122, 364))
    assert alley > rest


def test_hole_0_is_the_start_lamp() -> None:
    """A peg at 0 is shown by its lane's start lamp."""
    lamps = {lamp.id: (lamp.x_mm, lamp.y_mm) for lamp in CRIB_WARS.lamps}
    assert [lamps[f"start-{lane}"] for lane in (1, 2, 3)] == [
        CRIB_WARS.place(lane, 0) for lane in (1, 2, 3)
    ]


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


@settings(deadline=None)
@given(st.sampled_from(HOLES), st.integers(1, 60), st.booleans())
def test_walk_oracle(start: Hole, steps: int, landed: bool) -> None:
    """A walk has the holes of a search in every zone before every step."""
    expected = slow_walk(TRACK, start, steps, landed=landed)
    assert expected == list(TRACK.walk(start, steps, landed=landed))


def test_trap_path_joins_the_track() -> None:
    """From 131 on a trap with 6 path holes and rejoin 112, 8 points end on 113 (Z3)."""
    expected = (*(f"trap-130:{n}" for n in range(1, 7)), 112, 113)
    assert expected == TRACK.walk(131, 8, landed=True)


def test_passing_over_does_nothing() -> None:
    """A peg that did not land on the box stays on the track (Z1)."""
    assert (131, 132, 133) == TRACK.walk(130, 3)


def test_finish_ends_the_walk() -> None:
    """A walk ends at the finish, with any number of steps left (G2)."""
    assert (362, 363) == TRACK.walk(361, 29)


@pytest.mark.parametrize(
    ("expected", "hole", "landed"),
    [
        (105, 130, True),
        (130, 130, False),
        (106, "trap-130:1", False),
        (111, "trap-130:6", False),
        (229, 200, True),
        (230, "green-200:1", False),
        (0, 0, False),
    ],
)
def test_progress(expected: int, hole: Hole, landed: bool) -> None:
    """Progress is the finish minus the holes still to go by the way the peg must take."""
    assert expected == TRACK.progress(hole, landed=landed)


@settings(deadline=None)
@given(st.sampled_from(HOLES), st.booleans())
def test_progress_counts_steps(hole: Hole, landed: bool) -> None:
    """A walk of single holes from anywhere takes the steps that progress says."""
    left = len(TRACK.walk(hole, 10 * TRACK.finish, landed=landed))
    assert TRACK.finish - left == TRACK.progress(hole, landed=landed)


def test_slides_are_twenty_long() -> None:
    """The red slides carry from 42, 150 and 304 on by 20 holes each (Z2)."""
    slides = [zone for zone in TRACK.zones if zone.kind is ZoneKind.RED_SLIDE]
    assert [(42, 43, 44), (150, 151, 152), (304, 305, 306)] == [zone.box for zone in slides]
    assert all(tuple(hole + 20 for hole in zone.box) == zone.to for zone in slides)


def test_twelve_zones_of_three_holes() -> None:
    """The board has 3 slides, 4 traps, 3 penalty boxes and 2 advances, 3 holes each (Z1 to Z5)."""
    counts = Counter(zone.kind for zone in TRACK.zones)
    expected = {
        ZoneKind.RED_SLIDE: 3,
        ZoneKind.TIME_TRAP: 4,
        ZoneKind.GREEN_ADVANCE: 2,
        ZoneKind.PENALTY_BOX: 3,
    }
    assert expected == counts
    assert {3} == {len(zone.box) for zone in TRACK.zones}
