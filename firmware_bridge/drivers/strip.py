"""A strip behind a board with our firmware; the board may read the panel's buttons beside it.

A frame is taken at once and sent when the board is ready for it; what a newer one overtakes is
never sent. A cable that is pulled out is no error: the newest frame is shown once it is back.
"""

from __future__ import annotations

import logging
from typing import Final

import numpy as np

from firmware_bridge.connection.connection import Connection
from firmware_bridge.connection.serial_port import DEFAULT_BAUD
from firmware_bridge.connection.sharing import CONNECTIONS, Connections
from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.framing import OVERHEAD
from firmware_bridge.protocol.messages import BoardSetup
from firmware_bridge.protocol.replies import BoardInfo
from hardware.errors import StripError
from hardware.strips.base import StripBase
from hardware.strips.protocol import Frame, StripSpec

USB_BYTE_SECONDS: Final = 1e-6
"""What a byte takes on native USB."""

_FIELDS: Final = "RGBW"
_ANSWER: Final = OVERHEAD + 6
_TURNAROUND: Final = 1e-3  # USB brings the answer with the next of its milliseconds
_NATIVE_CREDIT: Final = 2
_DIM: Final = b"\x04"

_log = logging.getLogger(__name__)


class BridgeStrip(StripBase):
    """A strip at `port`, which is a device, a URL of pyserial's, or "auto" for the only board.

    Args:
        spec: one channel; a board has no more.
        port: where the board is.
        baud: the speed that its firmware was built for.
        connections: those to share with the board's buttons.
        patient: a board that is not there is looked for until it is; frames are taken meanwhile.

    Raises:
        StripError: what no board can drive.
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
        check_one_channel(spec, f"serial:{port}")
        self._port = port
        self._baud = baud
        self._take = connections.expect if patient else connections.take
        self._connections = connections
        self._connection: Connection | None = None
        self._columns = [_FIELDS.index(colour) for colour in spec.order]
        try:
            self._wanted = BoardSetup(
                leds=spec.leds[0], colours=spec.colours, safe_colour=_DIM * spec.colours
            )
        except BridgeError as error:
            raise StripError(error.problem, remedy=error.remedy) from error

    @property
    def wire_seconds(self) -> float:
        """Seconds for a whole frame: to the board, to its strip, and the answer."""
        byte_seconds = USB_BYTE_SECONDS if self._is_native() else 10 / self._baud
        on_the_cable = (OVERHEAD + self._wanted.pixel_bytes + _ANSWER) * byte_seconds
        return on_the_cable + self._spec.wire_seconds + _TURNAROUND

    def _start(self) -> None:
        try:
            self._connection = self._take(self._port, self._wanted, baud=self._baud)
        except BridgeError as error:
            problem = f'driver = "serial:{self._port}": {error.problem}'
            raise StripError(problem, remedy=error.remedy, key="strip.driver") from error
        if self._connection.info is not None:
            _log.info("%s", described(self._connection.info))

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
            self._connections.give_back(connection, strip=True)


def check_one_channel(spec: StripSpec, driver: str) -> None:
    """Refuse a wiring of several channels.

    Raises:
        StripError: it has several.
    """
    if len(spec.leds) != 1:
        raise StripError(
            f'driver = "{driver}" has one channel, the wiring {len(spec.leds)}',
            remedy="chain them in [wiring]",
            key="strip.driver",
        )


def described(info: BoardInfo) -> str:
    """A board in one line."""
    return (
        f"{info.name}, firmware {info.firmware}: up to "
        f"{info.pixel_bytes // min(info.formats, default=3)} LEDs, {info.buttons} buttons"
    )
