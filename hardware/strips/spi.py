"""Strips on SPI: those with a clock line (APA102, SK9822, HD107S, HD108), and WS2812B and SK6812W.

These drivers work on every model of the Raspberry Pi, and on other boards with spidev, without root
and without a package: they only set up the kernel's SPI device and write to it, while other threads
run.

The clock line may pause at any time, so a long frame is sent in several transfers, each small
enough for every kernel, at any core clock. On an APA102 each LED takes a header with the current,
then blue, green and red. Here red is 237 and the current is 1 of 31:

>>> wire = _ClockedWire(StripSpec(leds=(1,), type="apa102", order="BGR"), words=False)
>>> wire.fill(np.array([[237, 0, 0, 1]], np.uint8))
>>> wire.bytes.tobytes().hex(" ", -4)
'00000000 e10000ed 00000000 00'

Without a clock line three bits of SPI make one bit: 110 is a one, 100 a zero. The line may not
pause, so a frame with its reset is one transfer. The byte 1 takes three bytes:

>>> f"{int.from_bytes(_CODES[1].tobytes()):024b}"
'100100100100100100100110'
"""

import fcntl
import os
import struct
from abc import abstractmethod
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.errors import StripError, Text
from hardware.pi import Machine, read_machine
from hardware.pi.machine import SPI_DEVICE, SPI_GROUPS, SPI_PINS
from hardware.strips.protocol import Frame, Strip, StripSpec, check_channels
from hardware.strips.scale import BYTES, CURRENT_MAX, WORDS, CurrentScale, Pixels, Scale
from hardware.strips.ws281x_library import (
    FREQUENCY_HZ,
    OTHER_DRIVER,
    sized_leds,
    spi_buffer_fault,
    spi_bytes,
)

TRANSFER_MAX: Final = 4096  # bytes of the largest transfer that every kernel accepts
DEFAULT_MHZ: Final = {"apa102": 8, "sk9822": 8, "hd107s": 8, "hd108": 16}
"""Clock of each chip in MHz, far below its limit: wires are long, and a Pi's level is 3.3 V."""

LOWEST_CURRENTS: Final = {"apa102": 1, "sk9822": CURRENT_MAX, "hd107s": CURRENT_MAX}
"""Default of `lowest_current`, the least value of the five bits of current in an LED's header.

On an APA102 these bits set a second pulse width, which keeps the colour. On an SK9822, and perhaps
on an HD107S, they set the current. A low current shifts the colour, so the default is the highest.
"""

# From <linux/spi/spidev.h>: these calls set the mode, the bits of a word and the clock in Hz.
_SET_MODE: Final = 0x40016B01
_SET_WORD_BITS: Final = 0x40016B03
_SET_HERTZ: Final = 0x40046B04

_TRANSFER_GAP_S: Final = 20e-6
_LED_HEADER: Final = 0b111 << 5
_WORD_MODE: Final = 3

_BITS: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
_CODES: Final = np.packbits(
    np.stack([np.ones_like(_BITS), _BITS, np.zeros_like(_BITS)], axis=2).reshape(256, -1), axis=1
)
"""Three bytes of SPI for each byte of a colour."""


class _SpiStrip(Strip):
    """Strip of one channel on SPI0, whose frame is an array of bytes in transfers of `_chunk`."""

    is_quick = True  # a write lasts as long as its transfer
    _mode = 0
    _clock_key, _clock_remedy = "strip.driver", OTHER_DRIVER
    _hertz: int
    _chunk: int

    def __init__(self, spec: StripSpec, *, driver: str, root: Path) -> None:
        super().__init__(spec)
        check_channels(spec, driver, 1)
        self._device = SPI_DEVICE
        self._machine = read_machine(root)

    @property
    def pins(self) -> tuple[int, ...]:
        return SPI_PINS

    @property
    def devices(self) -> tuple[Path, ...]:
        return (Path(self._device),)

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
            raise StripError(
                "{device} refuses {hertz} MHz in mode {mode} ({reason})",
                device=self._device,
                hertz=f"{self._hertz / 1e6:g}",
                mode=self._mode,
                reason=error.strerror,
                remedy=self._clock_remedy,
                key=self._clock_key,
            ) from error

    def _send(self, frame: Frame) -> None:
        (pixels,) = frame
        data = self._wired(pixels).data
        try:
            for start in range(0, len(data), self._chunk):
                os.write(self._file, data[start : start + self._chunk])
        except OSError as error:
            remedy = Text(
                "see that spidev.bufsiz is at least {size}, and restart the Pi", size=self._chunk
            )
            text = "{device} failed ({reason})"
            raise StripError(
                text, device=self._device, reason=error.strerror, remedy=remedy
            ) from error

    @abstractmethod
    def _wired(self, pixels: Pixels) -> NDArray[np.uint8]:
        """Return the bytes on the wire."""

    def _stop(self) -> None:
        os.close(self._file)


class CodedStrip(_SpiStrip):
    """Strip without a clock line, on the data pin of SPI0. A frame is one transfer with its reset.

    Args:
        spec: the strip, of one channel.
        root: folder whose files describe the machine.

    Raises:
        StripError: more than one channel.
    """

    _hertz = 3 * FREQUENCY_HZ

    def __init__(self, spec: StripSpec, *, root: Path = Path("/")) -> None:
        super().__init__(spec, driver=f"spi:{spec.type}", root=root)
        (leds,) = spec.leds
        self._chunk = spi_bytes(sized_leds(leds, spec.colours, spi=True))
        self._bytes = np.zeros(self._chunk, np.uint8)
        self._codes = self._bytes[: leds * spec.colours * 3].reshape(leds, spec.colours, 3)
        self._moves = ["RGBW".index(colour) for colour in spec.order]

    def _start(self) -> None:
        (leds,) = self.spec.leds
        if fault := spi_buffer_fault(leds, self._machine.spi_bufsiz, self.spec.colours):
            raise fault
        super()._start()

    def _wired(self, pixels: Pixels) -> NDArray[np.uint8]:
        self._codes[:] = _CODES[pixels[:, self._moves]]
        return self._bytes


class ClockedStrip(_SpiStrip):
    """Strip on the data and clock pins of SPI0.

    Args:
        spec: the strip, of one channel.
        chip: one of `protocol.CLOCKED`, such as "apa102".
        mhz: the clock in MHz; None uses `DEFAULT_MHZ`.
        lowest_current: least current of an LED, 1 to 31; None uses `LOWEST_CURRENTS`.
        root: folder whose files describe the machine.

    Raises:
        StripError: more than one channel.
    """

    _clock_key, _clock_remedy = "strip.mhz", Text("set another clock")

    def __init__(
        self,
        spec: StripSpec,
        *,
        chip: str,
        mhz: int | None = None,
        lowest_current: int | None = None,
        root: Path = Path("/"),
    ) -> None:
        super().__init__(spec, driver=f"spi:{chip}", root=root)
        self._hertz = (mhz or DEFAULT_MHZ[chip]) * 1_000_000
        self.scale = _scale(chip, lowest_current)
        self._mode = _WORD_MODE if self.scale is WORDS else 0
        self._wire = _ClockedWire(spec, words=self.scale is WORDS)
        self._chunk = min(self._machine.spi_bufsiz or TRANSFER_MAX, TRANSFER_MAX)

    @property
    def wire_seconds(self) -> float:
        """Seconds of a frame: the time of its bits, and the gaps between its transfers."""
        size = len(self._wire.bytes)
        return size * 8 / self._hertz + -(-size // self._chunk) * _TRANSFER_GAP_S

    def _wired(self, pixels: Pixels) -> NDArray[np.uint8]:
        self._wire.fill(pixels)
        return self._wire.bytes


class _ClockedWire:
    """Bytes on the wire: zeros, then four values for each LED, then zeros to end the frame.

    The values are bytes, or on an HD108 words of 16 bits. The first value of an LED has three set
    bits and five bits of current. On an HD108 it has one set bit and three times five bits of gain.
    If all bits are set, the current is full. Each LED delays the data by half a clock cycle, so the
    last LED needs more cycles: those of the zeros at the end.
    """

    def __init__(self, spec: StripSpec, *, words: bool) -> None:
        (leds,) = spec.leds
        start, dtype = (16, np.dtype(">u2")) if words else (4, np.dtype("u1"))
        end = start + 4 * leds * dtype.itemsize
        self.bytes = np.zeros(end + 4 + -(-leds // 16), np.uint8)
        self._leds = self.bytes[start:end].view(dtype).reshape(leds, 4)
        self._leds[:, 0] = np.iinfo(dtype).max
        self._moves = [*enumerate(map("RGB".index, spec.order), start=1)]

    def fill(self, pixels: Pixels) -> None:
        if pixels.shape[1] > len("RGB"):
            self._leds[:, 0] = pixels[:, -1] | _LED_HEADER
        for place, colour in self._moves:
            self._leds[:, place] = pixels[:, colour]


def _scale(chip: str, lowest_current: int | None) -> Scale:
    """Return the scale of a chip: 16-bit words, bytes at full current, or bytes with a current."""
    if chip not in LOWEST_CURRENTS:
        return WORDS
    lowest = lowest_current or LOWEST_CURRENTS[chip]
    return BYTES if lowest == CURRENT_MAX else CurrentScale(lowest)


def _refusal(machine: Machine, device: str, error: OSError) -> StripError:
    why_not = machine.why_not("spi")
    if why_not is not None:
        return why_not
    text = "{device} cannot be opened ({reason})"
    remedy = Text('switch SPI on (on a Pi dtparam=spi=on), or set [strip] driver = "virtual"')
    if isinstance(error, PermissionError):
        remedy = SPI_GROUPS
    return StripError(text, device=device, reason=error.strerror, remedy=remedy, key="strip.driver")
