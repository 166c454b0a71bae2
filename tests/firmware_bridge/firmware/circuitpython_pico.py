"""A Pico with boot.py and code.py, in place of the slow board."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import BoardSetup
from tests.firmware_bridge.firmware.circuitpython_board import Overheard
from tests.support.bridge_line import Line
from tests.support.circuitpython_machine import PICO, Machine
from tests.support.slow_board import SlowBoard

_ENDLESS = 1_000_000
_USB_BYTES_A_TICK = 900


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
    line.to_board.bytes_a_tick = line.to_host.bytes_a_tick = _USB_BYTES_A_TICK
    line.open()
    return line
