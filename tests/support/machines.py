"""Recorded machines: the few files that identify a machine, as small trees in a folder.

They are as the package finds them on Raspberry Pi OS; a test changes the files that it needs.
"""

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from tests.support.commands import Ask

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
