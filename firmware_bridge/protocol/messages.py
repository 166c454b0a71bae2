"""Messages from the host to a board, a microcontroller: frame types, HELLO and SETUP.

`firmware_bridge/firmware/PROTOCOL.md`, section 2, defines the messages.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

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
