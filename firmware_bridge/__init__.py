"""Strip and buttons over a cable to a microcontroller: the wire, the link, the firmwares.

`link` is the host's end of the protocol that `firmware/PROTOCOL.md` describes, without I/O.
"""

from firmware_bridge.errors import BridgeError, Fault
from firmware_bridge.protocol.events import (
    BoardRestarted,
    Closed,
    Connected,
    Event,
    FrameRefused,
    FrameShown,
    KeyEdge,
    Log,
    Lost,
    Refused,
    Resynchronised,
)
from firmware_bridge.protocol.link import BYTE_SECONDS, Link
from firmware_bridge.protocol.messages import BoardSetup, Reason
from firmware_bridge.protocol.replies import BoardCounters, BoardInfo
from firmware_bridge.protocol.states import State

__all__ = [
    "BYTE_SECONDS",
    "BoardCounters",
    "BoardInfo",
    "BoardRestarted",
    "BoardSetup",
    "BridgeError",
    "Closed",
    "Connected",
    "Event",
    "Fault",
    "FrameRefused",
    "FrameShown",
    "KeyEdge",
    "Link",
    "Log",
    "Lost",
    "Reason",
    "Refused",
    "Resynchronised",
    "State",
]
