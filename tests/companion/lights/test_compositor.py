"""The compositor: light over light, compared with a slow twin for each point."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.lights import Light
from companion.lights.compositor import composed, dark, over

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
