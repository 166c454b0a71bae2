"""Findings about the kernel's strip driver of a Raspberry Pi 5: devices and overlays."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.devices.doctor.finding import Finding
from companion.errors import Text, listed
from hardware.pi import Machine
from hardware.pi.machine import LINEAR_SINCE
from hardware.strips import StripSpec
from hardware.strips.pio import PINS, line_beside_others, overlay_fault

_WHAT: Final = "ws2812-pio overlay"
_SPI_GPIOS: Final = range(7, 12)


def file_finding(driver: str, root: Path) -> Finding:
    """Return the finding about a path that is not one of the kernel's."""
    what, path = Text('[strip] driver = "{driver}"', driver=driver), Path(driver.partition(":")[2])
    real = root / path.relative_to(path.anchor)
    if real.is_file():
        text = "{path} is a file and no strip: frames are written over what is in it"
        return Finding.note(what, Text(text, path=path))
    if real.is_char_device():
        why = "a device that the doctor does not know: it must take four bytes an LED"
        return Finding.note(what, why)
    if real.exists():
        text = "{path} is neither a device nor a file"
        return Finding.fix(what, Text(text, path=path), "give another path")
    remedy = "create the file first, or give another path"
    return Finding.fix(what, Text("there is no {path}", path=path), remedy)


def overlay_findings(machine: Machine, driver: str, spec: StripSpec) -> Iterator[Finding]:
    """Yield findings about loaded overlays that do not suit the strip, or are too few."""
    fault = overlay_fault(spec, machine)
    if fault is not None:
        yield Finding.of(_WHAT, fault)
    elif machine.strips:
        yield _of_loaded(machine, spec)
    yield from _of_channels(machine, driver, spec)
    if machine.has_spi and any(strip.gpio in _SPI_GPIOS for strip in machine.strips):
        why = "SPI is on and has the strip's pin too"
        remedy = Text(
            "take dtparam=spi=on out of {config} and restart the Pi", config=machine.config
        )
        yield Finding.fix(_WHAT, why, remedy)


def _of_loaded(machine: Machine, spec: StripSpec) -> Finding:
    gpios = [strip.gpio for strip in machine.strips if strip.gpio is not None]
    on = Text(" on GPIO {gpios}", gpios=listed(gpios)) if gpios else ""
    if any(strip.brightness for strip in machine.strips):
        text = "the kernel bends the light{on} by a table of its own, which leaves 183 of 256 steps"
        return Finding.note(_WHAT, Text(text, on=on), _straight(machine, spec))
    text = "set for {leds} LEDs{on}, the wiring has {wired}"
    return Finding.ok(_WHAT, Text(text, leds=machine.strips[0].leds, on=on, wired=max(spec.leds)))


def _straight(machine: Machine, spec: StripSpec) -> str:
    line = machine.pio_line(spec)
    if machine.kernel >= LINEAR_SINCE:
        return Text(
            "with {line} in {config} it does not; restart the Pi", line=line, config=machine.config
        )
    return "a newer kernel can switch it off: sudo apt full-upgrade"


def _of_channels(machine: Machine, driver: str, spec: StripSpec) -> Iterator[Finding]:
    """Each channel but the first takes a device and a line of its own."""
    first = re.search("[0-9]+$", driver)
    if first is None:
        return
    for channel in range(1, min(len(spec.leds), len(PINS))):
        device = f"/dev/leds{int(first[0]) + channel}"
        if device not in machine.devices:
            line = line_beside_others(spec, machine, PINS[channel])
            text = "channel {channel} of the wiring has no device, there is no {device}"
            remedy = "add {line} to {config} as well and restart the Pi"
            why, remedy = (
                Text(text, channel=channel, device=device),
                Text(remedy, line=line, config=machine.config),
            )
            yield Finding.fix(_WHAT, why, remedy)
