"""The newest frame of the lights, and the listeners that are called after every change."""

import asyncio

import numpy as np
from numpy.typing import NDArray

from companion.signals import Signal
from hardware.strips import Frame


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
