"""Each effect does what its name says, and flashes at most three times a second."""

import itertools
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.lights import Light
from companion.lights.compositor import Effect, dark
from companion.lights.scene.effects import Beat, Chase, Pulse, Rise, Runners, Steps, Swell, Window
from tests.companion.lights.flicker import most_flashes

RED, GREEN, WHITE = (np.array(rgb, dtype=np.float32) for rgb in ([1, 0, 0], [0, 1, 0], [1, 1, 1]))
FIRST = np.array([0])


def seen(effect: Effect, t: float, *, size: int = 200) -> Light:
    """Return an effect painted on darkness."""
    light = dark(size)
    effect.show(light, t)
    return light


def red_level(effect: Effect, t: float, point: int = 0) -> float:
    """Return the red level of a point."""
    return float(seen(effect, t)[point, 0])


def test_a_beat_takes_turns() -> None:
    """Each colour shows for one period, and the time of the change is known."""
    beat = Beat(points=FIRST, colours=np.stack([RED, GREEN]), period=0.5)
    assert [1.0, 0.0, 1.0] == [red_level(beat, t) for t in (10.0, 10.5, 11.4)]
    assert 10.5 == beat.show(dark(1), 10.2)


def test_a_calm_beat_fades() -> None:
    """One colour changes into the other without a jump."""
    beat = Beat(points=FIRST, colours=np.stack([RED, GREEN]), period=1.0, calm=True)
    levels = [red_level(beat, 10 + n / 64) for n in range(256)]
    assert 1.0 == pytest.approx(max(levels))
    assert 0.0 == pytest.approx(min(levels), abs=0.02)
    assert 0.11 > max(abs(a - b) for a, b in itertools.pairwise(levels))


def test_a_pulse_swells_between_low_and_full() -> None:
    """It begins low, is full half-way and never dark."""
    pulse = Pulse(points=FIRST, colour=RED, period=2.0, low=0.25)
    assert [0.25, 1.0] == [red_level(pulse, t) for t in (4.0, 5.0)]


def test_a_chase_lights_one_ring_after_the_other() -> None:
    """The order is outer ring, inner ring, nothing, and again."""
    rings = (np.array([0, 2]), np.array([1]))
    chase = Chase(rings=rings, colour=RED, step=0.25)
    lit = [np.flatnonzero(seen(chase, n / 4)[:, 0]).tolist() for n in range(4)]
    assert [[0, 2], [1], [], [0, 2]] == lit


def test_a_swell_rises_and_falls_once() -> None:
    """There is one rise and one fall in its seconds."""
    swell = Swell(points=FIRST, colour=RED, seconds=1.0)
    levels = [red_level(swell, n / 64) for n in range(64)]
    assert levels[:33] == sorted(levels[:33])
    assert levels[32:] == sorted(levels[32:], reverse=True)
    assert [0.0, 1.0] == pytest.approx([levels[0], levels[32]])


def test_stages_stay() -> None:
    """Each is added at its time, and the last one stays."""
    steps = Steps(steps=((1.0, FIRST), (3.0, np.array([1]))), colour=RED)
    assert [0, 1, 2] == [int(seen(steps, t)[:, 0].sum()) for t in (0.0, 2.0, 9.0)]
    assert [1.0, 3.0, None] == [steps.show(dark(2), t) for t in (0.0, 2.0, 9.0)]


def test_a_rise_comes_up_from_dark() -> None:
    """Lightness grows in proportion to time."""
    rise = Window(effect=Rise(seconds=2.0), start=2.0, end=4.0)
    light = dark(1) + np.float32(0.8)
    rise.show(light, 3.0)
    assert pytest.approx(0.1) == light[0, 0]
    assert rise.show(light, 4.0) is None
    assert pytest.approx(0.1) == light[0, 0]


@settings(deadline=None)
@given(st.floats(0, 1e7), st.integers(61, 400))
def test_runners_move_one_way_and_keep_their_distance(t: float, holes: int) -> None:
    """Each gap has one head, and all move equally far."""
    runners = Runners(np.arange(holes), RED, gap=60, speed=30.0)
    heads = np.flatnonzero(seen(runners, t, size=holes)[:, 0] == 1.0)
    assert set(np.diff(heads)) <= {60}
    assert heads[0] == int(t * 30 % 60)


def test_no_effect_flashes_more_than_three_times_a_second() -> None:
    """At the scene's highest speed each effect keeps the limit."""
    effects: list[Effect] = [
        Beat(points=FIRST, colours=np.stack([WHITE, WHITE * 0]), period=0.5),
        Pulse(points=FIRST, colour=WHITE, period=1.25),
        Chase(rings=(FIRST, np.array([1])), colour=WHITE, step=1 / 4),
        Chase(rings=(FIRST,), colour=WHITE, step=1 / 4),
        Beat(points=FIRST, colours=np.stack([WHITE, WHITE * 0]), period=3 / 16),
        Runners(np.arange(200), WHITE, gap=60, speed=90.0),
    ]
    flashes = [most_flashes(partial(seen, effect), 0.0, 6.0) for effect in effects]
    assert all(1 <= count <= 3 for count in flashes), flashes
