"""The frames and messages of firmware/PROTOCOL.md in plain numbers, for the slow board."""

import zlib
from dataclasses import dataclass, field
from random import Random

HELLO, SETUP, PIXELS, FILL, PING, KEYACK, BYE = range(0x01, 0x08)
INFO, ACK, NAK, PONG, KEYS, LOG = range(0x81, 0x87)
DAMAGED, BROKEN_OFF, NO_BASE, WRONG_SIZE, NOT_READY, UNKNOWN, TOO_MUCH = range(1, 8)
NEW, GREETED, READY = "NEW", "GREETED", "READY"
LENGTHS = {HELLO: 6, SETUP: 15, PING: 0, KEYACK: 0, BYE: 0}


def number(data: bytes, at: int, size: int) -> int:
    """Return the little-endian number of `size` bytes at `at`."""
    return int.from_bytes(data[at : at + size], "little")


def packed(value: int, size: int) -> bytes:
    """Return a number, modulo its size, as little-endian bytes."""
    return (value % (1 << 8 * size)).to_bytes(size, "little")


def frame(kind: int, sequence: int, argument: int, payload: bytes) -> bytes:
    """Return the bytes of a frame."""
    header = b"\xa5\x5a" + bytes([kind, sequence]) + packed(argument, 2) + packed(len(payload), 2)
    checked = header + packed(zlib.crc32(header), 2) + payload
    return checked + packed(zlib.crc32(checked), 4)


BEFORE_A_FRAME = {
    "A5": b"\xa5",
    "A5 A5 5A": b"\xa5\xa5\x5a",
    "A5 5A A5 5A": b"\xa5\x5a\xa5\x5a",
    "many A5 5A": b"\xa5\x5a" * 20,
    "zeros": bytes(9),
    "most of a header": frame(PING, 0, 0, b"")[:9],
    "noise": Random(1).randbytes(37),
}
"""Bytes behind which a frame must be found, by their names."""


@dataclass(slots=True, kw_only=True)
class Incoming:
    """A frame whose header has arrived, and the reason why it is refused, or 0."""

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
        """The part of its payload that has arrived."""
        return bytes(self.body[: self.length])
