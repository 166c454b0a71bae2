"""Frames in, found and checked; messages out, whole or not at all. PROTOCOL.md, section 1.

Python on a microcontroller takes microseconds a byte: payloads are read to where they belong, and
what goes over all their bytes is `crc32`, which is machine code.
"""

from binascii import crc32
from struct import pack_into, unpack_from

from .counters import Counters

HELLO = 0x01
SETUP = 0x02
PIXELS = 0x03
FILL = 0x04
PING = 0x05
KEYACK = 0x06
BYE = 0x07
INFO = 0x81
ACK = 0x82
NAK = 0x83
PONG = 0x84
KEYS = 0x85

FROM_BOARD = 0x80
"""The lowest type of a frame that a board sends."""

SHORT = 64
"""Bytes that any payload but that of PIXELS fits into."""

NOTHING, BEGUN, RIGHT, DAMAGED = range(4)
"""What bytes have led to: nothing yet; a header; a frame, and its CRC is right or wrong."""

_MAGIC_FIRST = 0xA5
_MAGIC_SECOND = 0x5A
_HEADER_BYTES = 10
_CHECKED_BYTES = 8
_CRC_BYTES = 4
_IN_HEADER, _IN_PAYLOAD, _IN_CRC = range(3)
_ROOM = 512


class Receiver:
    """Finds frames: read into `room()`, and tell `received` how many bytes came.

    `kind`, `sequence`, `argument` and `length` are those of the frame that has begun; `short` is
    its payload if it has at most `SHORT` bytes and was not sent elsewhere by `put_into`.

    Args:
        limit: the longest payload; a header that announces more is none.
        counters: where wrong headers and frames are counted.
    """

    def __init__(self, limit: int, counters: Counters) -> None:
        self.kind = self.sequence = self.argument = self.length = 0
        self.short = memoryview(bytearray(SHORT))
        self._limit = limit
        self._counters = counters
        self._header = bytearray(_HEADER_BYTES)
        self._header_room = memoryview(self._header)
        self._checked = self._header_room[:_CHECKED_BYTES]
        self._crc_room = memoryview(bytearray(_CRC_BYTES))
        self._crc = 0
        self._left = 0
        self.look_for_header()

    @property
    def is_inside(self) -> bool:
        """Whether a header has come whose frame is not complete: silence breaks it off."""
        return self._stage != _IN_HEADER

    def room(self) -> memoryview:
        """Where the next bytes belong."""
        return self._room[self._at :]

    def received(self, count: int) -> int:
        """Take the bytes that have been read into the room; what they have led to."""
        self._at += count
        if self._at < len(self._room):
            return NOTHING
        if self._stage == _IN_HEADER:
            return BEGUN if self._has_header() else NOTHING
        if self._stage == _IN_CRC:
            return self._end()
        self._crc = crc32(self._room, self._crc)
        self._left -= len(self._room)
        self._go_on()
        return NOTHING

    def put_into(self, room: memoryview) -> None:
        """Let the payload that begins go to where there is just the room for it."""
        if self.length:
            self._room = room

    def look_for_header(self) -> None:
        """Forget the frame that is being received."""
        self._stage = _IN_HEADER
        self._room = self._header_room
        self._at = 0

    def _has_header(self) -> bool:
        header = self._header
        if header[0] == _MAGIC_FIRST and header[1] == _MAGIC_SECOND:
            self.kind, self.sequence, self.argument, self.length, check = unpack_from(
                "<BBHHH", header, 2
            )
            if self.length <= self._limit and check == crc32(self._checked) & 0xFFFF:
                self._begin()
                return True
            self._counters.bad_headers += 1
        self._drop_to_next_magic()
        return False

    def _drop_to_next_magic(self) -> None:
        """Keep what may be the beginning of a header: one may stand among the bytes of another."""
        header = self._header
        begin = 1
        while begin < _HEADER_BYTES and header[begin] != _MAGIC_FIRST:
            begin += 1
        self._at = _HEADER_BYTES - begin
        header[: self._at] = header[begin:]

    def _begin(self) -> None:
        self._stage = _IN_PAYLOAD
        self._crc = crc32(self._header)
        self._left = self.length
        self._go_on()

    def _go_on(self) -> None:
        """Make room for the rest of the payload, of which only a short one is kept, or the CRC."""
        self._at = 0
        if self._left:
            self._room = self.short[: min(self._left, SHORT)]
        else:
            self._stage = _IN_CRC
            self._room = self._crc_room

    def _end(self) -> int:
        self.look_for_header()
        (crc,) = unpack_from("<I", self._crc_room, 0)
        if crc == self._crc:
            return RIGHT
        self._counters.damaged += 1
        return DAMAGED


class Sender:
    """The messages on their way to the host; one that finds no room is dropped."""

    def __init__(self) -> None:
        self._buffer = bytearray(_ROOM)
        self._view = memoryview(self._buffer)
        self._begin = self._end = 0

    @property
    def is_empty(self) -> bool:
        """Whether all has been sent."""
        return self._begin == self._end

    def words(self) -> memoryview:
        """What is to be sent."""
        return self._view[self._begin : self._end]

    def sent(self, count: int) -> None:
        """Forget what has been sent."""
        self._begin += count
        if self._begin == self._end:
            self._begin = self._end = 0

    def put(self, kind: int, sequence: int, argument: int, payload: memoryview) -> None:
        """Send a message as soon as the line takes it."""
        begin, length = self._end, len(payload)
        end = begin + _HEADER_BYTES + length
        if end + _CRC_BYTES > _ROOM:
            # Nobody reads: the host asks again for what it misses, if there still is one.
            return
        buffer, view = self._buffer, self._view
        pack_into(
            "<BBBBHH", buffer, begin, _MAGIC_FIRST, _MAGIC_SECOND, kind, sequence, argument, length
        )
        check = crc32(view[begin : begin + _CHECKED_BYTES]) & 0xFFFF
        pack_into("<H", buffer, begin + _CHECKED_BYTES, check)
        view[begin + _HEADER_BYTES : end] = payload
        pack_into("<I", buffer, end, crc32(view[begin:end]))
        self._end = end + _CRC_BYTES
