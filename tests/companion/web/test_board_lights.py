"""Raw light at a running table until any press, the light test, and the strip of a calibration."""

import time
from collections.abc import Awaitable, Callable
from itertools import product

import numpy as np
import pytest

from companion.errors import BadInputError, SettingsError
from companion.lights import Per, Wiring
from companion.settings.load import load_settings
from companion.toml import Value
from companion.web.board_lights import pattern_on_strip, playing, steady
from companion.web.calibration import Calibrated
from hardware.errors import HardwareError
from hardware.output import Output
from hardware.power import POWER
from hardware.strips import Strip, StripSpec, VirtualStrip
from tests.companion.table.bench import Bench, at_table
from tests.support.scenes import run_by
from tests.support.services import LookedAt

SPEC = StripSpec(leds=(4,))
CLASSIC: dict[str, Value] = {"board": "classic"}


def lit_at_table(play: Callable[[LookedAt], Awaitable[None]]) -> None:
    """Play at a table whose LEDs a test reads."""

    async def scene(bench: Bench) -> None:
        await play(LookedAt(bench))

    at_table(Bench(), scene)


async def hung(looked: LookedAt, led: int) -> Strip:
    """Light one LED of a small strip."""
    light = np.zeros((4, 3), np.float32)
    light[led] = 1.0
    strip = VirtualStrip(SPEC, clock=time.monotonic)
    await looked.lights.show_strip(strip, Output(SPEC, budget_ma=500), steady(light))
    return strip


@run_by(lit_at_table)
async def test_any_press_ends_it_and_does_nothing_else(looked: LookedAt) -> None:
    """The unchanged game is shown again."""
    strip = await hung(looked, 2)
    assert (True, [(0, 2)]) == (looked.lights.shows(strip), looked.lit())
    await looked.press("1.plus_five")
    assert (False, None) == (looked.lights.shows(strip), looked.raw)
    assert {} == dict(looked.bench.table.panel.counts.by_side)
    assert looked.bench.lamps.view is looked.bench.table.display.view


@run_by(lit_at_table)
async def test_a_game_that_is_shown_again_ends_it(looked: LookedAt) -> None:
    """The board shows only one of the two."""
    strip = await hung(looked, 2)
    looked.bench.table.demo(on=True)
    assert not looked.lights.shows(strip)
    await looked.press("1.plus_five")
    assert looked.raw is None


@run_by(lit_at_table)
async def test_it_is_ended_from_the_page(looked: LookedAt) -> None:
    """A second end does nothing."""
    await hung(looked, 2)
    looked.lights.end()
    looked.lights.end()
    assert (None, None) == (looked.raw, looked.bench.table.display.replayed)


@run_by(lit_at_table)
async def test_a_strip_that_cannot_be_opened_is_reported(looked: LookedAt) -> None:
    """The board shows the game, and another strip can be tried."""
    looked.troubles = [HardwareError("no such device: see [strip] driver")]
    with pytest.raises(BadInputError, match="cannot be lit: no such device"):
        await hung(looked, 1)
    assert (None, None) == (looked.raw, looked.bench.table.display.replayed)
    await hung(looked, 1)
    assert [(0, 1)] == looked.lit()


@pytest.mark.parametrize(
    ("pattern", "colours"), [("order", [{0}, {1}, {2}, {0}]), ("white", [{0, 1, 2}] * 4)]
)
def test_patterns_are_played_over_and_over(pattern: str, colours: list[set[int]]) -> None:
    """They begin at the first frame, and give the time of the next one."""
    _, trial = pattern_on_strip(load_settings(None, CLASSIC), pattern)
    light = playing(trial)
    seconds = trial.seconds / 3 if pattern == "order" else trial.seconds
    seen = []
    for n in range(4):
        t = 77.0 + (n + 0.5 if n else 0.0) * seconds
        found, again = light(t)
        assert again is not None
        assert 0 < again - t <= 1 / 30 + 1e-6
        seen.append({int(colour) for colour in np.flatnonzero(found.any(axis=0))})
    assert colours == seen


def test_a_test_is_of_the_strip_in_the_settings() -> None:
    """It has all LEDs and the supply of the settings, which are checked."""
    settings = load_settings(None, CLASSIC | {"strip": {"type": "sk6812w", "budget_ma": 900}})
    bench, _ = pattern_on_strip(settings, "index")
    wired = Wiring.make(Calibrated(settings, per=Per.HOLE, channels=1, far=True).board)
    assert ("sk6812w", wired.leds) == (bench.strip.spec.type, bench.strip.spec.leds)
    with pytest.raises(SettingsError, match="driver"):
        pattern_on_strip(load_settings(None, {"strip": {"driver": "nope"}}), "index")


def test_only_what_is_asked_about_is_lit() -> None:
    """The strip has all LEDs in question, or all wired ones."""
    for far, channels in product((True, False), (1, 2)):
        settings = load_settings(None, CLASSIC | {"wiring": {"channels": channels}})
        calibrated = Calibrated(settings, per=Per.HOLE_AND_LANE, channels=channels, far=far)
        requested = calibrated.core.question
        assert requested
        spread = Wiring.make(calibrated.board, {"channels": channels}).leds
        assert ((calibrated.core.leds,) * channels if far else spread) == calibrated.leds
        assert calibrated.leds == calibrated.strip.spec.leds
        assert [requested.first] == np.flatnonzero(calibrated.light.any(axis=1)).tolist()


@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("budget", [800, [400, 500]])
def test_leds_that_are_not_there_take_nothing_of_the_supply(budget: Value, channels: int) -> None:
    """With all lit, the board's LEDs draw no more than the supply gives."""
    supplies = budget if isinstance(budget, list) else [budget]
    overrides = {"strip": {"budget_ma": budget}, "wiring": {"channels": len(supplies)}}
    settings = load_settings(None, CLASSIC | overrides)
    calibrated = Calibrated(settings, per=Per.HOLE_AND_LANE, channels=channels, far=True)
    calibrated.output.render(np.ones((sum(calibrated.leds), 3), np.float32))
    idle = POWER["ws2812b"].idle
    drawn = calibrated.output.milliamps - idle * sum(calibrated.leds)
    leds = Wiring.make(calibrated.board, {"channels": len(supplies)}).leds
    rooms = [supply - idle * length for supply, length in zip(supplies, leds, strict=False)]
    most = sum(rooms) if channels == len(supplies) else min(rooms)
    assert most / 2 < drawn <= most  # one step more of an even field is too much


@pytest.mark.parametrize("per", Per)
def test_every_place_has_a_name_of_its_own(per: Per) -> None:
    """Screen readers get that name."""
    calibrated = Calibrated(load_settings(None, {}), per=per, channels=1, far=True)
    assert set(range(calibrated.core.points.size)) == set(calibrated.spots)
    assert len(calibrated.spots) == len({name for *_, name in calibrated.spots.values()})
    requested = calibrated.core.question
    assert requested
    for point in requested.likely:
        assert point == calibrated.core.tapped(*calibrated.spots[point][:2])


def test_a_strip_that_cannot_be_so_is_reported() -> None:
    """There is one line with the setting."""
    settings = load_settings(None, {"strip": {"driver": "rpi_ws281x:spi"}})
    with pytest.raises(BadInputError, match="cannot be lit"):
        Calibrated(settings, per=Per.HOLE, channels=2, far=True)
