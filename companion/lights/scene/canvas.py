"""Canvas for the light of one view (everything that the lights show at one moment).

Pegs, ghosts (previews of counts) and lit holes of penalty boxes are marks in a side's colour. A
mark has a rhythm: one colour for each slot (a quarter of a second). If lanes share LEDs, a point
may have marks of several sides. They take turns of a second; a rhythm goes on where it was left.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.lights.compositor import Effect, Indices, Light, Points, over
from companion.lights.palette import Colour, Palette
from companion.lights.scene.effects import Beat, Pulse, Runners
from companion.lights.scene.quiet_lights import SLOT_S, SLOTS

FIVE_LEVEL = 0.5  # every fifth hole of a pending count's trail has this part of full light
DEALER_LEVEL = 0.4


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
