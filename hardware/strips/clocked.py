"""Strips with a clock line on a Raspberry Pi's SPI: APA102, SK9822, HD107S and HD108.

The clock may pause at any time, so a frame goes out in transfers that every kernel takes, at any
core clock, on every model and without root. The kernel's device is used directly: it takes three
settings and plain writes, during which other threads run, and so needs no package.
"""

import fcntl
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.errors import StripError
from hardware.pi import Machine, read_machine
from hardware.pi.machine import SPI_DEVICE, SPI_PINS
from hardware.strips.protocol import Frame, Strip, StripSpec, check_channels
from hardware.strips.scale import BYTES, CURRENT_MAX, WORDS, CurrentScale, Pixels, Scale

TRANSFER_MAX: Final = 4096
"""Bytes of a transfer that every kernel takes."""

DEFAULT_MHZ: Final = {"apa102": 8, "sk9822": 8, "hd107s": 8, "hd108": 16}
"""Clock of each chip: below its limit by far, as wires are long and the first level is 3.3 V."""

LOWEST_CURRENTS: Final = {"apa102": 1, "sk9822": CURRENT_MAX, "hd107s": CURRENT_MAX}
"""Lowest value of the current field by default.

On an APA102 the field is a second pulse width. On an SK9822 it is the current of the LEDs, whose
colour shifts when it is low, and nothing else is known of an HD107S: there it stays at full.
"""

# From <linux/spi/spidev.h>: write the mode, the bits of a word, the clock in Hz.
_SET_MODE: Final = 0x40016B01
_SET_WORD_BITS: Final = 0x40016B03
_SET_HERTZ: Final = 0x40046B04

_TRANSFER_GAP_S: Final = 20e-6
_LED_HEADER: Final = 0b111 << 5
_WORD_HEADER: Final = 0xFFFF  # the first bit of an LED, and the three gains at full


class ClockedStrip(Strip):
    """Strip on the data and clock pins of SPI0; `chip` is one of `CLOCKED`.

    `mhz` is the clock, `lowest_current` (1 to 31) the least value of an LED's current field. Files
    below `root` describe the machine and have its devices.

    Raises:
        StripError: more than one channel.
    """

    is_quick = True  # a write lasts as long as its transfer

    def __init__(
        self,
        spec: StripSpec,
        *,
        chip: str,
        mhz: int | None = None,
        lowest_current: int | None = None,
        root: Path = Path("/"),
    ) -> None:
        super().__init__(spec)
        check_channels(spec, f"spi:{chip}", 1)
        self._hertz = (mhz or DEFAULT_MHZ[chip]) * 1_000_000
        self._mode = _MODES.get(chip, 0)
        self.scale = _scale(lowest_current or LOWEST_CURRENTS.get(chip), chip)
        self._wire = _WIRES.get(chip, _CodeWire)(spec)
        self._device = SPI_DEVICE
        self._machine = read_machine(root)
        self._chunk = min(self._machine.spi_bufsiz or TRANSFER_MAX, TRANSFER_MAX)
        self._file: int | None = None

    @property
    def wire_seconds(self) -> float:
        """Duration of a frame: its bits at the clock, and the gaps between its transfers."""
        size = len(self._wire.bytes)
        return size * 8 / self._hertz + -(-size // self._chunk) * _TRANSFER_GAP_S

    @property
    def pins(self) -> tuple[int, ...]:
        """BCM pins of data and clock."""
        return SPI_PINS

    def _start(self) -> None:
        try:
            self._file = os.open(self._device, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise _refusal(self._machine, self._device, error) from error
        try:
            fcntl.ioctl(self._file, _SET_MODE, struct.pack("B", self._mode))
            fcntl.ioctl(self._file, _SET_WORD_BITS, struct.pack("B", 8))
            fcntl.ioctl(self._file, _SET_HERTZ, struct.pack("=I", self._hertz))
        except OSError as error:
            self._stop()
            text = "{device} refuses {hertz} MHz in mode {mode} ({reason})"
            remedy = "set another clock"
            values = self._device, self._hertz // 1_000_000, self._mode, error.strerror
            raise StripError(text, *values, remedy=remedy, key="strip.mhz") from error

    def _send(self, frame: Frame) -> None:
        assert self._file is not None  # noqa: S101  # it is open
        (pixels,) = frame
        self._wire.fill(pixels)
        data = self._wire.bytes.data
        try:
            for start in range(0, len(data), self._chunk):
                os.write(self._file, data[start : start + self._chunk])
        except OSError as error:
            remedy = "see that spidev.bufsiz is at least 4096, and restart the Pi"
            text = "{device} failed ({reason})"
            raise StripError(text, self._device, error.strerror, remedy=remedy) from error

    def _stop(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file = None


class _CodeWire:
    """Bytes on the wire of APA102, SK9822 and HD107S: three bits and the current, then the codes.

    A start of zeros, the LEDs, zeros by which an SK9822 shows them, and half a clock for each LED,
    as each delays the data by half of one.
    """

    def __init__(self, spec: StripSpec) -> None:
        (leds,) = spec.leds
        self.bytes = np.zeros(4 + 4 * leds + 4 + -(-leds // 16), np.uint8)
        self._leds = self.bytes[4 : 4 + 4 * leds].reshape(leds, 4)
        self._moves = [*enumerate(map("RGB".index, spec.order), start=1)]

    def fill(self, pixels: Pixels) -> None:
        """Write a frame's codes, and its currents or full current."""
        has_current = pixels.shape[1] > len("RGB")
        currents: NDArray[np.uint8] | int = pixels[:, -1] if has_current else CURRENT_MAX
        self._leds[:, 0] = currents | _LED_HEADER
        for place, colour in self._moves:
            self._leds[:, place] = pixels[:, colour]


class _WordWire:
    """Bytes on the wire of HD108: a bit and three gains of five, then 16 bits a colour.

    A start of 128 zeros, the LEDs, and half a clock for each of them.
    """

    def __init__(self, spec: StripSpec) -> None:
        (leds,) = spec.leds
        self.bytes = np.zeros(16 + 8 * leds + -(-leds // 16) + 4, np.uint8)
        self._leds = self.bytes[16 : 16 + 8 * leds].view(">u2").reshape(leds, 4)
        self._leds[:, 0] = _WORD_HEADER
        self._moves = [*enumerate(map("RGB".index, spec.order), start=1)]

    def fill(self, pixels: Pixels) -> None:
        """Write a frame's words."""
        for place, colour in self._moves:
            self._leds[:, place] = pixels[:, colour]


_MODES: Final = {"hd108": 3}
_WIRES: Final[dict[str, Callable[[StripSpec], _CodeWire | _WordWire]]] = {"hd108": _WordWire}


def _scale(lowest_current: int | None, chip: str) -> Scale:
    """Return codes with a current, words of 16 bits, or bytes if the current stays at full."""
    if chip in _WIRES:
        return WORDS
    return BYTES if lowest_current == CURRENT_MAX else CurrentScale(lowest_current or 1)


def _refusal(machine: Machine, device: str, error: OSError) -> StripError:
    """Return the error of a device that cannot be opened, with the line to change."""
    why_not = machine.why_not("spi")
    if why_not is not None:
        return why_not
    text = "{device} cannot be opened ({reason})"
    remedy = 'switch SPI on (on a Pi dtparam=spi=on), or set [strip] driver = "virtual"'
    return StripError(text, device, error.strerror, remedy=remedy, key="strip.driver")
