"""A Raspberry Pi that exists only for a child process, and the reading of what it put on the wire.

The real C library rpi_ws281x runs in the child; `fakepi.c`, preloaded, is the machine around it.
"""

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
from numpy.typing import NDArray

from hardware.strips.protocol import Frame, StripSpec

BOARDS: Final = {"zero-w": "9000c1", "zero-2-w": "902120", "3": "a02082", "4": "c03111"}

_HERE: Final = Path(__file__)
_HEADER: Final = struct.Struct("=4I")
_KINDS: Final = ("spi", "pwm", "pcm")
_ZERO, _ONE = (1, 0, 0), (1, 1, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """One frame as the hardware took it: `kind` is spi, pwm or pcm, `hertz` symbols a second.

    `waited` are the microseconds that the library asked to sleep since the frame before.
    """

    kind: str
    hertz: int
    waited: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a child process ended, and what went over the wire meanwhile."""

    code: int
    out: str
    err: str
    transfers: tuple[Transfer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FakePi:
    """A machine to run a module on; `board` is one of `BOARDS`, or None for an ordinary PC.

    `refuse` is a device file that may not be opened; with `wire` a transfer takes its true time;
    with `gate` each transfer waits until the child lets it pass (see `fakepi_gate`).
    """

    board: str | None = "3"
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

    def _settings(self) -> dict[str, str]:
        settings = {
            "LD_PRELOAD": str(build()),
            "FAKEPI_BUFSIZ": str(self.bufsiz),
            "FAKEPI_WIRE": str(int(self.wire)),
            "FAKEPI_DMA_FAULT": str(int(self.dma_fault)),
        }
        if self.board is not None:
            settings["FAKEPI_REVISION"] = BOARDS[self.board]
        if self.refuse is not None:
            settings["FAKEPI_REFUSE"] = self.refuse
        return settings


def missing() -> str:
    """Return what a fake Pi lacks on this machine, or nothing."""
    if sys.platform != "linux" or sys.maxsize < 2**32:
        return "needs a 64-bit Linux"
    if _compiler() is None:
        return "needs gcc"
    if find_spec("_rpi_ws281x") is None:
        return "needs rpi-ws281x (pip install rpi-ws281x, which needs gcc and python3-dev)"
    return ""


@cache
def build() -> Path:
    """Return the compiled fake, built once a process and gone with it."""
    directory = Path(_keep().name)
    target = directory / "fakepi.so"
    source = _HERE.with_suffix(".c")
    flags = ["-O2", "-Wall", "-Wextra", "-U_FORTIFY_SOURCE", "-shared", "-fPIC"]
    command = [_compiler() or "cc", *flags, "-o", str(target), str(source), "-ldl"]
    subprocess.run(command, check=True)
    return target


def decode(transfer: Transfer, spec: StripSpec) -> Frame:
    """Return the colours that the LEDs of a strip would show.

    Raises:
        ValueError: there is something on the wire that no LED can read, or after the last LED.
    """
    lines = _lines(transfer)
    lit = [_pixels(line, leds, spec) for line, leds in zip(lines, spec.leds, strict=False)]
    if any(line.any() for line in lines[len(spec.leds) :]):
        raise ValueError("there is data on a channel without LEDs")
    return lit


def random_frames(spec: StripSpec, count: int, seed: int) -> list[Frame]:
    """Return frames of random colours, the same for the same seed."""
    dice = np.random.default_rng(seed)
    shapes = [(leds, spec.colours) for leds in spec.leds]
    return [
        [dice.integers(0, 256, shape, dtype=np.uint8) for shape in shapes] for _ in range(count)
    ]


@cache
def _keep() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="fakepi-")


def _compiler() -> str | None:
    return shutil.which("gcc") or shutil.which("cc")


def _transfers(taken: bytes) -> Iterator[Transfer]:
    start = 0
    while start < len(taken):
        kind, hertz, waited, length = _HEADER.unpack_from(taken, start)
        start += _HEADER.size
        data = taken[start : start + length]
        yield Transfer(kind=_KINDS[kind], hertz=hertz, waited=waited, data=data)
        start += length


def _lines(transfer: Transfer) -> list[NDArray[np.uint8]]:
    """Return the bytes of each data line in the order of the wire."""
    if transfer.kind == "spi":
        return [np.frombuffer(transfer.data, np.uint8)]
    words = np.frombuffer(transfer.data, "<u4").astype(">u4")  # sent from the highest bit down
    channels = 2 if transfer.kind == "pwm" else 1
    return [words[channel::channels].copy().view(np.uint8) for channel in range(channels)]


def _pixels(line: NDArray[np.uint8], leds: int, spec: StripSpec) -> NDArray[np.uint8]:
    symbols = np.unpackbits(line)
    used = leds * spec.colours * 8 * 3
    triples = symbols[:used].reshape(-1, 3)
    ones = (triples == _ONE).all(axis=1)
    if not (ones | (triples == _ZERO).all(axis=1)).all():
        raise ValueError("a bit on the wire is neither 110 nor 100")
    if symbols[used:].any():
        raise ValueError("the wire is not low after the last LED")
    wire = np.packbits(ones).reshape(leds, spec.colours)
    return wire[:, [spec.order.index(colour) for colour in "RGBW"[: spec.colours]]]
