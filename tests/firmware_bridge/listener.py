"""Listener at the board's end of a cable, which reads everything and sends nothing."""

import os
import select
import threading

from tests.firmware_bridge.board_on_pty import Cable
from tests.support.timeout import TIMEOUT_S


class Listener:
    """Reads a cable until `end`."""

    def __init__(self, cable: Cable) -> None:
        self.device = cable.device
        self._cable = cable
        self._data = bytearray()
        self._changed = threading.Condition()
        self._is_over = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def heard(self, size: int) -> bytes:
        """All that has come, as soon as it is so many bytes."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self._data) >= size, TIMEOUT_S)
            return bytes(self._data)

    def end(self) -> None:
        """Stop listening, and pull the cable out."""
        self._is_over = True
        self._thread.join()
        self._cable.pull()

    def _listen(self) -> None:
        while not self._is_over:
            if not select.select([self._cable.end], [], [], 0.01)[0]:
                continue
            data = os.read(self._cable.end, 65536)
            with self._changed:
                self._data += data
                self._changed.notify_all()
