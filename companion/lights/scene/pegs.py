"""Pegs in motion: a bright head with a short tail, or a cross-fade between two holes."""

import numpy as np

from companion.board.track import Hole
from companion.lights.colour.palette import Palette
from companion.lights.compositor import Light, fade, over
from companion.lights.pixels import Points
from companion.lights.scene.motion import Motion, Segment

BACK_PEG_LEVEL = 0.3
"""Part of full light of a back peg."""

_TAIL = (0.08, 0.2, 0.45)


class PegsInMotion:
    """Effect of all pegs that a motion moves."""

    def __init__(self, motion: Motion, points: Points, palette: Palette) -> None:
        self._motion = motion
        self._points = points
        self._palette = palette

    def show(self, light: Light, t: float) -> float | None:
        """Paint the pegs, also those at rest between two segments."""
        segments = {side: self._motion.segment_at(side, t) for side in self._motion.sides}
        for side, segment in segments.items():
            if segment and segment.fades:
                self._fade(light, segment, t)
            else:
                self._back_peg(light, side, self._motion.back_at(side, t), 1.0)
                self._head_and_tail(light, side, segment, t)
        if any(segment and t < segment.end for segment in segments.values()):
            return t
        return self._motion.next_start(t)

    def _fade(self, light: Light, segment: Segment, t: float) -> None:
        colour = self._palette.side(segment.side)
        share = min(1.0, (t - segment.start) / (segment.end - segment.start))
        self._back_peg(light, segment.side, segment.back_before, 1 - share)
        self._back_peg(light, segment.side, segment.back, share)
        for hole, level in ((segment.way[0], 1 - share), (segment.way[-1], share)):
            fade(light, self._points.index(segment.side, hole), colour, level)

    def _back_peg(self, light: Light, side: int, hole: Hole, share: float) -> None:
        colour = self._palette.side(side) * np.float32(BACK_PEG_LEVEL)
        fade(light, self._points.index(side, hole), colour, share)

    def _head_and_tail(self, light: Light, side: int, segment: Segment | None, t: float) -> None:
        colour = self._palette.side(side)
        if segment and t < segment.end:
            head = segment.index_at(t)
            tail = segment.way[max(0, head - len(_TAIL)) : head]
            for hole, level in zip(reversed(tail), reversed(_TAIL), strict=False):
                over(light, self._points.index(side, hole), colour, level)
        over(light, self._points.index(side, self._motion.front_at(side, t)), colour)
