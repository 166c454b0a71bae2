"""Connections to microcontroller boards; a board's strip and its buttons share one connection.

Strip and buttons are the users of a connection: the first opens it, the last closes it. A board has
one strip. With `driver = "serial:auto"` and `buttons = "serial:/dev/ttyACM0"` both users find the
same device and get one connection. If the buttons have opened the connection, the board is set up
without LEDs until the strip joins.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware_bridge.connection.connection import Connection
from firmware_bridge.connection.discovery import AUTO, Ports, find_port, likely_boards, serial_ports
from firmware_bridge.errors import BridgeError, CutError, NoAnswerError, SetupError
from firmware_bridge.protocol.compatibility import incompatibility
from firmware_bridge.protocol.messages import BoardSetup
from firmware_bridge.protocol.states import State
from hardware.errors import Text

_log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class _Shared:
    connection: Connection
    port: str
    baud: int
    users: int = 0
    has_strip: bool = False


class Connections:
    """Pool of open connections, with one clock. `ports` lists the serial ports.

    `on_status` receives a line, in any thread, when a board is lost and when it is back. The line
    is logged as well.
    """

    def __init__(self, *, clock: Callable[[], float], ports: Ports = serial_ports) -> None:
        self.clock = clock
        self.on_status: Callable[[Text], None] = _ignore
        self._ports = ports
        self._lock = threading.Lock()
        self._shared: list[_Shared] = []

    def acquire(
        self, port: str, wanted: BoardSetup, *, baud: int, patient: bool = False
    ) -> Connection:
        """Return the connection to a port; the caller must `release` it once.

        Blocks until the board is set up or the attempt has failed.

        Args:
            port: a device, a URL of pyserial's, or "auto".
            wanted: the set-up of the board; its number of LEDs is 0 unless the caller is a strip.
            baud: the baud rate of the firmware.
            patient: report temporary errors to `on_status` and keep trying.

        Raises:
            BridgeError: no board can be used; with `patient` only if the error is not temporary.
        """
        connection = self._join_or_open(port, wanted, baud, patient=patient)
        try:
            connection.wait()
        except BridgeError as error:
            if not (patient and error.is_temporary):
                self.release(connection, strip=bool(wanted.leds))
                raise
            connection.start_reporting()
        return connection

    def release(self, connection: Connection, *, strip: bool) -> None:
        """Remove a user, which is the strip if `strip` is True; close after the last user."""
        with self._lock:
            shared = next(each for each in self._shared if each.connection is connection)
            shared.users -= 1
            shared.has_strip = shared.has_strip and not strip
            if not shared.users:
                self._shared.remove(shared)
        if not shared.users:
            connection.close()
        elif strip and connection.link.state is State.REFUSED:
            # A board that refuses the strip can still read buttons if it is set up without LEDs.
            connection.set_up(BoardSetup(leds=0))

    def report(self, line: Text) -> None:
        _log.warning("%s", line)
        self.on_status(line)

    def _join_or_open(
        self, port: str, wanted: BoardSetup, baud: int, *, patient: bool
    ) -> Connection:
        with self._lock:
            shared = self._find(port, patient=patient)
            if shared is None:
                shared = self._open(port, wanted, baud, patient=patient)
            else:
                _join(shared, wanted, baud)
            shared.users += 1
            shared.has_strip = shared.has_strip or bool(wanted.leds)
            return shared.connection

    def _find(self, port: str, *, patient: bool) -> _Shared | None:
        shared = next((each for each in self._shared if each.port == port), None)
        if shared is not None:
            return shared
        try:
            device = _canonical(find_port(port, self._ports, lambda _: ()))
        except NoAnswerError:
            if patient or len(likely_boards(self._ports())) > 1:
                return None  # the connection will search for the board, and probe the ports
            raise
        found = (each for each in self._shared if _canonical(each.connection.device) == device)
        return next(found, None)

    def _open(self, port: str, wanted: BoardSetup, baud: int, *, patient: bool) -> _Shared:
        connection = Connection(
            port, wanted, clock=self.clock, baud=baud, ports=self._ports, report=self.report
        )
        connection.start(patient=patient)
        shared = _Shared(connection=connection, port=port, baud=baud)
        self._shared.append(shared)
        return shared


def _join(shared: _Shared, wanted: BoardSetup, baud: int) -> None:
    if baud != shared.baud:
        text = "{device} is in use at {baud} baud, not {wanted}"
        remedy = Text("set the same baud rate for strip and buttons")
        raise SetupError(
            text, device=shared.connection.device, baud=shared.baud, wanted=baud, remedy=remedy
        )
    if wanted.leds:
        _add_strip(shared, wanted)


def _add_strip(shared: _Shared, wanted: BoardSetup) -> None:
    connection = shared.connection
    if shared.has_strip:
        text = "{device} drives another strip already"
        raise CutError(text, device=connection.device, remedy=Text("name another port"))
    if connection.info is not None and (error := incompatibility(connection.info, wanted)):
        raise error
    if connection.wanted != wanted:
        connection.set_up(wanted)


def _canonical(device: str) -> str:
    return device if device == AUTO or "://" in device else str(Path(device).resolve())


def _ignore(_line: Text) -> None:
    """Do nothing: the line is logged already."""


CONNECTIONS: Final = Connections(clock=time.monotonic)  # the pool of this process
