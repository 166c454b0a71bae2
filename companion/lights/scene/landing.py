"""Light effects of a peg's landing in a zone. No effect lights a point twice, so nothing flickers.

A slide glows at once. Light gathers speed on the path of a time trap, loses speed on the path of an
advance, and closes in from both sides on a peg in a penalty box.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from companion.board import Hole
from companion.board.zone_kinds import LandingEffect
from companion.lights.compositor import Effect, Indices, Light, Points, over
from companion.lights.palette import Palette
from companion.lights.scene.canvas import free
from companion.lights.scene.effects import Pulse, Window
from companion.lights.scene.motion import Landing, straight

LANDING_LEVEL = 0.35
"""Brightness (1 is full) of the holes that a landing has lit; the newest of them has 1."""

DOOR_HOLES = 8  # holes that the light on each side of a boxed peg moves, like a closing door
_MOVING_SHARE = 0.6  # part of an effect's time in which light moves; then it stands still
_SLOW_START = 2.0  # exponent of a sweep that gathers speed


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Groups of points that light up one after the other from time 0 to `seconds`, and stay lit.

    The sweep begins slowly if `power` is over 1, and quickly if `power` is under 1.
    """

    groups: tuple[Indices, ...]
    colour: NDArray[np.float32]
    seconds: float
    power: float

    def show(self, light: Light, t: float) -> float | None:
        """Paint the groups reached so far, the newest at full light while the sweep moves."""
        share = min(1.0, max(0.0, t / self.seconds)) ** self.power
        reached = min(len(self.groups), int(share * len(self.groups)) + 1)
        for points in self.groups[:reached]:
            over(light, points, self.colour * np.float32(LANDING_LEVEL))
        if t >= self.seconds:
            return None
        over(light, self.groups[reached - 1], self.colour)
        return t


def landing_effect(
    landing: Landing, points: Points, palette: Palette, taken: set[int], *, calm: bool
) -> Effect:
    """Return the effect of a landing, visible from the landing's start to its end.

    Args:
        landing: the zone, the side, the hole and the times.
        points: light points of the board.
        palette: colours in use.
        taken: the points that must not be painted.
        calm: True for one slow rise and fall instead of motion.
    """
    zone, seconds = landing.zone, landing.end - landing.start
    holes, power = _sweep(landing, points)
    lit_by_turns = (free(taken, points.of(landing.side, each)) for each in holes)
    groups, colour = tuple(filter(len, lit_by_turns)), palette.zone(zone.kind)
    effect: Effect
    if calm or power is None or not groups:
        box = free(taken, points.of(landing.side, zone.box))
        lit = np.unique(np.concatenate([*groups, box]))
        effect = Pulse(points=lit, colour=colour * np.float32(LANDING_LEVEL), period=seconds)
    else:
        effect = Sweep(groups=groups, colour=colour, seconds=seconds * _MOVING_SHARE, power=power)
    return Window(effect=effect, start=landing.start, end=landing.end)


def _sweep(landing: Landing, points: Points) -> tuple[Iterable[Iterable[Hole]], float | None]:
    """Return groups of holes and the power of their `Sweep`; None for all groups lit at once."""
    zone, hole = landing.zone, int(landing.hole)
    path: list[tuple[Hole]] = [*((each,) for each in zone.path), (zone.rejoin,)]
    match zone.kind.facts.effect:
        case LandingEffect.GLOWS:
            return [straight(hole, zone.after(hole, points.board.track.finish))], None
        case LandingEffect.DRAGS:
            return path, _SLOW_START
        case LandingEffect.SPEEDS:
            return path, 1 / _SLOW_START
        case LandingEffect.SHUTS:
            on_track = range(1, points.board.track.finish + 1)
            doors = ((hole - away, hole + away) for away in range(DOOR_HOLES, 0, -1))
            return [[each for each in pair if each in on_track] for pair in doors], _SLOW_START
        case _ as effect:
            assert_never(effect)
