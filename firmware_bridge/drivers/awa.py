"""Strips behind HyperSerial firmware, by its protocol AWA; output only, no buttons.

A frame is "Awa" (or "AWa", if each LED has a white byte), the rest of Adalight's header, the
colours, and three checksums modulo 255, so that a damaged frame is not shown. Only HyperSerialPico
for RGBW strips knows "AWa"; other firmware gets red, green and blue, and computes white itself.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.drivers.adalight import count_header
from firmware_bridge.drivers.third_party import OutputOnlyStrip
from hardware.errors import StripError, driver_error
from hardware.strips.protocol import Pacer, StripSpec

DEFAULT_BAUD: Final = 2_000_000
MAX_LEDS: Final = 4096

_MODULUS: Final = 255
_WITH_WHITE: Final = 4
_LETTER_A: Final = 0x41  # the first byte of the next frame
_LETTER_A_SUBSTITUTE: Final = 0xAA


def checksums(colours: bytes) -> bytes:
    """Return the checksums of a frame's colours: sum, sum of sums, sum of byte XOR index.

    >>> checksums(b"abc").hex(" ")
    '27 4c 26'
    """
    data = np.frombuffer(colours, np.uint8).astype(np.int64)
    places = np.arange(len(data))
    plain = int(data.sum()) % _MODULUS
    summed = int((data * (len(data) - places)).sum()) % _MODULUS
    mixed = int((data ^ (places & 0xFF)).sum()) % _MODULUS
    return bytes((plain, summed, _LETTER_A_SUBSTITUTE if mixed == _LETTER_A else mixed))


class AwaStrip(OutputOnlyStrip):
    """Driver of a strip behind HyperSerial firmware; with `white` it takes a white byte an LED.

    The other arguments are those of `OutputOnlyStrip`.

    Raises:
        StripError: several channels, too many LEDs, or `white` that does not fit the strip.
    """

    def __init__(
        self,
        spec: StripSpec,
        port: str,
        *,
        pacer: Pacer,
        baud: int = DEFAULT_BAUD,
        white: bool = False,
    ) -> None:
        super().__init__(spec, "awa", port, pacer=pacer, baud=baud)
        if spec.leds[0] > MAX_LEDS:
            text = "it takes at most {max_leds} LEDs, and {leds} are wired"
            remedy = "wire one LED a hole, or use several boards"
            raise driver_error(
                f"awa:{port}", text, max_leds=MAX_LEDS, leds=spec.leds[0], remedy=remedy
            )
        if white != (spec.colours == _WITH_WHITE):
            raise _wrong_white(port, spec)
        self._magic = b"AWa" if spec.colours == _WITH_WHITE else b"Awa"

    def _packet(self, pixels: NDArray[np.uint8]) -> bytes:
        colours = pixels.tobytes()
        return count_header(self._magic, len(pixels)) + colours + checksums(colours)


def _wrong_white(port: str, spec: StripSpec) -> StripError:
    if spec.colours == _WITH_WHITE:
        text = 'type = "{type}" has white, which most of this firmware computes itself'
        remedy = 'set type = "sk6812", or white = true for HyperSerialPico'
        return driver_error(f"awa:{port}", text, type=spec.type, remedy=remedy)
    text = 'LEDs of type = "{type}" have no white'
    return StripError(text, type=spec.type, remedy="leave it out", key="strip.white")
