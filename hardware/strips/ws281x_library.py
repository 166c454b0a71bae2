"""The C library rpi_ws281x, which two drivers use: its packages, transfers and error codes.

`hardware.strips.spi` sends transfers of the same size without the library.

The companion program is not on a package index, so its extras are installed from a copy of the
repository.
"""

import math
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from hardware.errors import StripError, Text
from hardware.pi import Family, read_machine
from hardware.strips.protocol import RESET_SECONDS

FREQUENCY_HZ: Final = 800_000
_SIZED_COLOURS: Final = 4  # the library sizes each transfer for four colours an LED
_COLOUR_US: Final = 10  # time of one colour on the wire
_RESET_US: Final = round(RESET_SECONDS * 1e6)
_TRAILING_LOW_US: Final = 55  # least time for which the line is low at the end of a transfer

ON_PI_5: Final = "adafruit_raspberry_pi5_neopixel_write"  # module with which Blinka sends
OTHER_DRIVER: Final = Text('set another [strip] driver, "virtual" to play without lights')
_ROOT: Final = (
    "strips on other pins than 10 need the registers of the Pi: run sudo "
    "/usr/lib/cribwars/prepare-machine --pwm and restart the Pi (without the Debian package run "
    'the program as root), or set [strip] driver = "{spi_driver}" and wire the strip to pin 10'
)
_NEED_ROOT: Final = (-4, -5, -6, -9)
_NO_SPI: Final = -13
_PIN: Final = Text(
    "only the pins 10, 12, 13, 18, 19 and 21 can drive a strip, and not all of them on every "
    "model: wire the strip to another of these pins, and set that pin in [strip]"
)
_REMEDIES: Final = {
    -2: Text("the firmware has no memory left for the frame: raise gpu_mem in config.txt"),
    -3: Text(
        "the library does not know this machine: on a Raspberry Pi 5 set "
        '[strip] driver = "pio:/dev/leds0", elsewhere "virtual" to play without lights'
    ),
    -7: _PIN,
    -10: Text(
        "another program uses the strip's DMA channel: restart the Pi, or {other_driver}",
        other_driver=OTHER_DRIVER,
    ),
    -11: _PIN,
    -14: Text("the SPI buffer is too small: raise spidev.bufsiz= in /boot/firmware/cmdline.txt"),
}


def remedy_for(code: int, *, spi_driver: str) -> Text:
    """Return the remedy for an error code of the library.

    `spi_driver` is the driver setting for pin 10, the only pin that needs no root.
    """
    if code in _NEED_ROOT:
        return Text(_ROOT, spi_driver=spi_driver)
    if code == _NO_SPI and (lacking := read_machine().spi_fault(by_library=True)):
        # The library opens the devices of this machine, wherever its files were read.
        return Text("{problem}: {remedy}", problem=lacking.problem, remedy=lacking.remedy)
    return _REMEDIES.get(code, OTHER_DRIVER)


def sized_leds(leds: int, colours: int, *, spi: bool) -> int:
    """Return the number of LEDs to give to the library, so that its transfer fits all colours.

    Over SPI the transfer includes the reset, a time of low level, because some machines hold the
    line high between transfers.

    >>> sized_leds(400, 3, spi=False), sized_leds(400, 3, spi=True)
    (300, 307)
    """
    reset = _RESET_US - _TRAILING_LOW_US if spi else 0
    return math.ceil((leds * colours + reset / _COLOUR_US) / _SIZED_COLOURS)


def spi_bytes(leds: int) -> int:
    """Return the bytes of one SPI transfer as the library sizes it: three symbols per bit.

    >>> spi_bytes(339), spi_bytes(340)
    (4088, 4104)
    """
    symbols = leds * _SIZED_COLOURS * 8 * 3 + _TRAILING_LOW_US * FREQUENCY_HZ * 3 // 1_000_000
    return (symbols // 8 & ~7) + 8


def spi_buffer_fault(
    leds: int, bufsiz: int | None, colours: int | None = None
) -> StripError | None:
    """Return the error for a frame that does not fit into the kernel's SPI buffer, or None.

    Args:
        leds: the number of LEDs of the strip.
        bufsiz: size of the kernel's buffer in bytes. An unknown size, None, is no error here: the
            start or the first frame fails if the buffer is too small.
        colours: colours of an LED if the driver sizes the transfer; None if the library does.
    """
    needed = spi_bytes(leds if colours is None else sized_leds(leds, colours, spi=True))
    if bufsiz is None or bufsiz >= needed:
        return None
    text = "{leds} LEDs need an SPI buffer of {needed} bytes, the kernel's has {bufsiz}"
    remedy = Text(
        "add spidev.bufsiz={needed} to the end of the one line of "
        "/boot/firmware/cmdline.txt and restart the Pi",
        needed=needed,
    )
    return StripError(text, leds=leds, needed=needed, bufsiz=bufsiz, remedy=remedy)


_PIP: Final = ".venv/bin/pip install"
_FOR_THE_SERVICE: Final = "sudo python3 -m pip install --break-system-packages"
_IN_A_COPY: Final = Text("in a copy of the repository")


def missing_modules(driver: str, family: Family | None) -> Sequence[str]:
    """Return the modules that a driver imports and that this Python lacks, without importing any.

    `family` is None on an unknown machine.
    """
    writer = ON_PI_5 if family is Family.FIVE else "_rpi_ws281x"
    blinka = ("neopixel", "gpiod", writer) if family else ("neopixel",)
    modules = {"rpi_ws281x": ("_rpi_ws281x",), "neopixel": blinka}.get(driver.partition(":")[0], ())
    return tuple(name for name in modules if find_spec(name) is None)


def how_to_install(driver: str, family: Family | None) -> Text:
    """Return the command that installs the modules of a driver."""
    if not driver.startswith("neopixel"):
        return Text(
            "the Debian package contains it; otherwise run {pip} -e '.[pi]' {in_a_copy}",
            pip=_PIP,
            in_a_copy=_IN_A_COPY,
        )
    extra = "pi5" if family is Family.FIVE else "pi"
    text = "run {pip} -e '.[{extra}]' {in_a_copy}, for the service {for_the_service} '.[{extra}]'"
    return Text(text, pip=_PIP, extra=extra, in_a_copy=_IN_A_COPY, for_the_service=_FOR_THE_SERVICE)
