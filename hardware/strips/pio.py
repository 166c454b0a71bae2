"""Strips on a Raspberry Pi 5 through its kernel: the device files of the ws2812-pio overlay.

A frame is one write of the whole strip, four bytes per LED: red, green, blue, white. The write
returns at once; the kernel sends the frame a little later, in the order GRB or GRBW. The kernel
applies a gamma table unless the overlay's line in config.txt has brightness=0. This driver
compensates for order and gamma. If the strip's order is RGB, its red goes into the field for green,
which the kernel sends first. Half light is byte 187, which the kernel's table turns into 128.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.errors import NO_TEXT, StripError, Text, driver_error, joined
from hardware.pi import Machine, read_machine
from hardware.pi.machine import LINEAR_SINCE, PIO_GROUP, is_kernel_device
from hardware.strips.protocol import (
    BIT_SECONDS,
    RESET_SECONDS,
    Frame,
    Pacer,
    Strip,
    StripSpec,
    check_channels,
)
from hardware.strips.scale import BYTES, LINEAR, TableScale

KERNEL_GAMMA: Final[NDArray[np.float64]] = np.floor(255 * LINEAR ** (1 / 0.45)) / 255
"""Response of the kernel's gamma table, which rounds down: bytes 0 to 21 are dark."""

KERNEL_GAMMA.setflags(write=False)

PINS: Final = (10, 18, 13, 21)  # pin (BCM) of each channel in the wiring guide
_FIELDS: Final = "RGBW"
_KERNEL_ORDER: Final = "GRBW"
_NO_GAMMA: Final = 0
_FULL: Final = 255
_UPDATE: Final = Text("; if the line is there already, update the Pi: sudo apt full-upgrade")
_OTHER_FILE: Final = Text("create the file first, or give another path")


class PioStrip(Strip):
    """Strip with a device file for each channel: `device`, then the files with the next numbers.

    Args:
        spec: the strip, of at most four channels.
        device: "/dev/leds0", or "leds0" for short. The path of a regular file works too: the file
            must exist, and its content is overwritten.
        pacer: delays a frame until the previous frame is on the strip.
        root: folder whose files describe the machine and its overlays.

    Raises:
        StripError: more than four channels, or several channels although `device` has no number.
    """

    is_quick = True  # the kernel sends frames at the pace of the wire

    def __init__(
        self, spec: StripSpec, device: str, *, pacer: Pacer, root: Path = Path("/")
    ) -> None:
        super().__init__(spec)
        check_channels(spec, f"pio:{device}", len(PINS))
        self._device = device
        self._paths = _paths(device, len(spec.leds), root)
        self._machine = read_machine(root)
        brightness = {strip.brightness for strip in self._machine.strips}
        # Without the kernel's gamma the steps are equal.
        self.scale = BYTES if brightness == {_NO_GAMMA} else TableScale(KERNEL_GAMMA)
        # The kernel sends as many LEDs as its overlay has, even if the strip has fewer.
        loaded = max((strip.leds for strip in self._machine.strips), default=0)
        self._leds = [max(leds, loaded) for leds in spec.leds]
        self._pacer = pacer
        self._devices: list[_KernelStrip] = []

    @property
    def wire_seconds(self) -> float:
        """Seconds of a frame of the longest channel; the other channels are sent in parallel."""
        return max(self._leds) * self.spec.colours * 8 * BIT_SECONDS + RESET_SECONDS

    @property
    def pins(self) -> tuple[int, ...]:
        return tuple(strip.gpio for strip in self._machine.strips if strip.gpio is not None)

    @property
    def devices(self) -> tuple[Path, ...]:
        is_kernels = is_kernel_device(self._device)
        return tuple(p for p in self._paths if is_kernels or is_kernel_device(str(p.resolve())))

    def _start(self) -> None:
        fault = overlay_fault(self.spec, self._machine)
        if fault is not None and is_kernel_device(self._device):
            raise fault
        try:
            for channel, path in enumerate(self._paths):
                self._devices.append(self._open(channel, path))
        except StripError:
            self._stop()
            raise

    def _send(self, frame: Frame) -> None:
        self._pacer.wait()
        for device, pixels in zip(self._devices, frame, strict=True):
            device.show(pixels)
        self._pacer.busy_for(self.wire_seconds)

    def _stop(self) -> None:
        for device in self._devices:
            device.close()
        self._devices = []

    def _open(self, channel: int, path: Path) -> "_KernelStrip":
        by_kernel = is_kernel_device(self._device)
        remedy = _remedy(self.spec, self._machine, PINS[channel]) if by_kernel else _OTHER_FILE
        try:
            return _KernelStrip(path, self._leds[channel], order=self.spec.order, remedy=remedy)
        except FileNotFoundError as error:
            both = Text("{remedy}{update}", remedy=remedy, update=_UPDATE if by_kernel else NO_TEXT)
            no_device = StripError("there is no {path}", path=path, remedy=both)
            # If the first channel could be opened, the machine is not the cause.
            why_not = None if channel else self._machine.why_not(f"pio:{self._device}", self.spec)
            raise (why_not or no_device) from error
        except PermissionError as error:
            allow = PIO_GROUP if by_kernel else remedy
            text = "{device} may not be opened by this user"
            raise StripError(text, device=path, remedy=allow) from error
        except OSError as error:
            text = "{path} cannot be opened ({reason})"
            raise StripError(text, path=path, reason=error.strerror, remedy=remedy) from error


class _KernelStrip:
    def __init__(self, path: Path, leds: int, *, order: str, remedy: Text) -> None:
        self._path = path
        self._remedy = remedy
        self._bytes = np.zeros((leds, len(_FIELDS)), np.uint8)
        # Pairs of field and colour: the kernel sends the field when the strip expects the colour.
        self._moves = [
            (_FIELDS.index(field), _FIELDS.index(colour))
            for field, colour in zip(_KERNEL_ORDER, order, strict=False)
        ]
        self._file = _opened(path)

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Write all LEDs of the overlay; LEDs beyond the strip's end are dark.

        The kernel would delay a shorter write, and take a write of one byte as a brightness.
        """
        for field, colour in self._moves:
            self._bytes[: len(pixels), field] = pixels[:, colour]
        try:
            written = os.pwrite(self._file, self._bytes.data, 0)
        except OSError as error:
            if error.errno in (errno.EFBIG, errno.ENOSPC):
                text, leds = "{path} has fewer than {bytes} LEDs", len(self._bytes)
                raise StripError(text, path=self._path, bytes=leds, remedy=self._remedy) from error
            remedy = Text("see that ws2812-pio is still loaded, or restart the Pi")
            text = "{path} failed ({reason})"
            raise StripError(text, path=self._path, reason=error.strerror, remedy=remedy) from error
        if written < self._bytes.nbytes:
            text = "{path} took {written} of {nbytes} bytes"
            raise StripError(
                text,
                path=self._path,
                written=written,
                nbytes=self._bytes.nbytes,
                remedy=Text("restart the Pi"),
            )

    def close(self) -> None:
        os.close(self._file)


def _opened(path: Path) -> int:
    """Open a device or a regular file for writing; refuse anything else."""
    # A missing file is not created: below /dev it would only look like a strip. Without O_NONBLOCK
    # the call would block on a serial port without a carrier.
    kind = path.stat().st_mode
    if not (stat.S_ISCHR(kind) or stat.S_ISREG(kind)):
        text = "{path} is neither the device of a strip nor a file"
        raise StripError(text, path=path, remedy=Text("give another path"))
    file = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    os.set_blocking(file, True)
    return file


def _paths(device: str, count: int, root: Path) -> list[Path]:
    path = Path(device) if "/" in device else root / "dev" / device
    number = re.search(r"[0-9]+$", path.name)
    if count == 1:
        return [path]
    if number is None:
        remedy = Text('name the first of several numbered devices, such as "pio:/dev/leds0"')
        text = "this device is one channel, but the wiring has {count}"
        raise driver_error(f"pio:{device}", text, count=count, remedy=remedy)
    stem, first = path.name[: number.start()], int(number[0])
    return [path.with_name(f"{stem}{first + channel}") for channel in range(count)]


def overlay_fault(spec: StripSpec, machine: Machine) -> StripError | None:
    """Return the error if the loaded overlays do not fit a strip, or None."""
    strips = machine.strips
    if not strips:
        return None
    fault = next(_overlay_faults(spec, machine), None)
    if fault is None:
        return None
    pins = [strip.gpio or pin for strip, pin in zip(strips, PINS, strict=False)]
    return StripError(
        "the ws2812-pio overlay {fault}", fault=fault, remedy=_remedy(spec, machine, *pins)
    )


def _overlay_faults(spec: StripSpec, machine: Machine) -> Iterator[Text]:
    one, longest, white = machine.strips[0], max(spec.leds), spec.has_white
    # Nothing says which overlay made a device, so all overlays must be alike and fit every channel.
    if len({(strip.leds, strip.rgbw, strip.brightness) for strip in machine.strips}) > 1:
        yield Text("is loaded several times with options that differ in more than gpio")
    if one.leds < longest:
        yield Text(
            "has num_leds={leds}, but the longest channel has {longest} LEDs",
            leds=one.leds,
            longest=longest,
        )
    if white and not one.rgbw:
        yield Text('lacks rgbw, which type = "{type}" needs', type=spec.type)
    if one.rgbw and not white:
        yield Text('has rgbw, but LEDs of type = "{type}" have no white', type=spec.type)
    if one.brightness == _NO_GAMMA and () < machine.kernel < LINEAR_SINCE:
        since = ".".join(map(str, LINEAR_SINCE))
        text = "has brightness=0, which keeps the strip dark with kernels before {since}"
        yield Text(text, since=since)
    # A dimmed overlay leaves few of the 256 steps, and the estimate of the current would be wrong.
    if one.brightness not in (_NO_GAMMA, _FULL):
        text = "has brightness={brightness}; leave that out, and set brightness in [lights]"
        yield Text(text, brightness=one.brightness)


def line_beside_others(spec: StripSpec, machine: Machine, pin: int) -> str:
    """Return a ws2812-pio line for config.txt with at least as many LEDs as the loaded overlays.

    All overlays must be alike except for their pins.
    """
    leds = max((*spec.leds, *(strip.leds for strip in machine.strips)))
    return machine.pio_line(replace(spec, leds=(leds,)), gpio=pin)


def _remedy(spec: StripSpec, machine: Machine, *pins: int) -> Text:
    lines = joined(" and ", (line_beside_others(spec, machine, pin) for pin in pins))
    return Text("put {lines} into {config} and restart the Pi", lines=lines, config=machine.config)
