"""Strip and buttons at a board, a microcontroller with our firmware; both share one connection.

`BridgeStrip.show` returns at once; the newest frame is sent when the board is ready. An unplugged
cable raises no error: after a reconnection the newest frame is shown.

An edge, a change of a button's level, gets the time of the host's clock. The board reports a level
once it has held for 3 ms; after that `hardware.debounce` removes the bouncing.
"""

import logging
from collections.abc import Callable, Mapping
from math import inf
from typing import Final

import numpy as np

from firmware_bridge.connection.connection import Connection
from firmware_bridge.connection.discovery import AUTO
from firmware_bridge.connection.serial_port import DEFAULT_BAUD
from firmware_bridge.connection.sharing import CONNECTIONS, Connections
from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.compatibility import incompatibility
from firmware_bridge.protocol.framing import OVERHEAD
from firmware_bridge.protocol.messages import MAX_BUTTONS, BoardInfo, BoardSetup
from firmware_bridge.protocol.states import (
    BoardRestarted,
    Connected,
    Event,
    KeyEdge,
    Resynchronised,
)
from hardware.debounce import Edge
from hardware.errors import ButtonError, StripError, Text, button_fault, driver_error
from hardware.strips.protocol import Frame, Strip, StripSpec, check_channels

_USB_BYTE_S: Final = 1e-6  # time of a byte on native USB
_COLUMNS: Final = "RGBW"
_ANSWER_BYTES: Final = OVERHEAD + 6
_TURNAROUND_S: Final = 1e-3  # USB polls once a millisecond
_NATIVE_CREDIT: Final = 2  # frames in flight at a board on native USB; others allow 1
_DIM: Final = b"\x04"  # level of a colour in the pattern that a board shows if its host is silent

_log = logging.getLogger(__name__)
_TABLE = "panel.places"


class BridgeStrip(Strip):
    """Driver of a strip at a board with our firmware.

    Args:
        spec: the strip, of one channel; a board has no more.
        port: a device, a URL of pyserial's, or "auto" if just one board is plugged in.
        baud: the baud rate of the board's firmware.
        connections: pool shared with the board's buttons.
        patient: open even if no board is there yet, and keep looking for one.

    Raises:
        StripError: a strip that no board can drive.
    """

    def __init__(
        self,
        spec: StripSpec,
        port: str,
        *,
        baud: int = DEFAULT_BAUD,
        connections: Connections = CONNECTIONS,
        patient: bool = False,
    ) -> None:
        super().__init__(spec)
        check_channels(spec, f"serial:{port}", 1)
        self._port = port
        self._baud = baud
        self._patient = patient
        self._connections = connections
        self._connection: Connection | None = None
        self._columns = [_COLUMNS.index(colour) for colour in spec.order]
        try:
            self._wanted = BoardSetup(
                leds=spec.leds[0], colours=spec.colours, safe_colour=_DIM * spec.colours
            )
        except BridgeError as error:
            raise StripError(error.problem, remedy=error.remedy) from error

    @property
    def wire_seconds(self) -> float:
        byte_seconds = _USB_BYTE_S if self._is_native() else 10 / self._baud
        cable_s = (OVERHEAD + self._wanted.pixel_bytes + _ANSWER_BYTES) * byte_seconds
        return cable_s + self.spec.wire_seconds + _TURNAROUND_S

    def _start(self) -> None:
        try:
            self._connection = self._connections.acquire(
                self._port, self._wanted, baud=self._baud, patient=self._patient
            )
        except BridgeError as error:
            name = f"serial:{self._port}"
            raise driver_error(name, error.problem, remedy=error.remedy) from error
        if self._connection.info is not None:
            _log.info("%s", describe(self._connection.info))

    def _is_native(self) -> bool:
        info = None if self._connection is None else self._connection.info
        return info is not None and info.credit >= _NATIVE_CREDIT

    def _send(self, frame: Frame) -> None:
        assert self._connection is not None  # noqa: S101  # it is open
        (pixels,) = frame
        wired = np.ascontiguousarray(pixels[:, self._columns])
        try:
            self._connection.show(wired.tobytes())
        except BridgeError as error:
            raise StripError(error.problem, remedy=error.remedy) from error

    def _stop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._connections.release(connection, strip=True)


def describe(info: BoardInfo) -> Text:
    """Return a description of a board in one line."""
    text = "{name}, firmware {firmware}: up to {pixel_bytes} LEDs, {buttons} buttons"
    return Text(
        text,
        name=info.name,
        firmware=info.firmware,
        pixel_bytes=info.most_leds,
        buttons=info.buttons,
    )


class BridgeButtons:
    """Buttons of a panel that a board reads; they are open from the construction on.

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
        # The host's time of a restart may be a bit later than the board's time of the next edge.
        self._latest = max(self._latest, t)
        self._sink(Edge(button=button, down=down, t=self._latest))


def place_faults(places: Mapping[str, int]) -> list[ButtonError]:
    """Return every fault of the places (the buttons' numbers on a board), each with its setting."""
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
