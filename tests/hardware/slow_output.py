"""Oracle of the output stage, LED by LED in exact arithmetic: slow and obvious."""

from collections import Counter
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hardware.output import Light
from hardware.power import POWER
from hardware.strips import Frame, StripSpec
from hardware.strips.protocol import COLOURS
from hardware.strips.scale import BYTES, LINEAR, Scale, TableScale

Response = NDArray[np.float64]

ORDERS = {3: "GRB", 4: "GRBW"}
ROUNDING = 1e-6
"""Error of single precision, as a part of an LED's light."""

KERNEL = np.floor(255 * LINEAR ** (1 / 0.45)) / 255
"""A driver that applies gamma itself, in whole steps: 1 to 21 stay dark, others share a light."""

GAMMA = LINEAR**2.2


def spec_of(kind: str, *leds: int) -> StripSpec:
    """Return a strip of that type in its usual order."""
    return StripSpec(leds=leds, type=kind, order=ORDERS[COLOURS[kind]])


def scale_of(response: Response) -> Scale:
    """Return the scale of a strip with this response."""
    return BYTES if response is LINEAR else TableScale(response)


def light_of(*rows: tuple[float, float, float]) -> Light:
    """Return light with a row for each LED."""
    return np.array(rows, np.float32).reshape(-1, 3)


def milliamps(kind: str, frame: Frame, response: Response = LINEAR) -> Fraction:
    """Return the estimated current of a frame, in exact arithmetic."""
    idle, colour = Fraction(str(POWER[kind].idle)), Fraction(str(POWER[kind].colour))
    levels = Counter(int(level) for pixels in frame for level in pixels.ravel())
    leds = sum(len(pixels) for pixels in frame)
    light = sum(times * Fraction(float(response[level])) for level, times in levels.items())
    return leds * idle + colour * light


def colours_of(row: NDArray[np.float32], kind: str, brightness: float) -> list[float]:
    """Return the light of the colours of one LED: brightness applied, white on its own."""
    shown = [float(light) * brightness for light in row]
    if COLOURS[kind] == 3:
        return shown
    white = min(shown)
    return [light - white for light in shown] + [white]


def floor_of(response: Response) -> float:
    """Return the light of the lowest byte that gives any."""
    return next(float(light) for light in response if light > 0)


def nearest_lights(colours: list[float], response: Response) -> list[list[float]]:
    """Return the possible lights of each colour of an LED, two in a tie."""
    peak, floor = max(colours), floor_of(response)
    if 0 < peak < floor:
        ways = {colour / peak for colour in colours}
        near = {way: abs(way - 0.5) < ROUNDING for way in ways}
        lights = {way: [floor * (way >= 0.5)] for way in ways}
        return [[0.0, floor] if near[c / peak] else lights[c / peak] for c in colours]
    off = [np.abs(response - colour) for colour in colours]
    return [response[each <= each.min() + peak * ROUNDING].tolist() for each in off]


def beside(level: int, response: Response) -> tuple[float, float]:
    """Return the next lights below and above a byte's; full light is its own upper one."""
    light = response[level]
    return max(response[response < light], default=0.0), min(
        response[response > light], default=1.0
    )
