"""Test patterns that show faults in the wiring and the settings of a strip.

LEDs are numbered through all channels: the second channel goes on where the first one ends.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, count, islice
from typing import TypeAlias

import numpy as np

from companion.lights.compositor import Light, dark
from companion.lights.palette import Palette
from companion.lights.scene.scene import ground
from companion.lights.wiring import Wiring

Pattern: TypeAlias = Callable[[int, int], Light]
"""Function of a frame's index and the number of frames; it returns read-only light, (LEDs, 3)."""

INDEX_STEP = 2
"""Step between colours of `index`, in 255ths: less is hard to see, more draws more current."""

ORDER_LEVEL = 0.2  # part of full light that `order` shows: visible in daylight, little current
ZONES_GAIN = 5.0  # factor by which `zones` is brighter than the background of a game

COLOURS = {"red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1), "white": (1, 1, 1)}
"""Colours that `order` shows in turn; strips without white LEDs do not show white."""

_FULL = 255


def index(leds: Sequence[int]) -> Pattern:
    """Return a pattern with a different colour for each LED; the index determines the colour.

    The dimmest colours come first, so that a small supply is enough for many LEDs.
    """
    colours = np.array(list(islice(_colours(), sum(leds))), np.float32)
    return _still(colours * np.float32(INDEX_STEP) / np.float32(_FULL))


def order(leds: Sequence[int], colours: int) -> Pattern:
    """Return a pattern that lights each channel in each colour, one after the other.

    `colours` is the number of colours of an LED, 3 or 4.
    """
    ends = list(accumulate(leds, initial=0))

    def pattern(k: int, frames: int) -> Light:
        channel, colour = order_step(len(leds), colours, k, frames)
        light = dark(ends[-1])
        light[ends[channel] : ends[channel + 1]] = COLOURS[colour]
        return light * np.float32(ORDER_LEVEL)

    return pattern


def order_step(channels: int, colours: int, k: int, frames: int) -> tuple[int, str]:
    """Return the channel that `order` lights in frame k, and the name of the colour.

    A step is a channel in one colour. If there are fewer frames than steps, the last steps are
    left out.

    >>> [order_step(2, 3, k, 6) for k in (0, 2, 3)]
    [(0, 'red'), (0, 'blue'), (1, 'red')]
    >>> [order_step(2, 3, k, 3) for k in (0, 1, 2)]
    [(0, 'red'), (0, 'green'), (0, 'blue')]
    """
    names = list(COLOURS)[:colours]
    channel, colour = divmod(min(k, k * channels * colours // frames), colours)
    return channel, names[colour]


def corrected_order(order: str, seen: str) -> str:
    """Return the colour order to set instead of `order` if RGB (or RGBW) light is seen as `seen`.

    >>> corrected_order("GRB", seen="GRB")
    'RGB'
    """
    return order.translate(str.maketrans("RGBW"[: len(seen)], seen))


def white(leds: Sequence[int]) -> Pattern:
    """Return a pattern of white that rises evenly to full light in the last frame."""
    shape = (sum(leds), 3)
    return lambda k, frames: np.full(shape, (k + 1) / frames, np.float32)


def zones(leds: Sequence[int], wiring: Wiring, palette: Palette) -> Pattern:
    """Return a pattern of the board's print: zones, holes to which they lead, marks and finish.

    If `leds` differs from the wiring, LED n of each channel shows hole n + 1 of the track.
    """
    points = wiring.points
    light = ground(points, palette, points.board.track) * np.float32(ZONES_GAIN)
    if tuple(leds) == wiring.leds:
        return _still(wiring.spread(light))
    track = light[points.track(points.lanes[0])]
    padded = np.pad(track, ((0, max(leds)), (0, 0)))
    return _still(np.concatenate([padded[:length] for length in leds]))


def first_printed_hole(wiring: Wiring) -> int | None:
    """Return the first hole of the track that `zones` lights, or None if it lights no hole."""
    points = wiring.points
    light = ground(points, Palette.make(), points.board.track)[points.track(points.lanes[0])]
    lit = np.flatnonzero(light.any(axis=1))
    return int(lit[0]) + 1 if lit.size else None


def _still(light: Light) -> Pattern:
    light.flags.writeable = False
    return lambda k, frames: light  # noqa: ARG005  # all frames are the same


def _colours() -> Iterator[tuple[int, int, int]]:
    """Yield all colours except black as whole numbers, in the order of their sums."""
    for total in count(1):
        for red in range(total, -1, -1):
            for green in range(total - red, -1, -1):
                yield red, green, total - red - green
