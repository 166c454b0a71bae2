"""Strips behind Adalight sketches, and behind WLED at its serial port; output only, no buttons.

A frame is "Ada", the number of LEDs less one in two bytes, those two and 0x55 combined by
exclusive or, and then red, green and blue of each LED. Nothing checks the colours.

WLED looks at every byte outside of a frame as at an order: some change its speed. So nothing that
it could take for one is among the colours where `wled` is set: those bytes are changed by four at
most, which nobody sees.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.drivers.third_party import OutputOnlyStrip
from hardware.errors import StripError
from hardware.strips.protocol import StripSpec

DEFAULT_BAUD: Final = 115_200
MOST_LEDS: Final = 0x10000

ORDERS: Final = frozenset(range(0xB0, 0xB8)) | {0xC9} | frozenset(b"AIvlLoO{")
"""The bytes that WLED takes for an order, or for the beginning of one."""

_COLOURS: Final = 3


def count_header(magic: bytes, leds: int) -> bytes:
    """The first bytes of a frame: whose it is, and how many LEDs it has.

    >>> count_header(b"Ada", 500).hex(" ")
    '41 64 61 01 f3 a7'
    """
    high, low = divmod(leds - 1, 256)
    return magic + bytes((high, low, high ^ low ^ 0x55))


def _nearest_harmless(byte: int) -> int:
    harmless = (other for other in range(256) if other not in ORDERS)
    return min(harmless, key=lambda other: abs(other - byte))


HARMLESS: Final[NDArray[np.uint8]] = np.array(list(map(_nearest_harmless, range(256))), np.uint8)
"""For each byte the nearest one that is no order; the dimmer of two."""

HARMLESS.setflags(write=False)


class AdalightStrip(OutputOnlyStrip):
    """A strip behind a board with an Adalight sketch; it carries no buttons.

    Args:
        spec: one channel of three colours an LED.
        port: a device, a URL of pyserial's, or "auto" for the only board.
        baud: the speed of the sketch.
        wled: the board runs WLED.

    Raises:
        StripError: several channels, four colours an LED, too many LEDs.
    """

    def __init__(
        self, spec: StripSpec, port: str, *, baud: int = DEFAULT_BAUD, wled: bool = False
    ) -> None:
        super().__init__(spec, "adalight", port, baud=baud)
        if spec.colours != _COLOURS or spec.leds[0] > MOST_LEDS:
            raise StripError(
                f'driver = "adalight:{port}" carries three colours an LED and {MOST_LEDS} LEDs',
                remedy='set type = "sk6812" or the like, or use a board with our firmware',
                key="strip.driver",
            )
        self._is_wled = wled

    def _packet(self, pixels: NDArray[np.uint8]) -> bytes:
        colours = HARMLESS[pixels] if self._is_wled else pixels
        return count_header(b"Ada", len(pixels)) + colours.tobytes()
