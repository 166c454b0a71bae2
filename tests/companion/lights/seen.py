"""Views of a small board, and the light of single holes."""

import dataclasses

import numpy as np
import pytest

from companion.board.layout import Hole
from companion.lights import Light, Palette, Points, Scene, View, plan
from companion.lights.palette import Colour
from companion.lights.scene.scene import ground
from companion.rules.game import Command, History, State, new_game
from tests.companion.lights.games import SMALL, small_setup

PALETTE = Palette.make()
POINTS = Points(SMALL)
GROUND = ground(POINTS, PALETTE, SMALL.track)


def still(state: State) -> View:
    """Return a view in which nothing happens."""
    return View(state=state, ahead=state)


def light_of(view: View, t: float = 50.0, *, calm: bool = False) -> Light:
    """Return the light of the small board."""
    return Scene(SMALL, PALETTE, calm=calm).compose(view, t)[0]


def at(light: Light, side: int, hole: Hole) -> list[float]:
    """Return the light of one hole."""
    return [float(part) for part in light[POINTS.index(side, hole)]]


def part(colour: Colour, level: float) -> object:
    """Return a part of a full colour as a light value."""
    return pytest.approx((colour * level).tolist(), abs=1e-6)


def moved(*commands: Command, calm: bool = False) -> View:
    """Return the view in which the last command is played, from 100 s on."""
    history = History(new_game(small_setup((1, 2))))
    for command in commands[:-1]:
        history.do(command)
    before = history.state
    entry = history.do(commands[-1])
    return dataclasses.replace(still(entry.state), motion=plan(before, entry, 100.0, calm=calm))


def greatest_jump(scene: Scene, view: View, start: float, seconds: float) -> float:
    """Return the greatest change of any point's light in 1/64 s."""
    frames = [scene.compose(view, start + n / 64)[0] for n in range(int(seconds * 64))]
    return float(np.abs(np.diff(np.array(frames), axis=0)).max())
