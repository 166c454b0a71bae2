"""Scripted dialogues of a link, with the messages of a board as in firmware/PROTOCOL.md."""

from collections.abc import Sequence

from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.framing import Damage, Decoder, Frame
from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import (
    BoardInfo,
    BoardSetup,
    Message,
    Reason,
    Type,
    read_message,
)
from firmware_bridge.protocol.states import Event, Lost, Refused, State
from tests.support import slow_board as wire
from tests.support.slow_board import frame, packed

# Messages of a board, byte by byte


SESSION = 0x12345678
BOOT = 0xCAFE0007

Events = Sequence[tuple[int, bool, int]]


def counters(*, shown: int = 0, lost: int = 0, overruns: int = 0) -> bytes:
    """Return the counters."""
    numbers = (0, 1, 0, overruns, lost, 0)
    return packed(shown, 4) + b"".join(packed(each, 2) for each in numbers)


def info(
    *,
    session: int = SESSION,
    boot: int = BOOT,
    clock: int = 1500,
    protocol: int = 1,
    protocols: tuple[int, int] = (1, 1),
    credit: int = 1,
    pixel_bytes: int = 1800,
    formats: int = 1,
    buttons: int = 14,
    down: int = 0,
    sequence: int = 0,
    lost: int = 0,
    name: bytes = b"Arduino Uno",
) -> bytes:
    """Return an INFO message."""
    payload = packed(clock, 4) + packed(session, 4) + bytes(protocols) + packed(boot, 4)
    payload += bytes([1, 0, 0, credit]) + packed(pixel_bytes, 2) + bytes([formats, buttons])
    payload += packed(down, 4) + bytes([sequence]) + counters(shown=2, lost=lost)
    return frame(wire.INFO, 1, protocol, payload + bytes(8) + name)


def ack(kind: int, sequence: int = 0, *, clock: int = 1600) -> bytes:
    """Return an ACK of a frame of a kind."""
    return frame(wire.ACK, sequence, kind, packed(clock, 4) + packed(0, 2))


def nak(kind: int, reason: int, sequence: int = 0, *, clock: int = 1700) -> bytes:
    """Return a NAK of a frame of a kind."""
    return frame(wire.NAK, sequence, kind + 256 * reason, packed(clock, 4) + packed(0, 2))


def pong(
    *,
    session: int = SESSION,
    boot: int = BOOT,
    ready: bool = True,
    shown: bool = True,
    clock: int = 2000,
    overruns: int = 0,
) -> bytes:
    """Return a PONG message."""
    payload = packed(clock, 4) + packed(session, 4) + packed(boot, 4)
    payload += counters(shown=2, overruns=overruns)
    return frame(wire.PONG, 3, ready + 2 * shown, payload)


def keys(
    events: Events, *, sequence: int = 0, down: int = 0, lost: int = 0, clock: int = 2100
) -> bytes:
    """Return a KEYS message; an event is (button, down, stamp)."""
    listed = (bytes([button | (0x80 if d else 0)]) + packed(t, 4) for button, d, t in events)
    return frame(wire.KEYS, sequence, lost, packed(clock, 4) + packed(down, 4) + b"".join(listed))


def log(text: bytes, *, clock: int = 2200) -> bytes:
    """Return a LOG message."""
    return frame(wire.LOG, 0, 0, packed(clock, 4) + text)


def read(data: bytes) -> Message | None:
    """Return the message in some bytes."""
    (received,) = Decoder().feed(data)
    assert isinstance(received, Frame)
    return read_message(received)


def board_info(*, sequence: int = 0, down: int = 0, lost: int = 0) -> BoardInfo:
    """Return an INFO that was read."""
    message = read(info(sequence=sequence, down=down, lost=lost))
    assert isinstance(message, BoardInfo)
    return message


# A slow twin of the frame decoder, with a CRC-32 computed bit by bit


def slow_crc32(data: bytes) -> int:
    """Return the CRC-32 of zip and Ethernet, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0xEDB88320 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def is_header(data: bytes, limit: int) -> bool:
    """Return True if ten bytes are a header."""
    check = slow_crc32(data[:8]) & 0xFFFF
    return (
        len(data) == 10
        and data[:2] == b"\xa5\x5a"
        and data[8] + 256 * data[9] == check
        and data[6] + 256 * data[7] <= limit
    )


def slow_decode(stream: bytes, limit: int) -> list[Frame | Damage]:
    """Return the content of a whole stream; frames are tried from each byte in turn."""
    found: list[Frame | Damage] = []
    at = 0
    while at < len(stream):
        header = stream[at : at + 10]
        if not is_header(header, limit):
            if header[:2] == b"\xa5\x5a" and len(header) == 10:
                found.append(Damage.HEADER)
            at += 1
            continue
        end = at + 10 + header[6] + 256 * header[7]
        if end + 4 > len(stream):
            break
        if slow_crc32(stream[at:end]) != int.from_bytes(stream[end : end + 4], "little"):
            found.append(Damage.PAYLOAD)
            at += 1
            continue
        kind, sequence, argument = header[2], header[3], header[4] + 256 * header[5]
        payload = stream[at + 10 : end]
        found.append(Frame(type=kind, sequence=sequence, argument=argument, payload=payload))
        at = end + 4
    return found


# Dialogues: the script gives the board's words and checks the host's


START = 100.0
FORGETFUL = (pong(ready=False), pong(session=5), pong(boot=5), nak(Type.PIXELS, Reason.NOT_READY))


def error_of(events: list[Event]) -> BridgeError:
    """Return the error of the only event."""
    (event,) = events
    assert isinstance(event, Lost | Refused)
    return event.error


class Script:
    """A link in scripted time; `at` is the time since the port was opened."""

    def __init__(self, wanted: BoardSetup | None = None) -> None:
        self.link = Link(session=SESSION, wanted=wanted or BoardSetup(leds=10))
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

    def show(self, pixels: bytes) -> list[Frame]:
        """Show a frame. Return the frames that the host sends then."""
        self.link.show(pixels)
        return self.said()

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

    def connect(self, greeting: bytes | None = None) -> list[Event]:
        """Open the port and go through the handshake, which ends with a PING."""
        self.open()
        events = self.hear(greeting or info())
        self.said()
        events += self.hear(ack(Type.SETUP, clock=1550))
        assert self.link.state is State.RUNNING
        assert [Type.PING] == self.types()
        return events
