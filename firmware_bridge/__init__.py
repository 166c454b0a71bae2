"""Strip and buttons of a microcontroller at a serial cable: protocol, drivers and firmware.

`Link` is the host's end of the protocol in `firmware/PROTOCOL.md`, without I/O.
"""

from firmware_bridge.errors import BridgeError
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
from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardSetup, Reason
from firmware_bridge.protocol.replies import BoardCounters, BoardInfo
from firmware_bridge.protocol.states import State
from firmware_bridge.protocol.timers import UART_BYTE_S

__all__ = [
    "UART_BYTE_S",
    "BoardCounters",
    "BoardInfo",
    "BoardRestarted",
    "BoardSetup",
    "BridgeError",
    "Closed",
    "Connected",
    "Event",
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
