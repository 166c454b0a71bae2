"""A link with a port below it: opened, read, written, lost, found again and opened anew.

One thread owns the port: it reads, keeps the deadlines and opens it again after every failure.
Another writes what the link has to say, so that a slow port delays no key. The link itself is
guarded by one lock, which nobody holds while a listener is told something.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from serial import Serial

from firmware_bridge.counters import LinkCounters
from firmware_bridge.errors import BridgeError, NoAnswerError
from firmware_bridge.events import (
    BoardRestarted,
    Connected,
    Event,
    Log,
    Lost,
    Refused,
)
from firmware_bridge.finding import Ports, Whereabouts, serial_ports
from firmware_bridge.line import DEFAULT_BAUD, PORT_ERRORS, close_line, open_line, reason
from firmware_bridge.link import Link
from firmware_bridge.messages import BoardSetup
from firmware_bridge.replies import BoardCounters, BoardInfo
from firmware_bridge.states import State
from firmware_bridge.telling import Listener, Listeners
from firmware_bridge.words import PHASES

PATIENCE: Final = 6.0
"""Seconds until a handshake has come to an end, whatever the end is."""

FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 5.0
"""Seconds between two attempts to open a port that was lost; each pause is twice the last."""

_GOODBYE: Final = 0.7
_LAST_MOMENT: Final = 0.25
_SHORTEST_WAIT: Final = 0.005
_LONGEST_WAIT: Final = 60.0
_PIECE: Final = 1024

_log = logging.getLogger(__name__)


class Connection:
    """A board at a port, kept connected from `start` to `close`.

    Args:
        device: a port, or a URL of pyserial's.
        wanted: what the board is set up for.
        baud: the speed that its firmware was built for; without meaning on native USB.
        ports: looks which ports there are, to find the board again under another name.
        clock: monotonic seconds; the times of events are its.

    Raises:
        BridgeError: what is asked of the board cannot be.
    """

    def __init__(
        self,
        device: str,
        wanted: BoardSetup,
        *,
        baud: int = DEFAULT_BAUD,
        ports: Ports = serial_ports,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.wanted = wanted
        self._baud = baud
        self._clock = clock
        self._place = Whereabouts(device, ports)
        self._changed = threading.Condition()
        self._listeners = Listeners()
        self._stopping = threading.Event()
        self._link = self._new_link()
        self._is_served = False
        self._error: BridgeError | None = None
        self._has_worked = False
        self._pause = FIRST_PAUSE
        self._thread: threading.Thread | None = None

    @property
    def device(self) -> str:
        """Where the board is, or was last."""
        return self._place.device

    @property
    def state(self) -> State:
        """Where its link stands."""
        return self._link.state

    @property
    def info(self) -> BoardInfo | None:
        """What the board said of itself, None before its first word."""
        return self._link.info

    @property
    def counters(self) -> LinkCounters:
        """What our end has counted since the last `set_up`; it goes on counting."""
        return self._link.counters

    @property
    def board_counters(self) -> BoardCounters | None:
        """What the board has counted, half a second old at most while it is connected."""
        return self._link.board_counters

    def start(self) -> None:
        """Open the port and greet the board, which answers later: see `wait`.

        Raises:
            BridgeError: the port cannot be opened; nothing is held.
        """
        line = self._open()
        self._thread = threading.Thread(
            target=self._run, args=(line,), name=f"bridge {self.device}", daemon=True
        )
        self._thread.start()

    def wait(self, timeout: float = PATIENCE) -> BoardInfo:
        """Wait until the board is set up.

        Raises:
            BridgeError: it is not, with whose fault that is; it is tried again all the same.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._is_running or self._error, timeout)
            info = self._link.info
            if self._is_running and info is not None:
                return info
            raise self._error or NoAnswerError(f"{self.device}: the board does not answer")

    def set_up(self, wanted: BoardSetup) -> None:
        """Set the board up for something else, in a session of its own; see `wait`."""
        with self._changed:
            self.wanted = wanted
            self._link = self._new_link()
            self._error, self._has_worked = None, False
            if self._is_served:
                self._link.open(self._clock())
            self._changed.notify_all()

    def show(self, pixels: bytes) -> None:
        """Take the newest frame, in the order of the strip's wire; it goes out when it can.

        Raises:
            BridgeError: it does not fit, or the connection is closed.
        """
        with self._changed:
            self._link.show(pixels)
            self._changed.notify_all()

    def listen(self, listener: Listener) -> None:
        """Tell events from now on, one at a time; first the buttons that are down already.

        The listener must return soon and close nothing; what it raises is logged and goes no
        further.
        """
        self._listeners.add(listener, self._clock())

    def forget(self, listener: Listener) -> None:
        """Tell this listener nothing more."""
        self._listeners.remove(listener)

    def close(self) -> None:
        """Tell the board to go dark and let go of the port, within a second. Idempotent."""
        self._stopping.set()
        with self._changed:
            self._link.close(self._clock())
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._link.state is State.CLOSED, _GOODBYE)
        if self._thread is not None:
            self._thread.join(_LAST_MOMENT)

    @property
    def _is_running(self) -> bool:
        return self._link.state is State.RUNNING

    def _new_link(self) -> Link:
        session = 1 + secrets.randbelow((1 << 32) - 1)
        return Link(session=session, wanted=self.wanted, byte_seconds=10 / self._baud)

    def _open(self) -> Serial:
        line = open_line(self._place.locate(), self._baud)
        self._place.note()
        return line

    def _run(self, line: Serial | None) -> None:
        while line is not None:
            self._serve(line)
            line = self._open_again()

    def _open_again(self) -> Serial | None:
        """The port, as soon as it can be opened; None when it is no longer wanted."""
        while not self._stopping.wait(self._pause):
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            try:
                return self._open()
            except BridgeError as error:
                _log.debug("%s", error)
        return None

    def _serve(self, line: Serial) -> None:
        """Run the link over an open port until one of them has come to an end."""
        writer = threading.Thread(target=self._write, args=(line,), daemon=True)
        with self._changed:
            if not self._stopping.is_set():
                self._link.open(self._clock())
                self._is_served = True
        try:
            writer.start()
            self._read(line)
        except PORT_ERRORS as error:
            self._cut(error)
        finally:
            with self._changed:
                self._is_served = False
                self._changed.notify_all()
            _wake_writer(line)
            writer.join()
            close_line(line)

    def _read(self, line: Serial) -> None:
        while self._link.state in PHASES:
            data = line.read(max(1, line.in_waiting))
            with self._changed:
                now = self._clock()
                events = self._link.receive_bytes(data, now) if data else []
                if self._link.next_deadline <= now:
                    events += self._link.on_time(now)
                if data or events:
                    self._note(events)
                    self._changed.notify_all()
            self._listeners.tell(events)

    def _write(self, line: Serial) -> None:
        try:
            while data := self._next_bytes():
                for start in range(0, len(data), _PIECE):
                    line.write(data[start : start + _PIECE])
        except PORT_ERRORS as error:
            self._cut(error)

    def _next_bytes(self) -> bytes:
        """What is to be written, as soon as there is something; nothing at the end."""
        with self._changed:
            while self._is_served:
                now = self._clock()
                if data := self._link.bytes_to_send(now):
                    return data
                # What is overdue without being sent is the reader's, which looks soon.
                pause = max(self._link.next_deadline - now, _SHORTEST_WAIT)
                self._changed.wait(min(pause, _LONGEST_WAIT))
        return b""

    def _cut(self, error: Exception) -> None:
        with self._changed:
            events = self._link.cut(reason(error), self._clock())
            self._note(events)
            self._changed.notify_all()
        self._listeners.tell(events)

    def _note(self, events: Sequence[Event]) -> None:
        for event in events:
            match event:
                case Connected():
                    self._error, self._pause = None, FIRST_PAUSE
                    self._has_worked = True
                    _log.info("%s: connected to the %s", self.device, event.info.name)
                case Lost(error=error) | Refused(error=error):
                    # Before it has worked `wait` says it; a board away for a night is told of once.
                    if self._has_worked and str(error) != str(self._error):
                        _log.warning("%s: %s (it is tried again)", self.device, error)
                    self._error = error
                case BoardRestarted():
                    _log.warning("%s: the board has started anew", self.device)
                case Log(text=text):
                    _log.info("%s says: %s", self.device, text)
                case _:
                    pass


def _wake_writer(line: Serial) -> None:
    """Let a write that waits end; the URLs of pyserial have no such thing, and time out."""
    cancel = getattr(line, "cancel_write", None)
    if cancel is not None:
        cancel()
