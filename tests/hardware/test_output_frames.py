"""Frames of the output stage with known bytes, and its refusals."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from hardware.errors import StripError
from hardware.output import Output
from hardware.power import Budget
from hardware.strips import StripSpec
from hardware.strips.scale import LINEAR, TableScale
from tests.hardware.slow_output import light_of, milliamps, spec_of


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
