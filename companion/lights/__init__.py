"""Lights: the colours of the holes for a game at a given time, and the wiring of holes to LEDs."""

from companion.lights.compositor import Light, Per, Points
from companion.lights.limits import FlashLimiter
from companion.lights.palette import Palette, look_alikes
from companion.lights.scene.motion import Motion, plan
from companion.lights.scene.scene import Scene
from companion.lights.scene.view import Flash, FlashKind, Ghost, SignUpView, View, flashing, ghost
from companion.lights.wiring import Wiring

__all__ = [
    "Flash",
    "FlashKind",
    "FlashLimiter",
    "Ghost",
    "Light",
    "Motion",
    "Palette",
    "Per",
    "Points",
    "Scene",
    "SignUpView",
    "View",
    "Wiring",
    "flashing",
    "ghost",
    "look_alikes",
    "plan",
]
