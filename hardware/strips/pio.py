"""Strips on a Raspberry Pi 5 through its kernel: the device files of the ws2812-pio overlay.

A frame is one write of the whole strip, four bytes an LED: red, green, blue, white. The kernel
takes it at once and sends it a little later, as GRB or GRBW and, unless the overlay's line says
brightness=0, through a gamma table of its own; both are allowed for here.
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
from hardware.pi.machine import LINEAR_SINCE, is_kernels
from hardware.strips.base import StripBase
from hardware.strips.protocol import BIT_SECONDS, LINEAR, RESET_SECONDS, Frame, StripSpec

KERNEL_GAMMA: Final[NDArray[np.float64]] = np.floor(255 * LINEAR ** (1 / 0.45)) / 255
"""The response where the kernel's gamma is on: cut off to whole steps, bytes up to 21 dark."""

KERNEL_GAMMA.setflags(write=False)

PINS: Final = (10, 18, 13, 21)
"""The pins (BCM) that the wiring guide has for strips: one a channel, of which there are four."""

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
    """A strip behind one device file a channel: `device`, and those of the numbers that follow.

    "leds0" is short for "/dev/leds0". A regular file does as a device, if it is there already; it
    is written over.
    The machine's files, which tell how the overlay is set, lie below `root`.

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
        # The kernel sends as many LEDs as its overlay says, however few of them are ours.
        loaded = max((strip.leds for strip in self._machine.strips), default=0)
        self._leds = [max(leds, loaded) for leds in spec.leds]
        self._clock = clock
        self._sleep = sleep
        self._free_at = -math.inf
        self._devices: list[_Device] = []

    @property
    def wire_seconds(self) -> float:
        """Seconds for a frame of the longest channel; the others go out beside it."""
        return max(self._leds) * self._spec.colours * 8 * BIT_SECONDS + RESET_SECONDS

    @property
    def pins(self) -> tuple[int, ...]:
        """The BCM pin of each overlay that is loaded."""
        return tuple(strip.gpio for strip in self._machine.strips if strip.gpio is not None)

    @property
    def response(self) -> NDArray[np.float64]:
        """The kernel's gamma table, or straight where the overlay switches that off."""
        brightness = {strip.brightness for strip in self._machine.strips}
        return LINEAR if brightness == {_NO_GAMMA} else KERNEL_GAMMA

    def _start(self) -> None:
        fault = overlay_fault(self._spec, self._machine)
        if fault is not None and is_kernels(self._device):
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
        kernels = is_kernels(self._device)
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
            return None  # one strip works here, so it is not the machine
        leds, white = max(self._spec.leds), _has_white(self._spec)
        return self._machine.why_not(f"pio:{self._device}", leds=leds, white=white)


class _Device:
    """An open device file of the kernel's, and the bytes of its strip."""

    def __init__(self, path: Path, leds: int, *, order: str, remedy: str) -> None:
        self._path = path
        self._remedy = remedy
        self._bytes = np.zeros((leds, len(_FIELDS)), np.uint8)
        # What the kernel puts on the wire at a place is what lies in the field of that place.
        self._moves = [
            (_FIELDS.index(field), _FIELDS.index(colour))
            for field, colour in zip(_KERNEL_ORDER, order, strict=False)
        ]
        self._file = _opened(path)

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Write the whole strip, the LEDs that are not ours dark.

        A write of another length would be sent late, and one of a single byte would set the
        kernel's brightness.
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
        """Let go of the device; the kernel still sends what was written."""
        os.close(self._file)


def _opened(path: Path) -> int:
    """Return a device or a regular file, open for writing; anything else is refused."""
    # Not created if absent: below /dev that would be a file that only looks like a strip. And not
    # waited for: a pipe opens once somebody reads it, a serial port once somebody calls.
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

    None if they suit it, or if the machine does not tell of any.
    """
    strips = machine.strips
    if not strips:
        return None
    one, longest, white = strips[0], max(spec.leds), _has_white(spec)
    # The kernel does not tell which device is which overlay's: all of them must do for each.
    differ = len({(strip.leds, strip.rgbw, strip.brightness) for strip in strips}) > 1
    too_old = one.brightness == _NO_GAMMA and () < machine.kernel < LINEAR_SINCE
    faults = (
        (differ, "is there several times, and not the same but for gpio"),
        (one.leds < longest, f"has num_leds={one.leds}, the wiring {longest} LEDs"),
        (white and not one.rgbw, f'lacks rgbw, which type = "{spec.type}" needs'),
        (one.rgbw and not white, f'has rgbw, which type = "{spec.type}" has no use for'),
        (too_old, f"has brightness=0, which kernels before {_dotted(LINEAR_SINCE)} take for dark"),
        # Few steps would be left of 256, and the current would not be the one estimated.
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
    """Return what to do so that the kernel drives the longest channel on each of these pins."""
    # The lines must be alike, and those that are there are long enough or to be replaced.
    leds = max([*spec.leds, *(strip.leds for strip in machine.strips)])
    white = _has_white(spec)
    lines = " and ".join(machine.pio_line(leds, white=white, gpio=pin) for pin in pins)
    return f"put {lines} into {machine.config} and restart the Pi"


def _has_white(spec: StripSpec) -> bool:
    return spec.colours == len(_FIELDS)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
