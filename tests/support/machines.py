"""Recorded machines, and fakes of what is plugged into them."""

import json
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final, TypeAlias

import pytest
from gpiozero import Device

from hardware.pins import close_pins
from tests.support.program import Ask

# The few files that identify a machine, as small trees in a folder


Files: TypeAlias = Mapping[str, str | bytes | None]
"""Contents of files by their paths without the first slash; None for a file that is missing."""

CONFIG: Final = "boot/firmware/config.txt"
BUFSIZ: Final = "sys/module/spidev/parameters/bufsiz"
ALARM: Final = "sys/class/hwmon/hwmon1/in0_lcrit_alarm"
CARDS: Final = "proc/asound/cards"
KERNEL: Final = "proc/sys/kernel/osrelease"
SPI: Final = "dev/spidev0.0"

STOCK_CONFIG: Final = """\
# For more options and information see
# http://rptl.io/configtxt
#dtparam=spi=on
dtparam=audio=on
camera_auto_detect=1
dtoverlay=vc4-kms-v3d
max_framebuffers=2
arm_64bit=1

[cm4]
otg_mode=1

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
"""
"""The lines of Raspberry Pi OS that matter here."""

_DEPLOY: Final = Path(__file__).parents[2] / "deploy/boot"
INSTALLED_CONFIG: Final = f"{STOCK_CONFIG}\n{(_DEPLOY / 'config.txt').read_text()}"

HDMI_CARD: Final = """\
 0 [vc4hdmi        ]: vc4-hdmi - vc4-hdmi
                      vc4-hdmi
"""
ANALOGUE_CARD: Final = """\
 1 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                      bcm2835 Headphones
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pi:
    model: str
    revision: int
    cards: str = HDMI_CARD + ANALOGUE_CARD


PIS: Final = {
    "zero-w": _Pi(model="Raspberry Pi Zero W Rev 1.1", revision=0x9000C1, cards=HDMI_CARD),
    "zero-2-w": _Pi(model="Raspberry Pi Zero 2 W Rev 1.0", revision=0x902120, cards=HDMI_CARD),
    "3b+": _Pi(model="Raspberry Pi 3 Model B Plus Rev 1.3", revision=0xA020D3),
    "4b": _Pi(model="Raspberry Pi 4 Model B Rev 1.1", revision=0xC03111),
    "400": _Pi(model="Raspberry Pi 400 Rev 1.0", revision=0xC03130, cards=HDMI_CARD),
    "5": _Pi(model="Raspberry Pi 5 Model B Rev 1.0", revision=0xC04170, cards=HDMI_CARD),
}


def record(root: Path, machine: str, changes: Files | None = None) -> Path:
    """Write the files of a machine, one of `PIS` or "pc", into a folder. Return the folder."""
    files = dict(_pc() if machine == "pc" else _pi(PIS[machine], fifth=machine == "5"))
    for name, content in (files | dict(changes or {})).items():
        if content is None:
            continue
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def overlay(leds: int, *, gpio: int = 10, rgbw: bool = False, brightness: int | None = 0) -> Files:
    """Return the device tree of a loaded ws2812-pio overlay; `brightness` may be unset."""
    node = f"proc/device-tree/ws2812_pio@{gpio}"
    files: dict[str, str | bytes | None] = {
        f"{node}/compatible": b"raspberrypi,ws2812-pio-rp1\0",
        f"{node}/rpi,num-leds": _cells(leds),
        f"{node}/leds-gpios": _cells(0x4B, gpio, 0),
    }
    if rgbw:
        files[f"{node}/rpi,rgbw"] = b""
    if brightness is not None:
        files[f"{node}/rpi,brightness"] = _cells(brightness)
    return files


def _cells(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}I", *numbers)


def _pc() -> Files:
    return {
        "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
        KERNEL: "6.12.43+deb13-amd64\n",
        "proc/cpuinfo": "processor\t: 0\nmodel name\t: Some PC\n",
        CARDS: " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n",
        "dev/mem": "",
    }


def _pi(pi: _Pi, *, fifth: bool) -> Files:
    of_five: Files = {**overlay(1206), "dev/leds0": "", "dev/pio0": ""}
    own: Files = of_five if fifth else {SPI: "", BUFSIZ: "32768\n"}
    return {
        "proc/device-tree/model": f"{pi.model}\0",
        "proc/device-tree/system/linux,revision": _cells(pi.revision),
        "proc/cpuinfo": f"processor\t: 0\n\nRevision\t: {pi.revision:x}\nModel\t\t: {pi.model}\n",
        "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
        KERNEL: "6.12.62+rpt-rpi-v8\n",
        CARDS: pi.cards,
        CONFIG: INSTALLED_CONFIG,
        "sys/class/hwmon/hwmon0/name": "cpu_thermal\n",
        "sys/class/hwmon/hwmon1/name": "rpi_volt\n",
        ALARM: "0\n",
        "dev/gpiomem": "",
        "dev/mem": "",
        "dev/vcio": "",
        **own,
    }


# Examined by the doctor


FIX = 1
SPI_STRIP = '[strip]\ndriver = "rpi_ws281x:spi"\n'
CODED_STRIP = '[strip]\ndriver = "spi:ws2812b"\n'
PWM_STRIP = '[strip]\ndriver = "rpi_ws281x:pwm"\n'
PIO_STRIP = '[strip]\ndriver = "pio:/dev/leds0"\n'
SPI_PIXELS = '[strip]\ndriver = "neopixel:D10"\n'
TWO_CHANNELS = f"{PIO_STRIP}[wiring]\nchannels = 2\n"
PIXELS_ON_NINE = '[strip]\ndriver = "neopixel:D9"\n'
ON_FOUR: Files = {**dict.fromkeys(overlay(1206)), **overlay(1206, gpio=4)}
SMALL_BUFFER: Files = {BUFSIZ: "4096\n"}
STOCK: Files = {CONFIG: STOCK_CONFIG}
UNDERVOLTED: Files = {ALARM: "1\n"}

Finding = dict[str, str]
Examined = Callable[..., tuple[int, list[Finding]]]


@pytest.fixture
def examined(ask: Ask, tmp_path: Path) -> Examined:
    """Return the exit code and the findings about a recorded machine with these settings."""

    def examine(
        machine: str, settings: str = "", changes: Files | None = None
    ) -> tuple[int, list[Finding]]:
        file = tmp_path / "cribwars.toml"
        file.write_text(settings)
        root = record(tmp_path / "machine", machine, changes)
        answer = ask("doctor", "--json", "--config", str(file), "--root", str(root))
        assert "" == answer.err
        findings: list[Finding] = json.loads(answer.out)
        return answer.code, findings

    return examine


def fixes(findings: list[Finding]) -> list[str]:
    """Return each finding to fix, with its cause and remedy in one text."""
    return [
        f"{finding['what']} | {finding['why']} | {finding['remedy']}"
        for finding in findings
        if finding["level"] == "fix"
    ]


def about(findings: list[Finding], words: str) -> Finding:
    """Return the one finding with these words in `what`."""
    (found,) = [finding for finding in findings if words in finding["what"]]
    return found


# The module lgpio as gpiozero and `hardware.pins` use it, with a chip that a test plugs in.
#
# It refuses a line that something else uses, and names that user, as the kernel does.


PI_3 = 0xA02082
"""Revision of a Raspberry Pi 3."""

_Call = Callable[[int, int, int, int], None]


class Error(Exception):
    """An error of lgpio, whose text is between quotes."""

    def __str__(self) -> str:
        """Return the text as lgpio has it."""
        return repr(self.args[0])


@dataclass(slots=True)
class FakeChip:
    """A chip of pins; `users` names the user of each pin that something else uses.

    `is_there` is False while it cannot be opened. `watched` has the callback of each line.
    """

    users: dict[int, str] = field(default_factory=dict)
    is_there: bool = True
    watched: dict[int, _Call] = field(default_factory=dict)

    def press(self, line: int, t: float = 0.0) -> None:
        """Call the callback of a line with a falling edge, which the kernel saw at `t` seconds."""
        self.watched[line](0, line, 0, round(t * 1e9))


class _Callback:
    def __init__(self, chip: FakeChip, line: int) -> None:
        self._chip, self._line = chip, line

    def cancel(self) -> None:
        self._chip.watched.pop(self._line, None)


class _Module(ModuleType):
    """The module lgpio, with a chip."""

    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
    error = Error

    def __init__(self, chip: FakeChip) -> None:
        super().__init__("lgpio")
        self.__spec__ = ModuleSpec("lgpio", None)
        self._chip = chip

    def gpiochip_open(self, _number: int) -> int:
        if not self._chip.is_there:
            raise Error("can not open gpiochip")
        return 0

    def gpiochip_close(self, _handle: int) -> None:
        self._chip.watched.clear()

    def gpio_claim_input(self, _handle: int, line: int, _flags: int = 0) -> None:
        if line in self._chip.users:
            raise Error("GPIO busy")

    gpio_claim_output = gpio_claim_input

    def gpio_claim_alert(self, handle: int, line: int, _edges: int, flags: int) -> None:
        self.gpio_claim_input(handle, line, flags)

    def gpio_get_line_info(self, _handle: int, line: int) -> tuple[int, int, int, str, str]:
        return 0, line, 0, f"GPIO{line}", self._chip.users.get(line, "")

    def callback(self, _handle: int, line: int, _edges: int, call: _Call) -> _Callback:
        self._chip.watched[line] = call
        return _Callback(self._chip, line)

    def gpio_free(self, _handle: int, _line: int) -> None: ...

    def gpio_set_debounce_micros(self, _handle: int, _line: int, _micros: int) -> None: ...

    def gpio_get_mode(self, _handle: int, _line: int) -> int:
        return 0

    def gpio_read(self, _handle: int, _line: int) -> int:
        return 1


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeChip]:
    """Install this chip: gpiozero sees a Raspberry Pi 3 with lgpio."""
    chip = FakeChip()
    monkeypatch.setitem(sys.modules, "lgpio", _Module(chip))
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: PI_3)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    yield chip
    chip.users.clear()
    close_pins()
    sys.modules.pop("gpiozero.pins.lgpio", None)  # it has this module of lgpio


# Decoder of the bytes for LEDs with a clock line, bit by bit as in their data sheets.
#
# It is the independent oracle of `hardware.strips.spi`; it shares nothing with it.


Shown = list[tuple[Fraction, Fraction, Fraction]]
"""Red, green and blue light of each LED, 0 to 1."""


def shown(chip: str, wire: bytes, leds: int, order: str) -> Shown:
    """Return the light of the LEDs of a strip after these bytes.

    Raises:
        ValueError: the bytes are no frame that the LEDs would show.
    """
    bits = "".join(f"{byte:08b}" for byte in wire)
    return (_of_words if chip == "hd108" else _of_codes)(bits, leds, order)


def _of_codes(bits: str, leds: int, order: str) -> Shown:
    """Read 32 zeros, 32 bits for each LED, and the clocks after them."""
    start, frame, end = bits[:32], bits[32 : 32 + 32 * leds], bits[32 + 32 * leds :]
    if "1" in start + end or len(start) < 32:
        raise ValueError("the start or the end is not zeros")
    if len(end) < 32 + leds / 2:
        raise ValueError("the last LED does not get its clock, or an SK9822 does not show it")
    lights: Shown = []
    for led in _cut(frame, 32):
        if not led.startswith("111"):
            raise ValueError("an LED does not begin with three ones")
        current = int(led[3:8], 2)
        codes = [int(code, 2) for code in _cut(led[8:], 8)]
        lights.append(_in_order([Fraction(current * code, 31 * 255) for code in codes], order))
    return lights


def _of_words(bits: str, leds: int, order: str) -> Shown:
    """Read 128 zeros, 64 bits for each LED, and the clocks after them."""
    start, frame, end = bits[:128], bits[128 : 128 + 64 * leds], bits[128 + 64 * leds :]
    if "1" in start + end or len(end) < leds / 2:
        raise ValueError("the start or the end is not zeros, or too short")
    lights: Shown = []
    for led in _cut(frame, 64):
        gains = [int(gain, 2) for gain in _cut(led[1:16], 5)]
        if led[0] != "1" or 0 in gains:
            raise ValueError("an LED does not begin with a one, or has no gain")
        words = [int(word, 2) for word in _cut(led[16:], 16)]
        colours = zip(gains, words, strict=True)
        lights.append(
            _in_order([Fraction(gain * word, 31 * 65535) for gain, word in colours], order)
        )
    return lights


def _cut(bits: str, length: int) -> Iterator[str]:
    return (bits[start : start + length] for start in range(0, len(bits), length))


def _in_order(values: list[Fraction], order: str) -> tuple[Fraction, Fraction, Fraction]:
    red, green, blue = (values[order.index(colour)] for colour in "RGB")
    return red, green, blue
