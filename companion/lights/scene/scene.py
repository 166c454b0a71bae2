"""The scene: light as a pure function of a view and time; what stands still is kept, not redone."""

from __future__ import annotations

from collections.abc import Sequence

from companion.board.layout import Board
from companion.board.track import Track
from companion.lights.colour.palette import Palette
from companion.lights.compositor import Effect, Light, composed
from companion.lights.pixels import Points
from companion.lights.scene.background import ground
from companion.lights.scene.layers import Picture
from companion.lights.scene.view import View


class Scene:
    """The light of one board. `points` are its light points, one a hole and lane if not given."""

    def __init__(
        self, board: Board, palette: Palette, *, points: Points | None = None, calm: bool = False
    ) -> None:
        self.points = points or Points(board)
        self._palette = palette
        self._calm = calm
        self._track: Track | None = None
        self._ground: Light | None = None
        self._painted: tuple[View, bool] | None = None
        self._still: Light | None = None
        self._effects: Sequence[Effect] = ()

    def compose(self, view: View, t: float) -> tuple[Light, float | None]:
        """The light at `t` (points, 3), and the time when it next changes.

        None: not before the view does. A time not later than `t`: it is moving, ask again with the
        next frame. The light is not to be written to: the scene may give the same one again.
        """
        moving = t < view.motion.end
        still = self._still
        painted = self._painted
        if still is None or painted is None or painted[0] is not view or painted[1] != moving:
            still = self._paint(view, moving=moving)
        return composed(still, self._effects, t)

    def _paint(self, view: View, *, moving: bool) -> Light:
        track = view.state.setup.track
        picture = Picture(self.points, self._palette, self._ground_of(track), calm=self._calm)
        picture.paint(view, moving=moving)
        picture.light.flags.writeable = False
        self._painted = view, moving
        self._still, self._effects = picture.light, tuple(picture.effects)
        return picture.light

    def _ground_of(self, track: Track) -> Light:
        if self._ground is None or track is not self._track:
            self._track = track
            self._ground = ground(self.points, self._palette, track)
        return self._ground
