"""Scene: a board's light, from a view (all facts to show) and a time; still light is cached."""

from collections.abc import Sequence
from functools import lru_cache, partial

from companion.board.layout import Board, Hole, Track
from companion.lights.colour.palette import Palette
from companion.lights.compositor import Effect, Light, Points, composed, dark, over
from companion.lights.scene.layers import Painter
from companion.lights.scene.view import View

ZONE_LEVEL = 0.05  # part of full light of a zone at rest
DESTINATION_LEVEL = 0.025  # part of full light of side paths and of the holes to which slides lead
MARK_LEVEL = 0.03  # part of full light of the printed lines and the finish


def ground(points: Points, palette: Palette, track: Track) -> Light:
    """Return the read-only light of a board without pegs, dark beyond the finish of the game."""
    light = dark(points.size)
    marks = (mark.hole for mark in points.board.marks if mark.hole < track.finish)
    for hole in (*marks, track.finish):
        over(light, points.across([hole]), palette.plain * MARK_LEVEL)
    played = [zone for zone in track.zones if zone.box[-1] <= track.finish]
    for zone in played:
        to = tuple(hole for hole in zone.to if hole <= track.finish)
        far: tuple[Hole, ...] = (*to, *zone.path)
        over(light, points.across(far), palette.zone(zone.kind) * DESTINATION_LEVEL)
    for zone in played:
        over(light, points.across(zone.box), palette.zone(zone.kind) * ZONE_LEVEL)
    light.flags.writeable = False
    return light


class Scene:
    """Light of one board; `points` are its light points, by default one for each hole and lane."""

    def __init__(
        self, board: Board, palette: Palette, *, points: Points | None = None, calm: bool = False
    ) -> None:
        self.points = points or Points(board)
        self._palette = palette
        self._calm = calm
        self._ground = lru_cache(maxsize=1)(partial(ground, self.points, palette))
        self._view: View | None = None
        self._moving = False
        self._still = dark(self.points.size)
        self._effects: Sequence[Effect] = ()

    def compose(self, view: View, t: float) -> tuple[Light, float | None]:
        """Return the light at `t` seconds, shape (points, 3), and the time when it next changes.

        The returned time is None if only a new view changes the light. While something moves, each
        frame differs, and the time is `t` or earlier, which means at once. The caller must not
        write to the light, which the scene may return again.
        """
        moving = t < view.motion.end
        if view is not self._view or moving != self._moving:
            self._paint(view, moving=moving)
        return composed(self._still, self._effects, t)

    def _paint(self, view: View, *, moving: bool) -> None:
        below = self._ground(view.state.setup.track)
        painter = Painter(self.points, self._palette, below, calm=self._calm)
        painter.paint(view, moving=moving)
        painter.light.flags.writeable = False
        self._view, self._moving = view, moving
        self._still, self._effects = painter.light, tuple(painter.effects)
