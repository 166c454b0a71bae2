"""Colours of sides and zones on the strip of the settings: apart at every brightness there is."""

import numpy as np
import pytest

from companion.board.zone_kinds import ZoneKind
from companion.devices.assembly import assemble
from companion.lights.colour.palette import LOWEST_BRIGHTNESS
from companion.lights.scene.layers import TRAIL_LEVEL
from companion.lights.scene.scene import ZONE_LEVEL
from companion.settings.load import load_settings
from companion.toml.text import Value

BRIGHTNESSES = np.geomspace(LOWEST_BRIGHTNESS, 1, 40)


@pytest.mark.parametrize("bits", [0, 1, 2])
@pytest.mark.parametrize(
    "strip",
    [
        {"driver": "virtual"},
        {"driver": "virtual", "type": "ws2815"},
        {"driver": "virtual", "white_balance": [0.7, 0.8, 1.0]},
        {"driver": "spi:apa102"},
        {"driver": "spi:sk9822"},
        {"driver": "spi:hd108"},
    ],
)
def test_zones_and_trails_never_share_a_pixel(strip: dict[str, Value], bits: int) -> None:
    """Zones at rest and the trails of all sides are seven pixels, from 5 % brightness to full."""
    given: dict[str, Value] = {**strip, "budget_ma": 90_000}
    light = assemble(load_settings(None, {"strip": given})).light
    palette = light.palette
    colours = [
        *(palette.zone(kind) * np.float32(ZONE_LEVEL) for kind in ZoneKind),
        *(palette.side(side) * np.float32(TRAIL_LEVEL) for side in (1, 2, 3)),
    ]
    shown = np.zeros((sum(light.wiring.leds), 3), np.float32)
    shown[: 2 * len(colours) : 2] = colours  # apart, so that none is dithered with a neighbour
    for brightness in BRIGHTNESSES:
        light.output.brightness = float(brightness)
        (steps,) = light.output.cycle(shown, bits * light.output.can_dither).parts
        pixels = {tuple(map(int, pixel)) for pixel in steps[: 2 * len(colours) : 2]}
        assert len(colours) == len(pixels), brightness
