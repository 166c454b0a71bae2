"""Drivers for third-party firmware at a serial port; output only, no buttons.

Such firmware does not acknowledge frames, and most of it cannot receive while it shows a frame, so
frames are paced. A frame is one write, because the board would misinterpret half a frame.
Colours are sent as red, green, blue: the firmware knows the order of its strip. Many boards reset
when the port is opened and miss the first frames.

A frame for Adalight sketches, and for WLED on its serial port, is "Ada", the number of LEDs less
one as two bytes, the XOR of both with 0x55, and the colours; there is no checksum. If WLED misses
"Ada", it executes the bytes of the frame as commands; some commands change its baud rate. So with
the argument `wled` no byte after "Ada" is a command: a colour's byte is replaced by the nearest
harmless byte, at most four away, and dark LEDs are added until the bytes of the count are harmless.

A frame for HyperSerial (AWA) begins with "Awa", or with "AWa" if each LED has a white byte. The
count, the colours and three checksums modulo 255 follow, so that a damaged frame is not shown. Only
HyperSerialPico for RGBW strips knows "AWa"; other firmware computes white itself.
"""

import logging
from abc import abstractmethod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.connection.discovery import PortLocator
from firmware_bridge.connection.serial_port import (
    PORT_ERRORS,
    check_baud,
    close_port,
    failure_text,
    open_port,
)
from firmware_bridge.errors import BridgeError
from hardware.errors import StripError, Text, driver_error
from hardware.strips.protocol import Frame, Pacer, Strip, StripSpec, check_channels

BITS_PER_BYTE: Final = 10
FRAME_MARGIN_S: Final = 2e-3  # pause after a frame's time on the cable and on the strip
_log = logging.getLogger(__name__)


class OutputOnlyStrip(Strip):
    """Base class of drivers for a serial port that acknowledges nothing.

    Args:
        spec: the strip, of one channel.
        driver: name of the driver, for messages.
        port: a device, a URL of pyserial's, or "auto" for the only board.
        pacer: delays a frame until the previous frame is on the strip.
        baud: the baud rate of the board's firmware.

    Raises:
        StripError: several channels, or an impossible baud rate.
    """

    def __init__(self, spec: StripSpec, driver: str, port: str, *, pacer: Pacer, baud: int) -> None:
        super().__init__(spec)
        self._driver = f"{driver}:{port}"
        check_channels(spec, self._driver, 1)
        self._baud = baud
        self._pacer = pacer
        self._locator = PortLocator(port)
        try:
            check_baud(baud)
        except BridgeError as error:
            raise StripError(error.problem, remedy=error.remedy) from error

    @property
    def wire_seconds(self) -> float:
        return self._cable_s + self.spec.wire_seconds + FRAME_MARGIN_S

    @abstractmethod
    def _packet(self, pixels: NDArray[np.uint8]) -> bytes:
        """Return the bytes of a frame; `pixels` has the shape (LEDs, colours)."""

    @property
    def _cable_s(self) -> float:
        blank = np.zeros((self.spec.leds[0], self.spec.colours), np.uint8)
        return len(self._packet(blank)) * BITS_PER_BYTE / self._baud

    def _start(self) -> None:
        try:
            timeout_s = 1 + 2 * self._cable_s
            self._serial = open_port(self._locator.locate(), self._baud, write_timeout_s=timeout_s)
        except BridgeError as error:
            raise driver_error(self._driver, error.problem, remedy=error.remedy) from error
        self._locator.remember()
        self._has_failed = False
        _log.warning("%s: output only, this carries no buttons", self._driver)

    def _send(self, frame: Frame) -> None:
        if self._has_failed:
            # The board would take the next frame for the rest of the failed one.
            remedy = Text("close it and open it again")
            raise StripError("{driver} has failed", driver=self._driver, remedy=remedy)
        self._pacer.wait()
        (pixels,) = frame
        try:
            # Unread output of the board must not fill the buffers.
            self._serial.reset_input_buffer()
            self._serial.write(self._packet(pixels))
        except PORT_ERRORS as error:
            self._has_failed = True
            text = "{driver} failed: {failure_text}"
            remedy = Text("check the board's cable and power")
            raise StripError(
                text, driver=self._driver, failure_text=failure_text(error), remedy=remedy
            ) from error
        self._pacer.busy_for(self.wire_seconds)

    def _stop(self) -> None:
        # The board would misinterpret half a frame, so the last frame is sent to its end.
        close_port(self._serial, discard=self._has_failed)


DEFAULT_BAUD: Final = 115_200
MAX_LEDS: Final = 0x10000

COMMAND_BYTES: Final = frozenset(range(0xB0, 0xB8)) | {0xC9} | frozenset(b"AIvlLoO{^X")
"""Bytes that are commands of WLED or its fork WLED-MM, or that begin a command."""

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
"""For each byte the nearest byte that is no command; of two equally near ones the dimmer one."""

HARMLESS.setflags(write=False)


def harmless_count(leds: int) -> int:
    """Return the smallest number of LEDs, at least `leds`, whose header has no command byte.

    >>> harmless_count(500), harmless_count(177)
    (500, 185)
    """
    counts = range(leds, MAX_LEDS + 1)
    return next(n for n in counts if not COMMAND_BYTES & set(count_header(b"", n)))


class AdalightStrip(OutputOnlyStrip):
    """Driver of a strip behind an Adalight sketch or, if `wled` is True, behind WLED.

    `OutputOnlyStrip` explains the other arguments.

    Raises:
        StripError: several channels, LEDs of four colours, or too many LEDs.
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
            remedy = Text('set type = "sk6812" or the like, or use a board with our firmware')
            raise driver_error(f"adalight:{port}", text, max_leds=MAX_LEDS, remedy=remedy)
        self._is_wled = wled

    def _packet(self, pixels: NDArray[np.uint8]) -> bytes:
        if not self._is_wled:
            return count_header(b"Ada", len(pixels)) + pixels.tobytes()
        count = harmless_count(len(pixels))
        dark = bytes(_COLOURS * (count - len(pixels)))
        return count_header(b"Ada", count) + HARMLESS[pixels].tobytes() + dark


AWA_BAUD: Final = 2_000_000
AWA_MAX_LEDS: Final = 4096

_MODULUS: Final = 255
_WITH_WHITE: Final = 4
_LETTER_A: Final = 0x41  # first byte of a frame, which the last checksum must not equal
_LETTER_A_SUBSTITUTE: Final = 0xAA


def checksums(colours: bytes) -> bytes:
    """Return the sums of the colours' bytes, of their running sums, and of each byte XOR its index.

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
    """Driver of a strip behind HyperSerial firmware; if `white` is True, each LED has white too.

    `OutputOnlyStrip` explains the other arguments.

    Raises:
        StripError: several channels, too many LEDs, or `white` that does not fit the strip.
    """

    def __init__(
        self, spec: StripSpec, port: str, *, pacer: Pacer, baud: int = AWA_BAUD, white: bool = False
    ) -> None:
        super().__init__(spec, "awa", port, pacer=pacer, baud=baud)
        if spec.leds[0] > AWA_MAX_LEDS:
            text = "it takes at most {max_leds} LEDs, but {leds} are wired"
            remedy = Text("wire only one LED for each hole, or use several boards")
            raise driver_error(
                f"awa:{port}", text, max_leds=AWA_MAX_LEDS, leds=spec.leds[0], remedy=remedy
            )
        if white != (spec.colours == _WITH_WHITE):
            raise _wrong_white(port, spec)
        self._magic = b"AWa" if spec.colours == _WITH_WHITE else b"Awa"

    def _packet(self, pixels: NDArray[np.uint8]) -> bytes:
        colours = pixels.tobytes()
        return count_header(self._magic, len(pixels)) + colours + checksums(colours)


def _wrong_white(port: str, spec: StripSpec) -> StripError:
    if spec.colours == _WITH_WHITE:
        text = 'LEDs of type = "{type}" have white, which most such firmware computes itself'
        remedy = Text('set type = "sk6812", or white = true for HyperSerialPico')
        return driver_error(f"awa:{port}", text, type=spec.type, remedy=remedy)
    text = 'LEDs of type = "{type}" have no white'
    return StripError(text, type=spec.type, remedy=Text("leave it out"), key="strip.white")
