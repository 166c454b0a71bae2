"""Connection to a microcontroller board: the protocol (`Link`) on a port, reopened after failures.

One thread reads, handles the link's timeouts and reopens the port; another writes, so that a slow
port does not delay reading. A lock guards the link; it is free while listeners of its events run.

If a cable is pulled out, `_read` fails, the link becomes LOST, and `_reopen` looks for the board
every 0.2 s, also under another device name. When the cable is back, `_serve` runs the same link
again. The link repeats the handshake and sends the whole newest frame. Listeners receive `Lost`,
then `Connected` and the state of the buttons.
"""

import logging
import secrets
import threading
from collections.abc import Callable
from typing import Final

from serial import Serial

from firmware_bridge.connection.discovery import PortLocator, Ports, serial_ports
from firmware_bridge.connection.serial_port import (
    DEFAULT_BAUD,
    PORT_ERRORS,
    Prober,
    cancel_write,
    check_baud,
    close_port,
    failure_text,
    open_port,
)
from firmware_bridge.connection.status import ConnectionStatus, Listener, Listeners
from firmware_bridge.errors import AbsentError, BridgeError, NoAnswerError
from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardInfo, BoardSetup
from firmware_bridge.protocol.states import TIMINGS, Resynchronised, State
from hardware.errors import Text

HANDSHAKE_TIMEOUT_S: Final = 8.0  # longer than any handshake lasts
ABSENT_RETRY_S: Final = 0.2  # pause between two searches for a board that is unplugged
FIRST_RETRY_S: Final = 0.1
LONGEST_RETRY_S: Final = 5.0
"""First and longest pause after a failure of a port that exists; each attempt doubles the pause."""

REPORT_AFTER_S: Final = 5.0
"""Time without a port before a report: a cable that is soon replugged is not reported."""

_CLOSE_TIMEOUT_S: Final = 0.7
_JOIN_TIMEOUT_S: Final = 0.25
_SHORTEST_WAIT_S: Final = 0.005
_LONGEST_WAIT_S: Final = 60.0
_WRITE_BYTES: Final = 1024

_log = logging.getLogger(__name__)


class Connection:
    """Connection to one board, from `start` to `close`; a change of the set-up makes a new `link`.

    Args:
        device: a port, a symbolic link to one, a URL of pyserial's, or "auto" for the only board.
        wanted: the set-up of the board, such as its number of LEDs.
        clock: returns monotonic seconds; also the time base of events.
        baud: the baud rate of the board's firmware; without effect on native USB.
        ports: lists the serial ports, to find the board again under another name.
        report: receives a line, in any thread, when the board is lost and when it is back. It must
            return at once.

    Raises:
        BridgeError: the set-up or the baud rate is impossible.
    """

    def __init__(
        self,
        device: str,
        wanted: BoardSetup,
        *,
        clock: Callable[[], float],
        baud: int = DEFAULT_BAUD,
        ports: Ports = serial_ports,
        report: Callable[[Text], None] = _log.warning,
    ) -> None:
        self.wanted = wanted
        check_baud(baud)
        self._baud = baud
        self._clock = clock
        self._locator = PortLocator(device, ports, Prober(baud, clock))
        self._changed = threading.Condition()
        self._listeners = Listeners()
        self._stopping = threading.Event()
        self.link = self._new_link()
        self._is_served = False
        self._status = ConnectionStatus(report)
        self._pause_s = FIRST_RETRY_S
        self._thread: threading.Thread | None = None

    @property
    def device(self) -> str:
        return self._locator.device

    @property
    def info(self) -> BoardInfo | None:
        return self.link.board.info

    def start(self, *, patient: bool = False) -> None:
        """Open the port and begin the handshake; `wait` blocks until its end.

        Args:
            patient: keep trying if the port cannot be opened yet.

        Raises:
            BridgeError: the port cannot be opened; nothing stays open.
        """
        port = None
        try:
            port = self._open()
        except BridgeError as error:
            if not (patient and error.is_temporary):
                raise
            self._status.fail(error, self.device)
        self._thread = threading.Thread(
            target=self._run, args=(port,), name=f"bridge {self.device}", daemon=True
        )
        self._thread.start()

    def wait(self, timeout_s: float = HANDSHAKE_TIMEOUT_S) -> BoardInfo:
        """Block until the board is set up.

        Raises:
            BridgeError: the handshake failed; the connection keeps trying.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._is_running or self._status.error, timeout_s)
            info = self.info
            if self._is_running and info is not None:
                return info
            raise self._status.error or NoAnswerError("the board does not answer")

    def start_reporting(self) -> None:
        with self._changed:
            self._status.start_reporting(self.device)

    def set_up(self, wanted: BoardSetup) -> None:
        """Change the board's set-up with a new `link`; `wait` blocks until the board has it."""
        with self._changed:
            self.wanted = wanted
            self.link = self._new_link()
            self._status.reset()
            if self._is_served:
                self.link.open(self._clock())
            self._changed.notify_all()

    def show(self, pixels: bytes) -> None:
        """Send the newest frame, in the byte order of the strip, as soon as possible.

        Raises:
            BridgeError: the frame does not fit, or the connection is closed.
        """
        with self._changed:
            self.link.show(pixels)
            self._changed.notify_all()

    def subscribe(self, listener: Listener) -> None:
        """Call a listener with the buttons that are down, if any, and then with each new event.

        The listener must return soon and must not close the connection.
        """
        self._listeners.add(listener, self._buttons_down)

    def unsubscribe(self, listener: Listener) -> None:
        """Remove a listener. If one is being called now, block until it has returned."""
        self._listeners.remove(listener)

    def close(self) -> None:
        """Turn the strip dark and close the port, within a second. Idempotent."""
        self._stopping.set()
        with self._changed:
            self.link.close(self._clock())
            self._changed.notify_all()
            self._changed.wait_for(lambda: self.link.state is State.CLOSED, _CLOSE_TIMEOUT_S)
        if self._thread is not None:
            self._thread.join(_JOIN_TIMEOUT_S)

    @property
    def _is_running(self) -> bool:
        return self.link.state is State.RUNNING

    def _buttons_down(self) -> list[Resynchronised]:
        with self._changed:
            down = self.link.board.keys.down
        return [Resynchronised(down=down, t=self._clock())] if down else []

    def _new_link(self) -> Link:
        session = 1 + secrets.randbelow((1 << 32) - 1)
        return Link(session=session, wanted=self.wanted, byte_seconds=10 / self._baud)

    def _open(self) -> Serial:
        port = open_port(self._locator.locate(), self._baud)
        self._locator.remember()
        return port

    def _run(self, port: Serial | None) -> None:
        while True:
            if port is not None:
                self._serve(port)
            port = self._reopen()
            if port is None:
                return

    def _reopen(self) -> Serial | None:
        """Open the port as soon as possible; return None if the connection is closed meanwhile."""
        closed_at, pause_s = self._clock(), self._pause_s
        while not self._stopping.wait(pause_s):
            try:
                return self._open()
            except BridgeError as error:
                if self._clock() - closed_at >= REPORT_AFTER_S:
                    with self._changed:
                        self._status.fail(error, self.device)
                pause_s = self._next_pause_s(error)
        return None

    def _next_pause_s(self, error: BridgeError) -> float:
        if isinstance(error, AbsentError):
            self._pause_s = FIRST_RETRY_S
            return ABSENT_RETRY_S
        self._pause_s = min(2 * self._pause_s, LONGEST_RETRY_S)
        return self._pause_s

    def _serve(self, port: Serial) -> None:
        writer = threading.Thread(target=self._write, args=(port,), daemon=True)
        with self._changed:
            if not self._stopping.is_set():
                self.link.open(self._clock(), quiet_s=self._locator.quiet_s)
                self._is_served = True
            self._pause_s = min(2 * self._pause_s, LONGEST_RETRY_S)
        try:
            writer.start()
            self._read(port)
        except PORT_ERRORS as error:
            self._cut(error)
        finally:
            with self._changed:
                self._is_served = False
                self._changed.notify_all()
            cancel_write(port)
            writer.join()
            close_port(port)

    def _read(self, port: Serial) -> None:
        while self.link.state in TIMINGS:
            data = port.read(max(1, port.in_waiting))
            with self._changed:
                now = self._clock()
                events = self.link.receive_bytes(data, now) if data else []
                if self.link.next_deadline <= now:
                    events += self.link.on_time(now)
                if data or events:
                    self._status.handle(events, self.device)
                    self._pause_s = FIRST_RETRY_S if self._is_running else self._pause_s
                    self._changed.notify_all()
            self._listeners.notify(events)

    def _write(self, port: Serial) -> None:
        try:
            while data := self._next_bytes():
                for start in range(0, len(data), _WRITE_BYTES):
                    port.write(data[start : start + _WRITE_BYTES])
        except PORT_ERRORS as error:
            self._cut(error)

    def _next_bytes(self) -> bytes:
        """Wait for bytes to write and return them; return b"" if the port is closed."""
        with self._changed:
            while self._is_served:
                now = self._clock()
                if data := self.link.bytes_to_send(now):
                    return data
                # If the deadline has passed, the reading thread handles it soon.
                pause_s = max(self.link.next_deadline - now, _SHORTEST_WAIT_S)
                self._changed.wait(min(pause_s, _LONGEST_WAIT_S))
        return b""

    def _cut(self, error: Exception) -> None:
        with self._changed:
            events = self.link.cut(failure_text(error), self._clock())
            self._status.handle(events, self.device)
            self._changed.notify_all()
        self._listeners.notify(events)
