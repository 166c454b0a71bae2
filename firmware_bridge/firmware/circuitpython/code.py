"""Main program of a microcontroller board: drives a strip and reads buttons for a USB host.

The protocol is in `cribwars_bridge`; this file has pins, port and clock. One loop reads the
buttons, passes the bytes of the port to the protocol, sends due pixels to the strip and writes the
answers; only the strip makes the loop wait. A file settings.toml can name other pins: with
CRIBWARS_STRIP = "GP2" the strip is on pin GP2. `SETTINGS` has the defaults.
"""

import gc
import os
import time
import traceback

import board
import digitalio
import keypad
import microcontroller
import supervisor
import usb_cdc
from cribwars_bridge import BoardEnd
from neopixel_write import neopixel_write
from watchdog import WatchDogMode

SETTINGS = {
    "CRIBWARS_STRIP": "GP28",
    "CRIBWARS_BUTTONS": "GP0 GP1 GP2 GP3 GP4 GP5 GP6 GP7 GP8 GP9 GP10 GP11 GP12 GP13 GP14 GP15 "
    "GP16 GP17 GP18 GP19 GP20 GP21 GP22 GP26 GP27",
}
"""Default pins of the strip and of buttons 0, 1, 2 ..., for any Raspberry Pi Pico."""

OLDEST_CIRCUITPYTHON = 9
MAX_BUTTONS = 32

# PROTOCOL.md allows this many bytes of pixels, but they may fill only a quarter of the free memory.
MAX_PIXEL_BYTES = 0x8000
MEMORY_DIVISOR = 4

SCAN_INTERVAL_S = 0.001
# A weak pull-up charges metres of wire in far less time than this.
PULL_UP_S = 0.001
# Enough for the edges of badly bouncing buttons while the longest frame goes to the strip.
MAX_EDGES = 256

# Every chip supports this timeout; a shorter one could expire while files are written over USB.
WATCHDOG_S = 8
PAUSE_AFTER_ERROR_S = 2


class Clock:
    """Milliseconds since the start; `ticks_ms` of the chip wraps every six days."""

    TICKS_MASK = (1 << 29) - 1

    def __init__(self) -> None:
        self._ticks = supervisor.ticks_ms()
        self._ms = 0

    def now(self) -> int:
        ticks = supervisor.ticks_ms()
        self._ms += (ticks - self._ticks) & self.TICKS_MASK
        self._ticks = ticks
        return self._ms

    def at(self, ticks: int) -> int:
        """Return the time of a `ticks_ms` value that is at most six days old."""
        return self.now() - ((self._ticks - ticks) & self.TICKS_MASK)


class ButtonPins:
    """The buttons, scanned every millisecond, also while the strip is being sent."""

    def __init__(self, pins: list[microcontroller.Pin]) -> None:
        self._pins = pins
        self._event = keypad.Event()
        self.down = self._begin()

    def report(self, bridge: BoardEnd, clock: Clock) -> None:
        """Pass each press and release up to now to `bridge`, the protocol handler."""
        until = clock.now()
        event, events = self._event, self._keys.events
        while events.get_into(event):
            when = clock.at(event.timestamp)
            bridge.keys.edge(event.key_number, when, is_down=event.pressed)
        if events.overflowed:
            self._keys.deinit()
            for button, is_down in enumerate(self._begin()):
                bridge.keys.edge(button, clock.now(), is_down=is_down)
        bridge.keys.settle(until)

    def _begin(self) -> list[bool]:
        """Start the scanner and return all levels, because the scanner reports only changes."""
        down = [is_pulled_down(pin) for pin in self._pins]
        self._keys = keypad.Keys(
            self._pins, value_when_pressed=False, interval=SCAN_INTERVAL_S, max_events=MAX_EDGES
        )
        return down


def is_pulled_down(pin: microcontroller.Pin) -> bool:
    """Return True if a pin is pulled low."""
    button = digitalio.DigitalInOut(pin)
    button.switch_to_input(pull=digitalio.Pull.UP)
    time.sleep(PULL_UP_S)
    is_low = not button.value
    button.deinit()
    return is_low


def pins_of(setting: str) -> list[microcontroller.Pin]:
    """Return the pins named by a setting; raise ValueError if the board has no such pin."""
    names = str(os.getenv(setting, SETTINGS[setting])).split()
    unknown = [n for n in names if not isinstance(getattr(board, n, None), microcontroller.Pin)]
    if unknown:
        raise ValueError(
            setting + ": this board has no pin " + unknown[0] + "; name its pins in settings.toml"
        )
    return [getattr(board, name) for name in names]


def data_port() -> usb_cdc.Serial:
    """Return the data port, a USB port beside the console; raise RuntimeError without one."""
    release = os.uname().release
    if int(release.split(".")[0]) < OLDEST_CIRCUITPYTHON:
        raise RuntimeError("this is CircuitPython " + release + ": version 9 or later is needed")
    port = usb_cdc.data
    if port is None:
        raise RuntimeError("there is no data port: copy boot.py too, and press the reset button")
    # Reads and writes do not block, so that buttons are handled in time.
    port.timeout = port.write_timeout = 0
    return port


def make_strip() -> digitalio.DigitalInOut:
    """Return the output pin of the strip's data line."""
    pins = pins_of("CRIBWARS_STRIP")
    if len(pins) != 1:
        raise ValueError("CRIBWARS_STRIP names one pin")
    strip = digitalio.DigitalInOut(pins[0])
    strip.switch_to_output()
    return strip


def make_buttons() -> ButtonPins:
    """Return the buttons, in the order of the setting."""
    pins = pins_of("CRIBWARS_BUTTONS")
    if len(pins) > MAX_BUTTONS:
        raise ValueError("CRIBWARS_BUTTONS names more than 32 pins")
    return ButtonPins(pins)


def make_bridge(down: list[bool]) -> BoardEnd:
    """Return the protocol handler, with the longest strip that memory allows."""
    gc.collect()
    free = gc.mem_free()  # type: ignore[attr-defined]  # only boards' Python has it
    return BoardEnd(
        pixel_bytes=min(MAX_PIXEL_BYTES, free // MEMORY_DIVISOR),
        down=down,
        boot=int.from_bytes(os.urandom(4), "little"),
        name=os.uname().machine.split(" with ")[0],
        unique=bytes(microcontroller.cpu.uid),
    )


def start_watchdog() -> None:
    """Start the watchdog, which restarts a program that hangs."""
    watchdog = microcontroller.watchdog
    if watchdog is not None:
        watchdog.timeout = WATCHDOG_S
        watchdog.mode = WatchDogMode.RESET


def feed_watchdog() -> None:
    """Reset the timer of the watchdog."""
    if microcontroller.watchdog is not None:
        microcontroller.watchdog.feed()


def show(strip: digitalio.DigitalInOut, pixels: memoryview) -> None:
    """Send bytes to the strip; `neopixel_write` keeps the pause between frames."""
    if len(pixels):
        neopixel_write(strip, pixels)


def serve(
    port: usb_cdc.Serial,
    strip: digitalio.DigitalInOut,
    buttons: ButtonPins,
    bridge: BoardEnd,
    clock: Clock,
) -> None:
    """Handle port, strip and buttons for ever."""
    while True:
        feed_watchdog()
        buttons.report(bridge, clock)
        bridge.received(port.readinto(bridge.read_buffer()), clock.now())
        if bridge.due_pixels is not None:
            show(strip, bridge.due_pixels)
            bridge.shown(clock.now())
        data = bridge.outgoing(clock.now())
        if len(data):
            bridge.sent(port.write(data))


def main() -> None:
    """Set up the hardware and serve."""
    # A file that a computer writes to the board must not restart the program during a game.
    supervisor.runtime.autoreload = False
    clock = Clock()
    port, strip, buttons = data_port(), make_strip(), make_buttons()
    bridge = make_bridge(buttons.down)
    start_watchdog()
    serve(port, strip, buttons, bridge, clock)


try:
    main()
except Exception as error:  # noqa: BLE001  # the board has to recover by itself
    traceback.print_exception(error)
    time.sleep(PAUSE_AFTER_ERROR_S)
    supervisor.reload()
