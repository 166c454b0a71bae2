"""Light points: one for each light, in a fixed order."""

import pytest

from companion.board.definition.load import load_board
from companion.lights import Per, Points
from tests.companion.lights.games import SMALL


def every_index(points: Points) -> list[int]:
    """Return the points of all holes of all lanes and of all lamps."""
    track = SMALL.track
    holes = [*range(track.finish + 1), *(hole for zone in track.zones for hole in zone.path)]
    found = [points.index(lane, hole) for lane in points.lanes for hole in holes]
    return found + [points.lamps[lamp.id] for lamp in SMALL.lamps if "dealer" in lamp.id]


def test_every_hole_of_every_lane_and_every_lamp_has_a_point_of_its_own() -> None:
    """They fill the light without gaps and shared points."""
    points = Points(SMALL)
    assert list(range(points.size)) == sorted(every_index(points))


def test_lanes_share_points_with_one_led_a_hole() -> None:
    """All lanes have the same points, except for their start lamps."""
    points = Points(SMALL, Per.HOLE)
    assert 60 + 6 + 3 + 6 == points.size == len(set(every_index(points)))
    assert points.index(1, 7) == points.index(3, 7)
    assert points.index(1, 0) != points.index(3, 0)


@pytest.mark.parametrize(("per", "size"), [(Per.HOLE_AND_LANE, 1206), (Per.HOLE, 408)])
def test_the_default_board_has_its_known_number_of_points(per: Per, size: int) -> None:
    """It has 363 holes and 36 of side paths, in 3 lanes or shared, and 9 lamps."""
    assert size == Points(load_board("crib-wars"), per).size


def test_hole_0_is_the_start_lamp() -> None:
    """A peg at 0 is shown by its lane's start lamp."""
    points = Points(SMALL)
    assert points.lamps["start-2"] == points.index(2, 0)


def test_points_follow_the_rows_then_the_lamps() -> None:
    """The order is the board's, from the first row to the last lamp."""
    points = Points(SMALL)
    assert list(range(20)) == points.of(1, range(1, 21)).tolist()
    assert points.size - 1 == points.lamps["dealer-6"]
    assert "dealer-7" not in points.lamps
