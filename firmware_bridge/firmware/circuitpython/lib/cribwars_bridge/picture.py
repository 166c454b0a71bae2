"""The frame that the strip shows, or will: PIXELS, FILL and the safe pattern on one buffer.

The board holds a base while the buffer is what the host believes it to be. PROTOCOL.md, section 2.
"""

NO_REASON = 0
NO_BASE = 3
WRONG_SIZE = 4

LATCH = 0x8000
"""The bit of PIXELS' argument that shows the strip."""


class Picture:
    """A buffer of `pixel_bytes`, of which the strip that is set up has the first.

    `light` is what is to be shown at once, None if there is nothing. At first it is dark, whatever
    hangs on the line and still shows of another life.
    """

    def __init__(self, pixel_bytes: int) -> None:
        self.pixel_bytes = pixel_bytes
        self.colours = 3
        self.has_base = False
        self._is_shown = False
        self._next_sequence = 0
        self._all = memoryview(bytearray(pixel_bytes))
        self._strip = self._all
        self.light: memoryview | None = self._all

    @property
    def is_shown(self) -> bool:
        """Whether the board holds a base, and the strip shows it."""
        return self.has_base and self._is_shown

    def set_up(self, leds: int, colours: int) -> bool:
        """Begin with another strip, without a base; False if it is too much."""
        if colours not in (3, 4) or leds * colours > self.pixel_bytes:
            return False
        self._strip = self._all[: leds * colours]
        self.colours = colours
        self.has_base = False
        return True

    def refusal(self, sequence: int, argument: int, length: int) -> int:
        """Why a header of PIXELS is refused, NO_REASON if it is not."""
        offset, size = argument & ~LATCH, len(self._strip)
        if offset + length > size:
            return WRONG_SIZE
        is_whole = offset == 0 and length == size
        follows = self.has_base and sequence == self._next_sequence
        return NO_REASON if is_whole or follows else NO_BASE

    def open(self, argument: int, length: int) -> memoryview:
        """Where the bytes of PIXELS belong; what the buffer holds is no frame until `take`."""
        if length:
            self.has_base = self._is_shown = False
        offset = argument & ~LATCH
        return self._strip[offset : offset + length]

    def take(self, sequence: int, *, is_latch: bool) -> None:
        """Keep what has arrived right in the buffer, and show it if it latches."""
        self.has_base = True
        self._next_sequence = (sequence + 1) % 256
        if is_latch:
            self._is_shown = True
            self.light = self._strip

    def fill(self, led: memoryview, sequence: int) -> None:
        """Make all LEDs alike and show them: it counts as a whole frame."""
        self._repeat(bytes(led))
        self.take(sequence, is_latch=True)

    def show_unasked(self, led: bytes, every: int) -> None:
        """Show every so manieth LED from the first, 0 for none: the host did not ask for it."""
        dark = bytes(self.colours)
        self._repeat(led[: self.colours] + dark * (every - 1) if every else dark)
        self.has_base = False
        self.light = self._strip

    def _repeat(self, block: bytes) -> None:
        """Fill the strip with a block of bytes: each copy is twice the last, for speed."""
        strip, size = self._strip, len(self._strip)
        done = min(len(block), size)
        strip[:done] = block[:done]
        while done < size:
            more = min(done, size - done)
            strip[done : done + more] = strip[:more]
            done += more
