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
from collections.abc import Callable
from typing import Final

from serial import Serial

from firmware_bridge.connection.discovery import Ports, Whereabouts, serial_ports
from firmware_bridge.connection.listeners import Listener, Listeners
from firmware_bridge.connection.serial_port import (
    DEFAULT_BAUD,
    PORT_ERRORS,
    check_baud,
    close_line,
    open_line,
    reason,
)
from firmware_bridge.connection.status import Standing
from firmware_bridge.errors import BridgeError, NoAnswerError
from firmware_bridge.protocol.counters import LinkCounters
from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardSetup
from firmware_bridge.protocol.replies import BoardCounters, BoardInfo
from firmware_bridge.protocol.states import State
from firmware_bridge.protocol.timers import PHASES

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
        device: a port, a link to one, a URL of pyserial's, or "auto" for the only board.
        wanted: what the board is set up for.
        baud: the speed that its firmware was built for; without meaning on native USB.
        ports: looks which ports there are, to find the board again under another name.
        told: is given a line, in any thread, when the board is lost and when it is there again;
            it must return at once.
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
        told: Callable[[str], None] = _log.warning,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.wanted = wanted
        check_baud(baud)
        self._baud = baud
        self._clock = clock
        self._place = Whereabouts(device, ports)
        self._changed = threading.Condition()
        self._listeners = Listeners()
        self._stopping = threading.Event()
        self._link = self._new_link()
        self._is_served = False
        self._standing = Standing(told)
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

    def start(self, *, patient: bool = False) -> None:
        """Open the port and greet the board, which answers later: see `wait`.

        Args:
            patient: a board that is not there is looked for until it is.

        Raises:
            BridgeError: the port cannot be opened; nothing is held.
        """
        line = None
        try:
            line = self._open()
        except BridgeError as error:
            if not (patient and error.passes):
                raise
            self._standing.fail(error, self.device)
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
            self._changed.wait_for(lambda: self._is_running or self._standing.error, timeout)
            info = self._link.info
            if self._is_running and info is not None:
                return info
            raise self._standing.error or NoAnswerError("the board does not answer")

    def stop_waiting(self) -> None:
        """Tell what is wrong, now that nobody waits for it, and when it works."""
        with self._changed:
            self._standing.stop_waiting(self.device)

    def set_up(self, wanted: BoardSetup) -> None:
        """Set the board up for something else, in a session of its own; see `wait`."""
        with self._changed:
            self.wanted = wanted
            self._link = self._new_link()
            self._standing.begin_anew()
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
        while True:
            if line is not None:
                self._serve(line)
            line = self._open_again()
            if line is None:
                return

    def _open_again(self) -> Serial | None:
        """The port, as soon as it can be opened; None when it is no longer wanted."""
        while not self._stopping.wait(self._pause):
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            try:
                return self._open()
            except BridgeError as error:
                # Whoever pulls a cable out and in again needs no word about it.
                if self._pause == LONGEST_PAUSE:
                    with self._changed:
                        self._standing.fail(error, self.device)
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
                    self._standing.note(events, self.device)
                    self._pause = FIRST_PAUSE if self._is_running else self._pause
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
            self._standing.note(events, self.device)
            self._changed.notify_all()
        self._listeners.tell(events)


def _wake_writer(line: Serial) -> None:
    """Let a write that waits end; the URLs of pyserial have no such thing, and time out."""
    cancel = getattr(line, "cancel_write", None)
    if cancel is not None:
        cancel()
