"""Strips on a Raspberry Pi's own pins through the C library rpi_ws281x: PWM, PCM or SPI.

The package's Python class is passed by: it crashes at exit after a failed start, reaches outside
its buffer, keeps the interpreter locked while a frame is on the wire and knows one channel only.
Here the library's structure is owned, filled and freed by hand, and the calls that take time go
through ctypes, which lets other threads run.
"""

import ctypes
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.errors import StripError
from hardware.strips.base import StripBase
from hardware.strips.protocol import RESET_SECONDS, Frame, StripSpec

PINS: Final = {
    "pwm": ((18, 12), (13, 19)),
    "pcm": ((21,),),
    "spi": ((10,),),
}
"""The pins (BCM) that each channel of a mode can use, the usual one first."""

BUFSIZ_PATH: Final = Path("/sys/module/spidev/parameters/bufsiz")

_FREQUENCY: Final = 800_000
_DMA_CHANNEL: Final = 10
_LED_SECONDS: Final = 40e-6  # the library clocks out four colours an LED, three or four in use
_SPI_PAUSE: Final = round(RESET_SECONDS * 1e6)
_FIELD_BYTES: Final = (2, 1, 0, 3)  # where red, green, blue and white lie in 0xWWRRGGBB in memory

_NEEDS_ROOT: Final = 'PWM and PCM need root: run as root, or set [strip] driver = "rpi_ws281x:spi"'
_REMEDIES: Final = {
    -2: "the firmware has no memory left for the frame: raise gpu_mem in config.txt",
    -3: (
        "the library does not know this machine; "
        'a Raspberry Pi 5 needs another driver, so set [strip] driver = "virtual" until it has one'
    ),
    -4: _NEEDS_ROOT,
    -5: _NEEDS_ROOT,
    -6: _NEEDS_ROOT,
    -7: "the pin cannot do this: change [strip] pins",
    -9: _NEEDS_ROOT,
    -10: (
        f"something else uses DMA channel {_DMA_CHANNEL}: "
        'restart the Pi, or set [strip] driver = "rpi_ws281x:spi"'
    ),
    -11: "the pin cannot do this on this model: change [strip] pins",
    -13: (
        "/dev/spidev0.0 or /dev/gpiomem cannot be opened: put dtparam=spi=on into "
        "/boot/firmware/config.txt and the user into the groups spi and gpio"
    ),
    -14: "the SPI buffer is too small: raise spidev.bufsiz= in /boot/firmware/cmdline.txt",
}
_OTHER_REMEDY: Final = 'set another [strip] driver, or "virtual" to play without lights'


class RpiStrip(StripBase):
    """A strip on pins of the Pi; `mode` is pwm (one or two channels), pcm or spi.

    `pins` are the BCM numbers, one a channel; without them the usual ones. `bufsiz_path` is where
    the kernel tells the size of its SPI buffer.

    Raises:
        StripError: more channels than the mode has, or pins that it cannot use.
    """

    def __init__(
        self,
        spec: StripSpec,
        *,
        mode: str,
        pins: Sequence[int] | None = None,
        bufsiz_path: Path = BUFSIZ_PATH,
    ) -> None:
        super().__init__(spec)
        self._mode = mode
        self._pins = _checked_pins(spec, mode, pins)
        self._bufsiz_path = bufsiz_path
        self._device: _Device | None = None

    @property
    def wire_seconds(self) -> float:
        """Seconds for a frame: 40 us an LED of the longest channel, and the reset."""
        return max(self._spec.leds) * _LED_SECONDS + RESET_SECONDS

    @property
    def pins(self) -> tuple[int, ...]:
        """The BCM pin of each channel."""
        return tuple(self._pins)

    def _start(self) -> None:
        if self._mode == "spi":
            _check_spi_buffer(self._spec.leds[0], self._bufsiz_path)
        self._device = _Device(self._spec, self._pins, spi=self._mode == "spi")

    def _send(self, frame: Frame) -> None:
        if self._device is not None:
            self._device.fill(frame)
            self._device.render()

    def _stop(self) -> None:
        if self._device is not None:
            self._device.free()
        self._device = None


class _Device:
    """The library's structure from a successful start until it is freed."""

    def __init__(self, spec: StripSpec, pins: Sequence[int], *, spi: bool) -> None:
        self._library = _load_library()
        self._spi = spi
        self._moves = tuple(zip(_FIELD_BYTES, map("RGBW".index, spec.order), strict=False))
        self._struct = self._library.new_ws2811_t()
        self._configure(spec, pins)
        code = self._library.ws2811_init(self._struct)
        if code:
            # ws2811_fini would crash here: after a failed start it follows pointers never set.
            self._library.delete_ws2811_t(self._struct)
            raise _failure(self._library, "start", code)
        self._calls = ctypes.CDLL(self._library.__file__)
        self._address = ctypes.c_void_p(int(self._struct))
        self._views = [self._view(channel, leds) for channel, leds in enumerate(spec.leds)]

    def fill(self, frame: Frame) -> None:
        """Copy a frame into the library's buffers, the colours in the order of the wire."""
        for view, pixels in zip(self._views, frame, strict=True):
            for field, colour in self._moves:
                view[:, field] = pixels[:, colour]

    def render(self) -> None:
        """Send what the buffers hold; other threads run meanwhile."""
        # ws2811_render overwrites what the DMA is still reading, and only then waits for it.
        self._check(self._calls.ws2811_wait(self._address))
        if self._spi:
            # The transfer itself took the frame's time; unset, the library waits for it again.
            self._library.ws2811_t_render_wait_time_set(self._struct, _SPI_PAUSE)
        self._check(self._calls.ws2811_render(self._address))

    def free(self) -> None:
        """Let what was sent reach the LEDs, then stop the hardware and free the structure."""
        if not self._spi:
            # The DMA is done when the last words are in the FIFO, which stopping would cut off:
            # sending the same frame once more pushes them out.
            self._calls.ws2811_wait(self._address)
            self._calls.ws2811_render(self._address)
        self._views = []
        self._calls.ws2811_fini(self._address)
        self._library.delete_ws2811_t(self._struct)

    def _configure(self, spec: StripSpec, pins: Sequence[int]) -> None:
        library = self._library
        library.ws2811_t_freq_set(self._struct, _FREQUENCY)
        library.ws2811_t_dmanum_set(self._struct, _DMA_CHANNEL)
        white = spec.colours == len("RGBW")
        kind = library.SK6812_STRIP_RGBW if white else library.WS2811_STRIP_RGB
        for number, (leds, pin) in enumerate(zip(spec.leds, pins, strict=True)):
            channel = library.ws2811_channel_get(self._struct, number)
            library.ws2811_channel_t_count_set(channel, leds)
            library.ws2811_channel_t_gpionum_set(channel, pin)
            library.ws2811_channel_t_strip_type_set(channel, kind)
            library.ws2811_channel_t_brightness_set(channel, 255)

    def _view(self, number: int, leds: int) -> NDArray[np.uint8]:
        channel = self._library.ws2811_channel_get(self._struct, number)
        address = int(self._library.ws2811_channel_t_leds_get(channel))
        memory = (ctypes.c_uint8 * (leds * 4)).from_address(address)
        return np.ctypeslib.as_array(memory).reshape(leds, 4)

    def _check(self, code: int) -> None:
        if code:
            raise _failure(self._library, "show a frame", code)


def spi_bytes(leds: int) -> int:
    """Return the bytes of one SPI transfer as the library sizes it: three symbols a bit.

    >>> spi_bytes(339), spi_bytes(340)
    (4088, 4104)
    """
    symbols = leds * 4 * 8 * 3 + 55 * _FREQUENCY * 3 // 1_000_000
    return (symbols // 8 & ~7) + 8


def _checked_pins(spec: StripSpec, mode: str, pins: Sequence[int] | None) -> Sequence[int]:
    possible = PINS[mode]
    if len(spec.leds) > len(possible):
        raise StripError(
            f'[strip] driver = "rpi_ws281x:{mode}" has {len(possible)} channel(s), the wiring '
            f'{len(spec.leds)}; two channels need "rpi_ws281x:pwm"'
        )
    chosen = tuple(usual[0] for usual in possible[: len(spec.leds)]) if pins is None else pins
    if len(chosen) != len(spec.leds):
        raise StripError(f"[strip] pins = {list(chosen)}: set one a channel, {len(spec.leds)}")
    for channel, pin in enumerate(chosen):
        if pin not in possible[channel]:
            usable = " or ".join(map(str, possible[channel]))
            raise StripError(
                f"[strip] pins: GPIO {pin} cannot be channel {channel} of rpi_ws281x:{mode}; "
                f"set {usable}"
            )
    return chosen


def _check_spi_buffer(leds: int, path: Path) -> None:
    try:
        size = int(path.read_text())
    except OSError:
        return  # no spidev here: the start itself will say so
    needed = spi_bytes(leds)
    if size < needed:
        raise StripError(
            f"{leds} LEDs need an SPI buffer of {needed} bytes, the kernel's has {size}: "
            f"add spidev.bufsiz={needed} to /boot/firmware/cmdline.txt and restart the Pi"
        )


def _load_library() -> ModuleType:
    try:
        return import_module("_rpi_ws281x")
    except ImportError as error:
        raise StripError(
            f"the package rpi-ws281x cannot be used ({error}); install the extra `pi`: "
            "pip install 'cribwars[pi]', or set another [strip] driver"
        ) from error


def _failure(library: ModuleType, action: str, code: int) -> StripError:
    said = library.ws2811_get_return_t_str(code)
    remedy = _REMEDIES.get(code, _OTHER_REMEDY)
    return StripError(f"rpi_ws281x could not {action} (code {code}, {said}): {remedy}")
