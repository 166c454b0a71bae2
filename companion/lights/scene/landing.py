"""Landings: a slide is lit, a trap drags, an advance speeds on, a box shuts on its peg.

Each begins with its window's time and lights every point once, so that it never flickers.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.board.track import Hole, ZoneKind
from companion.lights.colour.palette import Palette
from companion.lights.compositor import Effect, Light, over
from companion.lights.pixels import Indices, Points
from companion.lights.scene.effects import Pulse, Window
from companion.lights.scene.motion import Landing
from companion.lights.scene.path import straight

LANDING_LEVEL = 0.35
"""Part of full light of holes that a landing has lit; the newest one is at full."""

DOOR_HOLES = 8
"""Holes from which each door of a box closes on the peg."""

_MOVING_SHARE = 0.6
"""Part of its time in which it moves; a box has shut before its peg goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Groups of points that light up one after the other from time 0 to `seconds`, and stay lit.

    `power` over 1 begins slowly, under 1 quickly.
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
    landing: Landing,
    points: Points,
    palette: Palette,
    *,
    free: Callable[[Indices], Indices],
    calm: bool,
) -> Effect:
    """Return the effect of a landing, visible in its time.

    Args:
        landing: the zone, the side, the hole and the time.
        points: light points of the board.
        palette: colours in use.
        free: leaves out the points that must not be painted.
        calm: one slow rise and fall instead of motion.
    """
    zone, seconds = landing.zone, landing.end - landing.start
    groups = tuple(
        group
        for holes in _groups(landing, points)
        if len(group := free(points.of(landing.team, holes)))
    )
    colour = palette.zone(zone.kind)
    still = calm or zone.kind is ZoneKind.RED_SLIDE or not groups
    effect: Effect
    if still:
        lit = np.unique(np.concatenate([*groups, free(points.of(landing.team, zone.box))]))
        effect = Pulse(points=lit, colour=colour * np.float32(LANDING_LEVEL), period=seconds)
    else:
        power = 0.5 if zone.kind is ZoneKind.GREEN_ADVANCE else 2.0
        effect = Sweep(groups=groups, colour=colour, seconds=seconds * _MOVING_SHARE, power=power)
    return Window(effect=effect, start=landing.start, end=landing.end)


def _groups(landing: Landing, points: Points) -> tuple[tuple[Hole, ...], ...]:
    """Return the holes that light up, group by group: a way, or both doors of a box."""
    zone, track = landing.zone, points.board.track
    if zone.kind is ZoneKind.PENALTY_BOX:
        hole = int(landing.hole)
        pairs = ((hole - away, hole + away) for away in range(DOOR_HOLES, 0, -1))
        return tuple(tuple(h for h in pair if 1 <= h <= track.finish) for pair in pairs)
    if zone.kind is ZoneKind.RED_SLIDE:
        way = straight(landing.hole, zone.to[zone.box.index(int(landing.hole))])
    else:
        way = (*zone.path, zone.rejoin)
    return tuple((hole,) for hole in way)
