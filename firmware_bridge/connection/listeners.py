"""Whoever listens to a connection: told every event in its order, one at a time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias

from firmware_bridge.protocol.events import BoardRestarted, Event, KeyEdge, Resynchronised

Listener: TypeAlias = Callable[[Event], None]

_log = logging.getLogger(__name__)


class Listeners:
    """The listeners of a connection, and the buttons that are down by what they were told."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: tuple[Listener, ...] = ()
        self._down: frozenset[int] = frozenset()

    def add(self, listener: Listener, now: float) -> None:
        """Tell somebody more from now on, and first which buttons are down already."""
        with self._lock:
            self._listeners = (*self._listeners, listener)
            if self._down:
                _tell(listener, Resynchronised(down=self._down, t=now))

    def remove(self, listener: Listener) -> None:
        """Tell somebody nothing more; what is being told now has been when this returns."""
        with self._lock:
            self._listeners = tuple(each for each in self._listeners if each != listener)

    def tell(self, events: Sequence[Event]) -> None:
        """Tell all of them; what one of them raises is logged and goes no further."""
        with self._lock:
            for event in events:
                self._down = _down_after(event, self._down)
                for listener in self._listeners:
                    _tell(listener, event)


def _down_after(event: Event, down: frozenset[int]) -> frozenset[int]:
    match event:
        case KeyEdge(button=button, down=True):
            return down | {button}
        case KeyEdge(button=button):
            return down - {button}
        case Resynchronised():
            return event.down
        case BoardRestarted():
            return frozenset()
        case _:
            return down


def _tell(listener: Listener, event: Event) -> None:
    try:
        listener(event)
    except Exception:  # noqa: BLE001  # whatever it is, the thread must live
        _log.exception("An event of the bridge is lost: its listener failed.")
