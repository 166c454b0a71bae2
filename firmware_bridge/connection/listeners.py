"""Event listeners of a connection: each receives every event in order, one at a time."""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias

from firmware_bridge.protocol.events import BoardRestarted, Event, KeyEdge, Resynchronised

Listener: TypeAlias = Callable[[Event], None]

_log = logging.getLogger(__name__)


class Listeners:
    """Registered listeners, and the buttons that are down after the events delivered so far."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: tuple[Listener, ...] = ()
        self._down: frozenset[int] = frozenset()

    def add(self, listener: Listener, now: float) -> None:
        """Register a listener. It first receives the buttons that are down already."""
        with self._lock:
            self._listeners = (*self._listeners, listener)
            if self._down:
                _call(listener, Resynchronised(down=self._down, t=now))

    def remove(self, listener: Listener) -> None:
        """Unregister a listener. Blocks until a running call has returned."""
        with self._lock:
            self._listeners = tuple(each for each in self._listeners if each != listener)

    def notify(self, events: Sequence[Event]) -> None:
        """Deliver events to all listeners; an exception in one of them is logged."""
        with self._lock:
            for event in events:
                self._down = _down_after(event, self._down)
                for listener in self._listeners:
                    _call(listener, event)


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


def _call(listener: Listener, event: Event) -> None:
    try:
        listener(event)
    except Exception:  # noqa: BLE001  # any error in a listener must leave the thread alive
        _log.exception("An event of the bridge is lost: its listener failed.")
