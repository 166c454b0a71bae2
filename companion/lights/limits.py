"""Limits of the light: of flashes on the strip at any time, of brightness in hours of the night.

A flash is a fall by a tenth of full light and then a rise by a tenth (WCAG 2.3.1). The limiter
records the lowest level of each LED since its last fall, and the highest level since its last rise.
After three flashes within a second it holds an LED down, at most 9 % of full light above its lowest
level, until the first of these flashes is a second old, whatever the table shows and however fast
players press.

For example, an LED goes on at 0 s, and then off or on every 0.1 s. It flashes at 0.2, 0.4 and
0.6 s. At 0.8 s it may rise to 9 % only; it may flash again at 1.2 s.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time
from functools import reduce
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.lights.compositor import Light

_MAX_FLASHES_PER_SECOND: Final = 3

CONTRAST: Final = np.float32(0.1)
"""Part of full light by which an LED falls and rises again in a flash."""

_Levels: TypeAlias = NDArray[np.float32]
_Mask: TypeAlias = NDArray[np.bool_]

_SECOND: Final = 1.0
_HELD_RISE: Final = CONTRAST * np.float32(0.9)
"""Part of full light by which a held LED may rise."""

_HOURS: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)")


class FlashLimiter:
    """Limiter of the flashes of `leds` LEDs; `limit` must get the light of each frame, in order."""

    def __init__(self, leds: int) -> None:
        self._low = np.zeros(leds, np.float32)
        self._high = np.zeros(leds, np.float32)
        self._fell = np.zeros(leds, bool)
        self._expiries = np.full((_MAX_FLASHES_PER_SECOND, leds), -np.inf)
        self._last: Light | None = None

    def limit(self, light: Light, t: float) -> tuple[Light, float | None]:
        """Return the light to show at `t` seconds, and the time when a held LED may rise again.

        While no LED is held down, the time is None, and `light` itself is returned, not a copy.
        """
        if light is self._last:
            return light, None
        level = reduce(np.maximum, light.T)
        np.minimum(self._low, level, out=self._low)
        rising = self._fell & (level - self._low >= CONTRAST)
        held = rising & (self._expiries[0] > t)
        until = None
        if held.any():
            light, level = self._hold(light, level, held)
            until = float(self._expiries[0, held].min())
            rising &= ~held
        self._last = light if until is None else None
        self._follow(level, rising, t)
        return light, until

    def _hold(self, light: Light, level: _Levels, held: _Mask) -> tuple[Light, _Levels]:
        limited = np.where(held, self._low + _HELD_RISE, level)
        share = np.divide(limited, level, out=np.ones_like(level), where=held)
        return light * share[:, None], limited

    def _follow(self, level: _Levels, rising: _Mask, t: float) -> None:
        # `_expiries` has the times when each LED's last flashes are a second old, earliest first.
        if rising.any():
            for earlier, later in pairwise((*self._expiries, np.array(t + _SECOND))):
                np.copyto(earlier, later, where=rising)
            self._fell ^= rising
            np.copyto(self._high, level, where=rising)
        np.maximum(self._high, level, out=self._high)
        falling = self._high - level >= CONTRAST
        falling &= ~self._fell
        np.copyto(self._low, level, where=falling)
        self._fell |= falling


@dataclass(frozen=True, slots=True, kw_only=True)
class NightLimit:
    """Limit of an LED's light from `begins` to `ends`: `limit`, 0 to 1, is a part of full light."""

    begins: time
    ends: time
    limit: float

    @classmethod
    def make(cls, hours: str, limit: float) -> NightLimit | None:
        """Return the limit for hours such as "22:00-07:00", or None if `hours` is empty."""
        if not hours:
            return None
        begins, ends = parse_hours(hours)
        return cls(begins=begins, ends=ends, limit=limit)

    def at(self, now: datetime) -> float:
        """Return the limit at a time of day; outside the hours it is 1."""
        clock = now.time()
        if self.begins <= self.ends:
            is_night = self.begins <= clock < self.ends
        else:
            is_night = clock >= self.begins or clock < self.ends
        return self.limit if is_night else 1.0


def parse_hours(text: str) -> tuple[time, time]:
    """Return the start and end of hours such as "22:00-07:00"; may raise ValueError.

    >>> parse_hours("22:00-7:30")
    (datetime.time(22, 0), datetime.time(7, 30))
    """
    found = _HOURS.fullmatch(text)
    if found is None:
        raise ValueError('hours such as "22:00-07:00", or ""')
    begin_hour, begin_minute, end_hour, end_minute = map(int, found.groups())
    return time(begin_hour, begin_minute), time(end_hour, end_minute)
