"""Driver of a strip at a board: a microcontroller with our firmware, at which buttons may be too.

`show` returns at once; the newest frame is sent when the board is ready. An unplugged cable raises
no error: after a reconnection the newest frame is shown.
"""

import logging
from typing import Final

import numpy as np

from firmware_bridge.connection.connection import Connection
from firmware_bridge.connection.serial_port import DEFAULT_BAUD
from firmware_bridge.connection.sharing import CONNECTIONS, Connections
from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.framing import OVERHEAD
from firmware_bridge.protocol.messages import BoardInfo, BoardSetup
from hardware.errors import StripError, Text, driver_error
from hardware.strips.protocol import Frame, Strip, StripSpec, check_channels

USB_BYTE_S: Final = 1e-6  # time of a byte on native USB
_COLUMNS: Final = "RGBW"
_ANSWER_BYTES: Final = OVERHEAD + 6
_TURNAROUND_S: Final = 1e-3  # USB polls once a millisecond
_NATIVE_CREDIT: Final = 2  # frames in flight at a board on native USB; others allow 1
_DIM: Final = b"\x04"  # a colour of the safe pattern, which a board shows when its host is silent

_log = logging.getLogger(__name__)


class BridgeStrip(Strip):
    """Driver of a strip at a board with our firmware.

    Args:
        spec: the strip, of one channel; a board has no more.
        port: a device, a URL of pyserial's, or "auto" if just one board is plugged in.
        baud: the baud rate of the board's firmware.
        connections: pool shared with the board's buttons.
        patient: open even if no board is there yet, and keep looking for one.

    Raises:
        StripError: a strip that no board can drive.
    """

    def __init__(
        self,
        spec: StripSpec,
        port: str,
        *,
        baud: int = DEFAULT_BAUD,
        connections: Connections = CONNECTIONS,
        patient: bool = False,
    ) -> None:
        super().__init__(spec)
        check_channels(spec, f"serial:{port}", 1)
        self._port = port
        self._baud = baud
        self._patient = patient
        self._connections = connections
        self._connection: Connection | None = None
        self._columns = [_COLUMNS.index(colour) for colour in spec.order]
        try:
            self._wanted = BoardSetup(
                leds=spec.leds[0], colours=spec.colours, safe_colour=_DIM * spec.colours
            )
        except BridgeError as error:
            raise StripError(error.problem, remedy=error.remedy) from error

    @property
    def wire_seconds(self) -> float:
        byte_seconds = USB_BYTE_S if self._is_native() else 10 / self._baud
        cable_s = (OVERHEAD + self._wanted.pixel_bytes + _ANSWER_BYTES) * byte_seconds
        return cable_s + self.spec.wire_seconds + _TURNAROUND_S

    def _start(self) -> None:
        try:
            self._connection = self._connections.acquire(
                self._port, self._wanted, baud=self._baud, patient=self._patient
            )
        except BridgeError as error:
            name = f"serial:{self._port}"
            raise driver_error(name, error.problem, remedy=error.remedy) from error
        if self._connection.info is not None:
            _log.info("%s", describe(self._connection.info))

    def _is_native(self) -> bool:
        info = None if self._connection is None else self._connection.info
        return info is not None and info.credit >= _NATIVE_CREDIT

    def _send(self, frame: Frame) -> None:
        assert self._connection is not None  # noqa: S101  # it is open
        (pixels,) = frame
        wired = np.ascontiguousarray(pixels[:, self._columns])
        try:
            self._connection.show(wired.tobytes())
        except BridgeError as error:
            raise StripError(error.problem, remedy=error.remedy) from error

    def _stop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._connections.release(connection, strip=True)


def describe(info: BoardInfo) -> Text:
    """Return a description of a board in one line."""
    text = "{name}, firmware {firmware}: up to {pixel_bytes} LEDs, {buttons} buttons"
    return Text(
        text,
        name=info.name,
        firmware=info.firmware,
        pixel_bytes=info.most_leds,
        buttons=info.buttons,
    )
