"""Colours: conversions (sRGB, linear light, CIELAB), differences (CIEDE2000), colour blindness.

For the white balance of a strip, a person chooses the most neutral of five whites, in three rounds.
The five lie around the white chosen last. They go from blue to amber in the first round, from green
to magenta in the second, and from blue to amber in small steps in the third.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.board.drawing.finish import linear_parts
from companion.lights.compositor import Light, dark

Lab: TypeAlias = tuple[float, float, float]  # colour in CIELAB under D65: L* 0 to 100, a*, b*

EYES: Mapping[str, NDArray[np.float64]] = {
    "ordinary": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deutan": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritan": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
"""Kinds of colour blindness: matrices for linear RGB (Machado, Oliveira and Fernandes 2009)."""

_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_WHITE = _TO_XYZ.sum(axis=1)
_FAR = 25.0**7


def linear(text: str) -> NDArray[np.float32]:
    """Return an sRGB colour `#rrggbb` as three floats of linear light; may raise ValueError.

    >>> [round(float(part), 3) for part in linear("#ff8000")]
    [1.0, 0.216, 0.0]
    """
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", text):
        raise ValueError("a colour is # and six hexadecimal digits, such as #ffb000")
    return np.array(linear_parts(text), np.float32)


def lab(rgb: NDArray[np.floating]) -> Lab:
    """Convert linear RGB, 0 to 1, to CIELAB."""
    ratio = (_TO_XYZ @ rgb) / _WHITE
    edge = 6 / 29
    curved = np.where(ratio > edge**3, np.cbrt(ratio), ratio / (3 * edge**2) + 4 / 29)
    x, y, z = map(float, curved)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one: Lab, other: Lab) -> float:
    """Return the difference of two colours; 1 is just visible (Sharma, Wu and Dalal 2005)."""
    chroma, hue = _chroma_and_hue(one, other)
    lightness = (one[0] + other[0]) / 2
    mean_chroma = (chroma[0] + chroma[1]) / 2
    mean_hue = _mean_hue(chroma, hue)
    turn = 30 * math.exp(-(((mean_hue - 275) / 25) ** 2))
    rotation = -math.sin(math.radians(2 * turn)) * 2 * _compression(mean_chroma)
    away = (lightness - 50) ** 2
    d_light = (other[0] - one[0]) / (1 + 0.015 * away / math.sqrt(20 + away))
    d_chroma = (chroma[1] - chroma[0]) / (1 + 0.045 * mean_chroma)
    d_hue = _hue_distance(chroma, hue) / (1 + 0.015 * mean_chroma * _hue_weight(mean_hue))
    return math.sqrt(d_light**2 + d_chroma**2 + d_hue**2 + rotation * d_chroma * d_hue)


def _compression(chroma: float) -> float:
    return math.sqrt(chroma**7 / (chroma**7 + _FAR))


def _chroma_and_hue(one: Lab, other: Lab) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return chroma and hue (degrees) of both colours; the a* of greyish colours is stretched."""
    mean = (math.hypot(*one[1:]) + math.hypot(*other[1:])) / 2
    stretch = 1 + (1 - _compression(mean)) / 2
    (a1, b1), (a2, b2) = ((stretch * a, b) for _, a, b in (one, other))
    hues = (math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360)
    return (math.hypot(a1, b1), math.hypot(a2, b2)), hues


def _mean_hue(chroma: tuple[float, float], hue: tuple[float, float]) -> float:
    total = hue[0] + hue[1]
    if not chroma[0] * chroma[1]:
        return total
    if abs(hue[0] - hue[1]) <= 180:  # noqa: PLR2004  # half a turn
        return total / 2
    return (total + 360) / 2 if total < 360 else (total - 360) / 2  # noqa: PLR2004  # a turn


def _hue_distance(chroma: tuple[float, float], hue: tuple[float, float]) -> float:
    turn = (hue[1] - hue[0] + 180) % 360 - 180
    return 2 * math.sqrt(chroma[0] * chroma[1]) * math.sin(math.radians(turn) / 2)


def _hue_weight(hue: float) -> float:
    return (
        1
        - 0.17 * math.cos(math.radians(hue - 30))
        + 0.24 * math.cos(math.radians(2 * hue))
        + 0.32 * math.cos(math.radians(3 * hue + 6))
        - 0.20 * math.cos(math.radians(4 * hue - 63))
    )


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
    """Return light with a patch for each white, evenly spread over the LEDs from the first one.

    A patch has at least one LED, even on a short strip.
    """
    light = dark(leds)
    share = leds / len(whites)
    length = max(1, min(_PATCH, int(share) - 1))
    for n, white in enumerate(whites):
        start = int(n * share)
        light[start : start + length] = np.array(white, np.float32) * np.float32(_LEVEL)
    return light
