"""Scales in the output stage give every possible light, and no other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hardware.output import Output
from hardware.power import POWER
from hardware.strips import StripSpec
from hardware.strips.scale import BYTES, LINEAR, WORDS, CurrentScale, Scale, TableScale

DRIVES = np.linspace(0, 1, 65536, dtype=np.float32)
HUES = {
    "white": (1, 1, 1),
    "amber": (1, 0.434, 0),
    "magenta": (1, 0.117, 0.631),
    "trap": (0, 0.0144, 1),
    "box": (0.117, 0, 1),
    "green": (0, 0.352, 0.117),
    "red": (1, 0, 0),
}
SCALES = {
    "bytes": BYTES,
    "words": WORDS,
    "currents": CurrentScale(),
    "currents from 4": CurrentScale(4),
}
scales = st.sampled_from([*SCALES.values(), TableScale(LINEAR**2.2)])
lights = st.lists(
    st.tuples(*[st.one_of(st.just(0.0), st.floats(1e-5, 0.05), st.floats(0.05, 1))] * 3),
    min_size=1,
    max_size=20,
)


def shown(
    scale: Scale, light: NDArray[np.float32], budget: float = 1e9, ceiling: float = 1
) -> NDArray[np.float64]:
    """Return the light of the LEDs of a strip with this scale."""
    output = Output(StripSpec(leds=(len(light),), type="apa102", order="BGR"), budget, scale)
    output.ceiling = ceiling
    return scale.light(output.render(light)[0])


def steps_of(scale: Scale, given: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest step of each LED at its light, shape (n, 1)."""
    peaks = given.max(axis=1, keepdims=True)
    of_current = np.ceil(peaks * 31 + 1e-6) / 7905 * scale.extra_columns
    return np.asarray(np.maximum(scale.floor, of_current))


@pytest.mark.parametrize("name", SCALES)
def test_a_ramp_never_falls(name: str) -> None:
    """Over all 65,536 drives the brightest colour, and every colour of white, only rises.

    The others are the nearest: they fall by no more than a step at the LED's current.
    """
    scale = SCALES[name]
    for hue, colour in HUES.items():
        light = DRIVES[:, None] * np.array(colour, np.float32)
        ramp = shown(scale, light)
        falls, steps = np.diff(ramp, axis=0), steps_of(scale, ramp)
        assert 0 <= falls[:, int(np.argmax(colour))].min(), hue
        assert 0 <= falls.min() or hue != "white"
        assert (falls >= -steps[1:] - 1e-9).all(), hue
        lit = light.max(axis=1) >= scale.floor
        assert (np.abs(ramp - light)[lit] <= steps[lit] / 2 + 1e-6).all(), hue


@pytest.mark.parametrize("name", SCALES)
def test_a_dimmed_ramp_never_falls(name: str) -> None:
    """With less and less light no LED of an even field becomes brighter."""
    field = np.full((30, 3), 0.7, np.float32)
    budgets = np.linspace(30, 1500, 400)
    levels = [shown(SCALES[name], field, budget).sum() for budget in budgets]
    assert 0 <= np.diff(levels).min()
    spare = (budgets - 30) / POWER["apa102"].colour
    assert (levels <= spare + 1e-9).all()


@given(scale=scales, rows=lights, spare=st.floats(1e-3, 200))
def test_the_budget_holds_on_every_scale(
    scale: Scale, rows: list[tuple[float, float, float]], spare: float
) -> None:
    """The limit acts on code times current, in the step that finds both."""
    light = np.array(rows, np.float32)
    given = shown(scale, light, len(light) + spare)
    assert given.sum() * POWER["apa102"].colour <= spare


@given(scale=scales, rows=lights, ceiling=st.floats(0.005, 1))
def test_no_led_exceeds_the_ceiling(
    scale: Scale, rows: list[tuple[float, float, float]], ceiling: float
) -> None:
    """Even rounding stays below it, except for the lowest possible step."""
    given = shown(scale, np.array(rows, np.float32), ceiling=ceiling)
    assert given.max() <= max(ceiling, scale.floor) + 1e-9


def test_the_least_light_is_not_dark() -> None:
    """The brightest colour of an LED with any light has one step, also for watchers."""
    light = np.array([[1e-6, 0, 0]], np.float32)
    spec = StripSpec(leds=(1,), type="apa102", order="BGR")
    for scale in SCALES.values():
        (pixels,) = Output(spec, 1e6, scale).render(light)
        assert [[scale.floor, 0, 0]] == scale.light(pixels).tolist()
        assert [[1, 0, 0]] == scale.bytes(pixels).tolist()


def test_a_pixel_at_full_current_is_read_as_its_codes() -> None:
    """Light is the part of the codes at their current."""
    pixels = np.array([[255, 51, 0, 31], [255, 255, 255, 1]], np.uint8)
    expected = [[1, 0.2, 0], [1 / 31] * 3]
    assert expected == [pytest.approx(led) for led in CurrentScale().light(pixels).tolist()]
