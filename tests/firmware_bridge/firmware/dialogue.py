"""Single frames to an emulated board, and its replies, without an engine in between."""

from typing import Self

from firmware_bridge.protocol.framing import Decoder, Frame
from tests.firmware_bridge.firmware.ws281x import Shown, decode
from tests.support.simavr_harness import BootLoader, Kind, SimulatedBoard
from tests.support.slow_board import BYE, FILL, HELLO, INFO, PING, PIXELS, SETUP, frame, packed

SESSION = 0x12345678
LATCH = 0x8000
BEGUN = 0.1
"""Seconds after which a board is ready to listen."""


class Dialogue:
    """A board that has just begun to listen, and a writer of single bytes."""

    def __init__(
        self, kind: Kind, *, baud: int = 500_000, boot_loader: BootLoader | None = None
    ) -> None:
        self.board = SimulatedBoard(kind, baud=baud, boot_loader=boot_loader)
        self._decoder = Decoder()
        self.boot = 0
        self.hear(BEGUN)
        self.board.take_edges()

    def __enter__(self) -> Self:
        self.board.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self.board.__exit__(*exception)

    def hear(self, seconds: float) -> list[Frame]:
        """Return the frames from the board within some seconds."""
        until = self.board.now + seconds
        heard: list[Frame] = []
        while self.board.now < until:
            heard += self._frames(self.board.run(until))
        return heard

    def say(self, data: bytes, *, patience: float = 0.2) -> Frame | None:
        """Send bytes. Return the first frame that comes back in time, or None."""
        self.board.send(data)
        until = self.board.now + len(data) * 10 / self.board.baud + patience
        while self.board.now < until:
            heard = self._frames(self.board.run(until))
            if heard:
                return heard[0]
        return None

    def exchange(self, data: bytes) -> list[Frame]:
        """Send a message. Return all frames until the longest show would be over."""
        self.board.send(data)
        return self.hear(0.03)

    def greet(self, session: int = SESSION) -> Frame | None:
        """Send HELLO, and keep the boot nonce of the reply."""
        answer = self.say(frame(HELLO, 0, 0, packed(session, 4) + bytes([1, 1])))
        if answer is not None and answer.type == INFO:
            self.boot = int.from_bytes(answer.payload[10:14], "little")
        return answer

    def set_up(
        self,
        leds: int,
        *,
        colours: int = 3,
        hold: int = 3,
        watchdog: int = 0,
        safe: bytes = bytes(5),
    ) -> Frame | None:
        """Send SETUP; times are milliseconds."""
        payload = packed(self.boot, 4) + packed(leds, 2) + bytes([colours, hold])
        return self.say(frame(SETUP, 0, 0, payload + packed(watchdog, 2) + safe))

    def begin(self, leds: int, *, colours: int = 3) -> None:
        """Go on to READY."""
        self.greet()
        self.set_up(leds, colours=colours)

    def pixels(
        self, data: bytes, *, sequence: int = 0, offset: int = 0, latch: bool = True
    ) -> Frame | None:
        """Send PIXELS."""
        return self.say(frame(PIXELS, sequence, offset | LATCH * latch, data))

    def fill(self, led: bytes, *, sequence: int = 0) -> Frame | None:
        """Send FILL."""
        return self.say(frame(FILL, sequence, 0, led))

    def ping(self) -> Frame | None:
        """Send PING."""
        return self.say(frame(PING, 0, 0, b""))

    def bye(self) -> Frame | None:
        """Send BYE."""
        return self.say(frame(BYE, 0, 0, b""))

    def shown(self) -> list[Shown]:
        """Return the frames on the strip's line since the last call."""
        return decode(self.board.take_edges())

    def _frames(self, data: bytes) -> list[Frame]:
        return [item for item in self._decoder.feed(data) if isinstance(item, Frame)]
