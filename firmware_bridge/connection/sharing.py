"""Connections shared by whoever uses the same port: one for its strip and its buttons.

The first user opens it, the last one closes it. There is one strip to a board; buttons may come
and go beside it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware_bridge.connection.connection import Connection
from firmware_bridge.connection.discovery import AUTO, Ports, find_port, serial_ports
from firmware_bridge.errors import BridgeError, CutError, NoAnswerError, SetupError
from firmware_bridge.protocol.compatibility import unfit
from firmware_bridge.protocol.messages import BoardSetup
from firmware_bridge.protocol.states import State

_log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class _Shared:
    connection: Connection
    port: str
    baud: int
    users: int = 0
    has_strip: bool = False


class Connections:
    """The connections that are open, for strips and buttons to share.

    `ports` looks which serial ports there are. `on_news` is given a line, in any thread, when a
    board is lost and when it is there again; the log has it, too.
    """

    def __init__(self, *, ports: Ports = serial_ports) -> None:
        self.on_news: Callable[[str], None] = _keep
        self._ports = ports
        self._lock = threading.Lock()
        self._shared: list[_Shared] = []

    def take(self, port: str, wanted: BoardSetup, *, baud: int) -> Connection:
        """The connection to a port, set up; whoever takes it gives it back once.

        `wanted` has LEDs if a strip takes it. Blocks until the board is set up.

        Raises:
            BridgeError: no port, no board, a board that cannot do it; nothing is held.
        """
        connection = self._joined(port, wanted, baud, patient=False)
        try:
            connection.wait()
        except BridgeError:
            self.give_back(connection, strip=bool(wanted.leds))
            raise
        return connection

    def expect(self, port: str, wanted: BoardSetup, *, baud: int) -> Connection:
        """The connection to a port whose board may be plugged in later; see `take`.

        What is wrong with the cable, or no board, is told to `on_news` and tried again.

        Raises:
            BridgeError: what no cable mends: a board that cannot do it, a foreign device.
        """
        connection = self._joined(port, wanted, baud, patient=True)
        try:
            connection.wait()
        except BridgeError as error:
            if not error.passes:
                self.give_back(connection, strip=bool(wanted.leds))
                raise
            connection.stop_waiting()
        return connection

    def give_back(self, connection: Connection, *, strip: bool) -> None:
        """Let go of a connection; `strip` tells whose it was. The last one closes it."""
        with self._lock:
            shared = next(each for each in self._shared if each.connection is connection)
            shared.users -= 1
            shared.has_strip = shared.has_strip and not strip
            if not shared.users:
                self._shared.remove(shared)
        if not shared.users:
            connection.close()
        elif strip and connection.state is State.REFUSED:
            # A strip that the board cannot drive must not take its buttons away.
            connection.set_up(BoardSetup(leds=0))

    def tell(self, line: str) -> None:
        """Tell whoever runs this what becomes of a board."""
        _log.warning("%s", line)
        self.on_news(line)

    def _joined(self, port: str, wanted: BoardSetup, baud: int, *, patient: bool) -> Connection:
        """The connection to a port, with one user more."""
        with self._lock:
            shared = self._found(port, patient=patient)
            if shared is None:
                shared = self._opened(port, wanted, baud, patient=patient)
            else:
                _join(shared, wanted, baud)
            shared.users += 1
            shared.has_strip = shared.has_strip or bool(wanted.leds)
            return shared.connection

    def _found(self, port: str, *, patient: bool) -> _Shared | None:
        """The connection to a port, by its name or by the device behind it."""
        shared = next((each for each in self._shared if each.port == port), None)
        if shared is not None:
            return shared
        try:
            device = _canonical(find_port(port, self._ports))
        except NoAnswerError:
            if not patient:
                raise
            return None
        found = (each for each in self._shared if _canonical(each.connection.device) == device)
        return next(found, None)

    def _opened(self, port: str, wanted: BoardSetup, baud: int, *, patient: bool) -> _Shared:
        connection = Connection(port, wanted, baud=baud, ports=self._ports, told=self.tell)
        connection.start(patient=patient)
        shared = _Shared(connection=connection, port=port, baud=baud)
        self._shared.append(shared)
        return shared


def _join(shared: _Shared, wanted: BoardSetup, baud: int) -> None:
    """Let somebody more use a connection that is open."""
    if baud != shared.baud:
        raise SetupError(
            f"{shared.connection.device} is in use at {shared.baud} baud, not {baud}",
            remedy="set the same for strip and buttons",
        )
    if wanted.leds:
        _give_strip(shared, wanted)


def _give_strip(shared: _Shared, wanted: BoardSetup) -> None:
    """Let a connection that is open drive a strip."""
    connection = shared.connection
    if shared.has_strip:
        raise CutError(
            f"{connection.device} drives another strip already", remedy="name another port"
        )
    if connection.info is not None and (error := unfit(connection.info, wanted)):
        raise error
    if connection.wanted != wanted:
        connection.set_up(wanted)


def _canonical(device: str) -> str:
    return device if device == AUTO or "://" in device else str(Path(device).resolve())


def _keep(_line: str) -> None:
    """Leave it to the log."""


CONNECTIONS: Final = Connections()
"""Those of this process."""
