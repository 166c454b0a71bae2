"""Strips on a Raspberry Pi's own pins through the C library rpi_ws281x: PWM, PCM or SPI.

The Python class of the package rpi-ws281x is not used: it crashes at exit after a failed start,
writes outside its buffer, locks the interpreter while a frame is on the wire and has only one
channel. Here the library's structure is allocated, filled and freed directly, and slow calls go
through ctypes, which lets other threads run.

The library would send four colours for each LED, even to LEDs with three. So it is started with a
smaller number of LEDs, whose transfer has as many bytes as the strip needs: 300 LEDs for a strip of
400 LEDs of three colours (`sized_leds`). Then our own buffer for 400 LEDs replaces the library's.
"""

import ctypes
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.errors import StripError, Text, joined
from hardware.pi import Machine, read_machine
from hardware.pi.machine import MODE_PINS
from hardware.strips.protocol import Frame, Strip, StripSpec, check_channels
from hardware.strips.ws281x_library import (
    FREQUENCY_HZ,
    OTHER_DRIVER,
    how_to_install,
    remedy_for,
    sized_leds,
    spi_buffer_fault,
)
from hardware.timers import timer_slack

_DMA_CHANNEL: Final = 10
_DMA_START_US: Final = 20  # shortest sleep of the library before it starts the DMA
_FIELD_BYTES: Final = (2, 1, 0, 3)  # bytes of red, green, blue, white in little-endian 0xWWRRGGBB


class RpiStrip(Strip):
    """Strip on pins of the Pi. `open` refuses a machine that cannot drive it.

    Args:
        spec: the strip; it has one channel, or with "pwm" one or two.
        mode: "pwm", "pcm" or "spi".
        pins: the BCM pin of each channel; None uses each channel's first pin in `MODE_PINS`.
        root: folder whose files describe the machine.

    Raises:
        StripError: more channels than the mode has, or pins that the mode cannot use.
    """

    is_quick = True  # `_send` waits only while a frame is on the wire

    def __init__(
        self,
        spec: StripSpec,
        *,
        mode: str,
        pins: Sequence[int] | None = None,
        root: Path = Path("/"),
    ) -> None:
        super().__init__(spec)
        self._mode, self._spi = mode, mode == "spi"
        self._pins = _checked_pins(spec, mode, pins)
        self._root = root
        # Least time from the return of ws2811_render to the next transfer. At its return an SPI
        # transfer is over, but a DMA transfer has just begun.
        self._pause_us = 0 if self._spi else round(spec.wire_seconds * 1e6) - _DMA_START_US
        self._moves = tuple(zip(_FIELD_BYTES, map("RGBW".index, spec.order), strict=False))

    @property
    def pins(self) -> tuple[int, ...]:
        return tuple(self._pins)

    @property
    def devices(self) -> tuple[Path, ...]:
        return read_machine(self._root).strip_devices(self._mode, self._root)

    def _start(self) -> None:
        spec = self.spec
        self._check_machine(read_machine(self._root))
        self._library = library = _load_library()
        self._struct = library.new_ws2811_t()
        library.ws2811_t_freq_set(self._struct, FREQUENCY_HZ)
        library.ws2811_t_dmanum_set(self._struct, _DMA_CHANNEL)
        self._channels = [
            _Channel(library, self._struct, number) for number in range(len(spec.leds))
        ]
        for channel, leds, pin in zip(self._channels, spec.leds, self._pins, strict=True):
            channel.configure(sized_leds(leds, spec.colours, spi=self._spi), spec.colours, pin)
        code = library.ws2811_init(self._struct)
        if code:
            # After a failed start ws2811_fini would follow pointers that were never set.
            library.delete_ws2811_t(self._struct)
            raise _failure(library, "start", code)
        self._calls = ctypes.CDLL(library.__file__)
        self._address = ctypes.c_void_p(int(self._struct))
        self._views = [
            channel.use_own_buffer(leds)
            for channel, leds in zip(self._channels, spec.leds, strict=True)
        ]

    def _check_machine(self, machine: Machine) -> None:
        spec = self.spec
        why_not = machine.why_not(f"rpi_ws281x:{self._mode}", spec)
        if why_not is None and self._spi:
            why_not = spi_buffer_fault(spec.leds[0], machine.spi_bufsiz, spec.colours)
        if why_not is not None:
            raise why_not

    def _send(self, frame: Frame) -> None:
        self._fill(frame)
        # ws2811_render overwrites the buffer of the DMA and only then waits for the DMA.
        self._check(self._calls.ws2811_wait(self._address))
        self._library.ws2811_t_render_wait_time_set(self._struct, self._pause_us)
        with timer_slack(1):  # the library sleeps three times
            code = self._calls.ws2811_render(self._address)
        self._check(code)

    def _fill(self, frame: Frame) -> None:
        """Put a frame into the buffers of the library."""
        for view, pixels in zip(self._views, frame, strict=True):
            for field, colour in self._moves:
                view[:, field] = pixels[:, colour]

    def _stop(self) -> None:
        if not self._spi:
            # The DMA ends when the last words are in the FIFO. Stopping now would lose these
            # words; sending the frame once more pushes them out.
            self._calls.ws2811_wait(self._address)
            self._calls.ws2811_render(self._address)
        for channel in self._channels:
            channel.restore_buffer()
        self._calls.ws2811_fini(self._address)
        self._library.delete_ws2811_t(self._struct)

    def _check(self, code: int) -> None:
        if code:
            raise _failure(self._library, "show a frame", code)


class _Channel:
    """Channel of the library's structure, with a buffer of our own while it is open."""

    def __init__(self, library: ModuleType, struct: object, number: int) -> None:
        self._library = library
        self._channel = library.ws2811_channel_get(struct, number)
        first, second = (int(library.ws2811_channel_get(struct, each)) for each in range(2))
        words = (second - first) // ctypes.sizeof(ctypes.c_void_p)
        self._fields = (ctypes.c_void_p * words).from_address(int(self._channel))

    def configure(self, sized: int, colours: int, pin: int) -> None:
        """Set the fields that the start needs; `sized` is the number of LEDs from `sized_leds`."""
        library, channel = self._library, self._channel
        white = colours == len("RGBW")
        kind = library.SK6812_STRIP_RGBW if white else library.WS2811_STRIP_RGB
        library.ws2811_channel_t_count_set(channel, sized)
        library.ws2811_channel_t_gpionum_set(channel, pin)
        library.ws2811_channel_t_strip_type_set(channel, kind)
        library.ws2811_channel_t_brightness_set(channel, 255)

    def use_own_buffer(self, leds: int) -> NDArray[np.uint8]:
        """Replace the buffer of the started library by a new one, (leds, 4); return the new one."""
        self._buffer = np.zeros((leds, 4), np.uint8)
        self._theirs = int(self._library.ws2811_channel_t_leds_get(self._channel))
        # The package has no function that sets this field, so the field is found by its content.
        self._field = [*self._fields].index(self._theirs)
        self._fields[self._field] = self._buffer.ctypes.data
        self._library.ws2811_channel_t_count_set(self._channel, leds)
        return self._buffer

    def restore_buffer(self) -> None:
        self._fields[self._field] = self._theirs


def _checked_pins(spec: StripSpec, mode: str, pins: Sequence[int] | None) -> Sequence[int]:
    possible = MODE_PINS[mode]
    remedy = Text('two channels need "rpi_ws281x:pwm"')
    check_channels(spec, f"rpi_ws281x:{mode}", len(possible), remedy)
    chosen = tuple(usual[0] for usual in possible[: len(spec.leds)]) if pins is None else pins
    if len(chosen) != len(spec.leds):
        remedy = Text("set one pin for each channel, {leds} in all", leds=len(spec.leds))
        raise StripError(
            "pins = {pins} does not fit the channels",
            pins=list(chosen),
            remedy=remedy,
            key="strip.pins",
        )
    for channel, pin in enumerate(chosen):
        if pin not in possible[channel]:
            text = "pins: GPIO {pin} cannot be channel {channel} of rpi_ws281x:{mode}"
            remedy = Text("set {usable}", usable=joined(" or ", possible[channel]))
            raise StripError(
                text, pin=pin, channel=channel, mode=mode, remedy=remedy, key="strip.pins"
            )
    return chosen


def _load_library() -> ModuleType:
    try:
        return import_module("_rpi_ws281x")
    except ImportError as error:
        text = "the package rpi-ws281x cannot be used ({error})"
        install = how_to_install("rpi_ws281x", None)
        remedy = Text("{install}, or {other_driver}", install=install, other_driver=OTHER_DRIVER)
        raise StripError(text, error=error, remedy=remedy) from error


def _failure(library: ModuleType, action: str, code: int) -> StripError:
    said = library.ws2811_get_return_t_str(code)
    problem = "rpi_ws281x could not {action} (code {code}, {said})"
    remedy = remedy_for(code, spi_driver="rpi_ws281x:spi")
    return StripError(problem, action=action, code=code, said=said, remedy=remedy)
