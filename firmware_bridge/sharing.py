"""Connections shared by whoever uses the same port: one for its strip and its buttons.

The first user opens it, the last one closes it. There is one strip to a board; buttons may come
and go beside it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware_bridge.errors import BridgeError, CutError, SetupError
from firmware_bridge.finding import Ports, find_port, serial_ports
from firmware_bridge.fitting import unfit
from firmware_bridge.messages import BoardSetup
from firmware_bridge.port import Connection
from firmware_bridge.replies import BoardInfo
from firmware_bridge.states import State


@dataclass(slots=True, kw_only=True)
class _Shared:
    connection: Connection
    device: str
    baud: int
    users: int = 0
    has_strip: bool = False


class Connections:
    """The connections that are open, for strips and buttons to share.

    `ports` looks which serial ports there are.
    """

    def __init__(self, *, ports: Ports = serial_ports) -> None:
        self._ports = ports
        self._lock = threading.Lock()
        self._shared: list[_Shared] = []

    def take(self, port: str, wanted: BoardSetup, *, baud: int) -> tuple[Connection, BoardInfo]:
        """The connection to a port, set up; whoever takes it gives it back once.

        `wanted` has LEDs if a strip takes it. Blocks until the board is set up.

        Raises:
            BridgeError: no port, no board, a board that cannot do it; nothing is held.
        """
        with self._lock:
            shared = self._join(port, wanted, baud)
        try:
            return shared.connection, shared.connection.wait()
        except BridgeError:
            self.give_back(shared.connection, strip=bool(wanted.leds))
            raise

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

    def _join(self, port: str, wanted: BoardSetup, baud: int) -> _Shared:
        device = _canonical(find_port(port, self._ports))
        found = (each for each in self._shared if device in (each.device, each.connection.device))
        shared = next(found, None)
        if shared is None:
            shared = self._opened(device, wanted, baud)
        elif baud != shared.baud:
            raise SetupError(
                f"{device} is in use at {shared.baud} baud, not {baud}; set the same for strip "
                "and buttons"
            )
        elif wanted.leds:
            _give_strip(shared, wanted)
        shared.users += 1
        shared.has_strip = shared.has_strip or bool(wanted.leds)
        return shared

    def _opened(self, device: str, wanted: BoardSetup, baud: int) -> _Shared:
        connection = Connection(device, wanted, baud=baud, ports=self._ports)
        connection.start()
        shared = _Shared(connection=connection, device=device, baud=baud)
        self._shared.append(shared)
        return shared


def _give_strip(shared: _Shared, wanted: BoardSetup) -> None:
    """Let a connection that is open drive a strip."""
    connection = shared.connection
    if shared.has_strip:
        raise CutError(f"{shared.device} drives another strip already; name another port")
    if connection.info is not None and (error := unfit(connection.info, wanted)):
        raise error
    if connection.wanted != wanted:
        connection.set_up(wanted)


def _canonical(device: str) -> str:
    return device if "://" in device else str(Path(device).resolve())


CONNECTIONS: Final = Connections()
"""Those of this process."""
