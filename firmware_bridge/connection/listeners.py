"""Event listeners of a connection: each receives every event in order, one at a time."""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias

from firmware_bridge.protocol.events import Event

Listener: TypeAlias = Callable[[Event], None]

_log = logging.getLogger(__name__)


class Listeners:
    """Registered listeners of one connection."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: tuple[Listener, ...] = ()

    def add(self, listener: Listener, events_before: Callable[[], Sequence[Event]]) -> None:
        """Register a listener. It first receives the events that replace those it has missed."""
        with self._lock:
            self._listeners = (*self._listeners, listener)
            for event in events_before():
                _call(listener, event)

    def remove(self, listener: Listener) -> None:
        """Unregister a listener. Blocks until a running call has returned."""
        with self._lock:
            self._listeners = tuple(each for each in self._listeners if each != listener)

    def notify(self, events: Sequence[Event]) -> None:
        with self._lock:
            for event in events:
                for listener in self._listeners:
                    _call(listener, event)


def _call(listener: Listener, event: Event) -> None:
    try:
        listener(event)
    except Exception:  # noqa: BLE001  # any error in a listener must leave the thread alive
        _log.exception("An event of the bridge is lost: its listener failed.")
