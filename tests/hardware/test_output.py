"""The output stage and its dither: three promises, known bytes, and refusals."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hardware.dither import MAX_BITS, dithered
from hardware.errors import StripError
from hardware.output import Light, Output
from hardware.power import POWER, Budget
from hardware.strips import StripSpec
from hardware.strips.protocol import COLOURS
from hardware.strips.scale import LINEAR, TableScale
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

values = st.one_of(st.just(0.0), st.floats(1e-6, 0.01), st.floats(0.01, 1), st.just(1.0))
frames = st.lists(st.tuples(values, values, values), min_size=1, max_size=24).map(
    lambda rows: light_of(*rows)
)
kinds = st.sampled_from(sorted(POWER))
smooth = st.sampled_from([LINEAR, KERNEL, GAMMA])
brightnesses = st.sampled_from([1.0, 0.6, 0.05])
spares = st.floats(1e-3, 150)  # nothing smaller: budget and idle current are rounded themselves
bits = st.integers(1, MAX_BITS)
colours = st.tuples(*[st.one_of(st.just(0.0), st.floats(1e-4, 0.05), st.floats(0.05, 1))] * 3)


def staircase(lights: list[float]) -> Response:
    """Return a response that rises at these lights, each with some bytes."""
    between = np.sort([*lights, 1.0]).repeat(254)[:: len(lights) + 1]
    return np.array([0.0, *between, 1.0])


responses = st.one_of(smooth, st.lists(st.floats(0, 1), max_size=254).map(staircase))


def free_and_limited(
    light: Light, kind: str, response: Response, spare: float
) -> tuple[float, NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the budget in milliamps, the frame without a limit, and the limited one."""
    budget, spec = len(light) * POWER[kind].idle + spare, spec_of(kind, len(light))
    (free,) = Output(spec, 1e6, scale_of(response)).render(light)
    (limited,) = Output(spec, budget, scale_of(response)).render(light)
    return budget, free, limited


def cycle(light: NDArray[np.float32], many: int, budget: float = 1e9) -> NDArray[np.float64]:
    """Return the codes of all frames of a cycle, shape (frames, LEDs, 3)."""
    frames = Output(StripSpec(leds=(len(light),)), budget).cycle(light, many)
    return np.stack([frames.frame(turn)[0] for turn in range(1 << many)]).astype(float)


# Three promises, against an oracle that goes LED by LED


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


# Frames with known bytes, and refusals


def test_a_budget_is_kept_to_the_last_digit() -> None:
    """Rounded numbers exceed neither the current of a step nor a hair less."""
    for leds, hair, level in product((1, 7, 363), (0, 1e-7), range(1, 255)):
        budget = leds + 3 * leds * 18.3 * level / 255 - hair
        frame = Output(StripSpec(leds=(leds,)), budget).render(np.ones((leds, 3), np.float32))
        assert milliamps("ws2812b", frame) <= Fraction(budget)


def test_the_limit_beats_the_floor() -> None:
    """With current for two steps, the two brightest of five LEDs are lit."""
    light = light_of(*((0.001 * led, 0, 0) for led in (1, 5, 3, 4, 2)))
    (shown,) = Output(StripSpec(leds=(5,)), 5 + 2.5 * 18.3 / 255).render(light)
    assert [0, 1, 0, 1, 0] == shown[:, 0].tolist()


def test_darkness_stays_dark() -> None:
    """Without light or brightness no LED is lit, whatever the floor."""
    output = Output(StripSpec(leds=(2,)))
    assert output.render(light_of((0, 0, 0), (0, 0, 0)))[0].max() == 0
    output.brightness = 0
    assert output.render(light_of((1, 1, 1), (1, 0, 0)))[0].max() == 0


def test_the_light_is_cut_into_channels() -> None:
    """Channels follow each other in the light; each gets its own array."""
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
    """Too bright is full, negative is dark: neither wraps around."""
    (shown,) = Output(StripSpec(leds=(2,))).render(light_of((1.5, -0.5, 0), (0, 2, 0)))
    assert [[255, 0, 0], [0, 255, 0]] == shown.tolist()


def test_light_may_lie_in_memory_as_it_likes() -> None:
    """Both orders in memory give the same bytes."""
    light = np.random.default_rng(1).random((40, 3)).astype(np.float32)
    output = Output(StripSpec(leds=(40,)), 100)
    (wanted,), (shown,) = output.render(light), output.render(np.asfortranarray(light))
    assert wanted.tolist() == shown.tolist()


def test_an_led_at_the_edge_of_the_floor_is_not_lost() -> None:
    """LEDs whose share is almost one step stay lit despite rounding."""
    dim, steps = 0.05, 11
    bright = steps * dim * 1.000012
    light = light_of((bright, bright, bright), *[(dim, dim / 2, dim / 2)] * 30)
    budget = 31 + 18.3 * float(light.sum(dtype=np.float64)) / 255 / dim * 1.000005
    (shown,) = Output(StripSpec(leds=(31,)), budget).render(light)
    assert shown.max(axis=1).min() == 1


def test_one_supply_is_shared_by_all_channels() -> None:
    """All channels share the number: a dark one leaves its part to the other."""
    light = light_of((0, 0, 0), (1, 1, 1))
    _, shared = Output(StripSpec(leds=(1, 1)), 2 + 3 * 18.3 + 1).render(light)
    _, alone = Output(StripSpec(leds=(1, 1)), [1 + 3 * 9.15 + 1] * 2).render(light)
    assert ([[255] * 3], [[132] * 3]) == (shared.tolist(), alone.tolist())


def test_a_budget_that_cannot_be_kept_is_refused() -> None:
    """It is less than the dark strip draws, or has no value for a channel."""
    rows: list[tuple[str, tuple[int, ...], Budget, str]] = [
        ("ws2812b", (363,), 362.0, "budget_ma = 362 is below the 363 mA of 363 dark LEDs"),
        ("ws2815", (363,), 762.0, "762.3 mA"),
        ("ws2812b", (363,), float("nan"), "budget_ma = nan"),
        ("ws2812b", (100, 20), 119, "budget_ma = 119 is below the 120 mA of 120 dark LEDs"),
        ("ws2812b", (20, 100), [50, 99], "budget_ma = 99 for channel 1 is below the 100 mA"),
        ("ws2812b", (20, 100), [9.5, 500], "budget_ma = 9.5 for channel 0 is below the 20 mA"),
        ("ws2812b", (20, 100), [500], "budget_ma is 1, but the number of channels is 2; set one"),
        ("ws2812b", (20,), [], "budget_ma is 0, but the number of channels is 1"),
    ]
    for kind, leds, budget, text in rows:
        with pytest.raises(StripError, match=text):
            Output(spec_of(kind, *leds), budget)


def test_a_response_that_is_none_is_refused() -> None:
    """It needs 256 values that never fall, from 0 to 1."""
    for response in (
        LINEAR[:255],
        LINEAR[:0],
        LINEAR * 255,
        LINEAR + 0.1,
        LINEAR[::-1],
        np.sin(LINEAR * np.pi * 2.5),
        np.where(LINEAR == 0.2, np.nan, LINEAR),
        LINEAR.reshape(16, 16),
    ):
        with pytest.raises(StripError, match="response of 256 values"):
            TableScale(response)


def test_a_budget_of_the_idle_current_as_reported_is_enough() -> None:
    """The budget in a refusal is sufficient, to the last digit."""
    for leds in (3, 61, 363, 1206):
        spec = StripSpec(leds=(leds,), type="ws2815")
        with pytest.raises(StripError, match="at least ") as refused:
            Output(spec, budget_ma=1)
        Output(spec, budget_ma=float(str(refused.value).rpartition(" ")[2]))


def test_a_budget_of_just_the_idle_current_leaves_the_strip_dark() -> None:
    """With exactly the idle current no LED glows."""
    (shown,) = Output(StripSpec(leds=(363,)), 363).render(np.ones((363, 3), np.float32))
    assert shown.max() == 0


def test_dim_light_keeps_its_steps_at_any_brightness() -> None:
    """A level of 0.05 has five steps or more, what is dimmer its part of that, full the brightness.

    Nothing overtakes what is brighter, and light rises from the dark without a jump.
    """
    light = np.repeat(np.linspace(0, 1, 2001, dtype=np.float32)[:, None], 3, axis=1)
    output = Output(StripSpec(leds=(2001,)), 1e6, shadows=(0.05, 5))
    for brightness, bits in product((1, 0.5, 0.25, 0.1, 0.05), (0, 1, 2)):
        output.brightness = brightness
        frames = output.cycle(light, bits)
        levels = np.mean([frames.frame(turn)[0][:, 0] for turn in range(1 << bits)], axis=0)
        step = 1 / (1 << bits)
        assert levels[100] >= 5 * step
        assert levels[-1] == pytest.approx(255 * brightness, abs=step / 2)
        assert 0 <= np.diff(levels).min()
        assert np.diff(levels).max() <= max(step, 255 / 2000 + step)


def test_brightness_and_shapes_are_checked() -> None:
    """A brightness beyond 0 to 1 and light for another strip are refused."""
    output = Output(StripSpec(leds=(2,)))
    with pytest.raises(StripError, match="between 0 and 1"):
        output.brightness = 1.1
    with pytest.raises(StripError, match=r"shape \(1, 3\), the strip \(2, 3\)"):
        output.render(light_of((0, 0, 0)))


# Dither: the mean of a cycle, the total of each frame, and the limits of a cycle


@given(colour=colours, many=bits, leds=st.integers(1, 6))
def test_the_mean_over_an_even_field_is_within_a_sixteenth_of_a_code(
    colour: tuple[float, float, float], many: int, leds: int
) -> None:
    """This is over a cycle and any eight neighbours, with light for one step."""
    light = np.tile(np.array(colour, np.float32), (8 * leds, 1))
    shown = cycle(light, many).mean(axis=0).reshape(leds, 8, 3).mean(axis=1)
    if max(colour) * 255 * (1 << many) >= 1:
        assert float(np.abs(shown - light[0] * 255.0).max()) <= 1 / 16 + 1e-4


@given(rows=st.lists(colours, min_size=1, max_size=40), many=bits)
def test_the_mean_of_an_led_alone_is_the_nearest(
    rows: list[tuple[float, float, float]], many: int
) -> None:
    """An LED unlike its neighbours is within half of the finest step."""
    light = np.array(rows, np.float32)
    light[1::2] = 0  # so none has an equal neighbour, but for the dark ones
    shown = cycle(light, many).mean(axis=0)
    step = 1 / (1 << many)
    lit = light.max(axis=1) * 255 >= step
    assert float(np.abs(shown - light * 255.0)[lit].max(initial=0)) <= step / 2 + 1e-4


@given(rows=st.lists(colours, min_size=1, max_size=60), many=bits, repeated=st.integers(1, 9))
def test_the_total_is_constant(
    rows: list[tuple[float, float, float]], many: int, repeated: int
) -> None:
    """Any two frames of a cycle draw the same current, to one code."""
    totals = cycle(np.repeat(np.array(rows, np.float32), repeated, axis=0), many).sum(axis=(1, 2))
    assert totals.max() - totals.min() <= 1


@given(rows=st.lists(colours, min_size=1, max_size=12), many=bits, spare=st.floats(0.1, 300))
def test_the_limit_holds_in_each_frame(
    rows: list[tuple[float, float, float]], many: int, spare: float
) -> None:
    """No single frame of a cycle draws more than the budget."""
    light = np.array(rows, np.float32)
    frames = cycle(light, many, len(light) + spare)
    current = frames.sum(axis=(1, 2)) * POWER["ws2812b"].colour / 255
    assert current.max() <= spare


@given(steps=st.lists(st.integers(0, 2040), min_size=3, max_size=30), many=bits)
def test_a_byte_is_one_of_the_two_beside_the_light(steps: list[int], many: int) -> None:
    """No frame is further from the light than the next byte."""
    eighths = np.array(steps[: len(steps) // 3 * 3], np.uint16).reshape(-1, 3)
    wanted = (eighths >> (3 - many)).astype(np.uint16)
    for turn in range(1 << many):
        shown = dithered(wanted, many, turn).astype(int)
        assert ((shown - (wanted >> many) >= 0) & (shown - (wanted >> many) <= 1)).all()


def test_a_colour_between_two_bytes_does_not_stay_long_at_one() -> None:
    """Half-way between two bytes the frames alternate, as fast as possible."""
    for many in range(1, MAX_BITS + 1):
        half = np.full((1, 3), 1 << (many - 1), np.uint16)
        shown = [int(dithered(half, many, turn)[0, 0]) for turn in range(2 << many)]
        assert [0, 1] * (1 << many) in (shown, shown[1:] + shown[:1])


def test_a_light_of_whole_bytes_does_not_move() -> None:
    """Light that bytes can show is not dithered, and is sent once a second."""
    light = np.full((5, 3), 51 / 255, np.float32)
    frames = Output(StripSpec(leds=(5,)), 1e6).cycle(light, 2)
    assert not frames.moves
    assert [[51] * 3] * 5 == frames.still()[0].tolist()
