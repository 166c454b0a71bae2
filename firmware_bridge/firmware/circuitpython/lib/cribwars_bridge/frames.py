"""Receiver, counters and sender of the frames between board and host (PROTOCOL.md, section 1).

Python on a microcontroller needs microseconds for each byte, so payloads are read directly to their
destination and only `crc32`, which is native code, visits every byte. The receiver reads 10 bytes
of header, then the payload, then 4 bytes of CRC. The payload of PIXELS is read in one piece, into
the strip's buffer; other payloads are read in parts of at most 64 bytes. After a wrong header the
receiver continues with the next byte that may begin another header.
"""

from binascii import crc32
from struct import pack_into, unpack_from

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
"""Lowest type of a frame from a board."""

SHORT = 64
"""Buffer size for payloads other than PIXELS."""

NOTHING, HEADER, COMPLETE, DAMAGED = range(4)
"""Results of `Receiver.received`; a frame ends COMPLETE, or DAMAGED if its CRC is wrong."""

COUNTER_BYTES = 16

_MAGIC_FIRST = 0xA5
_MAGIC_SECOND = 0x5A
_HEADER_BYTES = 10
_CHECKED_BYTES = 8
_CRC_BYTES = 4
_IN_HEADER, _IN_PAYLOAD, _IN_CRC = range(3)
_SEND_BUFFER_BYTES = 512


class Counters:
    """Diagnostic counts since the start, which PROTOCOL.md explains in section 2, INFO.

    The count of overruns is always 0: USB keeps unread bytes in the host.
    """

    def __init__(self) -> None:
        self.shown = 0
        self.bad_headers = 0
        self.damaged = 0
        self.broken_off = 0
        self.lost_edges = 0
        self.watchdog = 0

    def put(self, buffer: bytearray, offset: int) -> None:
        """Write the counters in wire format."""
        pack_into(
            "<IHHHHHH",
            buffer,
            offset,
            self.shown & 0xFFFFFFFF,
            self.bad_headers & 0xFFFF,
            self.damaged & 0xFFFF,
            self.broken_off & 0xFFFF,
            0,
            self.lost_edges & 0xFFFF,
            self.watchdog & 0xFFFF,
        )


class Receiver:
    """Receiver of frames: read into `read_buffer()`, then pass the number of bytes to `received`.

    `kind`, `sequence`, `argument` and `length` are from the latest header. `short` holds a payload
    of at most `SHORT` bytes, unless `put_into` has given another buffer.

    Args:
        limit: the longest payload; a header with a longer one is invalid.
        counters: counts invalid headers, and frames with a wrong CRC.
    """

    def __init__(self, limit: int, counters: Counters) -> None:
        self.kind = self.sequence = self.argument = self.length = 0
        self.short = memoryview(bytearray(SHORT))
        self._limit = limit
        self._counters = counters
        self._header = bytearray(_HEADER_BYTES)
        self._header_view = memoryview(self._header)
        self._checked = self._header_view[:_CHECKED_BYTES]
        self._crc_view = memoryview(bytearray(_CRC_BYTES))
        self._crc = 0
        self._left = 0
        self.look_for_header()

    @property
    def is_inside(self) -> bool:
        """True while a frame is incomplete; the session discards it if no byte comes for long."""
        return self._stage != _IN_HEADER

    def read_buffer(self) -> memoryview:
        return self._target[self._at :]

    def received(self, count: int) -> int:
        """Handle the next `count` bytes in the buffer; return a result, such as HEADER."""
        self._at += count
        if self._at < len(self._target):
            return NOTHING
        if self._stage == _IN_HEADER:
            return HEADER if self._has_header() else NOTHING
        if self._stage == _IN_CRC:
            return self._end()
        self._crc = crc32(self._target, self._crc)
        self._left -= len(self._target)
        self._next_part()
        return NOTHING

    def put_into(self, target: memoryview) -> None:
        """Redirect the payload to a buffer of its length."""
        if self.length:
            self._target = target

    def look_for_header(self) -> None:
        """Discard the incomplete frame."""
        self._stage = _IN_HEADER
        self._target = self._header_view
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
        """Keep the bytes from the next `_MAGIC_FIRST` on, which may begin another header."""
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
        self._next_part()

    def _next_part(self) -> None:
        """Set the target for the next part of the payload, or for the CRC."""
        self._at = 0
        if self._left:
            self._target = self.short[: min(self._left, SHORT)]
        else:
            self._stage = _IN_CRC
            self._target = self._crc_view

    def _end(self) -> int:
        self.look_for_header()
        (crc,) = unpack_from("<I", self._crc_view, 0)
        if crc == self._crc:
            return COMPLETE
        self._counters.damaged += 1
        return DAMAGED


class Sender:
    """Buffer of outgoing messages; a message that does not fit is dropped."""

    def __init__(self) -> None:
        self._buffer = bytearray(_SEND_BUFFER_BYTES)
        self._view = memoryview(self._buffer)
        self._begin = self._end = 0

    @property
    def is_empty(self) -> bool:
        return self._begin == self._end

    def outgoing(self) -> memoryview:
        return self._view[self._begin : self._end]

    def sent(self, count: int) -> None:
        self._begin += count
        if self._begin == self._end:
            self._begin = self._end = 0

    def put(self, kind: int, sequence: int, argument: int, payload: memoryview) -> None:
        begin, length = self._end, len(payload)
        end = begin + _HEADER_BYTES + length
        if end + _CRC_BYTES > _SEND_BUFFER_BYTES:
            # The host does not read; it will repeat its requests.
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
