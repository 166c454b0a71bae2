"""Light over light: a ground that stands still, and effects that are painted on it each frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.lights.pixels import Indices

Light: TypeAlias = NDArray[np.float32]
"""Linear red, green and blue, 0 to 1, of each light point: (points, 3)."""


class Effect(Protocol):
    """Something that changes with time."""

    def show(self, light: Light, t: float) -> float | None:
        """Paint itself as it is at `t`; the time when it next changes, None if never again.

        A time that is not later than `t` means that it is moving now.
        """


def dark(points: int) -> Light:
    """No light at all."""
    return np.zeros((points, 3), dtype=np.float32)


def over(
    light: Light,
    points: Indices | int,
    colour: NDArray[np.float32],
    alpha: float | NDArray[np.float32] = 1.0,
) -> None:
    """Lay a colour over some points of a light: 0 leaves what is there, 1 hides it.

    `colour` is one for all points or one for each; so is `alpha`, then as a column. A point that
    is named twice is painted once.
    """
    if isinstance(alpha, float) and alpha == 1:  # exact, and the quicker half of all cases
        light[points] = colour
    else:
        below = light[points]
        light[points] = below + (colour - below) * alpha


def composed(ground: Light, effects: Sequence[Effect], t: float) -> tuple[Light, float | None]:
    """The light at `t`, and when it next changes; without effects the ground itself."""
    if not effects:
        return ground, None
    light = ground.copy()
    changes = [effect.show(light, t) for effect in effects]
    return light, min((change for change in changes if change is not None), default=None)
