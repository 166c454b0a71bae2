"""The track: a peg walks hole by hole, on a side path only after a landing on its box."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import Hole, Track, Zone, ZoneKind, load_board

CRIB_WARS = load_board("crib-wars").track
HOLES: list[Hole] = [
    *range(CRIB_WARS.finish),
    *(hole for zone in CRIB_WARS.zones for hole in zone.path),
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


@settings(deadline=None)
@given(st.sampled_from(HOLES), st.integers(1, 60), st.booleans())
def test_walk_oracle(start: Hole, steps: int, landed: bool) -> None:
    """A walk has the holes of a search in every zone before every step."""
    expected = slow_walk(CRIB_WARS, start, steps, landed=landed)
    assert expected == list(CRIB_WARS.walk(start, steps, landed=landed))


def test_trap_path_joins_the_track() -> None:
    """From 131 on a trap with 6 path holes and rejoin 112, 8 points end on 113 (Z3)."""
    expected = (*(f"trap-130:{n}" for n in range(1, 7)), 112, 113)
    assert expected == CRIB_WARS.walk(131, 8, landed=True)


def test_passing_over_does_nothing() -> None:
    """A peg that did not land on the box stays on the track (Z1)."""
    assert (131, 132, 133) == CRIB_WARS.walk(130, 3)


def test_finish_ends_the_walk() -> None:
    """A walk ends at the finish, with any number of steps left (G2)."""
    assert (362, 363) == CRIB_WARS.walk(361, 29)


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
    assert expected == CRIB_WARS.progress(hole, landed=landed)


@settings(deadline=None)
@given(st.sampled_from(HOLES), st.booleans())
def test_progress_counts_steps(hole: Hole, landed: bool) -> None:
    """A walk of single holes from anywhere takes the steps that progress says."""
    left = len(CRIB_WARS.walk(hole, 10 * CRIB_WARS.finish, landed=landed))
    assert CRIB_WARS.finish - left == CRIB_WARS.progress(hole, landed=landed)


def test_slides_are_twenty_long() -> None:
    """The red slides carry from 42, 150 and 304 on by 20 holes each (Z2)."""
    slides = [zone for zone in CRIB_WARS.zones if zone.kind is ZoneKind.RED_SLIDE]
    assert [(42, 43, 44), (150, 151, 152), (304, 305, 306)] == [zone.box for zone in slides]
    assert all(tuple(hole + 20 for hole in zone.box) == zone.to for zone in slides)


def test_twelve_zones_of_three_holes() -> None:
    """The board has 3 slides, 4 traps, 3 penalty boxes and 2 advances, 3 holes each (Z1 to Z5)."""
    counts = Counter(zone.kind for zone in CRIB_WARS.zones)
    expected = {
        ZoneKind.RED_SLIDE: 3,
        ZoneKind.TIME_TRAP: 4,
        ZoneKind.GREEN_ADVANCE: 2,
        ZoneKind.PENALTY_BOX: 3,
    }
    assert expected == counts
    assert {3} == {len(zone.box) for zone in CRIB_WARS.zones}
