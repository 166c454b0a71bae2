"""Canvas of one view: still light, the effects over it, and strokes that the layers share."""

import numpy as np

from companion.lights.colour.palette import Palette
from companion.lights.compositor import Effect, Light, over
from companion.lights.pixels import Indices, Points
from companion.lights.scene.effects import Beat, Pulse, Runners

FIVE_LEVEL = 0.5  # part of full light of every fifth hole of a trail
DEALER_LEVEL = 0.4


class Canvas:
    """Canvas of one view: still `light`, and `effects` that are painted over it in their order.

    Args:
        points: the light points of the board.
        palette: the colours in use.
        ground: light of the print, shape (points, 3); the canvas copies it.
        calm: True for fades instead of motion.
    """

    def __init__(self, points: Points, palette: Palette, ground: Light, *, calm: bool) -> None:
        self.points = points
        self.palette = palette
        self.calm = calm
        self.light = ground.copy()
        self.effects: list[Effect] = []

    def beat(self, points: Indices, colours: Light, period: float) -> None:
        """Alternate colours on these points, `period` seconds each, or twice as long when calm."""
        period *= 2 if self.calm else 1
        self.effects.append(Beat(points=points, colours=colours, period=period, calm=self.calm))

    def dealer(self, seat: int) -> None:
        name = f"dealer-{seat}"
        if name in self.points.lamps:
            over(self.light, self.points.lamps[name], self.palette.plain * np.float32(DEALER_LEVEL))

    def lane(self, lane: int, level: float) -> None:
        over(self.light, self.points.track(lane), self.palette.side(lane) * np.float32(level))

    def first_holes(self, lane: int, count: int, level: float) -> None:
        """Light the first `count` holes of a lane, or its start lamp if `count` is 0."""
        holes = range(1, count + 1) if count else (0,)
        colour = self.palette.side(lane) * np.float32(level)
        over(self.light, self.points.of(lane, holes), colour)

    def running(self, side: int, points: Indices, *, speed: float, rest: float) -> Effect:
        """Return lights that run, `speed` holes a second; when calm, a pulse of `rest` seconds."""
        colour = self.palette.side(side)
        if self.calm:
            return Pulse(
                points=points, colour=colour * np.float32(FIVE_LEVEL), period=rest, low=0.1
            )
        return Runners(points, colour, gap=60, speed=speed)
