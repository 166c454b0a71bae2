"""Events of a `Link` to a board, a microcontroller; the methods of `Link` return them."""

from dataclasses import dataclass
from typing import TypeAlias

from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.messages import BoardInfo, Reason


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
