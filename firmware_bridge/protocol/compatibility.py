"""Check that a board suits the LEDs and buttons in use, and diagnosis of failed handshakes.

A board is a microcontroller that runs our firmware. The functions return errors and raise none.
The diagnosis uses what the host has counted since the port was opened. If the host's own frames
came back, wires are joined. If frames of a board came, it did not finish the handshake. If no bytes
came, the port has no board. Other bytes come from another device or at another baud rate:

>>> print(handshake_error(LinkCounters(openings=1, bytes_received=80)).problem)
80 bytes came, but no message of this program's firmware
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Final, TypeVar

from firmware_bridge.errors import (
    BridgeError,
    EchoError,
    ForeignDeviceError,
    NoAnswerError,
    SilentBoardError,
    UnfitBoardError,
)
from firmware_bridge.protocol.messages import (
    HIGHEST_PROTOCOL,
    LOWEST_PROTOCOL,
    BoardCounters,
    BoardInfo,
    BoardSetup,
    Reason,
)
from firmware_bridge.protocol.states import (
    BoardRestarted,
    Event,
    FrameRefused,
    FrameShown,
    KeyEdge,
    Lost,
    Refused,
    Resynchronised,
)
from hardware.errors import Text

_COUNTER_MODULUS: Final = 1 << 16
_COUNTERS: Final[Mapping[type[Event], str]] = {
    FrameShown: "shown",
    KeyEdge: "edges",
    Resynchronised: "resynchronised",
    BoardRestarted: "restarts",
    Lost: "losses",
    Refused: "losses",
}


_Counters = TypeVar("_Counters", "LinkCounters", BoardCounters)


@dataclass(slots=True, kw_only=True)
class LinkCounters:
    """Counts since the link was created.

    `echoes` counts the host's own frames that came back; `unknown` counts frames with unknown
    content. `shown`, `refused` and `unanswered` count frames of pixels.
    """

    openings: int = 0
    bytes_received: int = 0
    bytes_sent: int = 0
    frames: int = 0
    bad_headers: int = 0
    damaged: int = 0
    broken_off: int = 0
    echoes: int = 0
    unknown: int = 0
    shown: int = 0
    refused: int = 0
    unanswered: int = 0
    edges: int = 0
    resynchronised: int = 0
    restarts: int = 0
    losses: int = 0

    def count_events(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, FrameRefused):
                self.count("refused" if event.reason else "unanswered")
            elif type(event) in _COUNTERS:
                self.count(_COUNTERS[type(event)])

    def count(self, name: str) -> None:
        setattr(self, name, getattr(self, name) + 1)


def counts_since(before: _Counters, now: _Counters) -> _Counters:
    """Return the counts since `before`; a counter of the board may have wrapped in between."""
    differences = {}
    for field in fields(now):
        difference = getattr(now, field.name) - getattr(before, field.name)
        differences[field.name] = difference if difference >= 0 else difference % _COUNTER_MODULUS
    return type(now)(**differences)


_MORE_MEMORY: Final = Text(
    "use a board with more memory (an Arduino Mega drives 2,500 LEDs, a Raspberry Pi Pico more), "
    "or wire only one LED for each hole"
)


def incompatibility(info: BoardInfo, wanted: BoardSetup) -> BridgeError | None:
    """Return the error if a board does not fit the wanted set-up, or None."""
    if not LOWEST_PROTOCOL <= info.protocol <= HIGHEST_PROTOCOL:
        return _other_version(info)
    if wanted.colours not in info.formats and wanted.leds:
        text = "the {name} cannot drive LEDs with {colours} colours"
        remedy = Text("set another type in [strip], or use another board")
        return UnfitBoardError(text, name=info.name, colours=wanted.colours, remedy=remedy)
    if wanted.pixel_bytes > info.pixel_bytes:
        text = "the {name} drives at most {pixel_bytes} LEDs, but {leds} are wired"
        most, remedy = info.pixel_bytes // wanted.colours, _MORE_MEMORY
        return UnfitBoardError(
            text, name=info.name, pixel_bytes=most, leds=wanted.leds, remedy=remedy
        )
    if wanted.buttons > info.buttons:
        text = "the {name} reads {buttons} buttons, but the panel needs {needed}"
        remedy = Text("use a board with more pins, or set lower places in [panel.places]")
        return UnfitBoardError(
            text, name=info.name, buttons=info.buttons, needed=wanted.buttons, remedy=remedy
        )
    return None


def handshake_error(counters: LinkCounters) -> BridgeError:
    """Return the likely cause of a failed handshake, from the counts since the port was opened."""
    if counters.echoes:
        remedy = Text("look for wires that touch, and check that this is the port of the board")
        return EchoError("the port echoes the messages that it gets", remedy=remedy)
    if counters.frames:
        text = "a board answers, but does not finish the handshake"
        remedy = Text(
            "reset the board; if that does not help, flash it again: cribwars bridge flash"
        )
        return SilentBoardError(text, remedy=remedy)
    if counters.bytes_received:
        text = "{received} bytes came, but no message of this program's firmware"
        remedy = Text(
            "set the baud rate that the board's firmware was built for, or flash the board: "
            "cribwars bridge flash"
        )
        return ForeignDeviceError(text, received=counters.bytes_received, remedy=remedy)
    remedy = Text(
        "check that this is the board's port (cribwars bridge list), that the board has power and "
        "a data cable, and that it has been flashed"
    )
    return NoAnswerError("nothing answers", remedy=remedy)


def silence_error(seconds: float) -> BridgeError:
    """Return the error for a connected board that has been silent for `seconds`."""
    text = "the board has sent nothing for {seconds} s"
    return SilentBoardError(
        text, seconds=f"{seconds:g}", remedy=Text("check its cable and its power")
    )


def setup_error(reason: Reason) -> BridgeError:
    """Return the error for a board that refuses a SETUP although its INFO allows it."""
    text = "the board refuses its set-up ({name}), although it reported enough LEDs and buttons"
    remedy = Text("flash its firmware again: cribwars bridge flash")
    return UnfitBoardError(text, name=reason.name, remedy=remedy)


def _other_version(info: BoardInfo) -> BridgeError:
    lowest, highest = info.protocols
    remedy = (
        Text("update the companion")
        if lowest > HIGHEST_PROTOCOL
        else Text("flash the firmware that belongs to this companion: cribwars bridge flash")
    )
    text = (
        "the {name} speaks protocol versions {lowest} to {highest}, but the companion speaks "
        "{lowest_protocol} to {highest_protocol}"
    )
    return UnfitBoardError(
        text,
        name=info.name,
        lowest=lowest,
        highest=highest,
        lowest_protocol=LOWEST_PROTOCOL,
        highest_protocol=HIGHEST_PROTOCOL,
        remedy=remedy,
    )
