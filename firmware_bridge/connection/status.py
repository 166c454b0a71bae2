"""How a connection stands: the latest error, and what its owner is told. No I/O and no clock.

What `Connection.wait` raises is not told a second time; a board away for a night is told of once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from firmware_bridge.connection.discovery import AUTO
from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.events import BoardRestarted, Connected, Event, Log, Lost, Refused

_log = logging.getLogger(__name__)


class Standing:
    """Follows what becomes of a connection; `error` is why it does not work, if it does not.

    Args:
        told: is given a line when the board is lost, and when it is there again.
    """

    def __init__(self, told: Callable[[str], None]) -> None:
        self.error: BridgeError | None = None
        self._told = told
        self._tells = False

    def begin_anew(self) -> None:
        """Somebody waits: until the board works there is nothing to tell."""
        self.error, self._tells = None, False

    def stop_waiting(self, device: str) -> None:
        """Nobody waits any more: tell what is wrong, and what becomes of it."""
        if self.error is not None and not self._tells:
            self._told(_line(device, self.error))
        self._tells = True

    def note(self, events: Sequence[Event], device: str) -> None:
        """Take what has happened at a device."""
        for event in events:
            match event:
                case Connected():
                    self._connected(f"{device}: connected to the {event.info.name}")
                case Lost(error=error) | Refused(error=error):
                    self.fail(error, device)
                case BoardRestarted():
                    _log.warning("%s: the board has started anew", device)
                case Log(text=text):
                    _log.info("%s says: %s", device, text)
                case _:
                    pass

    def fail(self, error: BridgeError, device: str) -> None:
        """Take why it does not work."""
        if self._tells and str(error) != str(self.error):
            self._told(_line(device, error))
        self.error = error

    def _connected(self, line: str) -> None:
        _log.info("%s", line)
        if self._tells:
            self._told(line)
        self.error, self._tells = None, True


def _line(device: str, error: BridgeError) -> str:
    """An error with its device, and that it is not the end.

    >>> from firmware_bridge.errors import CutError
    >>> _line("/dev/ttyACM0", CutError("the port failed"))
    '/dev/ttyACM0: the port failed (it is tried again)'
    """
    text = str(error)
    where = "" if device == AUTO or device in text else f"{device}: "
    return f"{where}{text} (it is tried again)"
