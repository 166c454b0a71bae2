"""Search for boards: the ports that answer HELLO with INFO."""

import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from serial import Serial

from firmware_bridge.connection.discovery import BoardPort
from firmware_bridge.connection.serial_port import PORT_ERRORS, close_port, open_port
from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol.framing import Decoder, Frame, encode
from firmware_bridge.protocol.messages import Type, hello
from firmware_bridge.protocol.timers import HELLO_INTERVAL_S

ANSWER_TIMEOUT_S: Final = 1.0
"""Time for an answer, from the first HELLO on."""

_CTRL_C: Final = 0x03


class Prober:
    """Prober of ports at a baud rate, for `discovery.find_port`.

    Opening a port may reset its device, which may be something else than a board, such as a 3D
    printer at work. So a silent port is opened once, and again only after it was unplugged.
    """

    def __init__(self, baud: int, clock: Callable[[], float]) -> None:
        self._baud = baud
        self._clock = clock
        self._silent: frozenset[BoardPort] = frozenset()

    def __call__(self, ports: Sequence[BoardPort]) -> Sequence[BoardPort]:
        """Return the ports that answer as boards do, after at most 3 s."""
        self._silent &= frozenset(ports)
        unprobed = [port for port in ports if port not in self._silent]
        with ThreadPoolExecutor(max(1, len(unprobed))) as threads:
            answers = list(threads.map(self._answers, unprobed))
        found = [port for port, answer in zip(unprobed, answers, strict=True) if answer]
        self._silent |= {port for port in unprobed if port not in found and not port.is_native}
        return found

    def _answers(self, board: BoardPort) -> bool:
        try:
            port = open_port(board.device, self._baud)
        except BridgeError:
            return False
        try:
            return self._sends_info(port, board.quiet_s)
        except PORT_ERRORS:
            return False
        finally:
            close_port(port)

    def _sends_info(self, port: Serial, quiet_s: float) -> bool:
        decoder, request = Decoder(), probe_request()
        next_at = self._clock() + quiet_s
        deadline = next_at + ANSWER_TIMEOUT_S
        while (now := self._clock()) < deadline:
            if now >= next_at:
                port.write(request)
                next_at = now + HELLO_INTERVAL_S
            for item in decoder.feed(port.read(max(1, port.in_waiting))):
                if isinstance(item, Frame) and item.type == Type.INFO:
                    return True
        return False


def probe_request() -> bytes:
    """Return a HELLO without Ctrl-C, which would stop the program behind a Python console."""
    while True:
        data = encode(hello(0, session=1 + secrets.randbelow((1 << 32) - 1)))
        if _CTRL_C not in data:
            return data
