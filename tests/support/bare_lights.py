"""A table whose lights show raw LED patterns that a test reads, without a thread."""

from typing import cast

import numpy as np

from companion.devices.light_thread import LightThread, RawFrame
from companion.web.settings.board_lights import BareLights
from hardware.errors import HardwareError
from tests.companion.table.bench import Bench


class LookedAt:
    """Raw patterns on a bench's table: a test reads the lit LEDs, and presses buttons.

    `troubles` has the result of each opening of a strip, in turn; `opened` has the LEDs of each.
    """

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.troubles: list[HardwareError] = []
        self.bare: RawFrame | None = None
        self.opened: list[tuple[int, ...]] = []
        self.lights = BareLights(bench.table, cast("LightThread", self))

    def show_raw(self, bare: RawFrame | None) -> None:
        """Show the pattern at once, as the lights thread does with its next frame."""
        if bare and (self.bare is None or self.bare.strip is not bare.strip):
            self.opened.append(bare.strip.spec.leds)
            bare.opened(self.troubles.pop(0) if self.troubles else None)
        self.bare = bare

    def lit(self, t: float = 0.0) -> list[tuple[int, int]]:
        """Return the channel and number of each lit LED, after the output stage."""
        assert self.bare
        frame = self.bare.output.render(self.bare.light(t)[0])
        return [
            (channel, int(led))
            for channel, pixels in enumerate(frame)
            for led in np.flatnonzero(pixels.any(axis=1))
        ]

    async def press(self, button: str) -> None:
        """Press a button of the table."""
        await self.bench.press(button)
