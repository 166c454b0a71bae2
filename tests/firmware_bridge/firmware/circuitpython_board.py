"""The firmware for native USB in the place of the slow board: its protocol module, or a Pico.

The module runs a millisecond at a time. As with native USB, unread bytes wait in the host, and the
buttons are scanned during a show. The slow board's keys go on beside it as the account of what
happened to the buttons, with room for all of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.firmware.circuitpython.lib.cribwars_bridge import BoardEnd
from firmware_bridge.protocol.framing import Decoder, Frame
from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardSetup
from tests.support.bridge_line import LEDS, Line
from tests.support.circuitpython_machine import PICO, Machine
from tests.support.slow_board import GREETED, NEW, READY, SlowBoard

USB_BYTES_A_TICK = 900

NAME = "Raspberry Pi Pico"
UNIQUE = bytes(range(1, 9))

_ENDLESS = 1_000_000


class Overheard:
    """Messages of a board from one start: all are whole, and its clock never goes back."""

    def __init__(self) -> None:
        self._decoder = Decoder()
        self._clock = 0

    def hear(self, data: bytes) -> bytes:
        """Check further bytes."""
        for item in self._decoder.feed(data):
            assert isinstance(item, Frame), item
            clock = int.from_bytes(item.payload[:4], "little")
            assert self._clock <= clock
            self._clock = clock
        return data


class FirmwareBoard(SlowBoard):
    """A board that runs the firmware; `strip.shown` has all frames that it has lit."""

    def __init__(self, *, pixel_bytes: int = 1800, buttons: int = 14) -> None:
        super().__init__(
            pixel_bytes=pixel_bytes, buttons=buttons, credit=2, places=_ENDLESS, formats=3
        )

    def start(self) -> None:
        """Begin a new boot."""
        super().start()
        self._mind = BoardEnd(
            pixel_bytes=self.pixel_bytes,
            down=list(self.levels),
            boot=self.boot,
            name=NAME,
            unique=UNIQUE,
        )
        self._seen = list(self.levels)
        self._edges: list[tuple[int, int, bool]] = []
        self._unread = bytearray()
        self._overheard = Overheard()
        self._show()

    @property
    def mind(self) -> BoardEnd:
        """The firmware."""
        return self._mind

    def tick(self) -> None:
        """Let a millisecond pass."""
        was_showing = self.is_showing
        self.ticks += 1
        self._scan()
        self.keys.look(self.clock)
        if self.is_showing:
            return
        if was_showing:
            self._mind.shown(self.clock)
        self._read()

    def receive(self, data: bytes) -> None:
        """Take bytes, and read them unless it is showing."""
        self._unread += data
        if data and not self.is_showing:
            self._read()

    def sent(self) -> bytes:
        """Return the bytes sent since the last call."""
        if self.is_showing:
            return b""
        words = self._mind.outgoing(self.clock)
        data = bytes(words)
        self._mind.sent(len(data))
        return self._overheard.hear(data)

    def _scan(self) -> None:
        for button, level in enumerate(self.levels):
            if level != self._seen[button]:
                self._seen[button] = level
                self._edges.append((button, self.clock, level))

    def _read(self) -> None:
        """Read until there are no bytes, or a frame must be shown."""
        for button, when, is_down in self._edges:
            self._mind.keys.edge(button, when, is_down=is_down)
        self._edges.clear()
        self._mind.keys.settle(self.clock)
        while not self.is_showing:
            room = self._mind.read_buffer()
            data = self._unread[: len(room)]
            del self._unread[: len(room)]
            room[: len(data)] = data
            self._mind.received(len(data), self.clock)
            self._note()
            self._show()
            if not data:
                break

    def _show(self) -> None:
        light = self._mind.due_pixels
        if light is None:
            return
        self.strip.light = bytes(light)
        self.strip.shown.append(self.strip.light)
        self.busy_until = self.ticks + len(light) // self.bytes_shown_a_tick
        if not self.is_showing:
            self._mind.shown(self.clock)

    def _note(self) -> None:
        """Tell the account which events the host has received, and which it dropped."""
        mind = self._mind
        self.state = (NEW, GREETED, READY)[mind._state]
        self.keys.hold = mind.keys.hold
        if mind._session not in (0, self.session):
            self.keys.drop_all()
            self.session = mind._session
        del self.keys.queue[: len(self.keys.queue) - mind.keys.queued]


def make_firmware_line(*, seed: int = 0, session: int = 7, watchdog: float = 2.0) -> Line:
    """Return a link and a board with 40 LEDs and 6 buttons, at a USB cable, kept open."""
    wanted = BoardSetup(leds=LEDS, buttons=6, watchdog=watchdog)
    link = Link(session=session, wanted=wanted, byte_seconds=1e-6)
    board = FirmwareBoard(pixel_bytes=LEDS * 3, buttons=6)
    line = Line(link, board, seed=seed, is_kept_open=True)
    line.to_board.bytes_a_tick = line.to_host.bytes_a_tick = USB_BYTES_A_TICK
    line.open()
    return line


# A Pico with boot.py and code.py, in place of the slow board


class PicoBoard(SlowBoard):
    """Pico that runs a millisecond at a time; button i is on `pins[i]`.

    The slow board's keys go on beside it as the account of what happened to the buttons.
    """

    def __init__(self, machine: Machine, *, pins: Sequence[str]) -> None:
        self.machine = machine
        self._pins = pins
        super().__init__(buttons=len(pins), credit=2, places=_ENDLESS)

    def start(self) -> None:
        """Begin a new boot, with power or by a reset."""
        if self.ticks:
            self.machine.reset()
            self.machine.usb.said.clear()
        super().start()
        self.keys.hold = 3
        self._overheard: dict[int, Overheard] = {}

    def tick(self) -> None:
        """Let a millisecond pass."""
        self.ticks += 1
        self.machine.pins.low = {
            pin for pin, down in zip(self._pins, self.levels, strict=True) if down
        }
        self.machine.run(0.001)
        self.keys.look(self.clock)
        self.keys.queue.clear()
        self.strip.shown = [light for _, light in self.machine.lights]
        self.strip.light = self.strip.shown[-1] if self.strip.shown else b""

    def receive(self, data: bytes) -> None:
        """Take bytes."""
        self.machine.usb.send(data)

    def sent(self) -> bytes:
        """Return the bytes sent since the last call."""
        data = bytes(self.machine.usb.said)
        self.machine.usb.said.clear()
        return self._overheard.setdefault(self.machine.boots, Overheard()).hear(data)


def make_pico_line(machine: Machine, *, leds: int, pins: Sequence[str] = PICO[:6]) -> Line:
    """Return a link and a machine at a USB cable, kept open."""
    link = Link(session=7, wanted=BoardSetup(leds=leds, buttons=len(pins)), byte_seconds=1e-6)
    line = Line(link, PicoBoard(machine, pins=pins), is_kept_open=True)
    line.to_board.bytes_a_tick = line.to_host.bytes_a_tick = USB_BYTES_A_TICK
    line.open()
    return line
