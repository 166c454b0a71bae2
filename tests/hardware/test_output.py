"""The output stage and its three promises, against an oracle that goes LED by LED."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hardware.output import Light, Output
from hardware.power import POWER
from hardware.strips.protocol import COLOURS
from hardware.strips.scale import LINEAR
from tests.hardware.slow_output import (
    GAMMA,
    KERNEL,
    Response,
    beside,
    colours_of,
    floor_of,
    light_of,
    milliamps,
    nearest_lights,
    scale_of,
    spec_of,
)

ACCURACY = Fraction(1, 1000)
"""Tolerance of a limited frame, in milliamperes and as a part of the budget."""


def staircase(lights: list[float]) -> Response:
    """Return a response that rises at these lights, each with some bytes."""
    between = np.sort([*lights, 1.0]).repeat(254)[:: len(lights) + 1]
    return np.array([0.0, *between, 1.0])


values = st.one_of(st.just(0.0), st.floats(1e-6, 0.01), st.floats(0.01, 1), st.just(1.0))
frames = st.lists(st.tuples(values, values, values), min_size=1, max_size=24).map(
    lambda rows: light_of(*rows)
)
kinds = st.sampled_from(sorted(POWER))
smooth = st.sampled_from([LINEAR, KERNEL, GAMMA])
responses = st.one_of(smooth, st.lists(st.floats(0, 1), max_size=254).map(staircase))
brightnesses = st.sampled_from([1.0, 0.6, 0.05])
spares = st.floats(1e-3, 150)  # nothing smaller: budget and idle current are rounded themselves


def test_every_type_of_strip_has_its_power() -> None:
    """The current of each type is known."""
    assert sorted(COLOURS) == sorted(POWER)


@given(light=frames, kind=kinds, response=responses, brightness=brightnesses)
def test_with_current_to_spare_each_byte_gives_the_light_nearest(
    light: Light, kind: str, response: Response, brightness: float
) -> None:
    """It is rounded once to the nearest light; below the floor in proportion."""
    output = Output(spec_of(kind, len(light)), 1e6, scale_of(response))
    output.brightness = brightness
    (shown,) = output.render(light)
    for row, pixel in zip(light, shown, strict=True):
        lights = nearest_lights(colours_of(row, kind, brightness), response)
        for near, level in zip(lights, pixel, strict=True):
            assert response[level] in near


@given(light=frames, response=responses)
def test_of_bytes_that_give_the_same_light_the_lowest_is_sent(
    light: Light, response: Response
) -> None:
    """Dark is 0, although other bytes may be dark, too."""
    (shown,) = Output(spec_of("ws2812b", len(light)), 1e6, scale_of(response)).render(light)
    assert all(np.flatnonzero(response == response[level])[0] == level for level in shown.ravel())


@given(light=frames, kind=kinds, response=responses, brightness=brightnesses, spare=spares)
def test_the_estimate_never_exceeds_the_budget(
    light: Light, kind: str, response: Response, brightness: float, spare: float
) -> None:
    """The bytes' current is within any budget for any light, exactly."""
    budget = len(light) * POWER[kind].idle + spare
    output = Output(spec_of(kind, len(light)), budget, scale_of(response))
    output.brightness = brightness
    frame = output.render(light)
    assert milliamps(kind, frame, response) <= Fraction(budget)
    assert output.milliamps == pytest.approx(float(milliamps(kind, frame, response)))


def free_and_limited(
    light: Light, kind: str, response: Response, spare: float
) -> tuple[float, NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the budget in milliamps, the frame without a limit, and the limited one."""
    budget, spec = len(light) * POWER[kind].idle + spare, spec_of(kind, len(light))
    (free,) = Output(spec, 1e6, scale_of(response)).render(light)
    (limited,) = Output(spec, budget, scale_of(response)).render(light)
    return budget, free, limited


@given(light=frames, kind=kinds, response=responses, spare=spares)
def test_a_limited_frame_is_nowhere_brighter(
    light: Light, kind: str, response: Response, spare: float
) -> None:
    """The limit never adds light, and leaves frames that fit unchanged."""
    budget, free, limited = free_and_limited(light, kind, response, spare)
    assert (limited <= free).all()
    if milliamps(kind, [free], response) <= Fraction(budget) - ACCURACY:
        assert free.tolist() == limited.tolist()


@given(light=frames, kind=kinds, response=smooth, spare=spares)
def test_the_limit_takes_no_more_than_it_must(
    light: Light, kind: str, response: Response, spare: float
) -> None:
    """One more step on all glowing LEDs would exceed the budget."""
    budget, free, limited = free_and_limited(light, kind, response, spare)
    if limited.tolist() != free.tolist():
        glows = np.array([np.array(colours_of(row, kind, 1)) > 0 for row in light])
        above = [beside(level, response)[1] for level in range(256)]
        brighter = np.where(glows, np.searchsorted(response, np.take(above, limited)), limited)
        assert milliamps(kind, [brighter], response) >= Fraction(budget) * (1 - ACCURACY)


@given(light=frames, kind=kinds, response=responses, spare=st.floats(1, 150))
def test_the_limit_dims_all_alike(
    light: Light, kind: str, response: Response, spare: float
) -> None:
    """One factor on the light explains every byte to less than a step, except floors."""
    spec = spec_of(kind, len(light))
    (shown,) = Output(spec, len(light) * POWER[kind].idle + spare, scale_of(response)).render(light)
    least, most = 0.0, 1.0
    for row, pixel in zip(light, shown, strict=True):
        for colour, level in zip(colours_of(row, kind, 1), pixel, strict=True):
            if response[pixel.max()] > floor_of(response) and colour > 0:
                below, above = beside(level, response)
                least, most = max(least, below / colour), min(most, above / colour)
    assert least <= most * (1 + 1e-3)


@given(light=frames, kind=kinds, response=responses, spare=spares)
def test_a_glowing_led_stays_lit_if_the_floor_fits_the_budget(
    light: Light, kind: str, response: Response, spare: float
) -> None:
    """No LED with light is dark while one step of all colours of each glowing LED is affordable."""
    power, leds = POWER[kind], len(light)
    glowing = light.max(axis=1) > 0
    floor = np.count_nonzero(glowing) * COLOURS[kind] * power.colour * floor_of(response)
    budget = leds * power.idle + floor + spare + 1e-3
    (shown,) = Output(spec_of(kind, leds), budget, scale_of(response)).render(light)
    assert glowing.tolist() == (response[shown].max(axis=1) > 0).tolist()


@given(kind=kinds, level=values, leds=st.integers(1, 40), response=responses, spare=spares)
def test_an_even_field_stays_even_under_the_limit(
    kind: str, level: float, leds: int, response: Response, spare: float
) -> None:
    """Equal light gives equal bytes above the floor."""
    light = np.full((leds, 3), level, np.float32)
    (shown,) = Output(
        spec_of(kind, leds), leds * POWER[kind].idle + spare, scale_of(response)
    ).render(light)
    if response[shown.max()] > floor_of(response):
        assert [shown[0].tolist()] * leds == shown.tolist()


@given(seed=st.integers(0, 2**32), response=responses, spare=spares)
def test_a_whole_board_keeps_the_promises(seed: int, response: Response, spare: float) -> None:
    """Of hundreds of similar LEDs and a few bright ones none is dark or over the budget."""
    rng = np.random.default_rng(seed)
    leds = int(rng.integers(100, 1300))
    light = (rng.uniform(0.05, 1, 3) * rng.uniform(0.9, 1, (leds, 1))).astype(np.float32)
    light[: rng.integers(5)] = 1
    power = POWER["ws2812b"]
    budget = leds * power.idle + 3 * leds * power.colour * floor_of(response) + spare
    (shown,) = Output(spec_of("ws2812b", leds), budget, scale_of(response)).render(light)
    assert milliamps("ws2812b", [shown], response) <= Fraction(budget)
    assert response[shown].max(axis=1).min() > 0


@given(
    light=frames, first=st.integers(1, 23), response=responses, budgets=st.tuples(spares, spares)
)
def test_each_channel_is_limited_by_its_own_supply(
    light: Light, first: int, response: Response, budgets: tuple[float, float]
) -> None:
    """A channel shows what it would show alone; the current is the sum."""
    first = min(first, len(light))
    light = np.vstack([light, light[:1]])
    leds = first, len(light) - first
    supplies = [n + spare for n, spare in zip(leds, budgets, strict=True)]
    both = Output(spec_of("ws2812b", *leds), supplies, scale_of(response))
    parts = light[:first], light[first:]
    alone = [
        Output(spec_of("ws2812b", n), supply, scale_of(response))
        for n, supply in zip(leds, supplies, strict=True)
    ]
    wanted = [output.render(part)[0] for output, part in zip(alone, parts, strict=True)]
    assert [pixels.tolist() for pixels in wanted] == [
        pixels.tolist() for pixels in both.render(light)
    ]
    assert both.milliamps == pytest.approx(sum(output.milliamps for output in alone))
