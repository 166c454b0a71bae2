"""A board at the end of a cable: it shows what the host says and tells of its buttons.

All that is said and heard is decided in `cribwars_bridge`; in here are pins, port and clock. Which
pins, a file settings.toml beside this one may say: see `SETTINGS`.
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
from cribwars_bridge import Board
from neopixel_write import neopixel_write
from watchdog import WatchDogMode

SETTINGS = {
    "CRIBWARS_STRIP": "GP28",
    "CRIBWARS_BUTTONS": "GP0 GP1 GP2 GP3 GP4 GP5 GP6 GP7 GP8 GP9 GP10 GP11 GP12 GP13 GP14 GP15 "
    "GP16 GP17 GP18 GP19 GP20 GP21 GP22 GP26 GP27",
}
"""The strip's pin, and those of button 0, 1, 2 and so on, for a Raspberry Pi Pico of any kind."""

OLDEST_CIRCUITPYTHON = 9
MOST_BUTTONS = 32

# What one strip may have in PROTOCOL.md; smaller chips give a quarter of their memory.
MOST_PIXEL_BYTES = 0x8000
SHARE_OF_MEMORY = 4

SCAN_SECONDS = 0.001
# A weak pull-up charges metres of wire in far less.
PULL_UP_SECONDS = 0.001
# Edges that are kept during the longest show, should some of the buttons bounce badly.
EDGES_KEPT = 256

# As long as every chip can: writing to the drive may take the program away for seconds.
WATCHDOG_SECONDS = 8
PAUSE_AFTER_FAULT = 2


class Clock:
    """Milliseconds since the start; the chip's own count goes round every six days."""

    TICKS = (1 << 29) - 1

    def __init__(self) -> None:
        self._ticks = supervisor.ticks_ms()
        self._ms = 0

    def now(self) -> int:
        """The time now."""
        ticks = supervisor.ticks_ms()
        self._ms += (ticks - self._ticks) & self.TICKS
        self._ticks = ticks
        return self._ms

    def at(self, ticks: int) -> int:
        """The time of a count that is not older than six days."""
        return self.now() - ((self._ticks - ticks) & self.TICKS)


class Buttons:
    """The buttons, looked at every millisecond by a scanner that goes on while a strip is shown."""

    def __init__(self, pins: list[microcontroller.Pin]) -> None:
        self._pins = pins
        self._event = keypad.Event()
        self.down = self._begin()

    def tell(self, bridge: Board, clock: Clock) -> None:
        """Tell of all edges up to now."""
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
        """Start the scanner; the buttons that are down, of which it tells nothing by itself."""
        down = [is_pulled_down(pin) for pin in self._pins]
        self._keys = keypad.Keys(
            self._pins, value_when_pressed=False, interval=SCAN_SECONDS, max_events=EDGES_KEPT
        )
        return down


def is_pulled_down(pin: microcontroller.Pin) -> bool:
    """Whether something pulls a pin down."""
    button = digitalio.DigitalInOut(pin)
    button.switch_to_input(pull=digitalio.Pull.UP)
    time.sleep(PULL_UP_SECONDS)
    is_low = not button.value
    button.deinit()
    return is_low


def pins_of(setting: str) -> list[microcontroller.Pin]:
    """The pins that a setting names; a ValueError if the board has no such pin."""
    names = str(os.getenv(setting, SETTINGS[setting])).split()
    strange = [n for n in names if not isinstance(getattr(board, n, None), microcontroller.Pin)]
    if strange:
        raise ValueError(
            setting + ": this board has no pin " + strange[0] + "; name its pins in settings.toml"
        )
    return [getattr(board, name) for name in names]


def data_port() -> usb_cdc.Serial:
    """The companion's port; a RuntimeError if there is none."""
    release = os.uname().release
    if int(release.split(".")[0]) < OLDEST_CIRCUITPYTHON:
        raise RuntimeError("this is CircuitPython " + release + ": version 9 or later is needed")
    port = usb_cdc.data
    if port is None:
        raise RuntimeError("there is no data port: copy boot.py too, and press the reset button")
    # Neither reading nor writing ever waits: there are buttons to look at.
    port.timeout = port.write_timeout = 0
    return port


def make_strip() -> digitalio.DigitalInOut:
    """The pin of the strip's data line."""
    pins = pins_of("CRIBWARS_STRIP")
    if len(pins) != 1:
        raise ValueError("CRIBWARS_STRIP names one pin")
    strip = digitalio.DigitalInOut(pins[0])
    strip.switch_to_output()
    return strip


def make_buttons() -> Buttons:
    """The buttons, in the order in which the setting names their pins."""
    pins = pins_of("CRIBWARS_BUTTONS")
    if len(pins) > MOST_BUTTONS:
        raise ValueError("CRIBWARS_BUTTONS names more than 32 pins")
    return Buttons(pins)


def make_bridge(down: list[bool]) -> Board:
    """The board as its host sees it, with as long a strip as its memory allows."""
    gc.collect()
    free = gc.mem_free()  # type: ignore[attr-defined]  # only boards' Python has it
    return Board(
        pixel_bytes=min(MOST_PIXEL_BYTES, free // SHARE_OF_MEMORY),
        down=down,
        boot=int.from_bytes(os.urandom(4), "little"),
        name=os.uname().machine.split(" with ")[0],
        unique=bytes(microcontroller.cpu.uid),
    )


def start_watchdog() -> None:
    """Have the chip restart a program that hangs."""
    watchdog = microcontroller.watchdog
    if watchdog is not None:
        watchdog.timeout = WATCHDOG_SECONDS
        watchdog.mode = WatchDogMode.RESET


def feed_watchdog() -> None:
    """Tell the chip that the program does not hang."""
    if microcontroller.watchdog is not None:
        microcontroller.watchdog.feed()


def show(strip: digitalio.DigitalInOut, light: memoryview) -> None:
    """Put bytes onto the strip's line; between two frames the runtime keeps the pause itself."""
    if len(light):
        neopixel_write(strip, light)


def serve(
    port: usb_cdc.Serial,
    strip: digitalio.DigitalInOut,
    buttons: Buttons,
    bridge: Board,
    clock: Clock,
) -> None:
    """Be the board, for ever."""
    while True:
        feed_watchdog()
        buttons.tell(bridge, clock)
        bridge.received(port.readinto(bridge.room()), clock.now())
        if bridge.light is not None:
            show(strip, bridge.light)
            bridge.shown(clock.now())
        words = bridge.words(clock.now())
        if len(words):
            bridge.sent(port.write(words))


def main() -> None:
    """Make what there is of hardware, and serve."""
    # The computer writes to the drive as it likes: that must not restart a game.
    supervisor.runtime.autoreload = False
    clock = Clock()
    port, strip, buttons = data_port(), make_strip(), make_buttons()
    bridge = make_bridge(buttons.down)
    start_watchdog()
    serve(port, strip, buttons, bridge, clock)


try:
    main()
except Exception as error:  # noqa: BLE001  # nobody is there to press reset
    traceback.print_exception(error)
    time.sleep(PAUSE_AFTER_FAULT)
    supervisor.reload()
