"""A link in a scripted dialogue: the script gives the board's words and checks the host's."""

from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.events import Event, Lost, Refused
from firmware_bridge.protocol.framing import Decoder, Frame
from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardSetup, Reason, Type
from firmware_bridge.protocol.states import State
from tests.support import board_says

START = 100.0

FORGETFUL = (
    board_says.pong(ready=False),
    board_says.pong(session=5),
    board_says.pong(boot=5),
    board_says.nak(Type.PIXELS, Reason.NOT_READY),
)


def error_of(events: list[Event]) -> BridgeError:
    """Return the error of the only event."""
    (event,) = events
    assert isinstance(event, Lost | Refused)
    return event.error


class Script:
    """A link in scripted time; `at` is the time since the port was opened."""

    def __init__(self, wanted: BoardSetup | None = None) -> None:
        self.link = Link(session=board_says.SESSION, wanted=wanted or BoardSetup(leds=10))
        self.at = 0.0
        self._decoder = Decoder(limit=0xFFFF)

    @property
    def now(self) -> float:
        """The host's time."""
        return START + self.at

    def open(self) -> list[Frame]:
        """Open the port. Return the frames that the host sends."""
        self.link.open(self.now)
        return self.said()

    def said(self) -> list[Frame]:
        """Return the frames that the host sends now."""
        items = self._decoder.feed(self.link.bytes_to_send(self.now))
        frames = [item for item in items if isinstance(item, Frame)]
        assert len(items) == len(frames)
        return frames

    def types(self) -> list[int]:
        """Return the types of the frames that the host sends now."""
        return [frame.type for frame in self.said()]

    def hear(self, *messages: bytes) -> list[Event]:
        """Give the link messages of the board. Return the link's events."""
        return self.link.receive_bytes(b"".join(messages), self.now)

    def until(self, at: float) -> list[Event]:
        """Let time pass while the board is silent; meet each deadline, and check nothing."""
        events: list[Event] = []
        while self.link.next_deadline <= START + at:
            self.at = max(self.at, self.link.next_deadline - START)
            events += self.link.on_time(self.now)
            self.link.bytes_to_send(self.now)
        self.at = at
        return events

    def words_until(self, at: float) -> list[tuple[float, int]]:
        """Return time and type of each frame from the host while the board is silent."""
        words: list[tuple[float, int]] = []
        while self.link.next_deadline <= START + at:
            self.at = max(self.at, self.link.next_deadline - START)
            self.link.on_time(self.now)
            words += ((round(self.at, 3), kind) for kind in self.types())
        self.at = at
        return words

    def connect(self, info: bytes | None = None) -> list[Event]:
        """Open the port and go through the handshake, which ends with a PING."""
        self.open()
        events = self.hear(info or board_says.info())
        self.said()
        events += self.hear(board_says.ack(Type.SETUP, clock=1550))
        assert self.link.state is State.RUNNING
        assert [Type.PING] == self.types()
        return events
