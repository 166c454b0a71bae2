"""Facts about a machine, and the reasons why a strip driver does not run on it.

`Machine` is a plain value: `hardware.pi.reading` fills it from files, tests write it by hand. The
error that its `why_not` returns names the line of config.txt to change. On models before the
Raspberry Pi 5 the C library rpi_ws281x drives strips with PWM, PCM or SPI. On a Pi 5 the kernel's
ws2812-pio overlay, raw PIO or SPI drives them. On this Zero 2 W SPI is off:

>>> zero = PiBoard(type=0x12, family=Family.ZERO_2, filters=frozenset())
>>> print(Machine(board=zero, model="Raspberry Pi Zero 2 W").why_not("rpi_ws281x:spi"))
SPI is off, there is no /dev/spidev0.0; add dtparam=spi=on to /boot/firmware/config.txt and \
restart the Pi
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from hardware.errors import StripError, Text
from hardware.pi.boot import Boot, Family, PiBoard
from hardware.strips.protocol import StripSpec

CONFIG: Final = "/boot/firmware/config.txt"
LINEAR_SINCE: Final = (6, 12, 56)
"""First kernel whose ws2812-pio overlay takes brightness=0 as "no gamma"; older ones show black."""

SPI_DEVICE: Final = "/dev/spidev0.0"
SPI_PINS: Final = (10, 11)  # pins (BCM) of data and clock
SPI_GROUPS: Final = Text("add the user to the groups spi and gpio, sudo usermod -aG spi,gpio $USER")
_REGISTERS: Final = Text(
    "PWM and PCM write the registers of the Pi: run sudo "
    "/usr/lib/cribwars/prepare-machine --pwm and restart the Pi (without the Debian "
    "package run the program as root), or set [strip] driver = "
    '"rpi_ws281x:spi"'
)
PIO_GROUP: Final = Text(
    "copy deploy/90-cribwars.rules to /etc/udev/rules.d, add the user to the group gpio, "
    "sudo usermod -aG gpio $USER, and restart the Pi"
)
_GPIOMEM: Final = "/dev/gpiomem"
_LEDS: Final = "/dev/leds"
_PIO_GPIO: Final = 10
_DEVICES: Final = {
    "spi": (SPI_DEVICE, _GPIOMEM),
    "pwm": ("/dev/mem", "/dev/vcio"),
    "pcm": ("/dev/mem", "/dev/vcio"),
}
"""Devices that rpi_ws281x opens for each of its modes; the first one is locked for the strip."""
MODE_PINS: Final = {"pwm": ((18, 12), (13, 19)), "pcm": ((21,),), "spi": ((10,),)}
"""Pins (BCM) that each channel of a mode can use on models before the Pi 5, the default first."""
_MODES: Final = {
    pin: mode for mode, channels in MODE_PINS.items() for pins in channels for pin in pins
}
_NAMED: Final = (
    {"SDA": 2, "SCL": 3, "CE1": 7, "CE0": 8, "MISO": 9, "MOSI": 10, "SCLK": 11, "SCK": 11}
    | {"TXD": 14, "TX": 14, "RXD": 15, "RX": 15}
    | {"MISO_1": 19, "MOSI_1": 20, "SCLK_1": 21, "SCK_1": 21}
)
"""Pins (BCM) of a Pi that have names."""
_CORE_CLOCK: Final = {  # without FIVE
    Family.ZERO: (250, 400),
    Family.ZERO_2: (250, 400),
    Family.ONE: (250, 250),
    Family.TWO: (250, 250),
    Family.THREE: (250, 400),
    Family.FOUR: (200, 500),
}
"""Lowest and highest core clock in MHz by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PioOverlay:
    """Strip of the kernel's ws2812-pio overlay, from the device tree.

    `brightness` is 0 to 255; 0 switches the kernel's gamma off.
    """

    leds: int
    rgbw: bool = False
    brightness: int = 255
    gpio: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Facts about a machine; an unknown fact is None or missing.

    `model` is the board's name, or None if this is no Raspberry Pi. `spi_bufsiz` is the largest SPI
    transfer in bytes. `devices` has the existing device files, with True for those that this user
    may read and write. `undervolted` is None if the board does not measure its supply.
    """

    model: str | None = None
    board: PiBoard | None = None
    kernel: tuple[int, ...] = ()
    boot: Boot | None = None
    spi_bufsiz: int | None = None
    analogue_audio: bool = False
    undervolted: bool | None = None
    devices: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    strips: tuple[PioOverlay, ...] = ()

    @property
    def family(self) -> Family | None:
        return self.board.family if self.board else None

    @property
    def has_spi(self) -> bool:
        return SPI_DEVICE in self.devices

    @property
    def config(self) -> str:
        """Path of config.txt; if it is unknown, the path on a new system."""
        return self.boot.file if self.boot else CONFIG

    @property
    def core_clock_steady(self) -> bool | None:
        """True if the clock from which SPI is derived is constant; None if that is unknown."""
        if self.family is Family.FIVE:  # not all: the others are in _CORE_CLOCK
            return True  # the SPI of a Pi 5 is in another chip with its own clock
        if self.board is None or self.family is None or self.boot is None:
            return None
        low, high = _CORE_CLOCK[self.family]
        low, high = self.boot.number("core_freq_min", low), self.boot.number("core_freq", high)
        by_uart = self.board.mini_uart and self.family is not Family.FOUR
        return (
            high <= low
            or self.boot.number("force_turbo", 0) == 1
            or (by_uart and self.boot.number("enable_uart", 0) == 1)
        )

    def strip_devices(self, mode: str | None, root: Path) -> tuple[Path, ...]:
        """Return the devices below `root` to lock for a strip in a mode, such as "pwm".

        A Pi 5 has one device for all modes; a machine that is no Raspberry Pi has no device.
        """
        if self.model is None:
            return ()
        five = self.family is Family.FIVE
        names = ("/dev/pio0",) if five else _DEVICES.get(mode or "", ())[:1]
        return tuple(root / name.lstrip("/") for name in names)

    def pio_line(self, spec: StripSpec | None = None, *, gpio: int = _PIO_GPIO) -> str:
        number = max(spec.leds) if spec else "<number of LEDs>"
        rgbw = ",rgbw" if spec and spec.has_white else ""
        linear = ",brightness=0" if self.kernel >= LINEAR_SINCE else ""
        return f"dtoverlay=ws2812-pio,gpio={gpio},num_leds={number}{rgbw}{linear}"

    def why_not(self, driver: str, spec: StripSpec | None = None) -> StripError | None:
        """Return the error of a strip driver that cannot run on this machine, or None.

        On an unknown board or another machine return None: there the driver reports its own faults.
        """
        if self.family is None:
            return None
        kind, _, what = driver.partition(":")
        if kind == "spi":
            return self.spi_fault()
        if self.family is Family.FIVE:
            return self._not_on_five(kind, what, self.pio_line(spec))
        return self._not_before_five(driver, kind, what)

    def spi_fault(self, *, by_library: bool = False) -> StripError | None:
        """Return the error if this user cannot use SPI on any machine, or None.

        With `by_library` also the error of what only the library rpi_ws281x opens for SPI.
        """
        if not self.has_spi:
            text = "SPI is off, there is no {spi_device}"
            return StripError(text, spi_device=SPI_DEVICE, remedy=self._spi_remedy())
        if by_library and _GPIOMEM not in self.devices:
            remedy = Text(
                'set [strip] driver = "spi:ws2812b", or "spi:sk6812w" for LEDs with white: these '
                "drivers do without it"
            )
            return StripError("there is no {device}", device=_GPIOMEM, remedy=remedy)
        devices = _DEVICES["spi"] if by_library else (SPI_DEVICE,)
        return self._no_access(*devices, remedy=SPI_GROUPS)

    def _not_before_five(self, driver: str, kind: str, what: str) -> StripError | None:
        match kind:
            case "neopixel" if not mode_on(what):
                return _no_pin(what)
            case "rpi_ws281x" | "neopixel":
                return self._no_mode(driver, mode_of(driver))
            case "pio" if is_kernel_device(what):
                text = "the {model} has no PIO, which came with the Raspberry Pi 5"
                return StripError(
                    text, model=self.model, remedy=Text('set [strip] driver = "rpi_ws281x:spi"')
                )
        return None

    def _not_on_five(self, kind: str, what: str, line: str) -> StripError | None:
        match kind:
            case "rpi_ws281x":
                problem = "rpi_ws281x does not know the {model}"
                return StripError(problem, model=self.model, remedy=self._to_pio(line))
            case "neopixel":
                if gpio_of(what) not in range(28):
                    problem = '"{what}" is not one of the pins 0 to 27'
                    return StripError(problem, what=what, remedy=self._to_pio(line))
                return self._no_raw_pio(line)
            case "pio" if is_kernel_device(what):
                return self._no_pio(what if what.startswith("/") else f"/dev/{what}", line)
        return None

    def _no_mode(self, driver: str, mode: str | None) -> StripError | None:
        if mode == "spi":
            return self.spi_fault(by_library=True)
        if mode == "pwm" and self.analogue_audio:
            problem = 'analogue sound uses the PWM that "{driver}" needs'
            return StripError(problem, driver=driver, remedy=self._audio_remedy())
        return self._no_access(*_DEVICES.get(mode or "", ()), remedy=_REGISTERS)

    def _no_access(self, *paths: str, remedy: Text) -> StripError | None:
        for path in paths:
            if not self.devices.get(path, True):
                text = "{device} may not be opened by this user"
                return StripError(text, device=path, remedy=remedy)
        return None

    def _no_pio(self, device: str, line: str) -> StripError | None:
        if device in self.devices:
            return self._no_access(device, remedy=PIO_GROUP)
        if not self._leds() and self.boot and self.boot.loads("ws2812-pio"):
            text = "there is no {device}, though {config} loads ws2812-pio"
            remedy = Text(
                "restart the Pi, and if that is not enough, update it: sudo apt full-upgrade"
            )
            return StripError(text, device=device, config=self.config, remedy=remedy)
        return StripError("there is no {device}", device=device, remedy=self._to_pio(line))

    def _no_raw_pio(self, line: str) -> StripError | None:
        if "/dev/pio0" in self.devices:
            return self._no_access("/dev/pio0", remedy=PIO_GROUP)
        remedy = Text(
            "update kernel and firmware, sudo apt full-upgrade and sudo rpi-eeprom-update -a, "
            "or {to_pio}",
            to_pio=self._to_pio(line),
        )
        return StripError("there is no /dev/pio0", remedy=remedy)

    def _leds(self) -> list[str]:
        return [path for path in self.devices if path.startswith(_LEDS)]

    def _to_pio(self, line: str) -> Text:
        if there := self._leds():
            return Text('set [strip] driver = "pio:{leds}"', leds=there[0])
        text = 'add {line} to {config}, restart the Pi and set [strip] driver = "pio:{leds}0"'
        return Text(text, line=line, config=self.config, leds=_LEDS)

    def _spi_remedy(self) -> Text:
        if self.model is None:
            return Text("switch SPI on as the maker of this board says")
        if self.boot and self.boot.switched("spi"):
            return Text("{config} switches it on, so restart the Pi", config=self.config)
        return Text("add dtparam=spi=on to {config} and restart the Pi", config=self.config)

    def _audio_remedy(self) -> Text:
        if self.boot and self.boot.switched("audio") is False:
            return Text("{config} switches it off, so restart the Pi", config=self.config)
        # "dtoverlay=" ends the overlay above, which could otherwise take audio=off for itself.
        return Text(
            "add a line dtoverlay= and below it dtparam=audio=off at the end of {config}, "
            "under [all], and restart the Pi (sudo /usr/lib/cribwars/prepare-machine --pwm "
            "adds both lines)",
            config=self.config,
        )


def is_kernel_device(device: str) -> bool:
    """Return True if `device`, a path or a bare name, is a device of the kernel's strip driver.

    Any other path may be a link to such a device, or a regular file.
    """
    return "/" not in device or device.startswith(_LEDS)


def pin_number(pin: str) -> int | None:
    """Return the number in a pin's name, or None if it has none, such as "NEOPIXEL"."""
    found = re.fullmatch(r"(?:GPIO|D)?([0-9]{1,3})", pin.upper())
    return int(found[1]) if found else None


def gpio_of(pin: str) -> int | None:
    """Return the number (BCM) of a pin by its name in Blinka on a Pi, or None.

    >>> [gpio_of(pin) for pin in ("D18", "10", "gpio4", "MOSI", "NEOPIXEL")]
    [18, 10, 4, 10, None]
    """
    number = pin_number(pin)
    return _NAMED.get(pin.upper()) if number is None else number


def mode_on(pin: str) -> str | None:
    """Return the mode that drives a strip on a pin of models before the Pi 5, or None.

    >>> [mode_on(pin) for pin in ("D18", "10", "GPIO21", "D4")]
    ['pwm', 'spi', 'pcm', None]
    """
    return _MODES.get(gpio_of(pin) or 0)


def mode_of(driver: str) -> str | None:
    """Return the mode of rpi_ws281x that a driver uses on models before the Pi 5, or None.

    >>> [mode_of(driver) for driver in ("rpi_ws281x:pwm", "neopixel:D10", "serial")]
    ['pwm', 'spi', None]
    """
    kind, _, what = driver.partition(":")
    return {"rpi_ws281x": what, "neopixel": mode_on(what)}.get(kind)


def _no_pin(pin: str) -> StripError:
    *others, last = sorted(_MODES)
    text = '"{pin}" cannot drive a strip here; only the pins {others} and {last} can'
    remedy = Text(
        'wire the strip to one of them and set [strip] driver = "neopixel:18" or the like'
    )
    return StripError(text, pin=pin, others=", ".join(map(str, others)), last=last, remedy=remedy)
