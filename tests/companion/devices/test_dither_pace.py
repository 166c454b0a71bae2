"""The pace of dither follows the strip's real rate, and is tried again."""

import math

import pytest

from companion.devices.dither_pace import RETRY_S, DitherPace


def frames(pace: DitherPace, t: float, interval: float, count: int = 101) -> float:
    """Send frames at an interval. Return the time of the last."""
    for _ in range(count):
        pace.note_frame(t)
        t += interval
    return t


@pytest.mark.parametrize(
    ("wire_ms", "bits"), [(11, 0), (10, 1), (8, 1), (5, 2), (2.5, 3), (0.1, 3), (math.inf, 0)]
)
def test_the_wire_gives_the_bits(wire_ms: float, bits: int) -> None:
    """One from 100 frames a second, two from 200, three from 400."""
    assert bits == DitherPace(wire_ms / 1000).bits


@pytest.mark.parametrize("wire_ms", [10, 8, 5, 2.5, 0.1])
def test_no_cycle_is_slower_than_fifty_a_second(wire_ms: float) -> None:
    """Much faster ones would only cost processor time."""
    pace = DitherPace(wire_ms / 1000)
    cycles = 1 / pace.interval / 2**pace.bits
    assert 50 <= cycles <= 55.1


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
