"""Reader of a machine's facts from files below a root: "/", or a copy of a machine's files."""

import os
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Final

from hardware.pi.boot import Boot, Family, PiBoard, board_of, parse_boot
from hardware.pi.machine import Machine, PioOverlay

_TREE: Final = "proc/device-tree"
_BOOT_FILES: Final = ("/boot/firmware/config.txt", "/boot/config.txt")
_DEVICES: Final = ("spidev0.0", "gpiomem", "mem", "vcio", "pio0", "leds*")
_NO_DETECTOR: Final = frozenset({Family.ZERO, Family.ZERO_2, Family.ONE})  # not all: newer ones do
"""Boards that do not measure their supply: an alarm that reads 0 says nothing there."""


def read_machine(root: Path = Path("/")) -> Machine:
    """Read the machine whose files are below `root`; a fact without its file is unknown."""
    model = _text(root / _TREE / "model")
    if model is not None and not model.startswith("Raspberry Pi"):
        model = None
    revision = _revision(root)
    board = board_of(revision) if model is not None and revision is not None else None
    return Machine(
        model=model,
        board=board,
        kernel=_kernel(root),
        boot=_boot(root, board),
        spi_bufsiz=_number(_text(root / "sys/module/spidev/parameters/bufsiz")),
        analogue_audio=_has_analogue_card(_text(root / "proc/asound/cards") or ""),
        undervolted=_undervolted(root, board),
        devices=MappingProxyType(dict(_devices(root))),
        strips=tuple(_strips(root)),
    )


def _bytes(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _text(file: Path) -> str | None:
    """Read a small text file, without the zero byte at the end of texts in the device tree."""
    content = _bytes(file)
    return None if content is None else content.decode(errors="replace").strip("\0\n ")


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None


def _cells(file: Path) -> tuple[int, ...]:
    content = _bytes(file) or b""
    return struct.unpack(f">{len(content) // 4}I", content[: len(content) // 4 * 4])


def _revision(root: Path) -> int | None:
    in_tree = _cells(root / _TREE / "system/linux,revision")
    if in_tree:
        return in_tree[0]
    found = re.search(
        r"^Revision\s*:\s*([0-9a-fA-F]+)$", _text(root / "proc/cpuinfo") or "", re.MULTILINE
    )
    return int(found[1], 16) if found else None


def _kernel(root: Path) -> tuple[int, ...]:
    release = re.match(r"[\d.]*", _text(root / "proc/sys/kernel/osrelease") or "")
    return tuple(map(int, filter(None, release[0].split(".")))) if release else ()


def _boot(root: Path, board: PiBoard | None) -> Boot | None:
    for file in _BOOT_FILES:
        text = _text(root / file.removeprefix("/"))
        # On newer systems the second file only says that the first file has replaced it.
        if text is not None:
            return parse_boot(text, file=file, board=board)
    return None


def _has_analogue_card(cards: str) -> bool:
    """Return True if a sound card is the headphone socket, which needs PWM; HDMI does not."""
    heads = [line for line in cards.splitlines() if re.match(r"\s*\d+ \[", line)]
    return any("bcm2835" in head and "hdmi" not in head.lower() for head in heads)


def _undervolted(root: Path, board: PiBoard | None) -> bool | None:
    for sensor in sorted(root.glob("sys/class/hwmon/hwmon*")):
        if _text(sensor / "name") == "rpi_volt":
            alarm = _number(_text(sensor / "in0_lcrit_alarm"))
            if alarm or (alarm == 0 and board is not None and board.family not in _NO_DETECTOR):
                return bool(alarm)
    return None


def _devices(root: Path) -> Iterator[tuple[str, bool]]:
    for name in _DEVICES:
        for device in sorted((root / "dev").glob(name)):
            yield f"/dev/{device.name}", os.access(device, os.R_OK | os.W_OK)


def _strips(root: Path) -> Iterator[PioOverlay]:
    for node in sorted((root / _TREE).glob("ws2812_pio@*")):
        leds = _cells(node / "rpi,num-leds")
        if leds:
            pin = _cells(node / "leds-gpios")
            yield PioOverlay(
                leds=leds[0],
                rgbw=(node / "rpi,rgbw").exists(),
                brightness=next(iter(_cells(node / "rpi,brightness")), 255),
                gpio=pin[1] if len(pin) > 1 else None,
            )
