"""The lights thread on a strip that is fast enough for dither, and at night."""

from collections.abc import Iterator
from datetime import time

import numpy as np
import pytest

from companion.lights.night_hours import NightLimit
from hardware.output import Output
from hardware.strips import StripSpec
from tests.companion.devices.test_light_thread import MOVED, STILL, WIRING, Bench, Unplugged
from tests.support.timeout import TIMEOUT_S

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
