"""State table of a link, its diagram, the messages that the states repeat, and the link's events.

A link is the host's end of the connection to a board, a microcontroller that runs our firmware.
The diagram is part of `firmware_bridge/firmware/PROTOCOL.md`, which also defines the messages. The
methods of `Link` return the events.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Final, TypeAlias

from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.framing import Frame
from firmware_bridge.protocol.messages import BoardInfo, BoardSetup, Reason, Type, hello, setup


class State(Enum):
    """State of a link."""

    IDLE = "idle"
    GREETING = "greeting"
    SETTING_UP = "setting_up"
    RUNNING = "running"
    LOST = "lost"
    REFUSED = "refused"
    CLOSING = "closing"
    CLOSED = "closed"


class Cause(Enum):
    """Cause of a transition."""

    OPENED = "the port is open"
    INFO_FITS = "INFO fits"
    INFO_UNFIT = "INFO does not fit"
    SETUP_TAKEN = "SETUP acknowledged"
    SETUP_REFUSED = "SETUP refused"
    BOARD_FORGOT = "the board is not ready"
    BOARD_RESTARTED = "INFO of another boot"
    SILENCE = "silence"
    CUT = "the port failed"
    CLOSE = "closed by the program"
    GOODBYE = "BYE acknowledged"


_WITHOUT_BOARD: Final = {Cause.OPENED: State.GREETING, Cause.CLOSE: State.CLOSED}
_WITH_BOARD: Final = {
    Cause.OPENED: State.GREETING,
    Cause.INFO_UNFIT: State.REFUSED,
    Cause.SILENCE: State.LOST,
    Cause.CUT: State.LOST,
    Cause.CLOSE: State.CLOSING,
}
_SET_UP: Final = {Cause.BOARD_FORGOT: State.GREETING, Cause.BOARD_RESTARTED: State.SETTING_UP}
TRANSITIONS: Final[Mapping[State, Mapping[Cause, State]]] = {
    State.IDLE: _WITHOUT_BOARD,
    State.GREETING: {Cause.INFO_FITS: State.SETTING_UP, **_WITH_BOARD},
    State.SETTING_UP: {
        Cause.SETUP_TAKEN: State.RUNNING,
        Cause.SETUP_REFUSED: State.REFUSED,
        **_SET_UP,
        **_WITH_BOARD,
    },
    State.RUNNING: _SET_UP | _WITH_BOARD,
    State.LOST: _WITHOUT_BOARD,
    State.REFUSED: _WITHOUT_BOARD,
    State.CLOSING: dict.fromkeys((Cause.GOODBYE, Cause.SILENCE, Cause.CUT), State.CLOSED),
    State.CLOSED: {},
}


def diagram() -> str:
    """Return the table as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", f"    [*] --> {State.IDLE.value}"]
    for state, ways in TRANSITIONS.items():
        lines += (f"    {state.value} --> {to.value}: {cause.value}" for cause, to in ways.items())
    lines.append(f"    {State.CLOSED.value} --> [*]")
    return "\n".join(lines)


HELLO_INTERVAL_S: Final = 0.25

UART_BYTE_S: Final = 10 / 500_000  # time of a byte at 500,000 baud: eight bits, start and stop
_SEQUENCES: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class StateTiming:
    """Message that a state repeats, with the interval, and the timeout of the state."""

    message: Type
    interval_s: float
    timeout_s: float


TIMINGS: Final = {  # without IDLE, LOST, REFUSED, CLOSED
    State.GREETING: StateTiming(message=Type.HELLO, interval_s=HELLO_INTERVAL_S, timeout_s=5.0),
    State.SETTING_UP: StateTiming(message=Type.SETUP, interval_s=0.25, timeout_s=5.0),
    State.RUNNING: StateTiming(message=Type.PING, interval_s=0.5, timeout_s=2.0),
    State.CLOSING: StateTiming(message=Type.BYE, interval_s=0.1, timeout_s=0.5),
}
"""Timing of each state in which the link talks to a board."""


class RepeatedMessages:
    """Sender of the message that `TIMINGS` gives for a state, once in each interval."""

    def __init__(self, *, session: int, wanted: BoardSetup) -> None:
        self._session = session
        self._wanted = wanted
        self._sequence = 0
        self._sent_at: dict[Type, float] = {}

    def next_at(self, state: State) -> float:
        """Return the time of a state's next message: -inf for at once, inf if it has no message."""
        timing = TIMINGS.get(state)
        if timing is None:
            return inf
        return self._sent_at.get(timing.message, -inf) + timing.interval_s

    def due(self, state: State, *, boot: int, now: float) -> list[Frame]:
        """Return the state's message if it is due, or []; `boot` is the nonce from INFO, or 0."""
        if now < self.next_at(state):
            return []
        message = TIMINGS[state].message
        self._sent_at[message] = now
        sequence, self._sequence = self._sequence, (self._sequence + 1) % _SEQUENCES
        if message is Type.HELLO:  # not all: others than HELLO and SETUP carry nothing
            return [hello(sequence, session=self._session)]
        if message is Type.SETUP:
            return [setup(sequence, boot=boot, wanted=self._wanted)]
        return [Frame(type=message, sequence=sequence)]

    def reset(self) -> None:
        self._sent_at.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """The board is ready for frames, and reports its buttons. A `Resynchronised` follows."""

    info: BoardInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameShown:
    """The strip shows a frame; `ticket` is the number returned by `Link.show`."""

    ticket: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameRefused:
    """A frame did not reach the strip. The link will send the newest frame, with all its pixels.

    `reason` comes from the board; it is None after a timeout.
    """

    ticket: int
    reason: Reason | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyEdge:
    """A button of the board went down or up at `t` in host seconds; `t` never decreases."""

    button: int
    down: bool
    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Resynchronised:
    """Absolute state of the buttons at `t`: exactly the buttons in `down` are down.

    `lost` is the number of edges known to be lost since the last `Resynchronised`.
    """

    down: frozenset[int]
    t: float
    lost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRestarted:
    """The board has restarted: all buttons count as released, and earlier edges are lost."""

    boot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The board does not answer or the port failed; reopening the port may help."""

    error: BridgeError


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The board cannot be used; reopening helps only after the remedy in the error."""

    error: BridgeError


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A line of diagnostic text from the firmware."""

    text: str
    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """The link is closed for good; `dark` is True if the board confirmed that its strip is dark."""

    dark: bool


Event: TypeAlias = (
    Connected
    | FrameShown
    | FrameRefused
    | KeyEdge
    | Resynchronised
    | BoardRestarted
    | Lost
    | Refused
    | Log
    | Closed
)
