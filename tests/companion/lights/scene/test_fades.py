"""Fades on a strip of fine steps have no visible step, and keep the hue."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.lights.compositor import Effect, dark
from companion.lights.scene.effects import Beat, Pulse, Rhythm, Rise, Swell, Window
from hardware.output import Output
from hardware.strips import StripSpec
from hardware.strips.scale import CurrentScale

FPS = 60
FIRST = np.array([0])
AMBER = np.array([1, 0.434, 0], np.float32)
MAGENTA = np.array([1, 0.117, 0.631], np.float32)
TO_XYZ = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])
JUST_VISIBLE_L, JUST_VISIBLE_UV = 2.3, 0.004  # Mahy, Van Eycken and Oosterlinck 1994
SCALE = CurrentScale()


class Dimmed:
    """A board that comes up from the dark."""

    def show(self, light: NDArray[np.float32], t: float) -> float | None:
        """Paint a peg, and dim it."""
        light[FIRST] = MAGENTA
        return Window(effect=Rise(seconds=2.0), start=0.0, end=2.0).show(light, t)


def seen(effect: Effect, seconds: float) -> NDArray[np.float64]:
    """Return the light of an LED in each frame, as an APA102 gives it."""
    output = Output(StripSpec(leds=(1,), type="apa102", order="BGR"), 1e6, SCALE)
    frames = []
    for n in range(int(seconds * FPS)):
        light = dark(1)
        effect.show(light, n / FPS)
        frames.append(SCALE.light(output.render(light)[0])[0])
    return np.array(frames)


def lightness(light: NDArray[np.float64]) -> float:
    """Return L* of CIE 1976."""
    y = float(TO_XYZ[1] @ light)
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


def chromaticity(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return u'v' of CIE 1976."""
    x, y, z = TO_XYZ @ light
    return np.array([4 * x, 9 * y], np.float64) / float(x + 15 * y + 3 * z)


@pytest.mark.parametrize("colour", [AMBER, MAGENTA, np.ones(3, np.float32)])
def test_no_fade_of_two_seconds_has_a_visible_step(colour: NDArray[np.float32]) -> None:
    """Above 0.5 % of full light two frames differ by less than half of the visible."""
    effects: list[Effect] = [
        Pulse(points=FIRST, colour=colour, period=4.0),
        Swell(points=FIRST, colour=colour, seconds=4.0),
        Beat(points=FIRST, colours=np.stack([colour, colour * 0]), period=2.0, calm=True),
        Dimmed(),
        Rhythm(points=FIRST, colour=colour, slots=frozenset(range(8)), calm=True),
    ]
    for effect in effects:
        steps = [
            abs(lightness(other) - lightness(one))
            for one, other in pairwise(seen(effect, 4.0))
            if max(one.max(), other.max()) > 0.005
        ]
        assert 0.3 < max(steps) < JUST_VISIBLE_L / 2, effect


@pytest.mark.parametrize("colour", [AMBER, MAGENTA])
def test_a_fade_holds_its_hue(colour: NDArray[np.float32]) -> None:
    """From 1 % of full light on the eye sees the palette's colour."""
    apart = [
        float(np.hypot(*(chromaticity(light) - chromaticity(colour.astype(float)))))
        for light in seen(Pulse(points=FIRST, colour=colour, period=4.0), 4.0)
        if light.max() >= 0.01
    ]
    assert len(apart) > 100
    assert max(apart) < JUST_VISIBLE_UV
