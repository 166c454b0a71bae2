"""A Raspberry Pi Pico with CircuitPython, as far as our boot.py and code.py see it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, TypeAlias

# Parts that work while the program runs: pins, keypads, the USB port


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


# CircuitPython's modules, as far as our programs use them, over the parts of one machine.
#
# They refuse what the real ones refuse, and what would wait for ever there fails here at once.


if TYPE_CHECKING:
    from tests.support.circuitpython_machine import Machine


FREE: Final = 150_000
"""Bytes of memory that a Pico has left for a program, more or less."""

UID: Final = bytes(range(0xE0, 0xE8))

# Microseconds that things take, more or less.
_TURN: Final = 150
_CALL: Final = 5
_PAUSE: Final = 6000
_SHOW_A_BYTE: Final = 10
_SHOW_PAUSE: Final = 1000

Readable: TypeAlias = bytes | bytearray | memoryview


class Modules:
    """The modules of one life of a machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def of_boot(self) -> Mapping[str, object]:
        """Those that boot.py may import."""
        usb = self._machine.usb

        def enable(*, console: bool, data: bool) -> None:
            assert console
            usb.is_enabled = data

        def remount(path: str, *, readonly: bool) -> None:
            assert ("/", True) == (path, readonly), "the computer could not copy files any more"

        return {
            "storage": SimpleNamespace(remount=remount),
            "usb_cdc": SimpleNamespace(enable=enable),
            "usb_hid": SimpleNamespace(disable=lambda: None),
            "usb_midi": SimpleNamespace(disable=lambda: None),
        }

    def of_code(self) -> Mapping[str, object]:
        """Those that code.py may import."""
        machine = self._machine
        processor = SimpleNamespace(uid=bytearray(UID))
        return {
            "board": SimpleNamespace(**machine.pins.by_name),
            "digitalio": SimpleNamespace(DigitalInOut=self._digital_in_out, Pull=Pull),
            "gc": SimpleNamespace(collect=lambda: None, mem_free=lambda: FREE),
            "keypad": SimpleNamespace(Event=Event, Keys=self._keys),
            "microcontroller": SimpleNamespace(Pin=Pin, cpu=processor, watchdog=Watchdog(machine)),
            "neopixel_write": SimpleNamespace(neopixel_write=self._neopixel_write),
            "os": SimpleNamespace(
                getenv=machine.settings.get, uname=self._uname, urandom=self._random
            ),
            "supervisor": Supervisor(machine),
            "time": SimpleNamespace(sleep=lambda seconds: machine.spend(1e6 * seconds)),
            "traceback": SimpleNamespace(print_exception=self._print_exception),
            "usb_cdc": SimpleNamespace(data=Serial(machine) if machine.usb.is_enabled else None),
            "watchdog": SimpleNamespace(WatchDogMode=SimpleNamespace(RESET="RESET")),
        }

    def _uname(self) -> SimpleNamespace:
        return SimpleNamespace(
            release=self._machine.release, machine="Raspberry Pi Pico with rp2040"
        )

    def _random(self, count: int) -> bytes:
        return (0xB0070000 + self._machine.boots).to_bytes(count, "little")

    def _print_exception(self, error: BaseException) -> None:
        self._machine.console.append(f"{type(error).__name__}: {error}")

    def _digital_in_out(self, pin: Pin) -> DigitalInOut:
        return DigitalInOut(self._machine, pin)

    def _keys(
        self, pins: list[Pin], *, value_when_pressed: bool, interval: float, max_events: int
    ) -> Keys:
        assert not value_when_pressed, "the buttons join their pins to GND"
        return Keys(self._machine, pins, interval=interval, max_events=max_events)

    def _neopixel_write(self, pin: DigitalInOut, light: Readable) -> None:
        assert pin.is_output
        data = bytes(light)
        self._machine.spend(_SHOW_PAUSE)
        self._machine.lights.append((self._machine.now, data))
        self._machine.spend(_SHOW_A_BYTE * len(data))


class Pull:
    """The pulls of digitalio."""

    UP = "UP"


class DigitalInOut:
    """A pin as an input or output."""

    def __init__(self, machine: Machine, pin: Pin) -> None:
        pin.take()
        self.is_output = False
        self._pins = machine.pins
        self._pin = pin
        self._pull: str | None = None

    def switch_to_output(self) -> None:
        """Drive it."""
        self.is_output = True

    def switch_to_input(self, *, pull: str) -> None:
        """Read it."""
        self._pull = pull

    @property
    def value(self) -> bool:
        """True if it is high."""
        assert self._pull == Pull.UP, "a pin that nothing pulls reads anything"
        return not self._pins.is_low(self._pin)

    def deinit(self) -> None:
        """Let go of it."""
        self._pin.is_taken = False


class Event:
    """An edge told by a keypad."""

    def __init__(self) -> None:
        self.key_number, self.pressed, self.timestamp = 0, False, 0


class Keys:
    """A keypad, and its own queue of events."""

    def __init__(
        self, machine: Machine, pins: list[Pin], *, interval: float, max_events: int
    ) -> None:
        self._machine = machine
        self._keypad = Keypad(machine.pins, pins, interval=interval, most=max_events)
        machine.keypads.active.append(self._keypad)
        self.events = self

    def get_into(self, event: Event) -> bool:
        """Take the oldest event; False if there is none."""
        self._machine.spend(_CALL)
        if not self._keypad.queue:
            return False
        event.key_number, event.pressed, event.timestamp = self._keypad.queue.popleft()
        return True

    @property
    def overflowed(self) -> bool:
        """True if an event found no place."""
        return self._keypad.has_overflowed

    def deinit(self) -> None:
        """Stop scanning."""
        self._machine.keypads.active.remove(self._keypad)
        self._keypad.release()


class Serial:
    """The data port; its time-outs are None, for ever, unless set."""

    def __init__(self, machine: Machine) -> None:
        self.timeout: float | None = None
        self.write_timeout: float | None = None
        self._machine = machine

    def readinto(self, room: memoryview) -> int:
        """Read what is there, at most what there is room for."""
        assert self.timeout == 0, "it would wait"
        self._machine.spend(_TURN)
        arrived = self._machine.usb.arrived
        data = arrived[: len(room)]
        del arrived[: len(room)]
        room[: len(data)] = data
        return len(data)

    def write(self, data: Readable) -> int:
        """Write as much as fits."""
        assert self.write_timeout == 0, "it would wait"
        self._machine.spend(_CALL)
        return self._machine.usb.put(bytes(data))


class Watchdog:
    """The chip's watchdog."""

    def __init__(self, machine: Machine) -> None:
        self.timeout = 0.0
        self._machine = machine
        self._mode: str | None = None

    @property
    def mode(self) -> str | None:
        """True if it runs, and what it does."""
        return self._mode

    @mode.setter
    def mode(self, mode: str) -> None:
        assert 0 < self.timeout <= 8, "this chip cannot wait for so long"
        self._mode = mode
        self.feed()

    def feed(self) -> None:
        """Put it off."""
        self._machine.spend(_CALL)
        if self._mode is not None:
            self._machine.watchdog_ends = 1e6 * (self._machine.now + self.timeout)


class Supervisor:
    """The module `supervisor`."""

    def __init__(self, machine: Machine) -> None:
        self.runtime = SimpleNamespace(autoreload=True)
        self._machine = machine
        self._looks = 0

    def ticks_ms(self) -> int:
        """Return the chip's count of milliseconds."""
        self._looks += 1
        every = self._machine.pause_every
        self._machine.spend(_PAUSE if every and self._looks % every == 0 else _CALL)
        return self._machine.ticks_ms()

    def reload(self) -> None:
        """Start the program again."""
        raise Restart
