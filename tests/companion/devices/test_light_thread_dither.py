"""The lights thread on a strip that is fast enough for dither, and at night."""

import math
from collections.abc import Iterator
from datetime import time
from itertools import product

import numpy as np
import pytest

from companion.board.zone_kinds import ZoneKind
from companion.devices.assembly import assemble
from companion.lights.limits import NightLimit
from companion.lights.palette import LOWEST_BRIGHTNESS
from companion.lights.scene.scene import TRAIL_LEVEL, ZONE_LEVEL
from companion.settings.load import load_settings
from companion.toml import Value
from hardware.dither import RETRY_S, DitherPace
from hardware.output import Output
from hardware.strips import StripSpec
from tests.companion.devices.test_light_thread import MOVED, STILL, WIRING, Bench, Unplugged
from tests.support.limits import TIMEOUT_S

NIGHT = NightLimit(begins=time(22), ends=time(7), limit=0.02)


class Quick(Unplugged):
    """A strip that sends 125 frames a second."""

    is_quick = True
    wire_seconds = 0.008


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A bench with a quick strip, dimmed so that much lies between two bytes."""
    bench = Bench(Quick, brightness=0.05, dithers=True)
    yield bench
    bench.lamps.stop()


def test_what_stands_still_is_dithered(bench: Bench) -> None:
    """Two alternating frames show what one cannot; the light is composed only once."""
    bench.start()
    for _ in range(20):
        bench.sent()
    assert bench.scene.requested.empty()
    bench.lamps.stop()
    *_, before, last, _dark = (np.concatenate(frame) for _, frame in bench.strip.frames)
    light, _ = bench.scene.compose(STILL, 50.0)
    output = Output(StripSpec(leds=WIRING.leds), 100_000)
    output.brightness = 0.05
    cycle = output.cycle(WIRING.spread(light), 1)
    turns = [np.concatenate(cycle.frame(turn)).tolist() for turn in range(2)]
    assert turns[0] != turns[1]
    assert sorted(turns) == sorted([before.tolist(), last.tolist()])


def test_those_who_watch_get_no_frame_of_a_cycle(bench: Bench) -> None:
    """Pages get the nearest bytes, once."""
    bench.start()
    for _ in range(5):
        bench.sent()
    assert 1 == len(bench.seen)


def test_a_new_view_is_shown_between_two_frames_of_a_cycle(bench: Bench) -> None:
    """It is composed at once, without waiting for the end of a cycle or the refresh."""
    bench.start()
    bench.sent()
    bench.lamps.show(MOVED)
    assert 50.0 == bench.scene.requested.get(timeout=TIMEOUT_S)


@pytest.mark.parametrize(("strip_class", "dithers"), [(Quick, False), (Unplugged, True)])
def test_without_leave_or_speed_nothing_is_dithered(
    strip_class: type[Unplugged], *, dithers: bool
) -> None:
    """With calm, the setting or a slow strip, a still frame is sent once a second."""
    bench = Bench(strip_class, brightness=0.05, dithers=dithers)
    bench.start()
    bench.show(STILL, at=50.99)
    bench.show(STILL, at=51.0)
    assert 51.0 == bench.sent()
    bench.lamps.stop()


@pytest.mark.parametrize(("hour", "most"), [(21, 255), (23, 5)])
def test_no_light_exceeds_the_night_limit(hour: int, most: int) -> None:
    """At night every byte is at most the limit, whatever the brightness."""
    bench = Bench(night=NIGHT, hour=hour)
    bench.start()
    bench.lamps.stop()
    assert most == max(int(channel.max()) for channel in bench.seen[0])


# The pace of dither


def frames(pace: DitherPace, t: float, interval: float, count: int = 101) -> float:
    """Send frames at an interval. Return the time of the last."""
    for _ in range(count):
        pace.note_frame(t)
        t += interval
    return t


def test_the_wire_gives_the_bits() -> None:
    """One from 100 frames a second, two from 200, three from 400; a cycle takes a fiftieth."""
    bits = {11: 0, 10: 1, 8: 1, 5: 2, 2.5: 3, 0.1: 3, math.inf: 0}
    paces = {wire_ms: DitherPace(wire_ms / 1000) for wire_ms in bits}
    assert bits == {wire_ms: pace.bits for wire_ms, pace in paces.items()}
    for pace in paces.values():
        assert pace.bits == 0 or 50 <= 1 / pace.interval / 2**pace.bits <= 55.1


def test_a_strip_that_does_not_keep_the_pace_gets_fewer_bits() -> None:
    """At 150 frames a second it gets one of two bits, at 80 none; later two are tried."""
    pace = DitherPace(0.004)
    t = frames(pace, 10.0, 1 / 150)
    assert 1 == pace.bits
    t = frames(pace, t, 1 / 80)
    assert 0 == pace.bits
    pace.retry(t + RETRY_S - 1)
    assert 0 == pace.bits
    pace.retry(t + RETRY_S)
    assert 2 == pace.bits


def test_a_pause_is_no_slowness() -> None:
    """A pause between two lights is not measured."""
    pace = DitherPace(0.004)
    frames(pace, 0.0, 0.004, count=60)
    pace.pause()
    frames(pace, 50.0, 0.004)
    assert 2 == pace.bits


def test_one_late_frame_is_no_slowness() -> None:
    """The rate is taken over a hundred frames."""
    pace = DitherPace(0.004)
    t = frames(pace, 0.0, 0.004, count=60)
    frames(pace, t + 0.05, 0.004, count=41)
    assert 2 == pace.bits


# Colours of sides and zones at every brightness


BRIGHTNESSES = np.geomspace(LOWEST_BRIGHTNESS, 1, 40)


@pytest.mark.parametrize(
    "strip",
    [
        {"driver": "virtual"},
        {"driver": "virtual", "type": "ws2815"},
        {"driver": "virtual", "white_balance": [0.7, 0.8, 1.0]},
        {"driver": "spi:apa102"},
        {"driver": "spi:sk9822"},
        {"driver": "spi:hd108"},
    ],
)
def test_zones_and_trails_never_share_a_pixel(strip: dict[str, Value]) -> None:
    """Zones at rest and the trails of all sides are seven pixels, from 5 % brightness to full."""
    given: dict[str, Value] = {**strip, "budget_ma": 90_000}
    light = assemble(load_settings(None, {"strip": given})).light
    palette = light.palette
    colours = [
        *(palette.zone(kind) * np.float32(ZONE_LEVEL) for kind in ZoneKind),
        *(palette.side(side) * np.float32(TRAIL_LEVEL) for side in (1, 2, 3)),
    ]
    shown = np.zeros((sum(light.wiring.leds), 3), np.float32)
    shown[: 2 * len(colours) : 2] = colours  # apart, so that none is dithered with a neighbour
    for bits, brightness in product((0, 1, 2), BRIGHTNESSES):
        light.output.brightness = float(brightness)
        (steps,) = light.output.cycle(shown, bits * light.output.can_dither).parts
        pixels = {tuple(map(int, pixel)) for pixel in steps[: 2 * len(colours) : 2]}
        assert len(colours) == len(pixels), brightness
