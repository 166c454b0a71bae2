"""Effects: lights that change with time, as small values with points, colours and times.

An effect paints over a light and returns the time of its next change; until then no frame is
needed. A beat of two colours, half a second each, is painted at 0.75 s and changes at 1 s:

>>> beat = Beat(points=np.array([0]), colours=np.eye(2, 3, dtype=np.float32), period=0.5)
>>> beat.show(np.zeros((1, 3), np.float32), 0.75)
1.0

No effect lights a point up more than three times a second. Periods are whole sixteenths of a
second, which floats represent exactly.
"""

from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from companion.lights.compositor import Effect, Indices, Light, fade, mixed, over
from companion.lights.scene.quiet_lights import SLOT_S, SLOTS

TICK_S = 1 / 16
"""Seconds between the levels of a very slow fade: smooth for the eye, few frames on the wire."""

SEEN_CONTRAST = 0.2  # part of full light by which a light must change so that people notice it
_SLOW_FADE_S = 4.0  # shortest fade whose change within `TICK_S` is too small to be seen


def wave(t: float, period: float) -> float:
    """Return the lightness of a slow pulse: 0 at each whole period, 1 half-way."""
    return 1 - abs(1 - 2 * (t / period % 1))


def _level_time(t: float, fade_s: float) -> tuple[float, float]:
    """Return the last time up to `t` when a fade changed its level, and the next; see `TICK_S`."""
    if fade_s < _SLOW_FADE_S:
        return t, t
    tick = t // TICK_S
    return tick * TICK_S, (tick + 1) * TICK_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """Colours that alternate on the same points, `period` seconds each.

    With `calm`, which avoids flashes, each colour fades into the next one if the two differ.
    """

    points: Indices
    colours: NDArray[np.float32]
    period: float
    calm: bool = False

    def show(self, light: Light, t: float) -> float | None:
        turn = int(t // self.period)
        colour, onward = self._colour(turn), self._colour(turn + 1)
        if np.array_equal(colour, onward) or not self.calm:
            over(light, self.points, colour)
            return (self._change(turn) - self.calm) * self.period
        at, again = _level_time(t, self.period)
        over(light, self.points, mixed(colour, onward, wave(at % self.period, 2 * self.period)))
        return again

    def _colour(self, turn: int) -> NDArray[np.float32]:
        colours: NDArray[np.float32] = self.colours[turn % len(self.colours)]
        return colours

    def _change(self, turn: int) -> int:
        later = range(turn + 1, turn + len(self.colours))
        differs = (n for n in later if not np.array_equal(self._colour(n), self._colour(turn)))
        return next(differs, turn + len(self.colours))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    """Points that go from `low` to full light and back once a period."""

    points: Indices
    colour: NDArray[np.float32]
    period: float
    low: float = 0.0

    def show(self, light: Light, t: float) -> float | None:
        at, again = _level_time(t, self.period / 2)
        colour = mixed(self.colour * np.float32(self.low), self.colour, wave(at, self.period))
        over(light, self.points, colour)
        return again


@dataclass(frozen=True, slots=True, kw_only=True)
class Chase:
    """Rings of points that light up in turn for `step` seconds each, followed by a dark step.

    A round has at least three steps, so that a single ring does not flash too fast.
    """

    rings: tuple[Indices, ...]
    colour: NDArray[np.float32]
    step: float

    def show(self, light: Light, t: float) -> float | None:
        turn = int(t // self.step)
        place = turn % max(3, len(self.rings) + 1)
        if place < len(self.rings):
            over(light, self.rings[place], self.colour)
        return (turn + 1) * self.step


@dataclass(frozen=True, slots=True, kw_only=True)
class Swell:
    """Points that fade to `colour` and back in `seconds`; points of a like colour fade to dark."""

    points: Indices
    colour: NDArray[np.float32]
    seconds: float

    def show(self, light: Light, t: float) -> float | None:
        alike = np.abs(light[self.points] - self.colour).max(axis=1) < SEEN_CONTRAST
        contrasting = np.where(alike[:, None], np.float32(0), self.colour)
        fade(light, self.points, contrasting, wave(t, self.seconds))
        return t


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """Points that have `colour` in some of the `SLOTS` slots of a rhythm.

    With `inverts`, a point brighter than `colour` goes dark. When calm, slots last twice as long
    and colours fade in and out.
    """

    points: Indices
    colour: NDArray[np.float32]
    slots: frozenset[int]
    inverts: bool = False
    calm: bool = False

    def show(self, light: Light, t: float) -> float | None:
        length = 2 * SLOT_S if self.calm else SLOT_S
        slot = int(t // length)
        if not self._has(slot):
            return self._change(slot) * length
        dark = self.inverts & (light[self.points].max(axis=1) > self.colour.max())
        colours = np.where(dark[:, None], np.float32(0), self.colour)
        if not self.calm:
            over(light, self.points, colours)
            return self._change(slot) * length
        start, end = self._begin(slot) * length, self._change(slot) * length
        fade(light, self.points, colours, wave(t - start, end - start))
        return t

    def _has(self, slot: int) -> bool:
        return slot % SLOTS in self.slots

    def _change(self, slot: int) -> int:
        return next(n for n in count(slot + 1) if self._has(n) != self._has(slot))

    def _begin(self, slot: int) -> int:
        """Return the first of the adjacent lit slots that include `slot`."""
        return next(n for n in count(slot, -1) if not self._has(n - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Effect that shows `effect` from `start` to `end` only, with times counted from `start`."""

    effect: Effect
    start: float
    end: float

    def show(self, light: Light, t: float) -> float | None:
        if not self.start <= t < self.end:
            return self.start if t < self.start else None
        change = self.effect.show(light, t - self.start)
        return self.end if change is None else min(self.start + change, self.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Groups of points that light up in turn and stay lit; a step is a time and its points."""

    steps: tuple[tuple[float, Indices], ...]
    colour: NDArray[np.float32]

    def show(self, light: Light, t: float) -> float | None:
        for start, points in self.steps:
            if start > t:
                return start
            over(light, points, self.colour)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rise:
    """Fade-in of the whole light from dark, from time 0 to `seconds`."""

    seconds: float

    def show(self, light: Light, t: float) -> float | None:
        light *= np.float32((t / self.seconds) ** 3)
        return t


class Runners:
    """Lights that run along a lane, one behind the other, each with a tail.

    Args:
        points: the points of the lane.
        colour: colour of the heads.
        gap: holes from one head to the next.
        speed: holes a second, at most twice the gap.
    """

    def __init__(
        self, points: Indices, colour: NDArray[np.float32], *, gap: int, speed: float
    ) -> None:
        tail = np.maximum(0, np.arange(gap) - gap / 2) / (gap / 2 - 1)
        lengths = len(points) // gap + 2
        self._shape = np.tile((tail**2).astype(np.float32), lengths)[:, None]
        self._points = points
        self._colour = colour
        self._gap = gap
        self._speed = speed

    def show(self, light: Light, t: float) -> float | None:
        first = self._gap - 1 - int(t * self._speed % self._gap)
        alpha = self._shape[first : first + len(self._points)]
        lit = np.flatnonzero(alpha)
        over(light, self._points[lit], self._colour, alpha[lit])
        return t
