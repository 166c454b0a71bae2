"""Errors of the bridge to a microcontroller board: each text is a problem and its remedy."""

from typing import ClassVar

from hardware.errors import HardwareError


class BridgeError(HardwareError):
    """Root of the bridge's errors.

    `is_temporary` is True if the cause can go away by itself or by plugging in a cable.
    """

    is_temporary: ClassVar[bool] = False


class LinkUseError(BridgeError, RuntimeError):
    """Programming error: a method of a `Link` is called in a state that does not allow the call."""


class FrameSizeError(BridgeError, ValueError):
    """Programming error: a frame has too few or too many bytes for the LEDs of its `Link`."""


class SetupError(BridgeError, ValueError):
    """A setting that no board or port accepts."""


class NoAnswerError(BridgeError, TimeoutError):
    """No bytes come from the port: no board, no power, no firmware or a broken cable."""

    is_temporary = True


class ForeignDeviceError(BridgeError, ConnectionRefusedError):
    """The device that answers does not run this firmware at this baud rate."""


class EchoError(BridgeError, ConnectionAbortedError):
    """The port echoes: joined wires, or a device that sends back its input."""

    is_temporary = True


class SilentBoardError(BridgeError, TimeoutError):
    """A connected board has stopped answering."""

    is_temporary = True


class CutError(BridgeError, ConnectionResetError):
    """The port failed: unplugged, or in use by another program."""

    is_temporary = True


class AbsentError(CutError):
    """The port does not exist: nothing is plugged in there."""


class UnfitBoardError(BridgeError, ValueError):
    """The board does not suit the settings: other protocol versions, too few LEDs or buttons."""


class FlashError(BridgeError, RuntimeError):
    """The board does not accept new firmware, or this machine cannot write it."""
