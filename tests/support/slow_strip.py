"""The strip and the one pixel buffer of the slow board, as firmware/PROTOCOL.md says."""

from tests.support.slow_frames import FILL, NO_BASE, WRONG_SIZE, Incoming

LATCH = 0x8000


class SlowStrip:
    """A pixel buffer, which may be the base of changes, and the LEDs.

    `light` is what the LEDs show; `shown` is every frame that PIXELS or FILL made them show.
    """

    def __init__(self) -> None:
        self.light = b""
        self.shown: list[bytes] = []
        self.set_up(0, 0)

    def set_up(self, leds: int, colours: int) -> None:
        """Begin with this number of LEDs and bytes for each, without a base."""
        self.leds, self.colours = leds, colours
        self.buffer = bytearray(leds * colours)
        self.has_base = False
        self.is_base_shown = False
        self.last_sequence = 0

    def refusal(self, incoming: Incoming) -> int:
        """Return the reason why the header of PIXELS or FILL is refused, or 0."""
        if incoming.kind == FILL:
            return 0 if incoming.length == self.colours else WRONG_SIZE
        offset = incoming.argument & ~LATCH
        if offset + incoming.length > len(self.buffer):
            return WRONG_SIZE
        if offset == 0 and incoming.length == len(self.buffer):
            return 0
        follows = incoming.sequence == (self.last_sequence + 1) % 256
        return 0 if self.has_base and follows else NO_BASE

    def write(self, incoming: Incoming, at: int, byte: int) -> None:
        """Take a byte of pixels as it arrives; there is no base until the frame is right."""
        self.lose_base()
        self.buffer[(incoming.argument & ~LATCH) + at] = byte

    def take(self, incoming: Incoming) -> bool:
        """Take a right frame of PIXELS or FILL; return True if the LEDs got it."""
        if incoming.kind == FILL:
            self.buffer[:] = incoming.payload * self.leds
        self.has_base = True
        self.last_sequence = incoming.sequence
        self.is_base_shown = incoming.kind == FILL or bool(incoming.argument & LATCH)
        if self.is_base_shown:
            self.light = bytes(self.buffer)
            self.shown.append(self.light)
        return self.is_base_shown

    def show_safe(self, step: int, colour: bytes) -> None:
        """Show the safe pattern."""
        self.lose_base()
        lit = (step and led % step == 0 for led in range(self.leds))
        self.light = b"".join(colour if is_lit else bytes(self.colours) for is_lit in lit)

    def go_dark(self) -> None:
        """Turn all LEDs dark."""
        self.lose_base()
        self.light = bytes(len(self.light))

    def lose_base(self) -> None:
        """Note that the contents of the buffer are no frame."""
        self.has_base = self.is_base_shown = False
