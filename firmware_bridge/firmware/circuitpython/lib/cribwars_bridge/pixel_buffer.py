"""Pixel buffer of the strip: pixels from the messages PIXELS and FILL, or a pattern of dim LEDs.

The content is called a base as long as the host knows it. Only while the buffer has a base may
PIXELS change a part of it. See PROTOCOL.md, section 2.
"""

NO_REASON = 0
NO_BASE = 3
WRONG_SIZE = 4

LATCH = 0x8000
"""Bit in the argument of PIXELS: show the pixels after this message."""


class PixelBuffer:
    """Buffer of `pixel_bytes` bytes; the strip uses the first part of it.

    `due` is the part that must be sent to the strip now, or None. At first `due` is the whole
    buffer, which darkens LEDs that are still lit.
    """

    def __init__(self, pixel_bytes: int) -> None:
        self.pixel_bytes = pixel_bytes
        self.colours = 3
        self.has_base = False
        self._is_shown = False
        self._next_sequence = 0
        self._all = memoryview(bytearray(pixel_bytes))
        self._strip = self._all
        self.due: memoryview | None = self._all

    @property
    def is_shown(self) -> bool:
        """True if the board holds a base and the strip shows it."""
        return self.has_base and self._is_shown

    def set_up(self, leds: int, colours: int) -> bool:
        """Set the length of the strip and drop the base. Return False if the strip is too long."""
        if colours not in (3, 4) or leds * colours > self.pixel_bytes:
            return False
        self._strip = self._all[: leds * colours]
        self.colours = colours
        self.has_base = False
        return True

    def refusal(self, sequence: int, argument: int, length: int) -> int:
        """Return the reason to refuse a header of PIXELS, or NO_REASON."""
        offset, size = argument & ~LATCH, len(self._strip)
        if offset + length > size:
            return WRONG_SIZE
        is_whole = offset == 0 and length == size
        follows = self.has_base and sequence == self._next_sequence
        return NO_REASON if is_whole or follows else NO_BASE

    def open(self, argument: int, length: int) -> memoryview:
        """Return the part that PIXELS will fill; the buffer holds no base until `commit`."""
        if length:
            self.has_base = self._is_shown = False
        offset = argument & ~LATCH
        return self._strip[offset : offset + length]

    def commit(self, sequence: int, *, is_latch: bool) -> None:
        """Accept the received bytes, and show the buffer if `is_latch` is True."""
        self.has_base = True
        self._next_sequence = (sequence + 1) % 256
        if is_latch:
            self._is_shown = True
            self.due = self._strip

    def fill(self, led: memoryview, sequence: int) -> None:
        """Set all LEDs to one colour and show them; this counts as a whole frame."""
        self._repeat(bytes(led))
        self.commit(sequence, is_latch=True)

    def show_pattern(self, led: bytes, every: int) -> None:
        """Light every `every`-th LED from the first on, or none if `every` is 0; drop the base."""
        dark = bytes(self.colours)
        self._repeat(led[: self.colours] + dark * (every - 1) if every else dark)
        self.has_base = False
        self.due = self._strip

    def _repeat(self, block: bytes) -> None:
        """Fill the strip with repetitions of a block, doubling the copied part each time."""
        strip, size = self._strip, len(self._strip)
        done = min(len(block), size)
        strip[:done] = block[:done]
        while done < size:
            more = min(done, size - done)
            strip[done : done + more] = strip[:more]
            done += more
