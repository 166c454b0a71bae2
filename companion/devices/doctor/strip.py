"""Findings of `cribwars doctor` about the strip: driver, packages, supply, SPI, kernel driver.

The findings follow from facts about the machine (`hardware.pi.Machine`) and from the strip's
specification; no strip is opened. So a copy of a machine's files can be examined. For example, a
supply of 2 A for 1,206 LEDs gets a note: these LEDs draw 1.2 A when dark, and 67 A when white.

>>> [finding.level.value for finding in supply_findings(StripSpec(leds=(1206,)), 2000)]
['note']
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from companion.devices.doctor.finding import HERE, Finding, Level
from companion.errors import NO_TEXT, Text, joined
from hardware.errors import StripError
from hardware.pi import Family, Machine
from hardware.pi.machine import LINEAR_SINCE, is_kernel_device, mode_of
from hardware.power import POWER
from hardware.strips import StripSpec, make_strip
from hardware.strips.drivers import WITHOUT_HARDWARE, only_type
from hardware.strips.pio import PINS, line_beside_others, overlay_fault
from hardware.strips.protocol import CODED, usual_order
from hardware.strips.ws281x_library import how_to_install, missing_modules, spi_buffer_fault

_OVERLAY: Final = Text("ws2812-pio overlay")
_SPI_GPIOS: Final = range(7, 12)
_PI_DRIVERS: Final = ("rpi_ws281x", "neopixel", "pio", "spi")
_COMPARED_DRIVERS: Final = ("spi:ws2812b", "rpi_ws281x:spi", "rpi_ws281x:pwm", "pio:/dev/leds0")
_BRIGHT_ENOUGH: Final = 0.04  # part of full white; a darker board is hard to read by day
_STEP_MA: Final = 1000


def file_finding(driver: str, root: Path) -> Finding:
    """Return the finding about a driver `pio:PATH` whose path is not a kernel device of a strip."""
    what, path = Text('[strip] driver = "{driver}"', driver=driver), Path(driver.partition(":")[2])
    real = root / path.relative_to(path.anchor)
    if real.is_file():
        text = "{path} is a file, not a strip: each frame overwrites its contents"
        return Finding.note(what, Text(text, path=path))
    if real.is_char_device():
        why = Text("a device that the doctor does not know: it must take four bytes an LED")
        return Finding.note(what, why)
    if real.exists():
        text = "{path} is neither a device nor a file"
        return Finding.fix(what, Text(text, path=path), Text("give another path"))
    remedy = Text("create the file first, or give another path")
    return Finding.fix(what, Text("there is no {path}", path=path), remedy)


def overlay_findings(machine: Machine, driver: str, spec: StripSpec) -> Iterator[Finding]:
    """Yield findings about the kernel's strip overlays: missing, or unsuitable for the strip."""
    fault = overlay_fault(spec, machine)
    if fault is not None:
        yield Finding.of(_OVERLAY, fault)
    elif machine.strips:
        yield _of_loaded(machine, spec)
    yield from _of_channels(machine, driver, spec)
    if machine.has_spi and any(strip.gpio in _SPI_GPIOS for strip in machine.strips):
        why = Text("SPI is on and uses the pin of the strip too")
        remedy = Text(
            "take dtparam=spi=on out of {config} and restart the Pi", config=machine.config
        )
        yield Finding.fix(_OVERLAY, why, remedy)


def _of_loaded(machine: Machine, spec: StripSpec) -> Finding:
    gpios = [strip.gpio for strip in machine.strips if strip.gpio is not None]
    on = Text(" on GPIO {gpios}", gpios=joined(" and ", gpios)) if gpios else NO_TEXT
    if any(strip.brightness for strip in machine.strips):
        text = "the kernel's gamma table changes the light{on}: only 183 of 256 levels remain"
        return Finding.note(_OVERLAY, Text(text, on=on), _linear_remedy(machine, spec))
    text = "the overlay is set for {leds} LEDs{on}; the wiring has {wired} LEDs"
    return Finding.ok(
        _OVERLAY, Text(text, leds=machine.strips[0].leds, on=on, wired=max(spec.leds))
    )


def _linear_remedy(machine: Machine, spec: StripSpec) -> Text:
    line = machine.pio_line(spec)
    if machine.kernel >= LINEAR_SINCE:
        return Text(
            "switch this table off: write {line} into {config}, and restart the Pi",
            line=line,
            config=machine.config,
        )
    return Text("a newer kernel can switch this table off: sudo apt full-upgrade")


def _of_channels(machine: Machine, driver: str, spec: StripSpec) -> Iterator[Finding]:
    first = re.search("[0-9]+$", driver)
    if first is None:
        return
    for channel in range(1, min(len(spec.leds), len(PINS))):
        device = f"/dev/leds{int(first[0]) + channel}"
        if device not in machine.devices:
            line = line_beside_others(spec, machine, PINS[channel])
            text = "channel {channel} of the wiring has no device: {device} does not exist"
            remedy = "add the line {line} to {config} and restart the Pi"
            why = Text(text, channel=channel, device=device)
            yield Finding.fix(_OVERLAY, why, Text(remedy, line=line, config=machine.config))


def driver_findings(
    machine: Machine, driver: str, spec: StripSpec | None, root: Path = HERE
) -> Iterator[Finding]:
    """Yield findings about the driver, and reasons why other drivers would not run.

    Args:
        machine: facts about this machine.
        driver: the driver of the settings.
        spec: the strip's specification, None if its LEDs are unknown.
        root: folder of the machine's files.
    """
    own = _driver(machine, driver, spec, root)
    yield own
    shown = {own.why}
    for other in _COMPARED_DRIVERS:
        why_not = machine.why_not(other, spec)
        if other != driver and why_not is not None:
            found = Finding.of(
                Text('"{other}" would not run here', other=other), why_not, Level.NOTE
            )
            if found.why not in shown:
                # A remedy for another driver would mislead people whose own driver works.
                yield replace(found, remedy=NO_TEXT)
            shown.add(found.why)


def _driver(machine: Machine, driver: str, spec: StripSpec | None, root: Path) -> Finding:
    what = Text('[strip] driver = "{driver}"', driver=driver)
    kind, _, device = driver.partition(":")
    if not _is_known(driver) or driver in WITHOUT_HARDWARE:
        return _without_a_strip(machine, driver, what)
    if kind not in _PI_DRIVERS:
        return Finding.ok(what, Text("this driver does not use the pins of this machine"))
    if kind == "pio" and not is_kernel_device(device):
        return file_finding(driver, root)
    if machine.model is None:
        return _without_a_pi(machine, kind, what)
    if why_not := machine.why_not(driver, spec):
        return Finding.of(what, why_not)
    return Finding.ok(what, Text("this driver can run on the {model}", model=machine.model))


def _without_a_pi(machine: Machine, kind: str, what: Text) -> Finding:
    if kind == "spi":
        if fault := machine.spi_fault():
            return Finding.of(what, fault)
        return Finding.ok(what, Text("this driver can run here, as SPI is on"))
    if kind == "neopixel":
        why = Text("this is not a Raspberry Pi: the driver runs only if Blinka knows this board")
        return Finding.note(what, why)
    why = Text("this driver runs only on a Raspberry Pi")
    remedy = Text('set driver = "virtual", or run it on a Pi')
    return Finding.fix(what, why, remedy)


def _is_known(driver: str) -> bool:
    try:
        kind = only_type(driver) or "ws2812b"
        make_strip(driver, StripSpec(leds=(1,), type=kind, order=usual_order(kind)))
    except StripError:
        return False
    return True


def _without_a_strip(machine: Machine, driver: str, what: Text) -> Finding:
    simulated = driver in WITHOUT_HARDWARE
    why = Text("the lights are on the page only" if simulated else "there is no such driver")
    if machine.family is None:
        return Finding.ok(what, why) if simulated else Finding.note(what, why)
    remedy = Text('for a strip on this Pi set driver = "spi:ws2812b": see deploy/wiring.md')
    return Finding.note(what, why, remedy)


def package_findings(machine: Machine, driver: str) -> Iterator[Finding]:
    """Yield a finding about missing packages of a driver that suits the machine."""
    elsewhere = machine.model is None or machine.family is Family.FIVE
    missing = missing_modules(driver, machine.family)
    if missing and not (elsewhere and driver.startswith("rpi_ws281x")):
        what = Text('the packages for driver = "{driver}"', driver=driver)
        why = Text("this Python has no module {missing}", missing=", ".join(missing))
        yield Finding.fix(what, why, how_to_install(driver, machine.family))


def spi_findings(machine: Machine, driver: str, spec: StripSpec) -> Iterator[Finding]:
    """Yield findings about the SPI buffer and clock, for strips on SPI without a clock line.

    On a Pi 5, and on machines that are no Raspberry Pi, only `spi:<type>` drives them, and the
    clock of SPI is steady or unknown.
    """
    kind = driver.partition(":")[0]
    others = machine.family in {None, Family.FIVE}
    coded = kind == "spi" and spec.type in CODED
    if not coded and (others or mode_of(driver) != "spi"):
        return
    found = [_spi_buffer(machine, kind, spec)]
    if not others:
        found.append(_spi_clock(machine))
    yield from found
    wrong = sum(finding.level is Level.FIX for finding in found) + (not machine.has_spi)
    if wrong > 1 and machine.model is not None:
        remedy = Text("make all these settings with: sudo /usr/lib/cribwars/prepare-machine")
        yield Finding.note(Text("SPI"), Text("several settings for SPI are missing"), remedy)


def _spi_buffer(machine: Machine, kind: str, spec: StripSpec) -> Finding:
    what, size = Text("SPI buffer"), machine.spi_bufsiz
    colours = None if kind == "neopixel" else spec.colours
    fault = spi_buffer_fault(spec.leds[0], size, colours)
    if fault is not None:
        return Finding.of(what, fault)
    if size is None:
        why = Text("its size is unknown; a frame that is too big for it gives an error")
        return Finding.note(what, why)
    text = "its {size} bytes are enough for the {leds} LEDs of the wiring"
    return Finding.ok(what, Text(text, size=size, leds=spec.leds[0]))


def _spi_clock(machine: Machine) -> Finding:
    what, config = Text("core clock, from which SPI takes its clock"), machine.config
    if machine.core_clock_steady is None:
        return Finding.note(what, Text("unknown, because {config} cannot be read", config=config))
    if machine.core_clock_steady:
        return Finding.ok(what, Text("{config} keeps it steady", config=config))
    four = machine.family is Family.FOUR
    lines = "core_freq=500 and core_freq_min=500" if four else "core_freq=250"
    why = Text("it changes with the load, so the strip flickers or turns white")
    text = "add {lines} to {config} under [all] and restart the Pi"
    return Finding.fix(what, why, Text(text, lines=lines, config=config))


def supply_findings(spec: StripSpec, budget_ma: float | Sequence[float]) -> Iterator[Finding]:
    """Yield a finding for each supply, with the share of full white that it allows."""
    if isinstance(budget_ma, Sequence):
        for channel, (leds, budget) in enumerate(zip(spec.leds, budget_ma, strict=True)):
            yield _supply(spec, leds, budget, Text(" of channel {channel}", channel=channel))
    else:
        yield _supply(spec, sum(spec.leds), budget_ma, NO_TEXT)


def _supply(spec: StripSpec, leds: int, budget: float, of: Text) -> Finding:
    power = POWER[spec.type]
    idle, light = leds * power.idle, leds * spec.colours * power.colour
    share = max(0.0, min(1.0, (budget - idle) / light))
    what = Text(
        "[strip] budget_ma = {ma} for the {leds} LEDs{of}", ma=f"{budget:g}", leds=leds, of=of
    )
    text = (
        "{idle} mA go into the dark strip; the rest allows {share} of full white, "
        "which would draw {full} A{dim}"
    )
    why = Text(
        text,
        idle=f"{idle:.0f}",
        share=f"{share:.0%}",
        full=f"{(idle + light) / 1000:.1f}",
        dim=NO_TEXT if share >= _BRIGHT_ENOUGH else Text("; that light is dim"),
    )
    if share >= _BRIGHT_ENOUGH:
        return Finding.ok(what, why)
    enough = math.ceil((idle + light * _BRIGHT_ENOUGH) / _STEP_MA) * _STEP_MA
    remedy = "use a supply of {ma} mA or more, and set budget_ma = {ma}: see deploy/wiring.md"
    return Finding.note(what, why, Text(remedy, ma=enough))
