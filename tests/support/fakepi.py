"""A Raspberry Pi that exists only for a child process, and the reader of its wire."""

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.errors import StripError
from hardware.strips.pio import PioStrip
from hardware.strips.protocol import Frame, Pacer, StripSpec
from tests.support.machines import KERNEL, Files, overlay, record

BOARDS: Final = {"zero-w": "9000c1", "zero-2-w": "902120", "3": "a02082", "4": "c03111"}
"""The boards whose pins rpi_ws281x can drive, with their revision codes."""

PI_5: Final = "5"
"""The board whose pins it cannot drive; there is a PIO instead."""

PACKAGES: Final = {
    "_rpi_ws281x": "rpi-ws281x (pip install rpi-ws281x, which needs gcc and python3-dev)",
    "adafruit_raspberry_pi5_neopixel_write": (
        "Adafruit-Blinka-Raspberry-Pi5-Neopixel (pip install --pre "
        "Adafruit-Blinka-Raspberry-Pi5-Neopixel, which needs g++ and python3-dev)"
    ),
    "gpiod": "gpiod (pip install 'gpiod>=2.2.2,<3')",
    "neopixel": "adafruit-circuitpython-neopixel (pip install adafruit-circuitpython-neopixel)",
}
"""The modules that run on a fake Pi, and how to get each."""

_REVISIONS: Final = {**BOARDS, PI_5: "d04170"}
_MODELS: Final = {
    "zero-w": ("Raspberry Pi Zero W Rev 1.1", "model-zero-w", "bcm2835"),
    "zero-2-w": ("Raspberry Pi Zero 2 W Rev 1.0", "model-zero-2-w", "bcm2837"),
    "3": ("Raspberry Pi 3 Model B Rev 1.2", "3-model-b", "bcm2837"),
    "4": ("Raspberry Pi 4 Model B Rev 1.1", "4-model-b", "bcm2711"),
    PI_5: ("Raspberry Pi 5 Model B Rev 1.0", "5-model-b", "bcm2712"),
}
_DEVICES: Final = ("gpiochip0", "gpiomem", "mem", "spidev0.0", "vcio")
_HERE: Final = Path(__file__)
CHILD: Final = "tests.support.fakepi_children"
"""Module of the functions that a test runs on the machine."""

_HEADER: Final = struct.Struct("=4IQ")
_KINDS: Final = ("spi", "pwm", "pcm", "pio")
_ZERO, _ONE = (1, 0, 0), (1, 1, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """One frame as the hardware took it: `kind` is spi, pwm or pcm, `hertz` symbols a second.

    `waited` are the microseconds that the library asked to sleep since the frame before; `began`
    is the time of this frame in microseconds.
    """

    kind: str
    hertz: int
    waited: int
    began: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """End of a child process, and its transfers over the wire."""

    code: int
    out: str
    err: str
    transfers: tuple[Transfer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FakePi:
    """A machine to run a module on; `board` is one of `BOARDS`, `PI_5`, or None for a PC.

    With `named` the machine has its model's name, by which `hardware.pi` recognises it; without,
    the libraries decide. `refuse` is a device file that cannot be opened. With `wire` a transfer
    takes its true time; with `gate` it waits until the child lets it pass (`gate` of `CHILD`).
    """

    board: str | None = "3"
    named: bool = False
    bufsiz: int = 4096
    wire: bool = False
    gate: bool = False
    refuse: str | None = None
    dma_fault: bool = False

    def run(self, module: str, *arguments: str, seconds: float = 30) -> Outcome:
        """Run `python -m module arguments...` on this machine.

        Raises:
            subprocess.TimeoutExpired: it did not end in time.
        """
        with tempfile.TemporaryDirectory() as directory:
            capture = Path(directory, "capture")
            settings = {**self._settings(), "FAKEPI_CAPTURE": str(capture)}
            settings["FAKEPI_TREE"] = str(Path(directory, "tree"))
            for name, content in self._files().items():
                file = Path(directory, "tree", name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
            if self.gate:
                os.mkfifo(Path(directory, "ask"))
                os.mkfifo(Path(directory, "grant"))
                settings["FAKEPI_GATE"] = directory
            done = subprocess.run(
                [sys.executable, "-m", module, *arguments],
                cwd=_HERE.parents[2],
                env={**os.environ, **settings},
                timeout=seconds,
                capture_output=True,
                text=True,
                check=False,
            )
            taken = capture.read_bytes() if capture.exists() else b""
        transfers = tuple(_transfers(taken))
        return Outcome(code=done.returncode, out=done.stdout, err=done.stderr, transfers=transfers)

    def _files(self) -> dict[str, bytes]:
        """Return the files that identify the machine."""
        if self.board is None:
            return {"proc/cpuinfo": b"model name\t: any\n", "dev/null": b""}
        revision = int(_REVISIONS[self.board], 16)
        model, board, processor = _MODELS[self.board]
        compatible = f"raspberrypi,{board}\0brcm,{processor}\0"
        devices = (*_DEVICES, "pio0") if self.board == PI_5 else _DEVICES
        files = {
            "proc/cpuinfo": f"Revision\t: {revision:x}\n".encode(),
            "proc/device-tree/compatible": compatible.encode(),
            "proc/device-tree/system/linux,revision": revision.to_bytes(4, "big"),
            "sys/module/spidev/parameters/bufsiz": f"{self.bufsiz}\n".encode(),
            **{f"dev/{device}": b"" for device in devices},
        }
        if self.named:
            files["proc/device-tree/model"] = f"{model}\0".encode()
        return files

    def _settings(self) -> dict[str, str]:
        settings = {
            "LD_PRELOAD": str(build()),
            "FAKEPI_BUFSIZ": str(self.bufsiz),
            "FAKEPI_WIRE": str(int(self.wire)),
            "FAKEPI_DMA_FAULT": str(int(self.dma_fault)),
        }
        if self.board is not None:
            settings["FAKEPI_REVISION"] = _REVISIONS[self.board]
        if self.refuse is not None:
            settings["FAKEPI_REFUSE"] = self.refuse
        return settings


def missing(*modules: str) -> str:
    """Return the packages that a fake Pi needs and this machine lacks, or nothing.

    `modules` are the modules of `PACKAGES` that run on it besides rpi_ws281x.
    """
    if sys.platform != "linux" or sys.maxsize < 2**32:
        return "needs a 64-bit Linux"
    if _compiler() is None:
        return "needs gcc"
    for module in ("_rpi_ws281x", *modules):
        if find_spec(module) is None:
            return f"needs {PACKAGES[module]}"
    return ""


@cache
def build() -> Path:
    """Return the compiled fake, which is built once a process and removed with it."""
    directory = Path(_keep().name)
    target = directory / "fakepi.so"
    sources = map(str, _HERE.parent.glob("fakepi*.c"))
    flags = ["-O2", "-Wall", "-Wextra", "-U_FORTIFY_SOURCE", "-shared", "-fPIC"]
    command = [_compiler() or "cc", *flags, "-o", str(target), *sources, "-ldl"]
    subprocess.run(command, check=True)
    return target


def decode(transfer: Transfer, spec: StripSpec, *, first: int = 0) -> Frame:
    """Return the colours that the LEDs of a strip would show, from data line `first` on.

    Raises:
        ValueError: the wire has bits that no LED can read, or bits after the last LED.
    """
    lines = _lines(transfer)
    lines = lines[first:] + lines[:first]
    read = _bytes if transfer.kind == "pio" else _coded_bytes
    lit = [
        _colours(read(line, leds * spec.colours), spec)
        for line, leds in zip(lines, spec.leds, strict=False)
    ]
    if any(line.any() for line in lines[len(spec.leds) :]):
        raise ValueError("there is data on a channel without LEDs")
    return lit


def random_frames(spec: StripSpec, count: int, seed: int) -> list[Frame]:
    """Return frames of random colours, the same for the same seed."""
    rng = np.random.default_rng(seed)
    shapes = [(leds, spec.colours) for leds in spec.leds]
    return [[rng.integers(0, 256, shape, dtype=np.uint8) for shape in shapes] for _ in range(count)]


@cache
def _keep() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="fakepi-")


def _compiler() -> str | None:
    return shutil.which("gcc") or shutil.which("cc")


def _transfers(taken: bytes) -> Iterator[Transfer]:
    start = 0
    while start < len(taken):
        kind, hertz, waited, length, began = _HEADER.unpack_from(taken, start)
        start += _HEADER.size
        data = taken[start : start + length]
        yield Transfer(kind=_KINDS[kind], hertz=hertz, waited=waited, began=began, data=data)
        start += length


def _lines(transfer: Transfer) -> list[NDArray[np.uint8]]:
    """Return the bytes of each data line in the order of the wire."""
    if transfer.kind == "spi":
        return [np.frombuffer(transfer.data, np.uint8)]
    words = np.frombuffer(transfer.data, "<u4").astype(">u4")  # sent from the highest bit down
    channels = 2 if transfer.kind == "pwm" else 1
    return [words[channel::channels].copy().view(np.uint8) for channel in range(channels)]


def _colours(wire: NDArray[np.uint8], spec: StripSpec) -> NDArray[np.uint8]:
    moves = [spec.order.index(colour) for colour in "RGBW"[: spec.colours]]
    return wire.reshape(-1, spec.colours)[:, moves]


def _bytes(line: NDArray[np.uint8], count: int) -> NDArray[np.uint8]:
    """Return the bytes that a PIO program turns into bits; it takes only whole words."""
    if line[count:].any() or len(line) >= count + 4:
        raise ValueError("there is data after the last LED")
    return line[:count]


def _coded_bytes(line: NDArray[np.uint8], count: int) -> NDArray[np.uint8]:
    """Return the bytes, each bit of which is three symbols on the wire."""
    symbols = np.unpackbits(line)
    used = count * 8 * 3
    triples = symbols[:used].reshape(-1, 3)
    ones = (triples == _ONE).all(axis=1)
    if not (ones | (triples == _ZERO).all(axis=1)).all():
        raise ValueError("a bit on the wire is neither 110 nor 100")
    if symbols[used:].any():
        raise ValueError("the wire is not low after the last LED")
    return np.packbits(ones)


# Cases for strips, and their outcome as tests read it


FRAMES: Final = 3
SEED: Final = 363


def case_of(name: str, spec: StripSpec, **options: object) -> dict[str, object]:
    """Return a strip by its driver's name and options, with frames to show on it."""
    return {
        "name": name,
        "leds": spec.leds,
        "type": spec.type,
        "order": spec.order,
        "options": options,
        "frames": FRAMES,
        "seed": SEED,
    }


def show(pi: FakePi, *cases: dict[str, object]) -> Outcome:
    """Show the frames of each case on a fake Pi, one strip after the other."""
    return pi.run(CHILD, "random", json.dumps(cases))


def refusal(outcome: Outcome) -> str:
    """Return the line of the refusal of a strip; the process must have ended well."""
    assert outcome.code == 0, outcome.err
    (line,) = outcome.out.splitlines()
    return line


# A Pi 5 below a folder whose strips are regular files, and the reader of these files.


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
