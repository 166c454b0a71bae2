"""The compositor: light over light, compared with a slow twin for each point."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board.load import load_board
from companion.lights import Light, Per, Points
from companion.lights.compositor import composed, dark, over
from tests.companion.lights.games import SMALL

SIZE = 12
levels = st.floats(0, 1, width=32)
colours = st.tuples(levels, levels, levels)
layers = st.lists(
    st.tuples(st.lists(st.integers(0, SIZE - 1), unique=True), colours, levels), max_size=6
)


def slow_over(
    light: list[list[float]], points: list[int], colour: tuple[float, ...], alpha: float
) -> None:
    """Compute alpha-over as in the textbook, one point and colour at a time."""
    for point in points:
        for part in range(3):
            light[point][part] = colour[part] * alpha + light[point][part] * (1 - alpha)


@settings(deadline=None)
@given(layers)
def test_layers_go_over_each_other_as_in_the_slow_twin(
    layers: list[tuple[list[int], tuple[float, float, float], float]],
) -> None:
    """Any layers in any order give alpha-over at each point."""
    light, slow = dark(SIZE), [[0.0] * 3 for _ in range(SIZE)]
    for points, colour, alpha in layers:
        over(light, np.array(points, dtype=np.intp), np.array(colour, dtype=np.float32), alpha)
        slow_over(slow, points, colour, alpha)
    assert pytest.approx(np.array(slow), abs=1e-5) == light


def test_each_point_may_have_its_own_colour_and_alpha() -> None:
    """A row of colours and a column of alphas apply by point."""
    light = dark(3) + np.float32(0.5)
    alphas = np.array([[0.0], [0.5], [1.0]], dtype=np.float32)
    over(light, np.arange(3), np.eye(3, dtype=np.float32), alphas)
    assert [[0.5, 0.5, 0.5], [0.25, 0.75, 0.25], [0.0, 0.0, 1.0]] == light.tolist()


class Steady:
    """An effect that adds a tenth and changes at a given time."""

    def __init__(self, until: float | None) -> None:
        self.until = until

    def show(self, light: Light, t: float) -> float | None:
        """Paint while its time lasts."""
        if self.until is None or t < self.until:
            light += np.float32(0.125)
        return self.until


def test_the_next_change_is_the_earliest() -> None:
    """A light changes when its first effect does; the ground never does."""
    rows: dict[tuple[float | None, ...], float | None] = {
        (None, None): None,
        (4.0, None): 4.0,
        (4.0, 3.0): 3.0,
        (): None,
    }
    ground = dark(2)
    for untils, expected in rows.items():
        light, until = composed(ground, [Steady(when) for when in untils], 1.0)
        assert expected == until
        assert [[0.125 * len(untils)] * 3] * 2 == light.tolist()
        assert [[0.0] * 3] * 2 == ground.tolist()


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
