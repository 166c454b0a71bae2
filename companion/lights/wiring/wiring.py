"""Wiring: the LED that shows each light point of a board; `hardware` knows only LEDs.

Every wired point has an LED of its own. Lanes that share an LED share a light point (`Per.HOLE`).
Skipped and dead LEDs stay dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.board.layout import Board
from companion.lights.compositor import Light
from companion.lights.pixels import Points
from companion.lights.wiring.default import Place, Run
from companion.lights.wiring.settings import WiringPlan, read_plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Led:
    """LED with the light point that it shows (None if skipped) and its place on the sheet."""

    point: int | None
    place: Place | None
    dead: bool = False


class Wiring:
    """LEDs of each channel in the order of the wire; `points` are the light points they show."""

    def __init__(self, points: Points, channels: Sequence[Sequence[Led]]) -> None:
        self.points = points
        self.leds = tuple(len(channel) for channel in channels)
        self._leds = tuple(led for channel in channels for led in channel)
        shown = [led.point or 0 for led in self._leds]
        off = [n for n, led in enumerate(self._leds) if led.point is None or led.dead]
        self._source = np.array(shown, dtype=np.intp)
        self._dark: NDArray[np.intp] = np.array(off, dtype=np.intp)
        self._where = {
            led.point: (channel, n)
            for channel, leds in enumerate(channels)
            for n, led in enumerate(leds)
            if led.point is not None
        }

    @classmethod
    def make(cls, board: Board, settings: Mapping[str, object] | None = None) -> Wiring:
        """Return the wiring that `[wiring]` describes, by default the soldering order.

        Keys: `per` ("hole-and-lane" or "hole"), `channels` (1 or 2, for the soldering order),
        `chains` (tables with `channel`, `rows`, `reversed`, in the order of the wire), `skipped`
        and `dead` (pairs of channel and LED, both from 0). All faults are one `SettingsError`.
        """
        plan = read_plan(board, settings or {})
        return cls(plan.points, [_leds(plan, n) for n in range(len(plan.channels))])

    def where(self, point: int) -> tuple[int, int] | None:
        """Return the channel and LED of a light point, or None for a lamp left out."""
        return self._where.get(point)

    def spread(self, light: Light) -> Light:
        """Return light by LED (all LEDs, 3), channel after channel, from light by point."""
        spread = light.take(self._source, axis=0)
        if self._dark.size:
            spread[self._dark] = 0
        return spread

    def places(self) -> list[Place | None]:
        """Return the place of each LED on the sheet, channel after channel; None if skipped."""
        return [led.place for led in self._leds]


def _leds(plan: WiringPlan, channel: int) -> list[Led]:
    """Return the LEDs of one channel: those of its runs, with the skipped ones between them."""
    leds: list[Led] = []

    def pass_skipped() -> None:
        while (channel, len(leds)) in plan.skipped:
            leds.append(Led(point=None, place=None))

    for point, place in _lit(plan.channels[channel]):
        pass_skipped()
        leds.append(Led(point=point, place=place, dead=(channel, len(leds)) in plan.dead))
    pass_skipped()
    return leds


def _lit(chain: Iterable[Run]) -> Iterable[tuple[int, Place]]:
    for run in chain:
        yield from zip(run.points, run.places, strict=True)
