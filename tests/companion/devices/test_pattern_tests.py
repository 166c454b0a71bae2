"""The captions of test patterns: the expected light, its current, and remedies."""

import time
from collections.abc import Sequence

import numpy as np

from companion.devices.pattern_tests import PATTERNS, PatternTest, StripUnderTest, pattern_test
from companion.lights import Wiring
from hardware.strips import StripSpec, VirtualStrip
from tests.companion.lights.games import SMALL

WIRING = Wiring.make(SMALL)


def on_strip(
    *leds: int,
    kind: str = "ws2812b",
    order: str = "GRB",
    budget_ma: float | Sequence[float] = 2000.0,
) -> StripUnderTest:
    """Return a virtual strip under test."""
    return StripUnderTest(
        VirtualStrip(StripSpec(leds=leds, type=kind, order=order), clock=time.monotonic), budget_ma
    )


def captions(test: PatternTest, frames: int) -> dict[int, str]:
    """Return the captions by the frame at which they come."""
    reported = {k: test.caption(k, frames) for k in range(frames)}
    return {k: str(caption) for k, caption in reported.items() if caption}


def test_something_is_reported_of_each_pattern() -> None:
    """Each has its name, and its first caption comes in the first tenth."""
    for name in PATTERNS:
        test = pattern_test(name, on_strip(10), WIRING)
        assert name == test.name
        assert min(captions(test, 40)) < 4


def test_order_tells_each_step_once() -> None:
    """Each step has its channel and colour; white is there only if the strip has it."""
    test = pattern_test("order", on_strip(2, 3), None)
    expected = [f"all of channel {n} {c}" for n in (0, 1) for c in ("red", "green", "blue")]
    assert expected == list(captions(test, 60).values())
    assert [0, 10, 20, 30, 40, 50] == list(captions(test, 60))
    white = pattern_test("order", on_strip(2, kind="sk6812w", order="GRBW"), None)
    assert "all of channel 0 white" == captions(white, 60)[45]


def test_order_with_too_few_frames_shows_the_first_steps() -> None:
    """Steps come in order; the last frame gives the number of missing ones."""
    reported = captions(pattern_test("order", on_strip(2, 3), None), 2)
    short = "all of channel 0 green (the last frame; all 6 steps need --frames 6 or more)"
    assert {0: "all of channel 0 red", 1: short} == reported


def test_order_lasts_as_long_as_its_steps() -> None:
    """Each channel and colour is shown for the same time."""
    one, two = (pattern_test("order", on_strip(*leds), None).seconds for leds in ((2,), (2, 2)))
    assert 2 * one == two
    assert 2 <= one / 3 <= 4


def test_order_tells_what_to_set_instead() -> None:
    """The words name five ways, as RGB for red and green swapped under GRB; white has its own."""
    said = [*map(str, pattern_test("order", on_strip(2), None).notes)]
    assert "  RGB if red, green, blue come as green, red, blue" in said
    white = on_strip(2, kind="sk6812w", order="WRGB")
    said = [*map(str, pattern_test("order", white, None).notes)]
    assert "  WGRB if red, green, blue come as green, red, blue" in said
    assert 5 == sum(" come as " in line for line in said)
    assert "  RWGB if white and red are swapped" in said
    assert "  BRGW if white and blue are swapped" in said


def test_white_tells_each_tenth_it_passes() -> None:
    """Many frames report ten levels, few frames the level of each."""
    test = pattern_test("white", on_strip(2), None)
    expected = [f"level {percent}%" for percent in range(10, 101, 10)]
    assert expected == list(captions(test, 150).values())
    assert ["level 50%", "level 100%"] == list(captions(test, 2).values())


MORE = "use fewer --leds or a bigger --budget-ma"


def test_white_tells_from_which_level_on_the_supply_limits_it() -> None:
    """100 LEDs draw 1 mA in the dark, up to 54.9 mA more: 670 mA end at 10 to 11%, 110 at once."""
    for budget, words in (
        (670, "limits the light from level 11% up"),
        (110, f"limits the light from level 1% up, so the light does not rise: {MORE}"),
        (5600, "is big enough"),
    ):
        (said,) = pattern_test("white", on_strip(100, budget_ma=budget), None).notes
        assert f"full white needs 5590 mA; the supply {words}" == str(said)


def test_light_too_dim_to_be_seen_is_reported() -> None:
    """100 dark LEDs draw 100 mA, so there is no light left, or too little for daylight."""
    for budget, words in ((100, "nothing"), (120, "hardly anything")):
        said = on_strip(100, budget_ma=budget).current(np.full((100, 3), 0.2, np.float32))
        assert str(said).endswith(f"dimmed from 1198 mA; {words} is lit: {MORE}")


def test_index_tells_that_colours_coincide() -> None:
    """Dimmed LEDs may look alike: it gives their number, and the current for all."""
    enough = pattern_test("index", on_strip(100), None)
    assert () == enough.notes
    dimmed = on_strip(100, budget_ma=130)
    test = pattern_test("index", dimmed, None)
    different = len(np.unique(dimmed.output.render(test.pattern(0, 1))[0], axis=0))
    (said,) = test.notes
    only = f"only {different} different colours; to be all different they need 171 mA"
    assert only in str(said)
    assert str(said).endswith(f": {MORE}")
    assert "LEDs far apart may look the same" == str(test.caption(0, 1))


def test_light_is_limited_if_a_byte_is() -> None:
    """This holds for any number of milliamperes."""
    light = np.full((100, 3), 1 / 255, np.float32)
    full = on_strip(100).unlimited_ma(light)
    assert not on_strip(100, budget_ma=full + 0.01).is_limited(light)
    assert on_strip(100, budget_ma=full - 0.01).is_limited(light)


def test_white_is_limited_where_one_supply_of_two_is() -> None:
    """With a supply a channel the first one at its limit counts."""
    (said,) = pattern_test("white", on_strip(100, 10, budget_ma=(670, 2000)), None).notes
    assert "from level 11% up" in str(said)


def test_zones_tell_what_the_strip_stands_for() -> None:
    """On the wiring's own strip it is the board, on any other the track from hole 1 on."""
    wired = captions(pattern_test("zones", on_strip(*WIRING.leds), WIRING), 3)
    assert {0: "the printed zones of Small, as wired in the settings"} == wired
    (other,) = captions(pattern_test("zones", on_strip(30, 20), WIRING), 3).values()
    assert "LED n shows hole n + 1 of Small" in other
    assert f"has {WIRING.leds[0]} LEDs" in other


def test_zones_that_light_nothing_say_so() -> None:
    """The small board has no print before hole 6: fewer LEDs than that show none of it."""
    assert () == pattern_test("zones", on_strip(6), WIRING).notes
    (said,) = pattern_test("zones", on_strip(5), WIRING).notes
    assert "nothing is lit: the first printed hole is 6: " in str(said)
    assert str(said).endswith("use --leds 6 or more")


def test_the_current_of_light() -> None:
    """The milliamperes are the limited ones; what light would want is told where it is more."""
    rig = on_strip(100, budget_ma=649)
    assert "100 mA" == str(rig.current(np.zeros((100, 3), np.float32)))
    full = rig.current(np.ones((100, 3), np.float32))
    drawn, _, wanted = str(full).partition(", dimmed from ")
    assert "5590 mA" == wanted
    assert 600 < float(drawn.removesuffix(" mA")) <= 649
