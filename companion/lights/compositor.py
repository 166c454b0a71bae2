"""Compositor: for each frame it paints effects over still light."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.lights.pixels import Indices

Light: TypeAlias = NDArray[np.float32]
"""Linear red, green and blue, 0 to 1, of each light point; the shape is (points, 3)."""


class Effect(Protocol):
    """Light that changes with time."""

    def show(self, light: Light, t: float) -> float | None:
        """Paint the effect at `t` seconds; return when it next changes, or None if it never does.

        An effect that is moving returns a time that is not later than `t`.
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
        colour: one colour for all points, shape (3,), or one for each point, shape (points, 3).
        alpha: 0 keeps the old light, 1 replaces it; an array has an alpha for each point.
    """
    if isinstance(alpha, float) and alpha == 1:  # half of all calls; exact and faster than mixing
        light[points] = colour
    else:
        below = light.take(points, axis=0)  # take() is ten times as fast as []
        light[points] = below + (colour - below) * alpha


def mixed(
    one: NDArray[np.float32], other: NDArray[np.float32], share: float
) -> NDArray[np.float32]:
    """Return a mixture of two colours; it is `one` if `share` is 0, and `other` if `share` is 1.

    The cube roots of light are mixed (CIE 1976), so that equal steps look equal. A mixture with
    dark keeps the hue.
    """
    root = np.cbrt(one)
    return np.asarray((root + (np.cbrt(other) - root) * np.float32(share)) ** 3, np.float32)


def fade(light: Light, points: Indices | int, colour: NDArray[np.float32], share: float) -> None:
    """Fade some points to a colour: a share of 0 keeps the old light, a share of 1 replaces it."""
    light[points] = mixed(light.take(points, axis=0), colour, share)


def composed(ground: Light, effects: Sequence[Effect], t: float) -> tuple[Light, float | None]:
    """Return the light at `t` and the time of its next change; without effects return `ground`."""
    if not effects:
        return ground, None
    light = ground.copy()
    changes = [effect.show(light, t) for effect in effects]
    return light, min((change for change in changes if change is not None), default=None)
