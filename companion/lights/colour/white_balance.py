"""White balance of a strip: in three rounds a person chooses the most neutral of five whites.

The five whites of a round lie around the last choice. They go from amber to blue in the first
round, from green to magenta in the second, and from amber to blue in small steps in the third.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

from companion.lights.compositor import Light, dark

White: TypeAlias = tuple[float, float, float]
"""Parts of red, green and blue that make white together; the largest part is 1."""

CANDIDATES: Final = 5

_ROUNDS: Final = ((0.25, 0.0, -0.25), (0.1, -0.2, 0.1), (0.1, 0.0, -0.1))
"""Change in log2 of red, green and blue from one candidate to the next, for each round."""

ROUNDS: Final = len(_ROUNDS)

_LEVEL: Final = 0.25
_PATCH: Final = 12
_MIDDLE: Final = CANDIDATES // 2


def candidates(choices: Sequence[int]) -> tuple[White, ...]:
    """Return the whites of the next round; `choices` has a number from 0 to 4 for each past round.

    >>> candidates([])[2]
    (1.0, 1.0, 1.0)
    """
    return tuple(chosen([*choices, choice]) for choice in range(CANDIDATES))


def chosen(choices: Sequence[int]) -> White:
    """Return the white that these choices lead to, rounded to three digits.

    >>> chosen([2, 0])
    (0.66, 1.0, 0.66)
    """
    steps = np.array(_ROUNDS[: len(choices)]).reshape(-1, 3)
    doublings = (np.array(choices) - _MIDDLE) @ steps if len(choices) else np.zeros(3)
    red, green, blue = np.exp2(doublings - doublings.max()).round(3)
    return float(red), float(green), float(blue)


def patches(whites: Sequence[White], leds: int) -> Light:
    """Return light with a patch for each white, evenly spread from the beginning of the wire.

    A patch has at least one LED, even on a short strip.
    """
    light = dark(leds)
    share = leds / len(whites)
    length = max(1, min(_PATCH, int(share) - 1))
    for n, white in enumerate(whites):
        start = int(n * share)
        light[start : start + length] = np.array(white, np.float32) * np.float32(_LEVEL)
    return light
