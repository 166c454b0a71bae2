"""Encoding and decoding of frames, which carry messages between host and board. No I/O, no clock.

The decoder raises no error for any input. It buffers at most one frame, so its time is linear in
the number of bytes.
"""

import struct
import zlib
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

MAGIC: Final = b"\xa5\x5a"
OVERHEAD: Final = 14  # bytes of a frame without its payload
HOST_LIMIT: Final = 256  # bytes of the longest payload that a board sends to the host
_HEADER: Final = struct.Struct("<2sBBHH")
_HEADER_CHECK: Final = struct.Struct("<H")
_CHECK: Final = struct.Struct("<I")
_HEADER_SIZE: Final = _HEADER.size + _HEADER_CHECK.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One message on the wire; the module `messages` gives its fields their meaning."""

    type: int
    sequence: int
    argument: int = 0
    payload: bytes = b""


class Damage(Enum):
    """Error on the wire (PROTOCOL.md, section 1); its value names its field of `LinkCounters`."""

    HEADER = "bad_headers"
    PAYLOAD = "damaged"
    BROKEN_OFF = "broken_off"


Received: TypeAlias = Frame | Damage


def encode(frame: Frame) -> bytes:
    """Return the bytes of a frame.

    >>> encode(Frame(type=5, sequence=3)).hex(" ")
    'a5 5a 05 03 00 00 00 00 1b 6b b8 05 d9 41'
    """
    header = _HEADER.pack(MAGIC, frame.type, frame.sequence, frame.argument, len(frame.payload))
    checked = b"".join((header, _HEADER_CHECK.pack(_low(zlib.crc32(header))), frame.payload))
    return checked + _CHECK.pack(zlib.crc32(checked))


class Decoder:
    """Decoder of a byte stream that arrives in pieces of any size.

    Args:
        limit: bytes of the longest payload; a header that announces more is invalid.

    `inside` is True while a frame is incomplete. If the line then stays silent, the caller calls
    `break_off`.

    >>> decoder = Decoder()
    >>> decoder.feed(b"noise" + encode(Frame(type=0x84, sequence=3)))
    [Frame(type=132, sequence=3, argument=0, payload=b'')]
    """

    def __init__(self, *, limit: int = HOST_LIMIT) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self.inside = False

    def feed(self, data: bytes) -> list[Received]:
        self._buffer += data
        return self._read(0)

    def break_off(self) -> list[Received]:
        received: list[Received] = []
        while self.inside:
            received.append(Damage.BROKEN_OFF)
            received += self._read(len(MAGIC))
        return received

    def reset(self) -> None:
        self._buffer.clear()
        self.inside = False

    def _read(self, at: int) -> list[Received]:
        received: list[Received] = []
        self.inside = False
        while (at := self._candidate(at)) + _HEADER_SIZE <= len(self._buffer):
            size = self._frame_size(at)
            if size is None:
                received.append(Damage.HEADER)
                at += len(MAGIC)
            elif at + size > len(self._buffer):
                self.inside = True
                break
            elif (frame := self._frame(at, size)) is None:
                received.append(Damage.PAYLOAD)
                at += len(MAGIC)
            else:
                received.append(frame)
                at += size
        del self._buffer[:at]
        return received

    def _candidate(self, at: int) -> int:
        """Return the index of the next `MAGIC`, of a last byte that may begin one, or the end."""
        found = self._buffer.find(MAGIC, at)
        if found >= 0:
            return found
        return len(self._buffer) - self._buffer.endswith(MAGIC[:1], at)

    def _frame_size(self, at: int) -> int | None:
        """Return the size of the frame with a header at `at`, or None if the header is invalid."""
        header = self._buffer[at : at + _HEADER.size]
        length: int = _HEADER.unpack(header)[-1]
        (check,) = _HEADER_CHECK.unpack_from(self._buffer, at + _HEADER.size)
        if check != _low(zlib.crc32(header)) or length > self._limit:
            return None
        return OVERHEAD + length

    def _frame(self, at: int, size: int) -> Frame | None:
        end = at + size - _CHECK.size
        (check,) = _CHECK.unpack_from(self._buffer, end)
        if check != zlib.crc32(self._buffer[at:end]):
            return None
        _, kind, sequence, argument, _ = _HEADER.unpack_from(self._buffer, at)
        payload = bytes(self._buffer[at + _HEADER_SIZE : end])
        return Frame(type=kind, sequence=sequence, argument=argument, payload=payload)


def _low(crc: int) -> int:
    return crc & 0xFFFF
