"""The output stage against its three promises, by an oracle that goes LED by LED."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hardware.errors import StripError
from hardware.output import POWER, Light, Output
from hardware.strips import StripSpec
from hardware.strips.protocol import COLOURS

ORDERS = {3: "GRB", 4: "GRBW"}
ROUNDING = 1e-3
"""How near to the half step single precision may round the other way."""

ACCURACY = Fraction(1, 1000)
"""How near to the budget the same holds for the limit, in milliamperes and as a part of it."""


def spec_of(kind: str, *leds: int) -> StripSpec:
    """Return a strip of that type, in its usual order."""
    return StripSpec(leds=leds, type=kind, order=ORDERS[COLOURS[kind]])


def light_of(*rows: tuple[float, float, float]) -> Light:
    """Return light, an LED a row."""
    return np.array(rows, np.float32).reshape(-1, 3)


def milliamps(kind: str, frame: Sequence[NDArray[np.unsignedinteger]], gamma: int = 1) -> Fraction:
    """Return the estimated current of a frame, in exact arithmetic."""
    idle, colour = Fraction(str(POWER[kind].idle)), Fraction(str(POWER[kind].colour))
    levels = [int(level) for pixels in frame for level in pixels.ravel()]
    leds = sum(len(pixels) for pixels in frame)
    return leds * idle + colour * sum(Fraction(level, 255) ** gamma for level in levels)


def colours_of(row: NDArray[np.float32], kind: str, brightness: float) -> list[float]:
    """Return what the colours of one LED shall give: brightness applied, white on its own."""
    shown = [float(light) * brightness for light in row]
    if COLOURS[kind] == 3:
        return shown
    white = min(shown)
    return [light - white for light in shown] + [white]


def steps_of(colours: list[float], gamma: float) -> list[float]:
    """Return the steps, not yet rounded, that show these colours of one LED."""
    steps = [255 * light ** (1 / gamma) for light in colours]
    peak = max(steps)
    return [step / peak for step in steps] if 0 < peak < 1 else steps


values = st.one_of(st.just(0.0), st.floats(1e-6, 0.01), st.floats(0.01, 1), st.just(1.0))
frames = st.lists(st.tuples(values, values, values), min_size=1, max_size=24).map(
    lambda rows: light_of(*rows)
)
kinds = st.sampled_from(sorted(POWER))
gammas = st.sampled_from([1, 2])
brightnesses = st.sampled_from([1.0, 0.6, 0.05])
spares = st.floats(1e-3, 150)  # nothing smaller: budget and idle current are rounded themselves


def test_every_type_of_strip_has_its_power() -> None:
    """Whatever type can be set, its current is known."""
    assert sorted(COLOURS) == sorted(POWER)


@given(light=frames, kind=kinds, gamma=gammas, brightness=brightnesses)
def test_with_current_to_spare_each_byte_is_the_light_rounded_once(
    light: Light, kind: str, gamma: int, brightness: float
) -> None:
    """A byte is 255 times the light to the power of 1 / gamma, to the nearest; no other step."""
    output = Output(spec_of(kind, len(light)), 1e6, gamma)
    output.brightness = brightness
    (shown,) = output.render(light)
    for row, pixel in zip(light, shown, strict=True):
        steps = steps_of(colours_of(row, kind, brightness), gamma)
        for step, level in zip(steps, pixel, strict=True):
            assert abs(step - int(level)) <= 0.5 + ROUNDING


@given(light=frames, kind=kinds, gamma=gammas, brightness=brightnesses, spare=spares)
def test_the_estimate_never_exceeds_the_budget(
    light: Light, kind: str, gamma: int, brightness: float, spare: float
) -> None:
    """Whatever the light and the budget, the current of the bytes is within it, exactly."""
    budget = len(light) * POWER[kind].idle + spare
    output = Output(spec_of(kind, len(light)), budget, gamma)
    output.brightness = brightness
    frame = output.render(light)
    assert milliamps(kind, frame, gamma) <= Fraction(budget)
    assert output.milliamps == pytest.approx(float(milliamps(kind, frame, gamma)))


@given(light=frames, kind=kinds, gamma=gammas, spare=spares)
def test_the_limit_takes_no_more_than_it_must(
    light: Light, kind: str, gamma: int, spare: float
) -> None:
    """A limited frame is nowhere brighter, and a step more on all that glows would not fit."""
    budget = len(light) * POWER[kind].idle + spare
    spec = spec_of(kind, len(light))
    (free,) = Output(spec, 1e6, gamma).render(light)
    (limited,) = Output(spec, budget, gamma).render(light)
    assert (limited <= free).all()
    if milliamps(kind, [free], gamma) <= Fraction(budget) - ACCURACY:
        assert free.tolist() == limited.tolist()
    elif limited.tolist() != free.tolist():
        glows = np.array([np.array(colours_of(row, kind, 1)) > 0 for row in light])
        brighter = np.minimum(limited + glows.astype(np.uint16), 255)
        assert milliamps(kind, [brighter], gamma) >= Fraction(budget) * (1 - ACCURACY)


@given(light=frames, kind=kinds, gamma=gammas, spare=st.floats(1, 150))
def test_the_limit_dims_all_alike(light: Light, kind: str, gamma: int, spare: float) -> None:
    """One factor on the light gives every byte to less than a step, floors aside."""
    spec = spec_of(kind, len(light))
    (shown,) = Output(spec, len(light) * POWER[kind].idle + spare, gamma).render(light)
    least, most = 0.0, 1.0
    for row, pixel in zip(light, shown, strict=True):
        for colour, level in zip(colours_of(row, kind, 1), map(int, pixel), strict=True):
            if pixel.max() > 1 and colour > 0:
                least = max(least, (max(level - 1, 0) / 255) ** gamma / colour)
                most = min(most, ((level + 1) / 255) ** gamma / colour)
    assert least <= most * (1 + ROUNDING)


@given(light=frames, kind=kinds, gamma=gammas, spare=spares)
def test_a_glowing_led_stays_lit_if_the_floor_fits_the_budget(
    light: Light, kind: str, gamma: int, spare: float
) -> None:
    """No LED with light is dark while one step of all colours of each glowing LED is affordable."""
    power, leds = POWER[kind], len(light)
    glowing = light.max(axis=1) > 0
    floor = np.count_nonzero(glowing) * COLOURS[kind] * power.colour / 255**gamma
    (shown,) = Output(spec_of(kind, leds), leds * power.idle + floor + spare + 1e-3, gamma).render(
        light
    )
    assert glowing.tolist() == (shown.max(axis=1) > 0).tolist()


@given(kind=kinds, level=values, leds=st.integers(1, 40), spare=st.floats(1, 150))
def test_an_even_field_stays_even_under_the_limit(
    kind: str, level: float, leds: int, spare: float
) -> None:
    """LEDs of equal light get equal bytes while they are above the floor."""
    light = np.full((leds, 3), level, np.float32)
    (shown,) = Output(spec_of(kind, leds), leds * POWER[kind].idle + spare).render(light)
    if shown.max() > 1:
        assert [shown[0].tolist()] * leds == shown.tolist()


def test_the_idle_current_is_not_scaled() -> None:
    """500 white LEDs on 8 A: what they draw in the dark comes off the budget before the rest."""
    output = Output(StripSpec(leds=(500,)), 8000)
    (shown,) = output.render(np.ones((500, 3), np.float32))
    assert int((8000 - 500) / (1500 * 18.3) * 255) == shown.min() == shown.max()
    assert 7500 < output.milliamps <= 8000


def test_the_limit_beats_the_floor() -> None:
    """With current for two steps, two of five glowing LEDs are lit: the brightest."""
    light = light_of(*((0.001 * led, 0, 0) for led in (1, 5, 3, 4, 2)))
    (shown,) = Output(StripSpec(leds=(5,)), 5 + 2.5 * 18.3 / 255).render(light)
    assert [0, 1, 0, 1, 0] == shown[:, 0].tolist()


def test_a_dim_led_keeps_its_colour() -> None:
    """At the floor the largest colour is one step, and so is each that has half of it or more."""
    light = light_of((0.001, 0.0007, 0.0002), (0.0001, 0.0001, 0.0001), (0, 0, 1e-6))
    (shown,) = Output(StripSpec(leds=(3,))).render(light)
    assert [[1, 1, 0], [1, 1, 1], [0, 0, 1]] == shown.tolist()


def test_darkness_stays_dark() -> None:
    """No light or no brightness lights no LED, whatever the floor."""
    output = Output(StripSpec(leds=(2,)))
    assert output.render(light_of((0, 0, 0), (0, 0, 0)))[0].max() == 0
    output.brightness = 0
    assert output.render(light_of((1, 1, 1), (1, 0, 0)))[0].max() == 0


def test_white_comes_from_the_white_led() -> None:
    """On a strip with white, what red, green and blue share is shown in white."""
    (shown,) = Output(spec_of("sk6812w", 1)).render(light_of((1.0, 0.6, 0.2)))
    assert [[204, 102, 0, 51]] == shown.tolist()


def test_the_light_is_cut_into_channels() -> None:
    """The LEDs of all channels come in turn; each channel is an array of its own."""
    light = light_of(*((led / 255, 0, 0) for led in range(5)))
    frame = Output(StripSpec(leds=(2, 3))).render(light)
    assert [[0, 1], [2, 3, 4]] == [pixels[:, 0].tolist() for pixels in frame]


def test_a_frame_is_not_touched_by_the_next() -> None:
    """The last frame can be kept and compared with the new one."""
    output = Output(StripSpec(leds=(1,)))
    (first,) = output.render(light_of((1, 1, 1)))
    output.render(light_of((0, 0, 0)))
    assert [[255, 255, 255]] == first.tolist()


def test_light_out_of_range_is_cut_off() -> None:
    """Too bright is full, below nothing is dark: neither wraps around."""
    (shown,) = Output(StripSpec(leds=(2,))).render(light_of((1.5, -0.5, 0), (0, 2, 0)))
    assert [[255, 0, 0], [0, 255, 0]] == shown.tolist()


@pytest.mark.parametrize(
    ("kind", "budget", "gamma", "text"),
    [
        ("ws2812b", 362.0, 1.0, "budget_ma = 362 is below the 363 mA that 363 LEDs"),
        ("ws2815", 762.0, 1.0, "762.3 mA"),
        ("ws2812b", float("nan"), 1.0, "budget_ma = nan"),
        ("ws2812b", 2000.0, 0.0, "gamma = 0 is not above 0"),
    ],
)
def test_what_cannot_be_kept_is_refused(kind: str, budget: float, gamma: float, text: str) -> None:
    """A budget below the dark strip's current, and a gamma of 0, are refused with the numbers."""
    with pytest.raises(StripError, match=text):
        Output(spec_of(kind, 363), budget, gamma)


def test_a_budget_of_just_the_idle_current_leaves_the_strip_dark() -> None:
    """At the very idle current nothing can glow, and nothing does."""
    (shown,) = Output(StripSpec(leds=(363,)), 363).render(np.ones((363, 3), np.float32))
    assert shown.max() == 0


def test_brightness_and_shapes_are_checked() -> None:
    """A brightness beyond 0 to 1 and light for another strip are refused."""
    output = Output(StripSpec(leds=(2,)))
    with pytest.raises(StripError, match="between 0 and 1"):
        output.brightness = 1.1
    with pytest.raises(StripError, match=r"shape \(1, 3\), the strip \(2, 3\)"):
        output.render(light_of((0, 0, 0)))
