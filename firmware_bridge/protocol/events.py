"""What a link tells its owner: frozen values, given back by the calls that brought them about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.messages import Reason
from firmware_bridge.protocol.replies import BoardInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """The board is set up: frames go out, keys come in. A `Resynchronised` follows."""

    info: BoardInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameShown:
    """The strip shows a frame; `ticket` is what `Link.show` gave for it."""

    ticket: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameRefused:
    """A frame did not reach the strip; the newest one is on its way again, whole.

    `reason` is the board's, None if no answer came in time.
    """

    ticket: int
    reason: Reason | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyEdge:
    """A button of the board went down or up at `t`, host seconds; times never go back."""

    button: int
    down: bool
    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Resynchronised:
    """From `t` on exactly the buttons `down` are down, whatever the edges told so far add up to.

    `lost` edges came and went unseen since the last one, as far as anybody knows.
    """

    down: frozenset[int]
    t: float
    lost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRestarted:
    """The board has started anew: no button is down until it says so, no edge before it is left."""

    boot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The board does not answer, or the port failed; opening the port again may help."""

    error: BridgeError


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The board answers and does not do: opening again helps only after what the error says."""

    error: BridgeError


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A line of text from the firmware, for whoever looks for a fault."""

    text: str
    t: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """The link is closed for good; `dark` tells that the board said it turned its strip dark."""

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
