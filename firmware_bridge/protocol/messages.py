"""Messages between the host and a board, a microcontroller.

`firmware_bridge/firmware/PROTOCOL.md`, section 2, defines them. The host packs HELLO and SETUP. For
each type of message from the board, a function unpacks the payload by a fixed layout and checks it.
A frame with invalid content comes from another version of the protocol and is ignored. Here are a
truncated INFO and a LOG:

>>> read_message(Frame(type=Type.INFO, sequence=0, payload=b"short")) is None
True
>>> read_message(Frame(type=Type.LOG, sequence=0, payload=bytes(4) + b"hot"))
LogLine(clock=0, text='hot')
"""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

from firmware_bridge.errors import SetupError
from firmware_bridge.protocol.framing import Frame

LOWEST_PROTOCOL: Final = 1
HIGHEST_PROTOCOL: Final = 1

MAX_BUTTONS: Final = 32
MAX_PIXEL_BYTES: Final = 0x8000  # limit of the offset in PIXELS, which has 15 bits
LATCH: Final = 0x8000  # bit in the argument of PIXELS: show the pixels after this message
_MS_PER_S: Final = 1000
_HELLO: Final = struct.Struct("<IBB")
_SETUP: Final = struct.Struct("<IHBBHB4s")


class Type(IntEnum):
    """Type of a frame; types from 0x80 on come from the board."""

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
    LOG = 0x86


FROM_BOARD: Final = 0x80  # lowest type of a frame from a board


class Reason(IntEnum):
    """Reason of a NAK, which refuses a message.

    NO_BASE: the board lacks the frame that a partial frame would change.
    """

    DAMAGED = 1
    BROKEN_OFF = 2
    NO_BASE = 3
    WRONG_SIZE = 4
    NOT_READY = 5
    UNKNOWN = 6
    TOO_MUCH = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSetup:
    """Set-up of a board, validated on construction.

    Args:
        leds: LEDs of the strip; 0 if only the buttons are used.
        colours: bytes for each LED, 3 or 4.
        hold: debounce time of a button in seconds, 0.001 to 0.1.
        watchdog: if the host is silent for this number of seconds, the strip shows the safe
            pattern, a few dim LEDs; 0 means never.
        safe_step: distance between the lit LEDs of the safe pattern; 0 lights none.
        safe_colour: the bytes of a lit LED of the safe pattern, in the byte order of the strip.
        buttons: number of buttons needed; the board may have more.

    Raises:
        SetupError: a value is outside its range in the message SETUP.
    """

    leds: int
    colours: int = 3
    hold: float = 0.003
    watchdog: float = 2.0
    safe_step: int = 10
    safe_colour: bytes = b"\x04\x04\x04"
    buttons: int = 0

    def __post_init__(self) -> None:
        bounds = (
            ("leds", self.leds, 0, MAX_PIXEL_BYTES // 3),
            ("colours", self.colours, 3, 4),
            ("bytes of a frame", self.pixel_bytes, 0, MAX_PIXEL_BYTES),
            ("hold in ms", self.hold * _MS_PER_S, 1, 100),
            ("watchdog in ms", self.watchdog * _MS_PER_S, 0, 0xFFFF),
            ("safe_step", self.safe_step, 0, 0xFF),
            ("bytes of safe_colour", len(self.safe_colour), self.colours, self.colours),
            ("buttons", self.buttons, 0, MAX_BUTTONS),
        )
        for name, value, least, most in bounds:
            if not least <= value <= most:
                text = "a board takes {name} from {least} to {most}, not {value}"
                raise SetupError(text, name=name, least=least, most=most, value=f"{value:g}")

    @property
    def pixel_bytes(self) -> int:
        return self.leds * self.colours


def hello(sequence: int, *, session: int) -> Frame:
    """Return a HELLO with session and protocol versions."""
    payload = _HELLO.pack(session, LOWEST_PROTOCOL, HIGHEST_PROTOCOL)
    return Frame(type=Type.HELLO, sequence=sequence, payload=payload)


def setup(sequence: int, *, boot: int, wanted: BoardSetup) -> Frame:
    """Return a SETUP; `boot` is the nonce of the board's present boot, from INFO."""
    payload = _SETUP.pack(
        boot,
        wanted.leds,
        wanted.colours,
        round(wanted.hold * _MS_PER_S),
        round(wanted.watchdog * _MS_PER_S),
        wanted.safe_step,
        wanted.safe_colour,
    )
    return Frame(type=Type.SETUP, sequence=sequence, payload=payload)


_READY: Final = 1
_SHOWN: Final = 2
_DOWN: Final = 0x80
_LONGEST_NAME: Final = 32
_LONGEST_LOG: Final = 120

_INFO: Final = struct.Struct("<IIBBI3sBHBBIB16s8s")
_ANSWER: Final = struct.Struct("<IH")  # clock, and a count of lost bytes that is read in PONG
_PONG: Final = struct.Struct("<III16s")
_KEYS: Final = struct.Struct("<II")
_KEY: Final = struct.Struct("<BI")
_CLOCK: Final = struct.Struct("<I")
_COUNTERS: Final = struct.Struct("<IHHHHHH")


@dataclass(frozen=True, slots=True)
class BoardCounters:
    """Counters since the board started: frames `shown`, modulo 2**32, and faults, modulo 2**16."""

    shown: int
    bad_headers: int
    damaged: int
    broken_off: int
    overruns: int
    lost_edges: int
    watchdog: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardInfo:
    """Content of the message INFO.

    `protocol` is the highest version that both ends speak, or 0. `credit` is the number of frames
    that may wait for an answer. `formats` is the set of supported numbers of colours: 3, 4 or both.
    Bit i of `buttons_down` is 1 if button i was down before key event number `key_sequence`, the
    first that the host has not acknowledged. `id` is the hexadecimal serial number, or "".
    """

    clock: int
    session: int
    protocol: int
    protocols: tuple[int, int]
    boot: int
    firmware: str
    credit: int
    pixel_bytes: int
    formats: frozenset[int]
    buttons: int
    buttons_down: int
    key_sequence: int
    counters: BoardCounters
    id: str
    name: str

    @property
    def most_leds(self) -> int:
        """Number of LEDs that the board can drive if they have the fewest colours it supports."""
        return self.pixel_bytes // min(self.formats, default=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """ACK (`reason` is None) or NAK of a frame of the type `answered`."""

    clock: int
    sequence: int
    answered: int
    reason: Reason | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pong:
    """A board's state; `shown` is True if the strip shows the valid frame in the board's memory."""

    clock: int
    session: int
    boot: int
    ready: bool
    shown: bool
    counters: BoardCounters


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyEvent:
    """A press or release of a button; `stamp` is in milliseconds of the board's clock."""

    button: int
    down: bool
    stamp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """Unacknowledged events from `sequence` on; `down`: bitmap of the buttons down after them."""

    clock: int
    sequence: int
    lost_edges: int
    down: int
    events: tuple[KeyEvent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """A printable line of text from the firmware."""

    clock: int
    text: str


Message: TypeAlias = BoardInfo | Answer | Pong | Keys | LogLine


def read_message(frame: Frame) -> Message | None:
    """Return the message in a frame; None if its type or content is unknown."""
    reader = _READERS.get(frame.type)
    try:
        return reader(frame) if reader else None
    except (struct.error, ValueError):
        # The CRC is right, so another version of the protocol defines this message.
        return None


def _read_info(frame: Frame) -> BoardInfo:
    fixed, name = frame.payload[: _INFO.size], frame.payload[_INFO.size :]
    clock, session, lowest, highest, boot, firmware, credit, *rest = _INFO.unpack(fixed)
    pixel_bytes, formats, buttons, down, key_sequence, counters, unique = rest
    if not 1 <= len(name) <= _LONGEST_NAME or buttons > MAX_BUTTONS or credit < 1:
        raise ValueError
    return BoardInfo(
        clock=clock,
        session=session,
        protocol=frame.argument,
        protocols=(lowest, highest),
        boot=boot,
        firmware=".".join(map(str, firmware)),
        credit=credit,
        pixel_bytes=pixel_bytes,
        formats=frozenset(colours for bit, colours in enumerate((3, 4)) if formats >> bit & 1),
        buttons=buttons,
        buttons_down=down,
        key_sequence=key_sequence,
        counters=BoardCounters(*_COUNTERS.unpack(counters)),
        id=unique.hex() if any(unique) else "",
        name=_printable(name),
    )


def _read_answer(frame: Frame) -> Answer:
    clock, _ = _ANSWER.unpack(frame.payload)
    answered, number = frame.argument & 0xFF, frame.argument >> 8
    reason = Reason(number) if frame.type == Type.NAK else None
    return Answer(clock=clock, sequence=frame.sequence, answered=answered, reason=reason)


def _read_pong(frame: Frame) -> Pong:
    clock, session, boot, counters = _PONG.unpack(frame.payload)
    return Pong(
        clock=clock,
        session=session,
        boot=boot,
        ready=bool(frame.argument & _READY),
        shown=bool(frame.argument & _SHOWN),
        counters=BoardCounters(*_COUNTERS.unpack(counters)),
    )


def _read_keys(frame: Frame) -> Keys:
    clock, down = _KEYS.unpack_from(frame.payload)
    events = tuple(
        KeyEvent(button=key & ~_DOWN, down=bool(key & _DOWN), stamp=stamp)
        for key, stamp in _KEY.iter_unpack(frame.payload[_KEYS.size :])
    )
    if any(event.button >= MAX_BUTTONS for event in events):
        raise ValueError
    return Keys(
        clock=clock, sequence=frame.sequence, lost_edges=frame.argument, down=down, events=events
    )


def _read_log(frame: Frame) -> LogLine:
    (clock,) = _CLOCK.unpack_from(frame.payload)
    return LogLine(clock=clock, text=_printable(frame.payload[_CLOCK.size :][:_LONGEST_LOG]))


def _printable(text: bytes) -> str:
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text.decode("latin-1"))


_READERS: Final[Mapping[int, Callable[[Frame], Message]]] = {  # not all: a board sends only these
    Type.INFO: _read_info,
    Type.ACK: _read_answer,
    Type.NAK: _read_answer,
    Type.PONG: _read_pong,
    Type.KEYS: _read_keys,
    Type.LOG: _read_log,
}
