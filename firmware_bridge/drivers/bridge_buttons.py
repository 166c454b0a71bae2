"""Buttons of a panel that a board, a microcontroller, reads.

An edge, a change of a button's level, gets the time of the host's clock. The board reports a level
once it has held for 3 ms; after that `hardware.debounce` removes the bouncing.
"""

from collections.abc import Callable, Mapping
from math import inf

from firmware_bridge.connection.discovery import AUTO
from firmware_bridge.connection.serial_port import DEFAULT_BAUD
from firmware_bridge.connection.sharing import CONNECTIONS, Connections
from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.compatibility import incompatibility
from firmware_bridge.protocol.messages import MAX_BUTTONS, BoardSetup
from firmware_bridge.protocol.states import (
    BoardRestarted,
    Connected,
    Event,
    KeyEdge,
    Resynchronised,
)
from hardware.debounce import Edge
from hardware.errors import ButtonError, Text, button_fault

_TABLE = "panel.places"


class BridgeButtons:
    """Open buttons of a panel that a board reads.

    Args:
        places: the number of each button on the board, from 0, already checked by `place_faults`.
        sink: receives each edge, from one thread at a time, in order of time. It should queue the
            edge and return; its exceptions are logged.
        port: port of the board, as for `BridgeStrip`; strip and buttons share one connection.
        baud: the baud rate of the firmware.
        connections: pool shared with the board's strip; its clock gives the times of the edges.
        patient: open even if no board is there yet, and keep looking for one.

    A button that is down at the start gives an edge. Pulling out the cable gives no edge. After a
    reconnection, each button whose level has changed gives an edge.

    Raises:
        ButtonError: no board is found, or it has too few buttons.
    """

    def __init__(
        self,
        places: Mapping[str, int],
        sink: Callable[[Edge], None],
        *,
        port: str = AUTO,
        baud: int = DEFAULT_BAUD,
        connections: Connections = CONNECTIONS,
        patient: bool = False,
    ) -> None:
        self._names = {place: button for button, place in places.items()}
        self._sink = sink
        self._connections = connections
        self._is_open = True
        self._latest = -inf
        self._down: set[str] = set()
        self._needed = BoardSetup(leds=0, buttons=max(places.values(), default=-1) + 1)
        try:
            self._connection = connections.acquire(port, self._needed, baud=baud, patient=patient)
        except BridgeError as error:
            raise _at(port, error) from error
        # A connection that the strip has opened did not check the board's number of buttons.
        info = self._connection.info
        if info is not None and (mismatch := incompatibility(info, self._needed)):
            connections.release(self._connection, strip=False)
            raise _at(port, mismatch)
        self._connection.subscribe(self._handle)

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._connection.unsubscribe(self._handle)
            self._connections.release(self._connection, strip=False)

    def _handle(self, event: Event) -> None:
        match event:
            case KeyEdge(button=place, down=down, t=t) if place in self._names:
                self._set(place, t, down=down)
            case Resynchronised(down=down, t=t):
                self._set_all(down, t)
            case BoardRestarted():
                self._set_all(frozenset(), self._connections.clock())
            case Connected(info=info) if mismatch := incompatibility(info, self._needed):
                self._connections.report(Text("buttons: {mismatch}", mismatch=mismatch))
            case _:
                pass

    def _set_all(self, down: frozenset[int], t: float) -> None:
        for place in self._names:
            self._set(place, t, down=place in down)

    def _set(self, place: int, t: float, *, down: bool) -> None:
        button = self._names[place]
        if down == (button in self._down):
            return
        self._down ^= {button}
        # The host stamps a restart; an edge after it, stamped by the board, may seem a bit earlier.
        self._latest = max(self._latest, t)
        self._sink(Edge(button=button, down=down, t=self._latest))


def place_faults(places: Mapping[str, int]) -> list[ButtonError]:
    """Return every fault of the buttons' places on a board, each with the setting to change."""
    faults = []
    taken: dict[int, str] = {}
    for button, place in places.items():
        if not 0 <= place < MAX_BUTTONS:
            text = "place {place} is not one of a board's places, 0 to 31"
            faults.append(button_fault(_TABLE, button, text, place=place))
        elif place in taken:
            text = "place {place} is in use for button {taken}"
            faults.append(button_fault(_TABLE, button, text, place=place, taken=taken[place]))
        else:
            taken[place] = button
    return faults


def _at(port: str, error: BridgeError) -> ButtonError:
    return ButtonError(
        "buttons at {port}: {problem}",
        port=port,
        problem=error.problem,
        remedy=error.remedy,
        key=error.key,
    )
