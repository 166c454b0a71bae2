"""Opening and closing of serial ports in a way that is safe for boards.

Ports are opened exclusively, writes have a timeout, and 1200 baud is refused: many boards then
restart into their boot loader.
"""

import errno
import termios
from contextlib import suppress
from typing import Final

from serial import Serial, SerialTimeoutException, serial_for_url

from firmware_bridge.errors import AbsentError, CutError, SetupError
from hardware.errors import END_OTHER
from hardware.text import Text

DEFAULT_BAUD: Final = 500_000

READ_TIMEOUT_S: Final = 0.05
"""Time for which a read waits for the first byte."""

WRITE_TIMEOUT_S: Final = 0.5
"""Time for which a write may block; after that the device counts as not reading."""

PORT_ERRORS: Final = (OSError, termios.error)
"""Exceptions of a failed port; pyserial does not convert errors of the terminal."""

_MIN_BAUD: Final = 9600
_MAX_BAUD: Final = 12_000_000
_ABSENT: Final = (errno.ENOENT, errno.ENODEV, errno.ENXIO)
_FAILURES: Final = {
    errno.EACCES: ("may not be opened by this user", "put the user into the group dialout"),
    errno.EAGAIN: ("is in use by another program", END_OTHER),
    errno.EBUSY: ("is in use by another program", END_OTHER),
}


def check_baud(baud: int) -> None:
    """Raise SetupError unless a baud rate is possible and harmless."""
    if not _MIN_BAUD <= baud <= _MAX_BAUD:
        text = "baud = {baud} is none that a board has, and 1200 would stop many"
        remedy = "set the one that its firmware was built for, such as 500000"
        raise SetupError(text, baud=baud, remedy=remedy)


def parse_baud(text: str) -> int:
    """Return the baud rate in a text; raise ValueError, with what to write, if there is none."""
    baud = int(text) if text.isdecimal() and len(text) <= len(str(_MAX_BAUD)) else 0
    try:
        check_baud(baud)
    except SetupError:
        text = "write a speed from {min_baud} to {max_baud}"
        raise ValueError(Text(text, min_baud=_MIN_BAUD, max_baud=_MAX_BAUD)) from None
    return baud


def open_port(device: str, baud: int, *, write_timeout_s: float = WRITE_TIMEOUT_S) -> Serial:
    """Open a port, or a URL of pyserial's such as socket://host:port.

    Raises:
        AbsentError: it does not exist.
        CutError: it cannot be opened.
        SetupError: the baud rate is impossible, the device is no port, or the URL is unknown.
    """
    check_baud(baud)
    try:
        return serial_for_url(
            device,
            baudrate=baud,
            timeout=READ_TIMEOUT_S,
            write_timeout=write_timeout_s,
            exclusive=True,
        )
    except PORT_ERRORS as error:
        if _errno(error) in _ABSENT:
            remedy = "plug the board in, and see: cribwars bridge list"
            raise AbsentError("{device} is not there", device=device, remedy=remedy) from error
        if _errno(error) == errno.ENOTTY:
            remedy = "see: cribwars bridge list"
            raise SetupError("{device} is no serial port", device=device, remedy=remedy) from error
        failed = Text("cannot be opened ({failure_text})", failure_text=failure_text(error))
        problem, remedy = _FAILURES.get(_errno(error), (failed, "plug the board in again"))
        raise CutError(
            "{device} {problem}", device=device, problem=problem, remedy=remedy
        ) from error
    except ValueError as error:
        text, remedy = "{device} is no port ({error})", "give one like /dev/ttyACM0"
        raise SetupError(text, device=device, error=error, remedy=remedy) from error


def close_port(port: Serial, *, discard: bool = True) -> None:
    """Close a port; unsent bytes are discarded by default.

    Without `discard` the system may wait half a minute for a device that does not read.
    """
    # A port that has failed raises in both calls.
    if discard:
        with suppress(*PORT_ERRORS):
            port.reset_output_buffer()
    with suppress(*PORT_ERRORS):
        port.close()


def cancel_write(port: Serial) -> None:
    """Interrupt a blocked write. pyserial's URL ports cannot be interrupted; they time out."""
    cancel = getattr(port, "cancel_write", None)
    if cancel is not None:
        cancel()


def failure_text(error: Exception) -> str:
    """Return the reason for a failure of a port, in a few words."""
    if isinstance(error, SerialTimeoutException):
        return "nothing takes what is written to it"
    if "returned no data" in str(error):  # pyserial's message for a port that is gone
        return "it is unplugged, or another program reads it too"
    return " ".join(str(getattr(error, "strerror", None) or error).split())


def _errno(error: BaseException) -> int:
    if isinstance(error, termios.error):
        return int(error.args[0])
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    return 0 if error.__context__ is None else _errno(error.__context__)
