"""Boards flashed with others' firmware that takes light over a serial port: output only.

None of these firmwares tells when it has shown a frame, and most are deaf while they do: frames
are paced. A frame is one write, whole or not at all, since the rest of a torn one would be taken
for something else. The firmware itself knows the order of colours on its strip: it is sent red,
green, blue. Many such boards start anew when their port is opened and miss the first frames; the
next ones are shown. None of them carries buttons.
"""

from __future__ import annotations

import logging
import math
import time
from abc import abstractmethod
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray
from serial import Serial

from firmware_bridge.connection.discovery import Whereabouts, find_port
from firmware_bridge.connection.serial_port import (
    PORT_ERRORS,
    check_baud,
    close_line,
    open_line,
    reason,
)
from firmware_bridge.drivers.strip import check_one_channel
from firmware_bridge.errors import BridgeError
from hardware.errors import StripError
from hardware.strips.base import StripBase
from hardware.strips.protocol import Frame, StripSpec

BITS_A_BYTE: Final = 10
MARGIN: Final = 2e-3
"""Seconds between two frames beyond those of cable and strip."""

_log = logging.getLogger(__name__)


class OutputOnlyStrip(StripBase):
    """A strip behind a serial port that takes frames and answers none; it carries no buttons.

    Args:
        spec: one channel.
        driver: the driver's name, for texts.
        port: a device, a URL of pyserial's, or "auto" for the only board.
        baud: the speed of its firmware.
        clock: monotonic seconds.
        sleep: waits so many seconds.

    Raises:
        StripError: several channels, or a speed that no board has.
    """

    def __init__(
        self,
        spec: StripSpec,
        driver: str,
        port: str,
        *,
        baud: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(spec)
        self._driver = f"{driver}:{port}"
        check_one_channel(spec, self._driver)
        self._port = port
        self._baud = baud
        self._clock = clock
        self._sleep = sleep
        self._place: Whereabouts | None = None
        self._line: Serial | None = None
        self._free_at = -math.inf
        self._has_failed = False
        try:
            check_baud(baud)
        except BridgeError as error:
            raise StripError(error.problem, remedy=error.remedy) from error

    @property
    def wire_seconds(self) -> float:
        """Seconds for a frame: over the cable, then to the strip, then a margin."""
        return self._cable_seconds + self._spec.wire_seconds + MARGIN

    @abstractmethod
    def _packet(self, pixels: NDArray[np.uint8]) -> bytes:
        """The bytes of a frame; `pixels` has the shape (LEDs, colours)."""

    @property
    def _cable_seconds(self) -> float:
        blank = np.zeros((self._spec.leds[0], self._spec.colours), np.uint8)
        return len(self._packet(blank)) * BITS_A_BYTE / self._baud

    def _start(self) -> None:
        try:
            if self._place is None:
                self._place = Whereabouts(find_port(self._port))
            patience = 1 + 2 * self._cable_seconds
            self._line = open_line(self._place.locate(), self._baud, write_seconds=patience)
        except BridgeError as error:
            problem = f'driver = "{self._driver}": {error.problem}'
            raise StripError(problem, remedy=error.remedy, key="strip.driver") from error
        self._place.note()
        self._free_at = -math.inf
        self._has_failed = False
        _log.warning("%s: output only, this carries no buttons", self._driver)

    def _send(self, frame: Frame) -> None:
        assert self._line is not None  # noqa: S101  # it is open
        if self._has_failed:
            # What follows half a frame would be taken for its rest.
            raise StripError(f"{self._driver} has failed", remedy="close it and open it again")
        pause = self._free_at - self._clock()
        if pause > 0:
            self._sleep(pause)
        (pixels,) = frame
        try:
            # What it says is nothing to us, and must not fill up.
            self._line.reset_input_buffer()
            self._line.write(self._packet(pixels))
        except PORT_ERRORS as error:
            self._has_failed = True
            raise StripError(
                f"{self._driver} failed: {reason(error)}",
                remedy="see to the board's cable and power",
            ) from error
        self._free_at = self._clock() + self.wire_seconds

    def _stop(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            # Half a frame is taken for something else, so a board that reads gets the rest.
            close_line(line, discard=self._has_failed)
