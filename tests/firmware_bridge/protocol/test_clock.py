"""The board's clock is told in host seconds: never too early, and seldom late."""

from random import Random

import pytest

from firmware_bridge.protocol.clock import BoardClock

WRAP = 1 << 32


def errors_reported(*, rate: float, start: int, slowest: float, seed: int) -> list[float]:
    """Return the errors of the times told over an hour of PONGs and presses, the smallest first.

    The board's clock begins at `start` and runs at `rate`; messages are late by up to `slowest`
    seconds, one in three hardly at all.
    """
    random = Random(seed)
    clock = BoardClock()
    errors = []
    for step in range(7200):
        sent = 0.5 * step
        late = random.choice([0.001, random.uniform(0.001, slowest), slowest])
        clock.synchronise(int(start + 1000 * rate * sent) % WRAP, now=sent + late)
        pressed = sent - random.uniform(0, 0.4)
        errors.append(clock.time_of(int(start + 1000 * rate * pressed) % WRAP) - pressed)
    return sorted(errors)


@pytest.mark.parametrize("rate", [0.995, 1.0, 1.005])
@pytest.mark.parametrize("start", [5_000, WRAP - 600_000])
def test_times_are_right_within_what_drift_allows(rate: float, start: int) -> None:
    """With two messages in three up to 200 ms late, nine times in ten are right to 50 ms."""
    errors = errors_reported(rate=rate, start=start, slowest=0.2, seed=1)
    # A clock that goes wrong by 0.5 % misplaces a press 0.4 s ago by 2 ms, and stamps are cut off.
    assert -0.004 < errors[0]
    assert errors[len(errors) * 9 // 10] < 0.05
    assert errors[-1] < 0.21


def test_on_a_good_line_times_are_right_to_ten_milliseconds() -> None:
    """With messages 2 ms late at most the error is below 10 ms."""
    assert errors_reported(rate=1.0, start=0, slowest=0.002, seed=2)[-1] < 0.01


def test_a_clock_that_stands_still_too_often_is_followed() -> None:
    """A clock far slower than it may be is never more than a quarter of a second behind."""
    # The press itself was up to 0.4 s ago, by a clock that is 30 % slow.
    errors = errors_reported(rate=0.7, start=0, slowest=0.002, seed=3)
    assert -0.25 < errors[0]
    assert errors[-1] < 0.4 * 0.3 + 0.01
