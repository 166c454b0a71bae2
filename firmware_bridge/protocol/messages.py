"""What a host says to a board: the types of frames, and the set-up that is asked for.

The numbers and layouts are those of `firmware/PROTOCOL.md`, section 2.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from firmware_bridge.errors import SetupError
from firmware_bridge.protocol.framing import Frame

LOWEST_PROTOCOL: Final = 1
HIGHEST_PROTOCOL: Final = 1

MOST_BUTTONS: Final = 32
MOST_PIXEL_BYTES: Final = 0x8000
"""More cannot be addressed by the offset of PIXELS, which has 15 bits."""

LATCH: Final = 0x8000
"""The bit of PIXELS' argument that shows the strip."""

_MILLISECONDS: Final = 1000
_HELLO: Final = struct.Struct("<IBB")
_SETUP: Final = struct.Struct("<IHBBHB4s")


class Type(IntEnum):
    """What a frame is; those from 0x80 on come from the board."""

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


FROM_BOARD: Final = 0x80
"""The lowest type of a frame that a board sends."""


class Reason(IntEnum):
    """Why a board refuses a frame."""

    DAMAGED = 1
    BROKEN_OFF = 2
    NO_BASE = 3
    WRONG_SIZE = 4
    NOT_READY = 5
    UNKNOWN = 6
    TOO_MUCH = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSetup:
    """What a board is asked to do, checked when it is made.

    Args:
        leds: LEDs of the strip; 0 if only its buttons are of use.
        colours: bytes an LED, 3 or 4.
        hold: seconds that a button's level must hold to count, 1 to 100 ms.
        watchdog: seconds without a word from the host until the safe pattern; 0 for never.
        safe_step: every how manieth LED the safe pattern lights; 0 for none.
        safe_colour: the bytes of such an LED in the order of the strip's wire.
        buttons: how many buttons are needed; the board may have more.

    Raises:
        SetupError: a value that cannot be told to a board.
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
            ("leds", self.leds, 0, MOST_PIXEL_BYTES // 3),
            ("colours", self.colours, 3, 4),
            ("bytes of a frame", self.pixel_bytes, 0, MOST_PIXEL_BYTES),
            ("hold in ms", self.hold * _MILLISECONDS, 1, 100),
            ("watchdog in ms", self.watchdog * _MILLISECONDS, 0, 0xFFFF),
            ("safe_step", self.safe_step, 0, 0xFF),
            ("bytes of safe_colour", len(self.safe_colour), self.colours, self.colours),
            ("buttons", self.buttons, 0, MOST_BUTTONS),
        )
        for name, value, least, most in bounds:
            if not least <= value <= most:
                raise SetupError(f"a board takes {name} from {least} to {most}, not {value:g}")

    @property
    def pixel_bytes(self) -> int:
        """Bytes of a whole frame."""
        return self.leds * self.colours


def hello(sequence: int, *, session: int) -> Frame:
    """HELLO: who asks, and which versions it speaks."""
    payload = _HELLO.pack(session, LOWEST_PROTOCOL, HIGHEST_PROTOCOL)
    return Frame(type=Type.HELLO, sequence=sequence, payload=payload)


def setup(sequence: int, *, boot: int, wanted: BoardSetup) -> Frame:
    """SETUP, for the board's life `boot`."""
    payload = _SETUP.pack(
        boot,
        wanted.leds,
        wanted.colours,
        round(wanted.hold * _MILLISECONDS),
        round(wanted.watchdog * _MILLISECONDS),
        wanted.safe_step,
        wanted.safe_colour,
    )
    return Frame(type=Type.SETUP, sequence=sequence, payload=payload)
