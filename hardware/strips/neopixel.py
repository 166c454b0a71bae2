"""Strips on the pins of any board that Adafruit's Blinka knows, through its neopixel package.

On a Raspberry Pi the drivers `pio` (Pi 5) and `rpi_ws281x` (older models) are better. A frame is
passed as bytes in the order of the wire. The package's methods for pixels are not used: they scale
the colours, move greys to the white LED and run Python code for each LED. Blinka has three limits:
it opens the hardware with the first frame, so a fault may appear only then; it drives one strip in
a process; and sending over SPI or on a Pi 5 stops other threads.

Blinka does not report when the wire is free, so the driver computes this. On pin 18 of a Pi 4, 100
LEDs of three colours take 300 bytes; Blinka sleeps for 4 ms, and the wire is free 0.3 ms later.
"""

import os
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from hardware.errors import StripError, Text, driver_error, nearest_remedy
from hardware.pi import Family, Machine, read_machine
from hardware.pi.machine import mode_on, pin_number
from hardware.strips.protocol import (
    BIT_SECONDS,
    RESET_SECONDS,
    Frame,
    Pacer,
    Strip,
    StripSpec,
    check_channels,
)
from hardware.strips.ws281x_library import (
    ON_PI_5,
    OTHER_DRIVER,
    how_to_install,
    remedy_for,
    spi_buffer_fault,
)

_BEFORE_PI_5: Final = "adafruit_blinka.microcontroller.bcm283x.neopixel"
_LED_SECONDS: Final = 40e-6  # before the Pi 5 every LED takes the time of four colours
_FIFO_SECONDS: Final = 1e-3  # on a Pi 5, from the return of a call to the end of the reset

_FREE_PIN: Final = Text(
    "end the program that uses it, put the user into the group gpio, or {other_driver}",
    other_driver=OTHER_DRIVER,
)
_NEEDS_ROOT: Final = -5  # error code of rpi_ws281x, which Blinka uses
_PIO: Final = Text(
    "a Raspberry Pi 5 needs /dev/pio0 and the right to open it: update the Pi (sudo apt "
    "full-upgrade), put the user into the group gpio, or {other_driver}",
    other_driver=OTHER_DRIVER,
)


class NeopixelStrip(Strip):
    """Strip on one pin of a board. `open` refuses a Raspberry Pi that cannot drive it.

    Args:
        spec: the strip, of one channel.
        pin: "18", "D18", "GPIO18" or a name such as "NEOPIXEL".
        pacer: delays a frame until the previous frame is on the strip.
        root: folder whose files describe the machine.

    Raises:
        StripError: more channels than one.
    """

    def __init__(self, spec: StripSpec, pin: str, *, pacer: Pacer, root: Path = Path("/")) -> None:
        super().__init__(spec)
        remedy = Text('two channels need "rpi_ws281x:pwm", or on a Pi 5 "pio:/dev/leds0"')
        check_channels(spec, f"neopixel:{pin}", 1, remedy)
        self._pin, self._root, self._pacer = pin, root, pacer
        self._mode = mode_on(pin)
        self._leds = spec.leds[0] + _spare_leds(spec)
        self._buffer = bytearray(self._leds * spec.colours)
        pixels = np.frombuffer(self._buffer, np.uint8).reshape(self._leds, spec.colours)
        self._wire = pixels[: spec.leds[0]]
        self._moves = ["RGBW".index(colour) for colour in spec.order]
        self._neopixel: Any = None

    @property
    def wire_seconds(self) -> float:
        """Seconds of a frame. Until Blinka has found the board, a Pi before the 5 is assumed.

        * Before the Pi 5: 40 us per LED and the reset; at least Blinka's sleep, 1 ms per 100 bytes.
        * Over SPI: 40 us per LED, then the longer of this sleep and the time of an ideal wire.
        * On a Pi 5: the time of an ideal wire and 1 ms.
        """
        return sum(self._timing())

    @property
    def pins(self) -> tuple[int, ...]:
        number = pin_number(self._pin)
        return () if number is None else (number,)

    @property
    def devices(self) -> tuple[Path, ...]:
        return read_machine(self._root).strip_devices(mode_on(self._pin), self._root)

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
            text = "Blinka cannot take the pin {pin} ({sentence})"
            sentence = _sentence(error)
            raise StripError(text, pin=self._pin, sentence=sentence, remedy=_FREE_PIN) from error
        self._mode = mode_on(str(pin.id))

    def _send(self, frame: Frame) -> None:
        np.take(frame[0], self._moves, axis=1, out=self._wire)
        # Blinka overwrites the previous frame, which the DMA may still read.
        self._pacer.wait()
        try:
            import_module("neopixel_write").neopixel_write(self._neopixel.pin, self._buffer)
        except Exception as error:
            _free_library()
            said, text = _sentence(error), "Blinka could not show a frame ({said})"
            raise StripError(text, said=said, remedy=_remedy(said)) from error
        self._pacer.busy_for(self._timing()[1])

    def _stop(self) -> None:
        self._pacer.wait()
        _free_library()
        self._neopixel.pin.deinit()

    def _check(self, machine: Machine) -> None:
        why_not = machine.why_not(f"neopixel:{self._pin}", self.spec)
        if why_not is None and self._mode == "spi" and machine.family is not Family.FIVE:
            why_not = spi_buffer_fault(self._leds, machine.spi_bufsiz)
        if why_not is not None:
            raise why_not

    def _timing(self) -> tuple[float, float]:
        """Return the seconds of a call of Blinka, and the seconds until the wire is free."""
        spec = self.spec
        if ON_PI_5 in sys.modules:
            return len(self._buffer) * 8 * BIT_SECONDS, _FIFO_SECONDS
        if _BEFORE_PI_5 in sys.modules or self._neopixel is None:
            return _timing_before_pi_5(self._leds, spec.colours, spi=self._mode == "spi")
        return spec.wire_seconds, 0.0


def _timing_before_pi_5(leds: int, colours: int, *, spi: bool) -> tuple[float, float]:
    sleep = 1e-3 * (leds * colours // 100 + 1)
    wire = leds * _LED_SECONDS
    if spi:
        # After the transfer the library waits once more, for the time of an ideal frame.
        again = leds * colours * 8 * BIT_SECONDS + RESET_SECONDS
        return wire + max(sleep, again), 0.0
    return sleep, max(0.0, wire + RESET_SECONDS - sleep)


def _spare_leds(spec: StripSpec) -> int:
    """Return the number of dark LEDs to send after the strip's own.

    If the number of bytes is divisible by three, Blinka assumes LEDs of three colours, even on a
    strip with white. One more LED avoids such a number.
    """
    return int(spec.has_white and spec.leds[0] % 3 == 0)


def _spellings(pin: str) -> Iterator[str]:
    number = pin_number(pin)
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
    known = Text("there are {names}", names=", ".join(names))
    remedy = nearest_remedy(next(_spellings(pin)), names, known)
    text = "{board_id} has no such pin"
    raise driver_error(f"neopixel:{pin}", text, board_id=board.board_id, remedy=remedy)


def _load(module: str, family: Family | None) -> ModuleType:
    try:
        return import_module(module)
    except (NotImplementedError, AttributeError) as error:
        remedy = Text(
            "update the package Adafruit-Blinka, or {other_driver}", other_driver=OTHER_DRIVER
        )
        text = "Blinka does not know this machine or its way to a strip ({sentence})"
        raise StripError(text, sentence=_sentence(error), remedy=remedy) from error
    except Exception as error:
        text = "a package for neopixel cannot be used ({sentence})"
        how = "{install}, with gcc and python3-dev, or {other_driver}"
        install = how_to_install("neopixel", family)
        remedy = Text(how, install=install, other_driver=OTHER_DRIVER)
        raise StripError(text, sentence=_sentence(error), remedy=remedy) from error


def _free_library() -> None:
    """Free the rpi_ws281x structure that Blinka holds, so that Blinka's cleanup at exit works."""
    blinka: Any = sys.modules.get(_BEFORE_PI_5)
    library = None if blinka is None else blinka._led_strip  # noqa: SLF001 - nothing public has it
    if library is None:
        return  # the Pi 5's module stays open: after free_pio() it could not send again
    if blinka.ws.ws2811_channel_t_leds_get(blinka.ws.ws2811_channel_get(library, 0)) is None:
        # After a failed start the ordinary cleanup would follow pointers that were never set.
        blinka.ws.delete_ws2811_t(library)
        blinka._led_strip = None  # noqa: SLF001 - or the next frame would be written to it
    else:
        blinka.neopixel_cleanup()


def _remedy(said: str) -> Text:
    if "PIO device" in said or "pio_" in said:
        return _PIO
    code = re.search(r"code (-\d+)", said)
    needs_root = "sudo" in said
    number = _NEEDS_ROOT if needs_root else int(code[1]) if code else 0
    return remedy_for(number, spi_driver="neopixel:10")


def _sentence(error: Exception) -> str:
    line = " ".join(str(error).split()) or type(error).__name__
    return re.split(r"[.!]\s", line)[0].rstrip(".! ")
