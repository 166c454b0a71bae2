"""Strips driven by Adalight sketches, or by WLED on its serial port; output only, no buttons.

A frame is "Ada", the number of LEDs less one as two bytes, their exclusive or with 0x55, and then
red, green and blue of each LED. The colours have no checksum.

WLED executes every byte outside of a frame as a command; some change its baud rate. With `wled` a
torn frame does no harm, as it has no command bytes after its first letters: colours are changed by
at most four, which is invisible, and dark LEDs are added until the header's count is harmless.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.drivers.third_party import OutputOnlyStrip
from hardware.errors import driver_error
from hardware.strips.protocol import Pacer, StripSpec

DEFAULT_BAUD: Final = 115_200
MAX_LEDS: Final = 0x10000

COMMAND_BYTES: Final = frozenset(range(0xB0, 0xB8)) | {0xC9} | frozenset(b"AIvlLoO{^X")
"""Bytes that are commands of WLED or its fork WLED-MM, or that begin one."""

_COLOURS: Final = 3


def count_header(magic: bytes, leds: int) -> bytes:
    """Return the header of a frame.

    >>> count_header(b"Ada", 500).hex(" ")
    '41 64 61 01 f3 a7'
    """
    high, low = divmod(leds - 1, 256)
    return magic + bytes((high, low, high ^ low ^ 0x55))


def _nearest_harmless(byte: int) -> int:
    harmless = (other for other in range(256) if other not in COMMAND_BYTES)
    return min(harmless, key=lambda other: abs(other - byte))


HARMLESS: Final[NDArray[np.uint8]] = np.array(list(map(_nearest_harmless, range(256))), np.uint8)
"""For each byte the nearest one that is no command; the dimmer of two."""

HARMLESS.setflags(write=False)


def harmless_count(leds: int) -> int:
    """Return the smallest number of LEDs from `leds` on whose header has no command byte.

    >>> harmless_count(500), harmless_count(177)
    (500, 185)
    """
    counts = range(leds, MAX_LEDS + 1)
    return next(n for n in counts if not COMMAND_BYTES & set(count_header(b"", n)))


class AdalightStrip(OutputOnlyStrip):
    """Driver of a strip behind an Adalight sketch, or with `wled` behind WLED.

    The other arguments are those of `OutputOnlyStrip`.

    Raises:
        StripError: several channels, four colours an LED, too many LEDs.
    """

    def __init__(
        self,
        spec: StripSpec,
        port: str,
        *,
        pacer: Pacer,
        baud: int = DEFAULT_BAUD,
        wled: bool = False,
    ) -> None:
        super().__init__(spec, "adalight", port, pacer=pacer, baud=baud)
        if spec.colours != _COLOURS or spec.leds[0] > MAX_LEDS:
            text = "it takes at most {max_leds} LEDs, of three colours"
            remedy = 'set type = "sk6812" or the like, or use a board with our firmware'
            raise driver_error(f"adalight:{port}", text, max_leds=MAX_LEDS, remedy=remedy)
        self._is_wled = wled

    def _packet(self, pixels: NDArray[np.uint8]) -> bytes:
        if not self._is_wled:
            return count_header(b"Ada", len(pixels)) + pixels.tobytes()
        count = harmless_count(len(pixels))
        dark = bytes(_COLOURS * (count - len(pixels)))
        return count_header(b"Ada", count) + HARMLESS[pixels].tobytes() + dark
