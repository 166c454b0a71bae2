"""Counter of visible flashes in light that is sampled over time."""

from collections.abc import Callable

import numpy as np

from companion.lights import Light

CONTRAST = 0.1
"""Part of full light that a point must go up and down again for a flash (WCAG 2: 10 %)."""

_PER_SECOND = 128


def rises(show: Callable[[float], Light], start: float, seconds: float) -> list[list[float]]:
    """Return for each point the times at which it has risen after a fall."""
    times = start + np.arange(int(seconds * _PER_SECOND)) / _PER_SECOND
    levels = np.array([show(float(t)).max(axis=1) for t in times])
    changing = np.ptp(levels, axis=0) >= CONTRAST  # no other point can flash
    return [
        _rises(levels[:, point].tolist(), times.tolist()) if changing[point] else []
        for point in range(levels.shape[1])
    ]


def most_in_a_second(times: list[float]) -> int:
    """Return the greatest number of these times within any one second."""
    return max((sum(t <= other < t + 1 for other in times) for t in times), default=0)


def most_flashes(show: Callable[[float], Light], start: float, seconds: float) -> int:
    """Return the most flashes of any point within one second."""
    return max(map(most_in_a_second, rises(show, start, seconds)))


def _rises(levels: list[float], times: list[float]) -> list[float]:
    found: list[float] = []
    low, high, fell = levels[0], levels[0], False
    for level, t in zip(levels[1:], times[1:], strict=True):
        if fell:
            low = min(low, level)
            if level - low >= CONTRAST:
                found.append(t)
                fell, high = False, level
        else:
            high = max(high, level)
            if high - level >= CONTRAST:
                fell, low = True, level
    return found
