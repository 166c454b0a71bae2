"""What can go wrong on the way to a board: whose fault it is, what happened and what to do."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from hardware.errors import HardwareError


class Fault(Enum):
    """Whose fault an error is."""

    BOARD = "board"
    CABLE = "cable"
    CALLER = "caller"
    SETTINGS = "settings"


class BridgeError(HardwareError):
    """Root of the bridge's errors; its text is one line that a user can act on."""

    fault: ClassVar[Fault]

    @property
    def passes(self) -> bool:
        """Whether it may end by itself or with a cable plugged in: trying again makes sense."""
        return self.fault is Fault.CABLE


class LinkUseError(BridgeError, RuntimeError):
    """The program calls a link in a state that does not allow it."""

    fault = Fault.CALLER


class FrameSizeError(BridgeError, ValueError):
    """The program shows a frame that does not fit the LEDs of its link."""

    fault = Fault.CALLER


class SetupError(BridgeError, ValueError):
    """What is asked of a board cannot be told in a SETUP."""

    fault = Fault.SETTINGS


class NoAnswerError(BridgeError, TimeoutError):
    """Nothing at all comes from the port: no board, no power, no firmware, a broken cable."""

    fault = Fault.CABLE


class ForeignDeviceError(BridgeError, ConnectionRefusedError):
    """Something answers, and it is not a board with our firmware at this speed."""

    fault = Fault.SETTINGS


class EchoError(BridgeError, ConnectionAbortedError):
    """What is sent comes back: wires joined, or a device that echoes."""

    fault = Fault.CABLE


class SilentBoardError(BridgeError, TimeoutError):
    """A board that was there says nothing any more."""

    fault = Fault.CABLE


class CutError(BridgeError, ConnectionResetError):
    """The port itself failed: unplugged, or taken by another program."""

    fault = Fault.CABLE


class VersionMismatchError(BridgeError, NotImplementedError):
    """Board and companion speak no common version of the protocol."""

    fault = Fault.BOARD


class TooFewLedsError(BridgeError, ValueError):
    """The board cannot drive as many LEDs as are wired."""

    fault = Fault.SETTINGS


class TooFewButtonsError(BridgeError, ValueError):
    """The board reads fewer buttons than are asked for."""

    fault = Fault.SETTINGS


class FormatError(BridgeError, ValueError):
    """The board does not drive LEDs of this many colours."""

    fault = Fault.SETTINGS


class SetupRefusedError(BridgeError, ValueError):
    """The board refuses a SETUP that fits what it says of itself: its firmware is at fault."""

    fault = Fault.BOARD


class FlashError(BridgeError, RuntimeError):
    """A board does not take new firmware, or this machine cannot give it any."""

    fault = Fault.BOARD
