"""Light: the game as a colour for each hole, and each hole's LED. Pure; time is an argument."""

from companion.lights.compositor import Light
from companion.lights.ghost import Ghost, ghost
from companion.lights.motion import Landing, Motion, Segment, plan
from companion.lights.palette import Palette, look_alikes
from companion.lights.points import Per, Points
from companion.lights.scene import Scene
from companion.lights.view import Flash, FlashKind, View, flashing
from companion.lights.wiring import Wiring

__all__ = [
    "Flash",
    "FlashKind",
    "Ghost",
    "Landing",
    "Light",
    "Motion",
    "Palette",
    "Per",
    "Points",
    "Scene",
    "Segment",
    "View",
    "Wiring",
    "flashing",
    "ghost",
    "look_alikes",
    "plan",
]
