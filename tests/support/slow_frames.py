"""The frames and messages of firmware/PROTOCOL.md in plain numbers, for the slow board."""

import zlib
from dataclasses import dataclass, field

HELLO, SETUP, PIXELS, FILL, PING, KEYACK, BYE = range(0x01, 0x08)
INFO, ACK, NAK, PONG, KEYS, LOG = range(0x81, 0x87)
DAMAGED, BROKEN_OFF, NO_BASE, WRONG_SIZE, NOT_READY, UNKNOWN, TOO_MUCH = range(1, 8)
NEW, GREETED, READY = "NEW", "GREETED", "READY"
LENGTHS = {HELLO: 6, SETUP: 15, PING: 0, KEYACK: 0, BYE: 0}


def number(data: bytes, at: int, size: int) -> int:
    """The little-endian number of `size` bytes at `at`."""
    return int.from_bytes(data[at : at + size], "little")


def packed(value: int, size: int) -> bytes:
    """A number modulo its size, little-endian."""
    return (value % (1 << 8 * size)).to_bytes(size, "little")


def frame(kind: int, sequence: int, argument: int, payload: bytes) -> bytes:
    """The bytes of a frame."""
    header = b"\xa5\x5a" + bytes([kind, sequence]) + packed(argument, 2) + packed(len(payload), 2)
    checked = header + packed(zlib.crc32(header), 2) + payload
    return checked + packed(zlib.crc32(checked), 4)


@dataclass(slots=True, kw_only=True)
class Incoming:
    """A frame whose header has come: what its header says, and why it is refused, 0 for not."""

    header: bytes
    refusal: int
    body: bytearray = field(default_factory=bytearray)

    @property
    def kind(self) -> int:
        """Its type."""
        return self.header[2]

    @property
    def sequence(self) -> int:
        """Its sequence."""
        return self.header[3]

    @property
    def argument(self) -> int:
        """Its argument."""
        return number(self.header, 4, 2)

    @property
    def length(self) -> int:
        """The length of its payload."""
        return number(self.header, 6, 2)

    @property
    def payload(self) -> bytes:
        """Its payload, as far as it has come."""
        return bytes(self.body[: self.length])
