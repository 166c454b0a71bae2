"""Diagnostic counters in INFO and PONG. PROTOCOL.md, section 2, INFO."""

from struct import pack_into

COUNTER_BYTES = 16


class Counters:
    """Counts since the start, sent modulo their size.

    There are no overruns: USB keeps unread bytes in the host.
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
