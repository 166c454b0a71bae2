"""Opening and closing of serial ports in a way that is safe for microcontroller boards.

Ports are opened exclusively, and writes have a timeout. 1200 baud is refused, because it restarts
many boards into their boot loader. pyserial raises several kinds of error for a failed port; here
each becomes a `BridgeError` with a remedy. If another program uses the board, for example, the
error is the `CutError` "/dev/ttyACM0 is in use by another program".
"""

import errno
import secrets
import termios
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from serial import Serial, SerialTimeoutException, serial_for_url

from firmware_bridge.connection.discovery import BoardPort
from firmware_bridge.errors import AbsentError, BridgeError, CutError, SetupError
from firmware_bridge.protocol.framing import Decoder, Frame, encode
from firmware_bridge.protocol.messages import Type, hello
from firmware_bridge.protocol.states import HELLO_INTERVAL_S
from hardware.errors import END_OTHER, Text

DEFAULT_BAUD: Final = 500_000

READ_TIMEOUT_S: Final = 0.05  # time for which a read waits for the first byte

WRITE_TIMEOUT_S: Final = 0.5
"""Time for which a write may block; after that the device is assumed not to read."""

PORT_ERRORS: Final = (OSError, termios.error)
"""Exceptions of a failed port; pyserial does not convert `termios.error`."""

_MIN_BAUD: Final = 9600
_MAX_BAUD: Final = 12_000_000
_ABSENT: Final = (errno.ENOENT, errno.ENODEV, errno.ENXIO)
_FAILURES: Final = {
    errno.EACCES: (
        Text("may not be opened by this user"),
        Text("put the user into the group dialout"),
    ),
    errno.EAGAIN: (Text("is in use by another program"), END_OTHER),
    errno.EBUSY: (Text("is in use by another program"), END_OTHER),
}


def check_baud(baud: int) -> None:
    """Raise SetupError if a baud rate is impossible or harmful."""
    if not _MIN_BAUD <= baud <= _MAX_BAUD:
        text = "baud = {baud} is not a speed that boards use"
        remedy = Text("set the speed that the board's firmware was built for, such as 500000")
        raise SetupError(text, baud=baud, remedy=remedy)


def parse_baud(text: str) -> int:
    """Return the baud rate in a text; raise a ValueError with the range for any other text."""
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
        AbsentError: the port does not exist.
        CutError: the port cannot be opened.
        SetupError: the baud rate is impossible, the device is not a port, or the URL is unknown.
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
            remedy = Text("plug the board in; this lists the ports: cribwars bridge list")
            raise AbsentError("{device} is not there", device=device, remedy=remedy) from error
        if _errno(error) == errno.ENOTTY:
            remedy = Text("choose another port; this lists them: cribwars bridge list")
            raise SetupError("{device} is no serial port", device=device, remedy=remedy) from error
        failed = Text("cannot be opened ({failure_text})", failure_text=failure_text(error))
        problem, remedy = _FAILURES.get(_errno(error), (failed, Text("plug the board in again")))
        raise CutError(
            "{device} {problem}", device=device, problem=problem, remedy=remedy
        ) from error
    except ValueError as error:
        text, remedy = "{device} is no port ({error})", Text("name a port such as /dev/ttyACM0")
        raise SetupError(text, device=device, error=error, remedy=remedy) from error


def close_port(port: Serial, *, discard: bool = True) -> None:
    """Close a port and discard unsent bytes, or send them if `discard` is False.

    The system may wait half a minute to send bytes to a device that does not read.
    """
    # Both calls raise if the port has failed.
    if discard:
        with suppress(*PORT_ERRORS):
            port.reset_output_buffer()
    with suppress(*PORT_ERRORS):
        port.close()


def cancel_write(port: Serial) -> None:
    """Interrupt a blocked write. Writes to pyserial's URLs cannot be interrupted; they time out."""
    cancel = getattr(port, "cancel_write", None)
    if cancel is not None:
        cancel()


def failure_text(error: Exception) -> str:
    """Return the reason for a failure of a port, in a few words."""
    if isinstance(error, SerialTimeoutException):
        return "the device does not read what is sent to it"
    if "returned no data" in str(error):  # pyserial's message for a port that is gone
        return "it is unplugged, or another program reads it too"
    return " ".join(str(getattr(error, "strerror", None) or error).split())


def _errno(error: BaseException) -> int:
    if isinstance(error, termios.error):
        return int(error.args[0])
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    return 0 if error.__context__ is None else _errno(error.__context__)


ANSWER_TIMEOUT_S: Final = 1.0  # from the first HELLO, which asks for an answer, to the answer
_CTRL_C: Final = 0x03


class Prober:
    """Prober for `discovery.find_port`: asks ports at one baud rate for our firmware.

    Opening a port may reset its device, which may be a 3D printer at work. So a silent port is
    probed again only after it was unplugged, or if it is native USB, where opening resets nothing.
    """

    def __init__(self, baud: int, clock: Callable[[], float]) -> None:
        self._baud = baud
        self._clock = clock
        self._silent: frozenset[BoardPort] = frozenset()

    def __call__(self, ports: Sequence[BoardPort]) -> Sequence[BoardPort]:
        """Return the ports that answer as boards do, after at most 3 s."""
        self._silent &= frozenset(ports)
        unprobed = [port for port in ports if port not in self._silent]
        with ThreadPoolExecutor(max(1, len(unprobed))) as threads:
            answers = list(threads.map(self._answers, unprobed))
        found = [port for port, answer in zip(unprobed, answers, strict=True) if answer]
        self._silent |= {port for port in unprobed if port not in found and not port.is_native}
        return found

    def _answers(self, board: BoardPort) -> bool:
        try:
            port = open_port(board.device, self._baud)
        except BridgeError:
            return False
        try:
            return self._sends_info(port, board.quiet_s)
        except PORT_ERRORS:
            return False
        finally:
            close_port(port)

    def _sends_info(self, port: Serial, quiet_s: float) -> bool:
        decoder, request = Decoder(), probe_request()
        next_at = self._clock() + quiet_s
        deadline = next_at + ANSWER_TIMEOUT_S
        while (now := self._clock()) < deadline:
            if now >= next_at:
                port.write(request)
                next_at = now + HELLO_INTERVAL_S
            for item in decoder.feed(port.read(max(1, port.in_waiting))):
                if isinstance(item, Frame) and item.type == Type.INFO:
                    return True
        return False


def probe_request() -> bytes:
    """Return a HELLO whose bytes contain no Ctrl-C, which would stop a Python console's program."""
    while True:
        data = encode(hello(0, session=1 + secrets.randbelow((1 << 32) - 1)))
        if _CTRL_C not in data:
            return data
