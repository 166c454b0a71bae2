"""Base of drivers for third-party firmware at a serial port; output only, no buttons.

Such firmware does not acknowledge frames, and most of it cannot receive while it shows one, so
frames are paced. A frame is one write, because the rest of a torn frame would be misinterpreted.
Colours are sent as red, green, blue: the firmware knows the order of its strip. Many boards reset
when the port is opened and miss the first frames.
"""

import logging
from abc import abstractmethod
from typing import Final

import numpy as np
from numpy.typing import NDArray
from serial import Serial

from firmware_bridge.connection.discovery import PortLocator, find_port
from firmware_bridge.connection.serial_port import (
    PORT_ERRORS,
    check_baud,
    close_port,
    failure_text,
    open_port,
)
from firmware_bridge.errors import BridgeError
from hardware.errors import StripError, driver_error
from hardware.strips.protocol import Frame, Pacer, Strip, StripSpec, check_channels

BITS_PER_BYTE: Final = 10
FRAME_MARGIN_S: Final = 2e-3
"""Pause between two frames beyond the time of cable and strip."""

_log = logging.getLogger(__name__)


class OutputOnlyStrip(Strip):
    """Base class of drivers for a serial port that acknowledges nothing.

    Args:
        spec: one channel.
        driver: name of the driver, for messages.
        port: a device, a URL of pyserial's, or "auto" for the only board.
        pacer: delays a frame until the one before it is on the strip.
        baud: the baud rate of its firmware.

    Raises:
        StripError: several channels, or an impossible baud rate.
    """

    def __init__(self, spec: StripSpec, driver: str, port: str, *, pacer: Pacer, baud: int) -> None:
        super().__init__(spec)
        self._driver = f"{driver}:{port}"
        check_channels(spec, self._driver, 1)
        self._port = port
        self._baud = baud
        self._pacer = pacer
        self._locator: PortLocator | None = None
        self._serial: Serial | None = None
        self._has_failed = False
        try:
            check_baud(baud)
        except BridgeError as error:
            raise StripError(error.problem, remedy=error.remedy) from error

    @property
    def wire_seconds(self) -> float:
        """Seconds for a frame over the cable, then to the strip, and a margin."""
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
            if self._locator is None:
                self._locator = PortLocator(find_port(self._port))
            timeout_s = 1 + 2 * self._cable_s
            self._serial = open_port(self._locator.locate(), self._baud, write_timeout_s=timeout_s)
        except BridgeError as error:
            raise driver_error(self._driver, error.problem, remedy=error.remedy) from error
        self._locator.remember()
        self._has_failed = False
        _log.warning("%s: output only, this carries no buttons", self._driver)

    def _send(self, frame: Frame) -> None:
        assert self._serial is not None  # noqa: S101  # it is open
        if self._has_failed:
            # The board would take the next frame for the rest of the torn one.
            remedy = "close it and open it again"
            raise StripError("{driver} has failed", driver=self._driver, remedy=remedy)
        self._pacer.wait()
        (pixels,) = frame
        try:
            # Unread output of the board must not fill the buffers.
            self._serial.reset_input_buffer()
            self._serial.write(self._packet(pixels))
        except PORT_ERRORS as error:
            self._has_failed = True
            text, remedy = "{driver} failed: {failure_text}", "see to the board's cable and power"
            raise StripError(
                text, driver=self._driver, failure_text=failure_text(error), remedy=remedy
            ) from error
        self._pacer.busy_for(self.wire_seconds)

    def _stop(self) -> None:
        port, self._serial = self._serial, None
        if port is not None:
            # A torn frame would be misinterpreted, so the last one is sent to its end.
            close_port(port, discard=self._has_failed)
