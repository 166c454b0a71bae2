"""The buttons that a board reads: its edges become those of a panel, at the host's times.

Nothing is filtered here but what the board itself holds back; `hardware.debounce` decides.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from math import inf
from types import TracebackType
from typing import Self

from firmware_bridge.connection.discovery import AUTO
from firmware_bridge.connection.serial_port import DEFAULT_BAUD
from firmware_bridge.connection.sharing import CONNECTIONS, Connections
from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.compatibility import unfit
from firmware_bridge.protocol.events import (
    BoardRestarted,
    Connected,
    Event,
    KeyEdge,
    Resynchronised,
)
from firmware_bridge.protocol.messages import MOST_BUTTONS, BoardSetup
from hardware.debounce import Edge
from hardware.errors import ButtonError


class BridgeButtons:
    """The open buttons of a panel that a board reads; a context manager.

    Args:
        places: which of the board's buttons each button is, counted from 0.
        sink: is given each edge, by one thread at a time; times never go back. What it raises is
            logged and goes no further; it should put the edge into a queue and return.
        port: where the board is, as a strip has it; both share one connection.
        baud: the speed that its firmware was built for.
        connections: those to share with the board's strip.
        patient: a board that is not there is looked for until it is.
        clock: monotonic seconds, the same that the connections go by.

    A button that is down when this is opened gives an edge then. A cable pulled out gives none:
    once it is back, each button whose level is another gives one.

    Raises:
        ButtonError: places that no board has or this one has not; no board.
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
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        faults = place_faults(places)
        if faults:
            raise ButtonError("; ".join(map(str, faults)))
        self._names = {place: button for button, place in places.items()}
        self._sink = sink
        self._clock = clock
        self._connections = connections
        self._is_open = True
        self._latest = -inf
        self._down: set[str] = set()
        self._needed = BoardSetup(leds=0, buttons=max(places.values(), default=-1) + 1)
        take = connections.expect if patient else connections.take
        try:
            self._connection = take(port, self._needed, baud=baud)
        except BridgeError as error:
            raise _at(port, error) from error
        # A board that a strip has set up has not been asked for its buttons.
        info = self._connection.info
        if info is not None and (lack := unfit(info, self._needed)):
            connections.give_back(self._connection, strip=False)
            raise _at(port, lack)
        self._connection.listen(self._hear)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the board; no edge comes after it. Idempotent."""
        if self._is_open:
            self._is_open = False
            self._connection.forget(self._hear)
            self._connections.give_back(self._connection, strip=False)

    def _hear(self, event: Event) -> None:
        match event:
            case KeyEdge(button=place, down=down, t=t) if place in self._names:
                self._give(place, t, down=down)
            case Resynchronised(down=down, t=t):
                self._give_all(down, t)
            case BoardRestarted():
                self._give_all(frozenset(), self._clock())
            case Connected(info=info) if lack := unfit(info, self._needed):
                self._connections.tell(f"buttons: {lack}")
            case _:
                pass

    def _give_all(self, down: frozenset[int], t: float) -> None:
        for place in self._names:
            self._give(place, t, down=place in down)

    def _give(self, place: int, t: float, *, down: bool) -> None:
        button = self._names[place]
        if down == (button in self._down):
            return
        self._down ^= {button}
        # A restart has our time, what follows it the board's: none comes before the last.
        self._latest = max(self._latest, t)
        self._sink(Edge(button=button, down=down, t=self._latest))


def place_faults(places: Mapping[str, int]) -> list[ButtonError]:
    """Return every fault of a panel's places on a board, each with the button and the setting."""
    faults = []
    taken: dict[int, str] = {}
    for button, place in places.items():
        if not 0 <= place < MOST_BUTTONS:
            faults.append(_fault(button, f"a board has the places 0 to 31, not {place}"))
        elif place in taken:
            faults.append(_fault(button, f"place {place} is that of {taken[place]}"))
        else:
            taken[place] = button
    return faults


def _fault(button: str, problem: str) -> ButtonError:
    remedy = f'change "{button}" in [panel.places]'
    return ButtonError(f"button {button}: {problem}", remedy=remedy, key=f"panel.places.{button}")


def _at(port: str, error: BridgeError) -> ButtonError:
    return ButtonError(f"buttons at {port}: {error.problem}", remedy=error.remedy, key=error.key)
