"""The test patterns: each LED's light in each frame, on any strip."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board.zone_kinds import ZoneKind
from companion.lights import Palette, Per, Wiring, patterns
from companion.lights.compositor import Light
from hardware.output import Output
from hardware.strips import StripSpec
from tests.companion.lights.games import SMALL
from tests.support.boards import small_zones
from tests.support.lamp_reader import led_of

PALETTE = Palette.make()
FRAMES = 60

lengths = st.lists(st.integers(1, 200), min_size=1, max_size=2)


def colours(light: Light) -> list[tuple[float, ...]]:
    """Return the colour of each LED."""
    return [tuple(pixel) for pixel in light.tolist()]


def steps(light: Light) -> list[tuple[int, ...]]:
    """Return the colour of each LED in steps of `index`."""
    return [tuple(pixel) for pixel in (light * 255 / patterns.INDEX_STEP).round().tolist()]


# index


def test_index_gives_each_led_a_colour_of_its_own() -> None:
    """All LEDs of the longest reels are lit, and all differ."""
    shown = colours(patterns.index([5000])(0, 1))
    assert 5000 == len(set(shown))
    assert (0, 0, 0) not in shown


def test_index_is_the_list_of_all_colours_by_their_sum() -> None:
    """They are all whole colours by sum, red before green before blue, without black."""
    everything = itertools.product(range(11), repeat=3)
    expected = sorted(everything, key=lambda rgb: (sum(rgb), [-colour for colour in rgb]))[1:286]
    assert expected == steps(patterns.index([285])(0, 1))


@given(lengths, st.integers(0, FRAMES - 1))
def test_index_goes_by_the_index_alone(leds: list[int], k: int) -> None:
    """Channels, length and frame have no effect on an LED's colour."""
    longest = colours(patterns.index([400])(0, 1))
    assert longest[: sum(leds)] == colours(patterns.index(leds)(k, FRAMES))


@pytest.mark.parametrize(("kind", "order"), [("ws2812b", "GRB"), ("sk6812w", "GRBW")])
def test_index_fits_into_an_ordinary_supply(kind: str, order: str) -> None:
    """363 LEDs stay within 2 A undimmed, as bytes are whole steps."""
    spec = StripSpec(leds=(363,), type=kind, order=order)
    light = patterns.index(spec.leds)(0, 1)
    (limited,) = Output(spec, budget_ma=2000).render(light)
    (unlimited,) = Output(spec, budget_ma=1e6).render(light)
    assert unlimited.tolist() == limited.tolist()
    assert 363 == len(np.unique(limited, axis=0))
    assert not (limited % patterns.INDEX_STEP).any()


# order


@given(lengths, st.sampled_from([3, 4]), st.integers(1, 4))
def test_order_lights_a_channel_in_a_colour(leds: list[int], white: int, each: int) -> None:
    """Each channel shows red, green, blue and any white; the rest is dark."""
    frames = len(leds) * white * each
    pattern = patterns.order(leds, white)
    shown = [pattern(k, frames) for k in range(frames)]
    ends = [0, *itertools.accumulate(leds)]
    expected = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)][:white]
    for n, light in enumerate(shown):
        channel, colour = divmod(n // each, white)
        own = light[ends[channel] : ends[channel + 1]]
        level = np.float32(patterns.ORDER_LEVEL)
        assert {tuple(level * one for one in expected[colour])} == set(colours(own))
        assert np.count_nonzero(own) == np.count_nonzero(light)


@given(st.integers(1, 2), st.sampled_from([3, 4]), st.integers(1, 100))
def test_order_steps_never_go_back(channels: int, white: int, frames: int) -> None:
    """With any number of frames the steps come in order, about equally long."""
    every = list(itertools.product(range(channels), list(patterns.COLOURS)[:white]))
    shown = [every.index(patterns.order_step(channels, white, k, frames)) for k in range(frames)]
    assert sorted(shown) == shown
    lasted = [shown.count(step) for step in range(len(every))]
    assert max(lasted) - min(lasted) <= 1
    assert frames >= len(every) or list(range(frames)) == shown


@given(st.permutations("RGB"), st.permutations("RGB"), st.integers(0, 3))
def test_the_order_to_set_is_the_strips_own(own: list[str], wrong: list[str], white: int) -> None:
    """A strip driven in another order shows its own by the colours."""
    sent, lit = list(wrong), list(own)
    if white:
        sent.insert(white, "W")
        lit.insert(white, "W")
    seen = "".join(lit[sent.index(colour)] for colour in "RGB")
    assert "".join(lit) == patterns.corrected_order("".join(sent), seen)


# white


@given(lengths, st.integers(1, FRAMES))
def test_white_rises_to_full(leds: list[int], frames: int) -> None:
    """All LEDs rise together to full light in the last frame."""
    pattern = patterns.white(leds)
    shown = np.array([pattern(k, frames) for k in range(frames)])
    assert (frames, sum(leds), 3) == shown.shape
    assert np.arange(1, frames + 1) / frames == pytest.approx(shown[:, 0, 0])
    assert (shown == shown[:, :1, :1]).all()


# zones


@pytest.mark.parametrize("per", Per)
@pytest.mark.parametrize("channels", [1, 2])
def test_zones_are_where_the_wiring_has_them(per: Per, channels: int) -> None:
    """On the wiring's strip a zone's LEDs have its colour, unprinted ones none."""
    wiring = Wiring.make(SMALL, {"per": str(per), "channels": channels})
    light = patterns.zones(wiring.leds, wiring, PALETTE)(0, 1)
    firsts = (0, wiring.leds[0])

    def at(lane: int, hole: int) -> Light:
        where = led_of(wiring, wiring.points.index(lane, hole))
        assert where is not None
        channel, led = where
        return np.asarray(light[firsts[channel] + led])

    for zone in SMALL.track.zones:
        for lane, hole in itertools.product(wiring.points.lanes, zone.box):
            shown = at(lane, hole)
            assert PALETTE.zone(zone.kind) / PALETTE.zone(zone.kind).max() == pytest.approx(
                shown / shown.max(), abs=1e-6
            )
    assert at(1, 60).any()  # the finish
    assert not at(1, 59).any()


def test_zones_on_any_strip_begin_at_hole_1() -> None:
    """On another strip LED n is hole n + 1, dark after the finish."""
    wiring = Wiring.make(SMALL)
    light = patterns.zones([7, 100], wiring, PALETTE)(0, 1)
    first, second = light[:7], light[7:]
    red = PALETTE.zone(ZoneKind.RED_SLIDE)
    assert first.tolist() == second[:7].tolist()
    assert [False] * 5 + [True] * 2 == first.any(axis=1).tolist()
    assert (red / red.max()).tolist() == (first[5] / first[5].max()).tolist()
    zones = {hole for zone in small_zones() for hole in (*zone.box, *zone.to)}
    assert zones | {10, 60} == set((np.flatnonzero(second.any(axis=1)) + 1).tolist())


def test_zones_are_bright_enough_to_be_seen() -> None:
    """A zone has a quarter of full light, as nothing is above it."""
    light = patterns.zones([60], Wiring.make(SMALL), PALETTE)(0, 1)
    assert pytest.approx(0.25) == light.max()
