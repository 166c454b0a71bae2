"""Findings about the strip's supply, and about SPI if the strip runs over that."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from companion.devices.doctor.finding import Finding, Level
from companion.errors import Text
from hardware.pi import Family, Machine
from hardware.pi.machine import mode_of
from hardware.power import POWER
from hardware.strips import StripSpec
from hardware.strips.ws281x_transfer import spi_buffer_fault

_BRIGHT_ENOUGH: Final = 0.04  # of full white: below it a board is hard to read by day
_STEP_MA: Final = 1000


def spi_findings(machine: Machine, driver: str, spec: StripSpec) -> Iterator[Finding]:
    """Buffer and clock of SPI, where the strip runs over it on a Pi before the fifth."""
    if machine.family in {None, Family.FIVE} or mode_of(driver) != "spi":
        return
    found = [_spi_buffer(machine, driver.partition(":")[0], spec), _spi_clock(machine)]
    yield from found
    wrong = sum(finding.level is Level.FIX for finding in found) + (not machine.has_spi)
    if wrong > 1:
        remedy = "sudo /usr/lib/cribwars/prepare-machine does all of them"
        yield Finding.note("SPI", "several of its settings are missing", remedy)


def _spi_buffer(machine: Machine, kind: str, spec: StripSpec) -> Finding:
    what, size = "SPI buffer", machine.spi_bufsiz
    colours = spec.colours if kind == "rpi_ws281x" else None
    fault = spi_buffer_fault(spec.leds[0], size, colours)
    if fault is not None:
        return Finding.of(what, fault)
    if size is None:
        why = "the kernel does not tell its size; a frame that does not fit will say so"
        return Finding.note(what, why)
    text = "its {size} bytes hold the {leds} LEDs of the wiring"
    return Finding.ok(what, Text(text, size=size, leds=spec.leds[0]))


def _spi_clock(machine: Machine) -> Finding:
    what, config = "core clock, which SPI is made from", machine.config
    if machine.core_clock_steady is None:
        return Finding.note(what, Text("cannot tell: {config} cannot be read", config=config))
    if machine.core_clock_steady:
        return Finding.ok(what, Text("{config} keeps it steady", config=config))
    four = machine.family is Family.FOUR
    lines = "core_freq=500 and core_freq_min=500" if four else "core_freq=250"
    why = "it changes with the load: the strip flickers or turns white"
    text = "add {lines} to {config} under [all] and restart the Pi"
    return Finding.fix(what, why, Text(text, lines=lines, config=config))


def supply_findings(spec: StripSpec, budget_ma: float | Sequence[float]) -> Iterator[Finding]:
    """Yield how much of full white the supply of each channel, or of all, allows."""
    if isinstance(budget_ma, Sequence):
        for channel, (leds, budget) in enumerate(zip(spec.leds, budget_ma, strict=True)):
            yield _supply(spec, leds, budget, Text(" of channel {channel}", channel=channel))
    else:
        yield _supply(spec, sum(spec.leds), budget_ma, "")


def _supply(spec: StripSpec, leds: int, budget: float, of: str) -> Finding:
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
        dim="" if share >= _BRIGHT_ENOUGH else "; that is dim",
    )
    if share >= _BRIGHT_ENOUGH:
        return Finding.ok(what, why)
    enough = math.ceil((idle + light * _BRIGHT_ENOUGH) / _STEP_MA) * _STEP_MA
    remedy = "with a supply for it set budget_ma = {ma}: deploy/wiring.md has the table"
    return Finding.note(what, why, Text(remedy, ma=enough))
