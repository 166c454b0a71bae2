"""LEDs, found by lighting one point after the other."""

import numpy as np

from companion.lights import Wiring


def led_of(wiring: Wiring, point: int) -> tuple[int, int] | None:
    """Return the channel and LED that show a light point; None if no LED does."""
    light = np.zeros((wiring.points.size, 3), np.float32)
    light[point] = 1
    lit = np.flatnonzero(wiring.spread(light)[:, 0]).tolist()
    if not lit:
        return None
    channel = int(lit[0] >= wiring.leds[0])
    return channel, lit[0] - channel * wiring.leds[0]
