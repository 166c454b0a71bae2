"""Light of the test of buttons: each button has a part of its lane, and all lamps take turns."""

import numpy as np

from companion.lights.compositor import over
from companion.lights.scene.canvas import FIVE_LEVEL, Canvas
from companion.lights.scene.effects import Chase
from companion.lights.scene.view import ButtonTestView

KEYS = ("plus_one", "plus_five", "enter", "undo")
"""Buttons of a side, in the order of their parts of the lane from the start on."""

LAMP_S = 0.5
"""Seconds of each lamp's turn."""


def paint_button_test(canvas: Canvas, test: ButtonTestView) -> None:
    """Light the parts of buttons that are down, dimly those that were; light runs along the others.

    The table's buttons have the lamps beside the track.
    """
    canvas.light[:] = 0
    for lane in canvas.points.lanes:
        parts = dict(zip(KEYS, np.array_split(canvas.points.track(lane), len(KEYS)), strict=True))
        levels = {key: _level(test, f"{lane}.{key}") for key in KEYS}
        for key, level in levels.items():
            over(canvas.light, parts[key], canvas.palette.team(lane) * np.float32(level))
        untried = [parts[key] for key, level in levels.items() if not level]
        if untried:
            points = np.concatenate(untried)
            canvas.effects.append(canvas.running(lane, points, speed=33.0, rest=8.0))
    lamps = [np.array([point]) for point in canvas.points.lamps.values()]
    level = _level(test, "deal")
    over(canvas.light, np.concatenate(lamps), canvas.palette.plain * np.float32(level))
    canvas.effects.append(Chase(rings=tuple(lamps), colour=canvas.palette.plain, step=LAMP_S))


def _level(test: ButtonTestView, action: str) -> float:
    """Return the part of full light of a button: down, pressed before, or not yet."""
    if action in test.down:
        return 1.0
    return FIVE_LEVEL if action in test.pressed else 0.0
