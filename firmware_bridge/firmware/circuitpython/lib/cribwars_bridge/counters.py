"""What INFO and PONG tell for diagnosis. PROTOCOL.md, section 2, INFO."""

from struct import pack_into

COUNTER_BYTES = 16


class Counters:
    """Counts since the board started; they go over the wire modulo their size.

    There are no overruns: what the board does not read yet waits in the host.
    """

    def __init__(self) -> None:
        self.shown = 0
        self.bad_headers = 0
        self.damaged = 0
        self.broken_off = 0
        self.lost_edges = 0
        self.bites = 0

    def put(self, buffer: bytearray, offset: int) -> None:
        """Write them as they are sent."""
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
            self.bites & 0xFFFF,
        )
