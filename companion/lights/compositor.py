"""Compositor: a still ground, and effects painted over it each frame."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.lights.pixels import Indices

Light: TypeAlias = NDArray[np.float32]
"""Linear red, green and blue, 0 to 1, of each light point: (points, 3)."""


class Effect(Protocol):
    """Light that changes with time."""

    def show(self, light: Light, t: float) -> float | None:
        """Paint the effect at `t` seconds; return the time of its next change, None for never.

        The effect is moving now if that time is not later than `t`.
        """


def dark(points: int) -> Light:
    """Return light that is dark at every point."""
    return np.zeros((points, 3), dtype=np.float32)


def over(
    light: Light,
    points: Indices | int,
    colour: NDArray[np.float32],
    alpha: float | NDArray[np.float32] = 1.0,
) -> None:
    """Paint a colour over some points of a light. A point that is named twice is painted once.

    Args:
        light: the light to change.
        points: one point or several.
        colour: (3,) for all of them, or (points, 3).
        alpha: 0 keeps the old light, 1 replaces it; (points, 1) for one for each.
    """
    if isinstance(alpha, float) and alpha == 1:  # exact, and the quicker half of all cases
        light[points] = colour
    else:
        below = light.take(points, axis=0)  # ten times as fast as light[points]
        light[points] = below + (colour - below) * alpha


def mixed(
    one: NDArray[np.float32], other: NDArray[np.float32], share: float
) -> NDArray[np.float32]:
    """Return the colour on the way from one to another, in steps that are equal to the eye.

    Lightness goes by the cube root of light (CIE 1976). The hue stays the same from or to dark.
    """
    root = np.cbrt(one)
    return np.asarray((root + (np.cbrt(other) - root) * np.float32(share)) ** 3, np.float32)


def fade(light: Light, points: Indices | int, colour: NDArray[np.float32], share: float) -> None:
    """Paint a colour that has come in over some points by a share, 0 to 1."""
    light[points] = mixed(light.take(points, axis=0), colour, share)


def composed(ground: Light, effects: Sequence[Effect], t: float) -> tuple[Light, float | None]:
    """Return the light at `t` and when it changes next; without effects, the ground itself."""
    if not effects:
        return ground, None
    light = ground.copy()
    changes = [effect.show(light, t) for effect in effects]
    return light, min((change for change in changes if change is not None), default=None)
