"""Scene: light as a pure function of a view and time; still layers are cached."""

from collections.abc import Sequence
from functools import lru_cache, partial

from companion.board.layout import Board
from companion.lights.colour.palette import Palette
from companion.lights.compositor import Effect, Light, composed
from companion.lights.pixels import Points
from companion.lights.scene.background import ground
from companion.lights.scene.ghost import Ghosts
from companion.lights.scene.layers import Painter
from companion.lights.scene.view import View


class Scene:
    """Light of one board; `points` are its light points, by default one for each hole and lane."""

    def __init__(
        self, board: Board, palette: Palette, *, points: Points | None = None, calm: bool = False
    ) -> None:
        self.points = points or Points(board)
        self._palette = palette
        self._calm = calm
        self._ghosts = Ghosts()
        self._ground = lru_cache(maxsize=1)(partial(ground, self.points, palette))
        self._painted: tuple[View, bool] | None = None
        self._still: Light | None = None
        self._effects: Sequence[Effect] = ()

    def compose(self, view: View, t: float) -> tuple[Light, float | None]:
        """Return the light at `t` seconds, shape (points, 3), and the time when it next changes.

        The time is None if only a new view changes the light. It is not later than `t` while
        something moves: then each frame differs. The caller must not write to the light, which the
        scene may return again.
        """
        moving = t < view.motion.end
        still = self._still
        painted = self._painted
        if still is None or painted is None or painted[0] is not view or painted[1] != moving:
            still = self._paint(view, moving=moving)
        return composed(still, self._effects, t)

    def _paint(self, view: View, *, moving: bool) -> Light:
        below = self._ground(view.state.setup.track)
        painter = Painter(self.points, self._palette, below, self._ghosts, calm=self._calm)
        painter.paint(view, moving=moving)
        painter.light.flags.writeable = False
        self._painted = view, moving
        self._still, self._effects = painter.light, tuple(painter.effects)
        return painter.light
