"""What pages and lights of a running table follow live: its settings, and the newest frame.

Some settings take effect at once when they are changed. Each change replaces `LiveSettings.now`,
which each new card game or demo reads at its beginning. Parts that run all the time, such as the
lights, subscribe to `changed`. The listeners of `Broadcast` are called after every change that a
page shows.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.devices.assembly import Assembly, assemble
from companion.lights.palette import side_names
from companion.settings.schema import Settings
from companion.signals import Signal
from hardware.strips import Frame


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InForce:
    """Settings in force with the parts made from them; `number` rises with each change."""

    settings: Settings
    assembly: Assembly
    number: int = 0

    @property
    def names(self) -> Mapping[int, str]:
        return side_names(self.settings.names, self.assembly.light.palette)

    @property
    def colours(self) -> Mapping[str, str]:
        """Colours of the sides, as `#rrggbb` by number."""
        return {str(side): colour for side, colour in self.assembly.light.palette.sides.items()}


class LiveSettings:
    """Holder of a running table's settings; use it in the event loop.

    After each change, `changed` notifies its subscribers with the previous settings.
    """

    def __init__(self, settings: Settings, assembly: Assembly) -> None:
        self.now = InForce(settings=settings, assembly=assembly)
        self.changed = Signal()

    def after(self, settings: Settings) -> InForce:
        """Return the settings in force, with the values from `settings` that take effect at once.

        `settings` must have no faults. The call builds lights, which is slow; any thread may do it.
        """
        now = self.now
        live = now.settings.with_live(settings)
        if live == now.settings:
            return now
        return InForce(settings=live, assembly=assemble(live), number=now.number + 1)

    def take_over(self, changed: InForce) -> None:
        before, self.now = self.now, changed
        if changed is not before:
            self.changed.notify(before)


class Broadcast(Signal):
    """Signal of a new frame from the lights thread, and of every other change that a page shows.

    It calls its listeners in the event loop in which it was created.

    Args:
        leds: the number of LEDs of all channels.
    """

    def __init__(self, leds: int) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self.frame: tuple[int, NDArray[np.uint8]] = (0, np.zeros((leds, 3), np.uint8))
        """Number of the newest frame, and its bytes, shape (leds, 3); each frame is a new array."""

    def take_frame(self, frame: Frame) -> None:
        number, _ = self.frame
        self.frame = (number + 1, np.concatenate([_rgb(channel) for channel in frame]))
        if self.listeners and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.notify)


def _rgb(channel: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a channel's bytes as red, green and blue; white is added to all three."""
    if channel.shape[1] == len("RGB"):
        return channel
    white = channel[:, 3:]
    room = np.iinfo(np.uint8).max - channel[:, :3]
    return channel[:, :3] + np.minimum(white, room)
