"""A Pi 5 below a folder whose strips are regular files, and the reader of these files."""

import struct
from pathlib import Path
from typing import Final

import pytest

from hardware.errors import StripError
from hardware.strips import Frame, StripSpec
from hardware.strips.pio import PioStrip
from hardware.strips.protocol import Pacer
from tests.support.fakepi import random_frames
from tests.support.machines import KERNEL, Files, overlay, record

RGB: Final = StripSpec(leds=(5,))
RGBW: Final = StripSpec(leds=(5,), type="sk6812w", order="GRBW")

OLD_KERNEL: Final = "6.12.47+rpt-rpi-2712"
NEW_KERNEL: Final = "6.12.62+rpt-rpi-2712"


class Clock:
    """A clock that only sleeping moves on."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Move the time on at once."""
        self.slept.append(seconds)
        self.now += seconds


class PioMachine:
    """A machine in a folder: the files that identify it, and a regular file for each strip."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.clock = Clock()
        (root / "dev").mkdir()

    def plug(self, count: int = 1, *, content: bytes = b"") -> list[Path]:
        """Add devices with this content."""
        devices = [self.root / f"dev/leds{number}" for number in range(count)]
        for device in devices:
            device.write_bytes(content)
        return devices

    def record(self, *overlays: Files, kernel: str = NEW_KERNEL) -> None:
        """Write the files of a Pi 5 with this kernel and these overlays, but not its strips."""
        changes = dict.fromkeys([*overlay(1), "dev/leds0"]) | {KERNEL: kernel}
        for files in overlays:
            changes |= files
        record(self.root, "5", changes)

    def strip(self, spec: StripSpec = RGB, device: str = "leds0") -> PioStrip:
        """Return a strip of this machine that is not open yet."""
        pacer = Pacer(self.clock, self.clock.sleep)
        return PioStrip(spec, device, pacer=pacer, root=self.root)

    def refusal(self, spec: StripSpec = RGB, device: str = "leds0") -> str:
        """Return the error with which a strip cannot be opened."""
        strip = self.strip(spec, device)
        with pytest.raises(StripError) as refused:
            strip.open()
        return str(refused.value)


def frame_of(spec: StripSpec, seed: int = 1) -> Frame:
    """Return a frame of random colours."""
    return random_frames(spec, 1, seed=seed)[0]


def seen(device: Path, spec: StripSpec) -> list[list[int]]:
    """Return red, green, blue and white of each LED of a chain that reads the wire in an order.

    The kernel sends a pixel's second byte first, then the first, the third and the fourth.
    """
    pixels = struct.iter_unpack("4B", device.read_bytes())
    on_the_wire = ((green, red, blue, white) for red, green, blue, white in pixels)
    lit = (dict(zip(spec.order, wire, strict=False)) for wire in on_the_wire)
    return [[colours[colour] for colour in "RGBW"[: spec.colours]] for colours in lit]
