"""Findings about the strip's driver and its packages."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from companion.devices.doctor.finding import Finding, Level
from companion.devices.doctor.pio import file_finding
from companion.errors import Text
from hardware.errors import StripError
from hardware.pi import Family, Machine
from hardware.pi.machine import is_kernel_device
from hardware.strips import StripSpec, make_strip
from hardware.strips.drivers import WITHOUT_HARDWARE, only_type
from hardware.strips.packages import how_to_install, missing_modules
from hardware.strips.protocol import usual_order

_OF_A_PI: Final = ("rpi_ws281x", "neopixel", "pio", "spi")
_CHOICES: Final = ("rpi_ws281x:spi", "rpi_ws281x:pwm", "pio:/dev/leds0")


def driver_findings(
    machine: Machine, driver: str, spec: StripSpec | None, root: Path = Path("/")
) -> Iterator[Finding]:
    """Yield findings about the driver, and reasons against others; `spec` None: LEDs unknown."""
    own = _driver(machine, driver, spec, root)
    yield own
    shown = {own.why}
    for other in _CHOICES:
        why_not = machine.why_not(other, spec)
        if other != driver and why_not is not None:
            found = Finding.of(
                Text('"{other}" would not run here', other=other), why_not, Level.NOTE
            )
            if found.why not in shown:
                # How to have another driver is no advice for whoever has one.
                yield replace(found, remedy="")
            shown.add(found.why)


def _driver(machine: Machine, driver: str, spec: StripSpec | None, root: Path) -> Finding:
    what = Text('[strip] driver = "{driver}"', driver=driver)
    kind, _, device = driver.partition(":")
    if not _is_known(driver) or driver in WITHOUT_HARDWARE:
        return _without_a_strip(machine, driver, what)
    if kind not in _OF_A_PI:
        return Finding.ok(what, "does not hang on the pins of this machine")
    if kind == "pio" and not is_kernel_device(device):
        return file_finding(driver, root)
    if machine.model is None:
        return _without_a_pi(kind, what)
    if why_not := machine.why_not(driver, spec):
        return Finding.of(what, why_not)
    return Finding.ok(what, Text("nothing on the {model} is against it", model=machine.model))


def _without_a_pi(kind: str, what: str) -> Finding:
    if kind == "neopixel":
        why = "no Raspberry Pi: it runs if Blinka knows this board, and says so when it starts"
        return Finding.note(what, why)
    why, remedy = "runs on a Raspberry Pi alone", 'set driver = "virtual", or run it on a Pi'
    return Finding.fix(what, why, remedy)


def _is_known(driver: str) -> bool:
    try:
        kind = only_type(driver) or "ws2812b"
        make_strip(driver, StripSpec(leds=(1,), type=kind, order=usual_order(kind)))
    except StripError:
        return False
    return True


def _without_a_strip(machine: Machine, driver: str, what: str) -> Finding:
    """Return the finding about a driver that lights no strip, or that is unknown."""
    simulated = driver in WITHOUT_HARDWARE
    why = "the lights are on the page only" if simulated else "no such driver can be made"
    if machine.family is None:
        return Finding.ok(what, why) if simulated else Finding.note(what, why)
    better = "pio:/dev/leds0" if machine.family is Family.FIVE else "rpi_ws281x:spi"
    remedy = Text(
        'for a strip on this Pi set driver = "{driver}": see deploy/wiring.md', driver=better
    )
    return Finding.note(what, why, remedy)


def package_findings(machine: Machine, driver: str) -> Iterator[Finding]:
    """Yield the packages that the driver lacks, on a machine that it is for."""
    elsewhere = machine.model is None or machine.family is Family.FIVE
    missing = missing_modules(driver, machine.family)
    if missing and not (elsewhere and driver.startswith("rpi_ws281x")):
        what = Text('the packages for driver = "{driver}"', driver=driver)
        why = Text("this Python has no module {missing}", missing=", ".join(missing))
        yield Finding.fix(what, why, how_to_install(driver, machine.family))
