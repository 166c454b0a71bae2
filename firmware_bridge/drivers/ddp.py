"""Strips behind WLED (firmware for LEDs) or another receiver of DDP, a UDP protocol for output.

A frame is one or more UDP packets of at most 1,440 bytes of colours; the last packet has the push
flag. Colours are sent as red, green, blue and white: the receiver knows the order of its strip.
"""

import logging
import math
import socket
import struct
from collections.abc import Iterator
from typing import Final

from hardware.errors import StripError, Text, driver_error
from hardware.strips.protocol import Frame, Pacer, Strip, StripSpec, check_channels

PORT: Final = 4048
MAX_PACKET_BYTES: Final = 1440
"""Largest number of colour bytes in a packet: 480 LEDs, or 360 with white."""

_HEADER: Final = struct.Struct(">BBBBIH")
_VERSION: Final = 0x40
_PUSH: Final = 0x01
_TYPES: Final = {3: 0x0B, 4: 0x1B}
_STRIP: Final = 1
_NO_SEQUENCE: Final = 0  # with numbers, WLED could drop packets after our restart as late ones
_MAX_PORT: Final = 0xFFFF
_MAX_DIGITS: Final = len(str(_MAX_PORT))
_PACKET_S: Final = 1.5e-3  # 1,500 bytes at 8 Mbit/s of a weak radio link

_log = logging.getLogger(__name__)


class DdpStrip(Strip):
    """Driver of a strip behind a DDP receiver.

    Args:
        spec: the strip, of one channel.
        host: a name or an address; "name:port" for another port than 4048.
        pacer: delays a frame until the previous frame is on the strip.

    Raises:
        StripError: several channels, or an invalid port.
    """

    def __init__(self, spec: StripSpec, host: str, *, pacer: Pacer) -> None:
        super().__init__(spec)
        self._driver = f"ddp:{host}"
        check_channels(spec, self._driver, 1)
        self._host, self._port = _split(host)
        self._pacer = pacer

    @property
    def wire_seconds(self) -> float:
        packets = math.ceil(self.spec.leds[0] * self.spec.colours / MAX_PACKET_BYTES)
        return packets * _PACKET_S + self.spec.wire_seconds

    def _start(self) -> None:
        try:
            family, kind, _, _, address = socket.getaddrinfo(
                self._host, self._port, type=socket.SOCK_DGRAM
            )[0]
            self._socket, self._address = socket.socket(family, kind), address
        except (OSError, UnicodeError) as error:
            text = "{host} cannot be found ({error})"
            remedy = Text("give the address that your router shows for it")
            raise driver_error(
                self._driver, text, host=self._host, error=error, remedy=remedy
            ) from error
        self._socket.settimeout(0)
        _log.warning("%s: output only, this carries no buttons", self._driver)

    def _send(self, frame: Frame) -> None:
        self._pacer.wait()
        (pixels,) = frame
        try:
            for packet in self._packets(pixels.tobytes()):
                self._socket.sendto(packet, self._address)
        except OSError as error:
            text = "{driver} cannot be reached ({reason})"
            remedy = Text("check the network and the receiver")
            raise StripError(
                text, driver=self._driver, reason=error.strerror, remedy=remedy
            ) from error
        self._pacer.busy_for(self.wire_seconds)

    def _stop(self) -> None:
        self._socket.close()

    def _packets(self, colours: bytes) -> Iterator[bytes]:
        for offset in range(0, len(colours), MAX_PACKET_BYTES):
            part = colours[offset : offset + MAX_PACKET_BYTES]
            push = _PUSH if offset + len(part) == len(colours) else 0
            header = _HEADER.pack(
                _VERSION | push, _NO_SEQUENCE, _TYPES[self.spec.colours], _STRIP, offset, len(part)
            )
            yield header + part


def _split(host: str) -> tuple[str, int]:
    name, colon, port = host.rpartition(":")
    is_address = ":" in name and not name.startswith("[")
    if not colon or is_address or host.endswith("]"):
        return host.strip("[]"), PORT
    number = int(port) if port.isascii() and port.isdecimal() and len(port) <= _MAX_DIGITS else 0
    if not 1 <= number <= _MAX_PORT:
        raise driver_error(
            f"ddp:{host}", '"{port}" is no port', port=port, remedy=Text("leave it out")
        )
    return name.strip("[]"), number
