"""Status of a connection to a board: its listeners, its latest error and its reports.

A board is a microcontroller. Each listener receives every event in order, one at a time. Errors are
reported after the first success or `start_reporting`; an error that persists is reported once.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias

from firmware_bridge.connection.discovery import AUTO
from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.states import BoardRestarted, Connected, Event, Log, Lost, Refused
from hardware.errors import Text, joined

Listener: TypeAlias = Callable[[Event], None]


class Listeners:
    """Registered listeners of one connection."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: tuple[Listener, ...] = ()

    def add(self, listener: Listener, events_before: Callable[[], Sequence[Event]]) -> None:
        """Register a listener, which first receives `events_before()`."""
        with self._lock:
            self._listeners = (*self._listeners, listener)
            for event in events_before():
                _call(listener, event)

    def remove(self, listener: Listener) -> None:
        """Unregister a listener. If one is being called now, block until it has returned."""
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
    except Exception:  # noqa: BLE001  # an error in a listener must not end the thread
        _log.exception("An event of the bridge is lost: its listener failed.")


_CONNECTED = "{device}: connected to the {board}"

_log = logging.getLogger(__name__)


class ConnectionStatus:
    """State of one connection. `error` is the reason why it does not work, or None if it works.

    Args:
        report: receives a line when the board is lost and when it is back.
    """

    def __init__(self, report: Callable[[Text], None]) -> None:
        self.error: BridgeError | None = None
        self._report = report
        self._is_reporting = False

    def reset(self) -> None:
        """Report nothing until the board works or `start_reporting` is called."""
        self.error, self._is_reporting = None, False

    def start_reporting(self, device: str) -> None:
        if self.error is not None and not self._is_reporting:
            self._report(_line(device, self.error))
        self._is_reporting = True

    def handle(self, events: Sequence[Event], device: str) -> None:
        for event in events:
            match event:
                case Connected():
                    self._connected(Text(_CONNECTED, device=device, board=event.info.name))
                case Lost(error=error) | Refused(error=error):
                    self.fail(error, device)
                case BoardRestarted():
                    _log.warning("%s: the board has restarted", device)
                case Log(text=text):
                    _log.info("%s logs: %s", device, text)
                case _:
                    pass

    def fail(self, error: BridgeError, device: str) -> None:
        if self._is_reporting and str(error) != str(self.error):
            self._report(_line(device, error))
        self.error = error

    def _connected(self, line: Text) -> None:
        _log.info("%s", line)
        if self._is_reporting:
            self._report(line)
        self.error, self._is_reporting = None, True


def _line(device: str, error: BridgeError) -> Text:
    """Return an error with its device.

    >>> from firmware_bridge.errors import CutError
    >>> print(_line("/dev/ttyACM0", CutError("the port failed")))
    /dev/ttyACM0: the port failed (trying again)
    """
    line = Text("{error} (trying again)", error=error)
    return joined(": ", ("" if device == AUTO or device in str(error) else device, line))
