"""Wiring: the LED that shows each light point of a board.

The order of the LEDs is worked out once, when the settings are read; each frame is then one look-up
of light by point. Skipped and dead LEDs stay dark. Lanes that share an LED share a light point
(`Per.HOLE`). If LED 2 is skipped, LED 3 shows the third point:

>>> from companion.board import load_board
>>> wiring = Wiring.make(load_board("classic"), {"skipped": [[0, 2]]})
>>> light = np.repeat(np.arange(wiring.points.size, dtype=np.float32), 3).reshape(-1, 3)
>>> wiring.spread(light)[:5, 0].tolist()
[0.0, 1.0, 0.0, 2.0, 3.0]
"""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import NamedTuple, Self

import numpy as np

from companion.board.layout import Board
from companion.lights.compositor import Light
from companion.lights.wiring.default import Place
from companion.lights.wiring.settings import WiringPlan, read_plan


class _Led(NamedTuple):
    """LED with the light point that it shows and its place; both are None if the LED is skipped."""

    point: int | None
    place: Place | None
    is_dead: bool = False


class Wiring:
    """LEDs of each channel in the order of the wire; `points` are the light points they show."""

    def __init__(self, plan: WiringPlan) -> None:
        channels = [list(_leds(plan, channel)) for channel in range(len(plan.channels))]
        leds = [led for channel in channels for led in channel]
        self.points = plan.points
        self.leds = tuple(map(len, channels))
        self._source = np.array([led.point or 0 for led in leds], dtype=np.intp)
        self._dark = np.flatnonzero([led.point is None or led.is_dead for led in leds])
        self.places = [led.place for led in leds]

    @classmethod
    def make(cls, board: Board, settings: Mapping[str, object] | None = None) -> Self:
        """Return the wiring that a `[wiring]` table describes; the default is the soldering order.

        Keys: `per` ("hole-and-lane" or "hole"), `channels` (1 or 2, for the soldering order),
        `chains` (tables with `channel`, `rows`, `reversed`, in the order of the wire), `skipped`
        and `dead` (pairs of channel and LED, both from 0).

        Raises:
            SettingsError: the table has faults; the error lists all of them.
        """
        return cls(read_plan(board, settings or {}))

    def spread(self, light: Light) -> Light:
        """Convert light by point to light by LED, shape (LEDs, 3), channel after channel."""
        spread = light.take(self._source, axis=0)
        if self._dark.size:
            spread[self._dark] = 0
        return spread


def _leds(plan: WiringPlan, channel: int) -> Iterator[_Led]:
    """Yield the LEDs of a channel: the LEDs of its runs, with skipped LEDs between them."""
    runs = plan.channels[channel]
    shown = (pair for run in runs for pair in zip(run.points, run.places, strict=True))
    for led in count():
        if (channel, led) in plan.skipped:
            yield _Led(point=None, place=None)
        elif pair := next(shown, None):
            yield _Led(*pair, is_dead=(channel, led) in plan.dead)
        else:
            return
