"""Strips on a Raspberry Pi 5 through its kernel: the device files of the ws2812-pio overlay.

A frame is one write of the whole strip, four bytes an LED: red, green, blue, white. The kernel
accepts it at once and sends it a little later, as GRB or GRBW and, unless the overlay's line has
brightness=0, through its own gamma table; this driver compensates for both.
"""

import errno
import math
import os
import re
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.errors import StripError
from hardware.pi import Machine, read_machine
from hardware.pi.machine import LINEAR_SINCE, is_kernel_device
from hardware.strips.base import StripBase
from hardware.strips.protocol import BIT_SECONDS, LINEAR, RESET_SECONDS, Frame, StripSpec

KERNEL_GAMMA: Final[NDArray[np.float64]] = np.floor(255 * LINEAR ** (1 / 0.45)) / 255
"""Response with the kernel's gamma, which rounds down: bytes 0 to 21 stay dark."""

KERNEL_GAMMA.setflags(write=False)

PINS: Final = (10, 18, 13, 21)
"""Pins (BCM) of the wiring guide for strips, one for each of the four channels."""

_FIELDS: Final = "RGBW"
_KERNEL_ORDER: Final = "GRBW"
_NO_GAMMA: Final = 0
_FULL: Final = 255
_UPDATE: Final = "; if the line is there already, update the Pi, sudo apt full-upgrade"
_ALLOW: Final = (
    "copy deploy/60-cribwars.rules to /etc/udev/rules.d, add the user to the group gpio and "
    "restart the Pi"
)
_OTHER_FILE: Final = "make the file first, or give another path"


class PioStrip(StripBase):
    """Strip with one device file per channel: `device`, then those with the next numbers.

    "leds0" is short for "/dev/leds0". An existing regular file may take the place of a device and
    is overwritten. Files below `root` describe the machine and its overlay.

    Raises:
        StripError: more channels than the kernel drives, or than `device` has numbers for.
    """

    def __init__(
        self,
        spec: StripSpec,
        device: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        root: Path = Path("/"),
    ) -> None:
        super().__init__(spec)
        self._device = device
        self._paths = _paths(device, len(spec.leds), root)
        self._machine = read_machine(root)
        # The kernel sends as many LEDs as its overlay has, even if the strip has fewer.
        loaded = max((strip.leds for strip in self._machine.strips), default=0)
        self._leds = [max(leds, loaded) for leds in spec.leds]
        self._clock = clock
        self._sleep = sleep
        self._free_at = -math.inf
        self._devices: list[_Device] = []

    @property
    def wire_seconds(self) -> float:
        """Duration of a frame of the longest channel; the others are sent in parallel."""
        return max(self._leds) * self._spec.colours * 8 * BIT_SECONDS + RESET_SECONDS

    @property
    def pins(self) -> tuple[int, ...]:
        """BCM pin of each overlay that is loaded."""
        return tuple(strip.gpio for strip in self._machine.strips if strip.gpio is not None)

    @property
    def response(self) -> NDArray[np.float64]:
        """Gamma table of the kernel, or a linear one if the overlay switches gamma off."""
        brightness = {strip.brightness for strip in self._machine.strips}
        return LINEAR if brightness == {_NO_GAMMA} else KERNEL_GAMMA

    def _start(self) -> None:
        fault = overlay_fault(self._spec, self._machine)
        if fault is not None and is_kernel_device(self._device):
            raise fault
        try:
            for channel, path in enumerate(self._paths):
                self._devices.append(self._open(channel, path))
        except StripError:
            self._stop()
            raise

    def _send(self, frame: Frame) -> None:
        pause = self._free_at - self._clock()
        if pause > 0:
            self._sleep(pause)
        for device, pixels in zip(self._devices, frame, strict=True):
            device.show(pixels)
        self._free_at = self._clock() + self.wire_seconds

    def _stop(self) -> None:
        for device in self._devices:
            device.close()
        self._devices = []

    def _open(self, channel: int, path: Path) -> "_Device":
        kernels = is_kernel_device(self._device)
        remedy = _remedy(self._spec, self._machine, PINS[channel]) if kernels else _OTHER_FILE
        try:
            return _Device(path, self._leds[channel], order=self._spec.order, remedy=remedy)
        except FileNotFoundError as error:
            update = _UPDATE if kernels else ""
            no_device = StripError(f"there is no {path}", remedy=f"{remedy}{update}")
            raise (self._why_not(channel) or no_device) from error
        except PermissionError as error:
            allow = _ALLOW if kernels else remedy
            raise StripError(f"{path} may not be opened by this user", remedy=allow) from error
        except OSError as error:
            raise StripError(
                f"{path} cannot be opened ({error.strerror})", remedy=remedy
            ) from error

    def _why_not(self, channel: int) -> StripError | None:
        if channel > 0:
            return None  # the first channel works, so the machine is not the cause
        leds, white = max(self._spec.leds), self._spec.has_white
        return self._machine.why_not(f"pio:{self._device}", leds=leds, white=white)


class _Device:
    """Open device file of the kernel, and the bytes of its strip."""

    def __init__(self, path: Path, leds: int, *, order: str, remedy: str) -> None:
        self._path = path
        self._remedy = remedy
        self._bytes = np.zeros((leds, len(_FIELDS)), np.uint8)
        # The kernel sends the fields in its own order: each colour goes where its turn is due.
        self._moves = [
            (_FIELDS.index(field), _FIELDS.index(colour))
            for field, colour in zip(_KERNEL_ORDER, order, strict=False)
        ]
        self._file = _opened(path)

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Write all LEDs of the overlay, those beyond the strip dark.

        Always the full length: the kernel delays shorter writes, and reads one byte as brightness.
        """
        for field, colour in self._moves:
            self._bytes[: len(pixels), field] = pixels[:, colour]
        try:
            written = os.pwrite(self._file, self._bytes.data, 0)
        except OSError as error:
            if error.errno in (errno.EFBIG, errno.ENOSPC):
                raise StripError(
                    f"{self._path} is a strip of less than {len(self._bytes)} LEDs",
                    remedy=self._remedy,
                ) from error
            raise StripError(
                f"{self._path} failed ({error.strerror})",
                remedy="see that ws2812-pio is still loaded, or restart the Pi",
            ) from error
        if written < self._bytes.nbytes:
            raise StripError(
                f"{self._path} took {written} of {self._bytes.nbytes} bytes",
                remedy="restart the Pi",
            )

    def close(self) -> None:
        """Close the device; the kernel still sends the last frame."""
        os.close(self._file)


def _opened(path: Path) -> int:
    """Open a device or a regular file for writing; refuse anything else."""
    # A missing file is not created: below /dev it would only look like a strip. The open does not
    # block, as it would for a pipe without a reader or a serial port without a carrier.
    kind = path.stat().st_mode
    if not (stat.S_ISCHR(kind) or stat.S_ISREG(kind)):
        raise StripError(
            f"{path} is no strip, neither a device of one nor a file", remedy="give another path"
        )
    file = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    os.set_blocking(file, True)
    return file


def _paths(device: str, count: int, root: Path) -> list[Path]:
    if count > len(PINS):
        raise StripError(
            f'driver = "pio:{device}" has {len(PINS)} channels, the wiring {count}',
            remedy="chain some of them",
            key="strip.driver",
        )
    path = Path(device) if "/" in device else root / "dev" / device
    number = re.search(r"[0-9]+$", path.name)
    if count == 1:
        return [path]
    if number is None:
        raise StripError(
            f'driver = "pio:{device}" is one channel, the wiring has {count}',
            remedy='set a device with a number to count on from, such as "pio:/dev/leds0"',
            key="strip.driver",
        )
    stem, first = path.name[: number.start()], int(number[0])
    return [path.with_name(f"{stem}{first + channel}") for channel in range(count)]


def overlay_fault(spec: StripSpec, machine: Machine) -> StripError | None:
    """Return why the overlays that are loaded do not suit a strip.

    Return None if they fit, or if the machine has no device tree with them.
    """
    strips = machine.strips
    if not strips:
        return None
    one, longest, white = strips[0], max(spec.leds), spec.has_white
    # The overlay of a device is unknown, so each overlay must fit every channel.
    differ = len({(strip.leds, strip.rgbw, strip.brightness) for strip in strips}) > 1
    too_old = one.brightness == _NO_GAMMA and () < machine.kernel < LINEAR_SINCE
    faults = (
        (differ, "is there several times, and not the same but for gpio"),
        (one.leds < longest, f"has num_leds={one.leds}, the wiring {longest} LEDs"),
        (white and not one.rgbw, f'lacks rgbw, which type = "{spec.type}" needs'),
        (one.rgbw and not white, f'has rgbw, which type = "{spec.type}" has no use for'),
        (too_old, f"has brightness=0, which kernels before {_dotted(LINEAR_SINCE)} take for dark"),
        # Few of 256 steps would be left, and the estimate of the current would be wrong.
        (
            one.brightness not in (_NO_GAMMA, _FULL),
            f"has brightness={one.brightness}; dimming is for brightness in [lights]",
        ),
    )
    fault = next((fault for is_so, fault in faults if is_so), None)
    if fault is None:
        return None
    pins = [strip.gpio or pin for strip, pin in zip(strips, PINS, strict=False)]
    return StripError(f"the ws2812-pio overlay {fault}", remedy=_remedy(spec, machine, *pins))


def _remedy(spec: StripSpec, machine: Machine, *pins: int) -> str:
    """Return the remedy that lets the kernel drive the longest channel on each of these pins."""
    # All lines must be alike, and existing ones long enough or replaced.
    leds = max([*spec.leds, *(strip.leds for strip in machine.strips)])
    white = spec.has_white
    lines = " and ".join(machine.pio_line(leds, white=white, gpio=pin) for pin in pins)
    return f"put {lines} into {machine.config} and restart the Pi"


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
