"""Canvas for the light of one view (everything that the lights show at one moment).

Pegs, ghosts (previews of counts) and lit holes of penalty boxes are marks in a side's colour. A
mark has a rhythm: one colour for each slot (a quarter of a second). If lanes share LEDs, a point
may have marks of several sides. They take turns of a second; a rhythm goes on where it was left.

A peg's landing in a zone has an effect of its own. A slide glows at once. Light gathers speed on
the path of a time trap, loses speed on the path of an advance, and closes in from both sides on a
peg in a penalty box. No effect lights a point twice, so nothing flickers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

import numpy as np
from numpy.typing import NDArray

from companion.board import Hole
from companion.board.zone_kinds import LandingEffect
from companion.lights.compositor import Effect, Indices, Light, Points, over
from companion.lights.palette import Colour, Palette
from companion.lights.scene.effects import Beat, Pulse, Runners, Window
from companion.lights.scene.motion import Landing, straight
from companion.lights.scene.quiet_lights import SLOT_S, SLOTS

FIVE_LEVEL = 0.5  # every fifth hole of a pending count's trail has this part of full light
DEALER_LEVEL = 0.4
LANDING_LEVEL = 0.35
"""Brightness (1 is full) of the holes that a landing has lit; the newest of them has 1."""

DOOR_HOLES = 8  # holes that the light on each side of a boxed peg moves, like a closing door
_MOVING_SHARE = 0.6  # part of an effect's time in which light moves; then it stands still
_SLOW_START = 2.0  # exponent of a sweep that gathers speed


class Canvas:
    """Canvas of one view: still `light`, and `effects` that are painted over it in their order.

    Args:
        points: the light points of the board.
        palette: the colours in use.
        ground: light of the board without pegs, shape (points, 3); the canvas copies it.
        calm: True for fades instead of motion.
    """

    def __init__(self, points: Points, palette: Palette, ground: Light, *, calm: bool) -> None:
        self.points = points
        self.palette = palette
        self.calm = calm
        self.light = ground.copy()
        self.effects: list[Effect] = []

    def beat(self, points: Indices, colours: Light, period: float) -> None:
        """Alternate colours on these points every `period` seconds, or half as often when calm."""
        period *= 2 if self.calm else 1
        self.effects.append(Beat(points=points, colours=colours, period=period, calm=self.calm))

    def dealer(self, seat: int) -> None:
        lamp, colour = self.points.dealer_lamp(seat), self.palette.plain * np.float32(DEALER_LEVEL)
        over(self.light, lamp, colour)

    def lane(self, lane: int, level: float) -> None:
        over(self.light, self.points.track(lane), self.palette.side(lane) * np.float32(level))

    def first_holes(self, lane: int, count: int, level: float) -> None:
        """Light the first `count` holes of a lane, or its start lamp if `count` is 0."""
        holes = range(1, count + 1) if count else (0,)
        colour = self.palette.side(lane) * np.float32(level)
        over(self.light, self.points.of(lane, holes), colour)

    def running(self, side: int, points: Indices, *, speed: float, rest: float) -> Effect:
        """Return lights that run `speed` holes a second; if calm, a pulse every `rest` seconds."""
        colour = self.palette.side(side)
        if self.calm:
            return Pulse(
                points=points, colour=colour * np.float32(FIVE_LEVEL), period=rest, low=0.1
            )
        return Runners(points, colour, gap=60, speed=speed)


def free(taken: set[int], points: Indices) -> Indices:
    """Return those points that are not taken."""
    return points[[point not in taken for point in points]]


Mark: TypeAlias = NDArray[np.float32]
"""Colours of a mark: shape (slots of a rhythm, 3), or (1, 3) if the mark has only one colour."""

_TURN: Final = round(1 / SLOT_S)  # slots of a turn, which takes a second
_TURNS: Final = SLOTS // _TURN


def mark(colour: Colour, changes: Sequence[tuple[frozenset[int], Colour]] = ()) -> Mark:
    """Return a mark of one colour, with other colours in some slots; later changes win."""
    if not changes:
        return colour[None]
    slots = np.empty((SLOTS, 3), np.float32)
    slots[:] = colour
    for where, other in changes:
        slots[list(where)] = other
    return slots


def by_seconds(one: Mark, other: Mark) -> Mark:
    """Return a mark that shows `one` in even seconds and `other` in odd seconds."""
    odd = np.arange(SLOTS) // _TURN % 2 == 1
    return np.where(odd[:, None], other, one)


def in_turns(marks: Sequence[Mark]) -> Mark:
    """Return a mark that shows each of `marks` for one second in turn, in the order A, B, A, C.

    The new mark is long enough to show each of these marks whole.
    """
    if len(marks) == 1:
        return marks[0]
    whole = [np.broadcast_to(each, (SLOTS, 3)) for each in marks]
    sides = [side for other in range(1, len(marks)) for side in (0, other)]
    turns = sides * _TURNS
    seconds = (turns[:n].count(side) % _TURNS for n, side in enumerate(turns))
    pieces = [
        whole[side][second * _TURN : (second + 1) * _TURN]
        for side, second in zip(turns, seconds, strict=True)
    ]
    return np.concatenate(pieces)


class Marks:
    """Marks of each side on each point: `put` replaces a mark, `add` alternates it with another."""

    def __init__(self) -> None:
        self._by_point: dict[int, dict[int, Mark]] = {}

    @property
    def points(self) -> set[int]:
        return set(self._by_point)

    def put(self, side: int, point: int, new: Mark) -> None:
        self._by_point.setdefault(point, {})[side] = new

    def add(self, side: int, point: int, new: Mark) -> None:
        own = self._by_point.get(point, {}).get(side)
        self.put(side, point, new if own is None else by_seconds(own, new))

    def paint(self, canvas: Canvas, order: Sequence[int]) -> None:
        for point, by_side in self._by_point.items():
            slots = in_turns([by_side[side] for side in order if side in by_side])
            over(canvas.light, point, slots[0])
            if len(slots) > 1 and (slots != slots[0]).any():
                canvas.beat(np.array([point]), slots, SLOT_S)


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
