"""Parts of a board that work while its program runs: pins, keypads, the USB port."""

from collections import deque
from typing import Final

FIFO: Final = 256
"""Bytes that the USB port keeps in each direction; the host waits with more."""

_MICROSECONDS_A_BYTE: Final = 53 / 64


class Restart(BaseException):
    """The board starts again."""


class Pin:
    """A pin, which one user at a time may have."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_taken = False

    def take(self) -> None:
        """Begin to use it.

        Raises:
            ValueError: somebody does already.
        """
        if self.is_taken:
            raise ValueError(f"{self.name} in use")
        self.is_taken = True


class Pins:
    """All pins of a board; `low` are the names of those that something outside joins to GND."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.by_name = {name: Pin(name) for name in names}
        self.low: set[str] = set()

    def release_all(self) -> None:
        """Let go of all: a program has ended."""
        for pin in self.by_name.values():
            pin.is_taken = False

    def is_low(self, pin: Pin) -> bool:
        """Return True if a pin with a pull-up is low."""
        return pin.name in self.low


class Keypad:
    """A scanner: it tells of a level when it differs from that of the scan before.

    Of a button that is down when it begins it tells nothing, as CircuitPython 10 does; with a full
    queue it drops what comes, and says so.
    """

    def __init__(self, pins: Pins, scanned: list[Pin], *, interval: float, most: int) -> None:
        for pin in scanned:
            pin.take()
        self.queue: deque[tuple[int, bool, int]] = deque()
        self.has_overflowed = False
        self._pins = pins
        self._scanned = scanned
        self._most = most
        self._every = int(interval * 1024)
        self._until_scan = 0
        self._levels = [pins.is_low(pin) for pin in scanned]

    def tick(self, ticks_ms: int) -> None:
        """Scan, if it is time."""
        self._until_scan -= 1
        if self._until_scan > 0:
            return
        self._until_scan = self._every
        for number, pin in enumerate(self._scanned):
            level = self._pins.is_low(pin)
            if level == self._levels[number]:
                continue
            self._levels[number] = level
            if len(self.queue) < self._most:
                self.queue.append((number, level, ticks_ms))
            else:
                self.has_overflowed = True

    def release(self) -> None:
        """Let go of the pins."""
        for pin in self._scanned:
            pin.is_taken = False


class Keypads:
    """The scanners at work."""

    def __init__(self, pins: Pins) -> None:
        self.pins = pins
        self.active: list[Keypad] = []

    def scan(self, ticks_ms: int) -> None:
        """Return a tick has come."""
        for keypad in self.active:
            keypad.tick(ticks_ms)

    def stop_all(self) -> None:
        """End all scanning: a program has ended."""
        self.active.clear()


class Usb:
    """The data port as both ends see it; `is_read` tells whether the host reads what comes.

    `is_enabled` is what boot.py says, which counts only before USB has started.
    """

    def __init__(self) -> None:
        self.is_enabled = False
        self.is_started = False
        self.is_read = True
        self.said = bytearray()
        self.arrived = bytearray()
        self._to_host = bytearray()
        self._on_its_way = bytearray()
        self._at = 0.0

    def restart(self) -> None:
        """Begin anew: what was in the port is gone."""
        self.is_enabled = self.is_started = False
        for buffer in (self.arrived, self._to_host, self._on_its_way):
            buffer.clear()

    def send(self, data: bytes) -> None:
        """Write to the board; what it does not take waits."""
        self._on_its_way += data

    def go_on(self, now: float) -> None:
        """Let bytes arrive, and the host read."""
        count = min(int((now - self._at) / _MICROSECONDS_A_BYTE), FIFO - len(self.arrived))
        self._at = now
        self.arrived += self._on_its_way[:count]
        del self._on_its_way[:count]
        if self.is_read:
            self.said += self._to_host
            self._to_host.clear()

    def put(self, data: bytes) -> int:
        """Take as much of what the board writes as there is room for; how much that is."""
        taken = data[: FIFO - len(self._to_host)]
        self._to_host += taken
        return len(taken)
