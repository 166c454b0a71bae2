"""Light of the button test: each button has a part of a lane or some lamps; lamps blink in turn."""

import numpy as np

from companion.buttons import MODE, SIDE_ACTIONS, TABLE_ACTIONS
from companion.lights.compositor import over
from companion.lights.scene.canvas import FIVE_LEVEL, Canvas
from companion.lights.scene.effects import Chase
from companion.lights.scene.view import ButtonTestView

LAMP_S = 0.5  # seconds of each lamp's turn


def paint_button_test(canvas: Canvas, test: ButtonTestView) -> None:
    """Light the part of each button: brightly while it is down, dimly if it was pressed before.

    The buttons of a side share its lane, the others the lamps. Light runs along untried parts.
    """
    canvas.light[:] = 0
    for lane in canvas.points.lanes:
        untried = []
        parts = np.array_split(canvas.points.track(lane), len(SIDE_ACTIONS))
        for action, part in zip(SIDE_ACTIONS, parts, strict=True):
            level = _level(test, f"{lane}.{action.key}")
            over(canvas.light, part, canvas.palette.side(lane) * np.float32(level))
            untried += [] if level else [part]
        if untried:
            points = np.concatenate(untried)
            canvas.effects.append(canvas.running(lane, points, speed=33.0, rest=8.0))
    lamps = [np.array([point]) for point in canvas.points.lamps.values()]
    buttons = [action for action in TABLE_ACTIONS if action is not MODE]  # Mode ends the test
    parts = np.array_split(np.concatenate(lamps), len(buttons))
    for action, part in zip(buttons, parts, strict=True):
        over(canvas.light, part, canvas.palette.plain * np.float32(_level(test, action.key)))
    canvas.effects.append(Chase(rings=tuple(lamps), colour=canvas.palette.plain, step=LAMP_S))


def _level(test: ButtonTestView, action: str) -> float:
    if action in test.down:
        return 1.0
    return FIVE_LEVEL if action in test.pressed else 0.0
