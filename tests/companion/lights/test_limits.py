"""The limits pass allowed light, hold down what flashes too often, and may pass midnight."""

from datetime import datetime, time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.lights import FlashLimiter, Light
from companion.lights.limits import NightLimit, parse_hours
from tests.companion.lights.flicker import most_flashes

FRAMES = 64
"""Frames a second; floats hold their times exactly."""


def light(*levels: float) -> Light:
    """Return points of amber with these levels."""
    return np.outer(levels, [1.0, 0.5, 0.0]).astype(np.float32)


def blinking(half: int, seconds: int = 4) -> list[Light]:
    """Return one blinking point with this many frames a phase, and a steady one."""
    return [light(1.0 - n // half % 2, 0.5) for n in range(seconds * FRAMES)]


def limited(frames: list[Light]) -> list[Light]:
    """Return these frames after a limiter."""
    limiter = FlashLimiter(len(frames[0]))
    return [limiter.limit(frame, n / FRAMES)[0] for n, frame in enumerate(frames)]


def flashes(frames: list[Light]) -> int:
    """Return the most flashes of any point within one second."""
    return most_flashes(lambda t: frames[min(int(t * FRAMES), len(frames) - 1)], 0.0, 4.0)


def test_what_blinks_too_fast_is_held_down() -> None:
    """After three flashes within a second it is dark until the first is a second old."""
    for half in (1, 3, 6, 10):
        frames = blinking(half)
        assert 3 < flashes(frames)
        assert 3 == flashes(limited(frames))


def test_what_blinks_slowly_is_left_alone() -> None:
    """Up to three flashes a second the same light object is returned."""
    for half in (11, 16, 32):
        frames = blinking(half)
        assert all(one is other for one, other in zip(frames, limited(frames), strict=True))


def test_a_held_point_keeps_its_colour_and_others_their_light() -> None:
    """Only the flash is dimmed, to a tenth of full light above its low."""
    frames = blinking(1)
    for given_, shown in zip(frames, limited(frames), strict=True):
        assert given_[1].tolist() == shown[1].tolist()
        assert shown[0, 1] == pytest.approx(shown[0, 0] / 2)
        assert shown[0, 0] == given_[0, 0] or shown[0, 0] < 0.1


def test_a_held_point_rises_when_it_may() -> None:
    """The limiter gives the time, at which a steady light comes up."""
    limiter = FlashLimiter(1)
    until = None
    for n in range(8):
        shown, until = limiter.limit(light(1.0 - n % 2), n / 16)
        if until is not None:
            break
        last = n
    assert 7 == last
    bright = light(1.0)
    shown, until = limiter.limit(bright, 0.5)
    assert (2 / 16 + 1.0, True) == (until, shown[0, 0] < 0.1)
    shown, until = limiter.limit(bright, 2 / 16 + 1.0)
    assert (None, 1.0) == (until, shown[0, 0])


@settings(max_examples=25, derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1, width=32), st.integers(1, 20)), max_size=60))
def test_no_light_whatever_flashes_too_often(levels: list[tuple[float, int]]) -> None:
    """This holds for any levels and any numbers of frames."""
    frames = [light(level) for level, count in levels for _ in range(count)][: 4 * FRAMES]
    assert 3 >= flashes(limited([light(0.0), *frames]))


def test_the_hours() -> None:
    """They last from the first minute to before the last, also over midnight."""
    is_night = {
        "22:00-07:00": {"21:59": 0, "22:00": 1, "00:00": 1, "06:59": 1, "07:00": 0},
        "1:30-5:00": {"01:29": 0, "01:30": 1, "05:00": 0},
    }
    for hours, clocks in is_night.items():
        night = NightLimit.make(hours, 0.02)
        assert night
        for clock, within in clocks.items():
            now = datetime.combine(datetime(2026, 1, 1), time.fromisoformat(clock))  # noqa: DTZ001  # the clock on the wall
            assert (0.02 if within else 1) == night.at(now)


def test_hours_that_are_none() -> None:
    """Valid ones are two times of a day with a hyphen between them."""
    for text in ("22-7", "24:00-07:00", "22:00", "22:60-07:00", "night"):
        with pytest.raises(ValueError, match=r"22:00-07:00"):
            parse_hours(text)
