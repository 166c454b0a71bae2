"""Marks of the sides: the pegs, ghosts and box holes that each side shows in its own colour.

A mark has a colour for each slot of a rhythm. With one LED a hole, several sides may have marks on
one point: each mark is then shown in seconds of its own, and its rhythm goes on only in these.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.lights.colour.palette import Colour
from companion.lights.compositor import over
from companion.lights.scene.canvas import Canvas
from companion.lights.scene.quiet_lights import SLOT_S, SLOTS

Mark: TypeAlias = NDArray[np.float32]
"""Colour of a mark in each slot of a rhythm: (slots, 3), or (1, 3) where it is always the same."""

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
    """Return a mark that shows one mark in even seconds, the other in odd seconds."""
    odd = np.arange(SLOTS) // _TURN % 2 == 1
    return np.where(odd[:, None], other, one)


def in_turns(marks: Sequence[Mark]) -> Mark:
    """Return a mark that shows several for a second each: the first, second, first, third.

    It is as long as it takes to show each of them whole.
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
    """Marks of all sides by their points; a side shows the mark that was put there last."""

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
