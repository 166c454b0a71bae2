"""A table whose lights show LEDs for a test to look at, without a thread."""

from typing import cast

import numpy as np

from companion.devices.light_thread import LightThread, RawFrame
from companion.web.settings.board_lights import BareLights
from hardware.errors import HardwareError
from tests.companion.table.bench import Bench


class LookedAt:
    """The bare light of a bench's table: which LEDs are lit, and what a press does to it.

    `troubles` are what opening strips meets, in turn; `opened` the LEDs of each that was tried.
    """

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.troubles: list[HardwareError] = []
        self.bare: RawFrame | None = None
        self.opened: list[tuple[int, ...]] = []
        self.lights = BareLights(bench.table, cast("LightThread", self))

    def show_raw(self, bare: RawFrame | None) -> None:
        """As the lights thread does, at once."""
        if bare and (self.bare is None or self.bare.strip is not bare.strip):
            self.opened.append(bare.strip.spec.leds)
            bare.opened(self.troubles.pop(0) if self.troubles else None)
        self.bare = bare

    def lit(self, t: float = 0.0) -> list[tuple[int, int]]:
        """The LEDs that shine, as channel and number, after the output stage."""
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
