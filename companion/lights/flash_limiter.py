"""Limit of flashes across views: whatever the table shows, and however fast players press.

A flash is a rise by a tenth of full light after a fall by as much (WCAG 2.3.1); an LED that has
had three within a second stays down until the first of them is a second old.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.lights.compositor import Light

FLASHES: Final = 3
"""Rises of an LED within one second at most."""

CONTRAST: Final = np.float32(0.1)
"""Part of full light that an LED must go down and up again for a flash."""

_Levels: TypeAlias = NDArray[np.float32]
_Mask: TypeAlias = NDArray[np.bool_]

_SECOND: Final = 1.0
_HELD: Final = np.float32(0.9)
"""Part of the contrast that an LED held down may still rise."""


class FlashLimiter:
    """Every light on its way to the strip, in order of time; it remembers one second of rises.

    `leds` is the number of LEDs.
    """

    def __init__(self, leds: int) -> None:
        self._low = np.zeros(leds, np.float32)
        self._high = np.zeros(leds, np.float32)
        self._fell = np.zeros(leds, bool)
        self._old = np.full((FLASHES, leds), -np.inf)
        self._last: Light | None = None

    def limit(self, light: Light, t: float) -> tuple[Light, float | None]:
        """Return the light to show at `t`, and when an LED that is held down may rise.

        None if none is held: the light is then the one given, not a copy.
        """
        if light is self._last:
            return light, None
        level = np.maximum(light[:, 0], light[:, 1])
        np.maximum(level, light[:, 2], out=level)
        np.minimum(self._low, level, out=self._low)
        rising = self._fell & (level - self._low >= CONTRAST)
        held = rising & (self._old[0] > t)
        until = None
        if held.any():
            light, level = self._hold(light, level, held)
            until = float(self._old[0, held].min())
            rising &= ~held
        self._last = light if until is None else None
        self._follow(level, rising, t)
        return light, until

    def _hold(self, light: Light, level: _Levels, held: _Mask) -> tuple[Light, _Levels]:
        """Return the light with some LEDs kept less than a flash above their low."""
        kept = np.where(held, self._low + CONTRAST * _HELD, level)
        share = np.divide(kept, level, out=np.ones_like(level), where=held)
        return light * share[:, None], kept

    def _follow(self, level: _Levels, rising: _Mask, t: float) -> None:
        """Take in what is shown: `low` since the last fall, `high` since the last rise.

        `old` are the times when the last rises are a second old, the first of them first.
        """
        if rising.any():
            for older, newer in pairwise((*self._old, np.array(t + _SECOND))):
                np.copyto(older, newer, where=rising)
            self._fell ^= rising
            np.copyto(self._high, level, where=rising)
        np.maximum(self._high, level, out=self._high)
        falling = self._high - level >= CONTRAST
        falling &= ~self._fell
        np.copyto(self._low, level, where=falling)
        self._fell |= falling
