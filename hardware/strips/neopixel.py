"""Strips on the pins of any board that Adafruit's Blinka knows, through its neopixel package.

A frame is passed as bytes in the order of the wire, not as the package's pixels, which would scale
the colours, move greys to the white LED and take a line of Python each. Blinka opens the hardware
with the first frame, so a start may fail only then. It drives one strip a process; over SPI or on a
Raspberry Pi 5 no other thread runs while it sends a frame. `rpi_ws281x` and, on a Pi 5, `pio` do
better; this driver is for all other boards.
"""

import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from hardware.errors import StripError
from hardware.pi import Family, Machine, read_machine
from hardware.pi.machine import mode_on
from hardware.strips.base import StripBase
from hardware.strips.packages import how_to_install
from hardware.strips.protocol import BIT_SECONDS, RESET_SECONDS, Frame, StripSpec
from hardware.strips.ws281x_transfer import SPI_REMEDIES, spi_buffer_fault

_BEFORE_PI_5: Final = "adafruit_blinka.microcontroller.bcm283x.neopixel"
_ON_PI_5: Final = "adafruit_raspberry_pi5_neopixel_write"
_LED_SECONDS: Final = 40e-6  # before the Pi 5 four colours an LED are clocked out in any case
_FIFO_SECONDS: Final = 1e-3  # left to send on a Pi 5 after a frame was accepted, and the reset

_OTHER: Final = 'or set another [strip] driver, "virtual" to play without lights'
_ROOT: Final = (
    "all pins but 10 need root: run as root, "
    'or set [strip] driver = "neopixel:10" and wire the strip to that pin'
)
_PIN: Final = (
    "before the Raspberry Pi 5 only the pins 10, 12, 13, 18, 19 and 21 can drive a strip: "
    'wire it to one of them and set [strip] driver = "neopixel:18" or the like'
)
_PIO: Final = (
    "a Raspberry Pi 5 needs /dev/pio0 and the right to open it: update it, "
    f"sudo apt full-upgrade, put the user into the group gpio, {_OTHER}"
)
_REMEDIES: Final = {
    -3: f"its library does not know this board: update the package rpi-ws281x, {_OTHER}",
    -4: _ROOT,
    -5: _ROOT,
    -6: _ROOT,
    -7: _PIN,
    -9: _ROOT,
    -10: f"its DMA channel is in other hands: restart the Pi, {_OTHER}",
    -11: _PIN,
    **SPI_REMEDIES,
}
"""Remedies by the error code of rpi_ws281x, which is in Blinka's messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _FrameTiming:
    """Duration of a frame, and the part of it after Blinka's return, in seconds."""

    frame: float
    after: float = 0.0


class NeopixelStrip(StripBase):
    """Strip on one pin of a board; `pin` is "18", "D18", "GPIO18" or a name such as "NEOPIXEL".

    Files below `root` describe the machine; a Raspberry Pi on which the strip cannot run is refused
    by `open`.

    Raises:
        StripError: more channels than one.
    """

    def __init__(
        self,
        spec: StripSpec,
        pin: str,
        *,
        root: Path = Path("/"),
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(spec)
        if len(spec.leds) > 1:
            raise StripError(
                f'driver = "neopixel:{pin}" has one channel, the wiring {len(spec.leds)}',
                remedy='two channels need "rpi_ws281x:pwm", or on a Pi 5 "pio:/dev/leds0"',
                key="strip.driver",
            )
        self._pin, self._root, self._clock, self._sleep = pin, root, clock, sleep
        self._mode = mode_on(pin)
        self._leds = spec.leds[0] + _spare_leds(spec)
        self._buffer = bytearray(self._leds * spec.colours)
        pixels = np.frombuffer(self._buffer, np.uint8).reshape(self._leds, spec.colours)
        self._wire = pixels[: spec.leds[0]]
        self._moves = ["RGBW".index(colour) for colour in spec.order]
        self._neopixel: Any = None
        self._quiet_at = -math.inf

    @property
    def wire_seconds(self) -> float:
        """Duration of a frame; until Blinka knows the board, that before the Pi 5.

        Before the Pi 5 it is 40 us an LED and the reset, or Blinka's own sleep of 1 ms each 100
        bytes if that is longer; over SPI the longer of sleep and ideal wire is added. On a Pi 5 it
        is an ideal wire and 1 ms.
        """
        return self._timing().frame

    @property
    def pins(self) -> tuple[int, ...]:
        """BCM pin, if the pin's name has a number."""
        number = _number(self._pin)
        return () if number is None else (number,)

    def _start(self) -> None:
        machine = read_machine(self._root)
        self._check(machine)
        # On a terminal Blinka would otherwise offer to install packages.
        os.environ["BLINKA_SKIP_DEPENDENCY_CHECK"] = "1"
        neopixel = _load("neopixel", machine.family)
        pin = _find_pin(_load("board", machine.family), self._pin)
        try:
            self._neopixel = neopixel.NeoPixel(pin, self._leds, auto_write=False)
        except Exception as error:
            raise StripError(
                f"Blinka cannot take the pin {self._pin} ({_sentence(error)})",
                remedy=f"free it from what "
                f"else uses it, put the user into the group gpio, {_OTHER}",
            ) from error
        self._mode = mode_on(str(pin.id))

    def _send(self, frame: Frame) -> None:
        np.take(frame[0], self._moves, axis=1, out=self._wire)
        self._wait()
        try:
            import_module("neopixel_write").neopixel_write(self._neopixel.pin, self._buffer)
        except Exception as error:
            _free_library()
            raise StripError(_failure(error)) from error
        self._quiet_at = self._clock() + self._timing().after

    def _stop(self) -> None:
        self._wait()
        _free_library()
        self._neopixel.pin.deinit()

    def _check(self, machine: Machine) -> None:
        spec = self._spec
        why_not = machine.why_not(f"neopixel:{self._pin}", leds=spec.leds[0], white=spec.has_white)
        if why_not is None and self._mode == "spi" and machine.family is not Family.FIVE:
            why_not = spi_buffer_fault(self._leds, machine.spi_bufsiz)
        if why_not is not None:
            raise why_not

    def _wait(self) -> None:
        # Blinka overwrites the last frame, which the DMA may still read.
        rest = self._quiet_at - self._clock()
        if rest > 0:
            self._sleep(rest)

    def _timing(self) -> _FrameTiming:
        spec = self._spec
        if _ON_PI_5 in sys.modules:
            wire = len(self._buffer) * 8 * BIT_SECONDS
            return _FrameTiming(frame=wire + _FIFO_SECONDS, after=_FIFO_SECONDS)
        if _BEFORE_PI_5 in sys.modules or self._neopixel is None:
            return _timing_before_pi_5(self._leds, spec.colours, spi=self._mode == "spi")
        return _FrameTiming(frame=spec.wire_seconds)


def _timing_before_pi_5(leds: int, colours: int, *, spi: bool) -> _FrameTiming:
    sleep = 1e-3 * (leds * colours // 100 + 1)
    wire = leds * _LED_SECONDS
    if spi:
        # The transfer lasts as long as the frame; then the library waits for an ideal frame.
        again = leds * colours * 8 * BIT_SECONDS + RESET_SECONDS
        return _FrameTiming(frame=wire + max(sleep, again))
    return _FrameTiming(
        frame=max(sleep, wire + RESET_SECONDS), after=max(0.0, wire + RESET_SECONDS - sleep)
    )


def _spare_leds(spec: StripSpec) -> int:
    """Return the number of dark LEDs sent after the strip's own.

    Blinka takes a number of bytes divisible by three for LEDs of three colours: a strip with white
    would then take the time of a third more LEDs.
    """
    return int(spec.has_white and spec.leds[0] % 3 == 0)


def _number(pin: str) -> int | None:
    found = re.fullmatch(r"(?:GPIO|D)?(\d+)", pin.upper())
    return int(found[1]) if found else None


def _spellings(pin: str) -> Iterator[str]:
    number = _number(pin)
    if number is not None:
        yield f"D{number}"
        yield f"GPIO{number}"
    yield pin
    yield pin.upper()


def _find_pin(board: ModuleType, pin: str) -> Any:  # noqa: ANN401 - the package has no types
    names = [name for name in dir(board) if hasattr(getattr(board, name), "id")]
    for name in _spellings(pin):
        if name in names:
            return getattr(board, name)
    near = get_close_matches(next(_spellings(pin)), names) or names
    raise StripError(
        f'driver = "neopixel:{pin}": {board.board_id} has no such pin',
        remedy=f"set one such as {', '.join(near)}",
        key="strip.driver",
    )


def _load(module: str, family: Family | None) -> ModuleType:
    try:
        return import_module(module)
    except (NotImplementedError, AttributeError) as error:
        raise StripError(
            f"Blinka does not know this machine or its way to a strip ({_sentence(error)})",
            remedy=f"update the package Adafruit-Blinka, {_OTHER}",
        ) from error
    except Exception as error:
        raise StripError(
            f"a package for neopixel cannot be used ({_sentence(error)})",
            remedy=f"{how_to_install('neopixel', family)}, with gcc and python3-dev, {_OTHER}",
        ) from error


def _free_library() -> None:
    """Free Blinka's structure of rpi_ws281x so that its own cleanup at exit works."""
    blinka: Any = sys.modules.get(_BEFORE_PI_5)
    library = None if blinka is None else blinka._led_strip  # noqa: SLF001 - nothing public tells
    if library is None:
        return  # the Pi 5's module stays open: after free_pio() it cannot send again
    if blinka.ws.ws2811_channel_t_leds_get(blinka.ws.ws2811_channel_get(library, 0)) is None:
        # After a failed start, the ordinary cleanup would follow pointers that were never set.
        blinka.ws.delete_ws2811_t(library)
        blinka._led_strip = None  # noqa: SLF001 - or the next frame would be written to it
    else:
        blinka.neopixel_cleanup()


def _failure(error: Exception) -> str:
    said = _sentence(error)
    return f"Blinka could not show a frame ({said}): {_remedy(said)}"


def _remedy(said: str) -> str:
    if "PIO device" in said or "pio_" in said:
        return _PIO
    if "sudo" in said:
        return _ROOT
    code = re.search(r"code (-\d+)", said)
    return _REMEDIES.get(int(code[1]) if code else 0, _OTHER.removeprefix("or "))


def _sentence(error: Exception) -> str:
    """Return the first sentence of an error on one line."""
    line = " ".join(str(error).split()) or type(error).__name__
    return re.split(r"[.!]\s", line)[0].rstrip(".! ")
