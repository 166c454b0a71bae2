"""Serial ports opened and closed the one way that is safe for boards; every error says what to do.

A port is opened for us alone, no write waits for ever, and never at 1200 baud, which many boards
take as the order to wait for new firmware.
"""

from __future__ import annotations

import errno
import termios
from contextlib import suppress
from typing import Final

from serial import Serial, SerialTimeoutException, serial_for_url

from firmware_bridge.errors import CutError, SetupError

DEFAULT_BAUD: Final = 500_000

READ_SECONDS: Final = 0.05
"""Seconds that a read waits for the first byte."""

WRITE_SECONDS: Final = 0.5
"""Seconds that a write may take: the device is not read at its other end if it takes longer."""

PORT_ERRORS: Final = (OSError, termios.error)
"""What a port that has gone raises; pyserial lets errors of the terminal through as they are."""

_LOWEST_BAUD: Final = 9600
_HIGHEST_BAUD: Final = 12_000_000
_FAILURES: Final = {
    errno.ENOENT: ("is not there", "plug the board in, and see: cribwars bridge list"),
    errno.EACCES: ("may not be opened by this user", "put the user into the group dialout"),
    errno.EAGAIN: ("is in use by another program", "end that one first"),
    errno.EBUSY: ("is in use by another program", "end that one first"),
}


def check_baud(baud: int) -> None:
    """Refuse speeds that no firmware has, and the one that stops boards.

    Raises:
        SetupError: such a speed.
    """
    if not _LOWEST_BAUD <= baud <= _HIGHEST_BAUD:
        raise SetupError(
            f"baud = {baud} is none that a board has, and 1200 would stop many",
            remedy="set the one that its firmware was built for, such as 500000",
        )


def read_baud(text: str) -> int:
    """The speed that an option says; a ValueError says what to write."""
    baud = int(text) if text.isdecimal() and len(text) <= len(str(_HIGHEST_BAUD)) else 0
    try:
        check_baud(baud)
    except SetupError:
        raise ValueError(f"write a speed from {_LOWEST_BAUD} to {_HIGHEST_BAUD}") from None
    return baud


def open_line(device: str, baud: int, *, write_seconds: float = WRITE_SECONDS) -> Serial:
    """Open a port, or a URL of pyserial's such as socket://host:port.

    Raises:
        CutError: it cannot be opened.
        SetupError: a speed that no board has, a device that is no port, a URL that nobody knows.
    """
    check_baud(baud)
    try:
        return serial_for_url(
            device,
            baudrate=baud,
            timeout=READ_SECONDS,
            write_timeout=write_seconds,
            exclusive=True,
        )
    except PORT_ERRORS as error:
        if _number(error) == errno.ENOTTY:
            raise SetupError(
                f"{device} is no serial port", remedy="see: cribwars bridge list"
            ) from error
        usual = f"cannot be opened ({reason(error)})", "plug the board in again"
        problem, remedy = _FAILURES.get(_number(error), usual)
        raise CutError(f"{device} {problem}", remedy=remedy) from error
    except ValueError as error:
        raise SetupError(
            f"{device} is no port ({error})", remedy="give one like /dev/ttyACM0"
        ) from error


def close_line(line: Serial, *, discard: bool = True) -> None:
    """Close a port; what it has not sent is discarded, else the system waits for it.

    That may take half a minute where nobody takes it any more.
    """
    # A port that has gone fails here as everywhere.
    if discard:
        with suppress(*PORT_ERRORS):
            line.reset_output_buffer()
    with suppress(*PORT_ERRORS):
        line.close()


def reason(error: Exception) -> str:
    """Why a port failed, in a few words on one line."""
    if isinstance(error, SerialTimeoutException):
        return "nothing takes what is written to it"
    if "returned no data" in str(error):  # what pyserial says of a port that is gone
        return "it is unplugged, or another program reads it too"
    return " ".join(str(getattr(error, "strerror", None) or error).split())


def _number(error: BaseException) -> int:
    """The number of the system's error, which pyserial may have put into words; 0 for none."""
    if isinstance(error, termios.error):
        return int(error.args[0])
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    return 0 if error.__context__ is None else _number(error.__context__)
