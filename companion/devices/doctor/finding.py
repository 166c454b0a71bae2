"""Finding of `cribwars doctor`; checks of the settings, the buttons' pins and the journal's folder.

The doctor examines a machine and its settings for faults. A finding has the severity, the subject,
the reason and a remedy.
"""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from companion.buttons import BUTTONS
from companion.devices.assembly import reserved_pins
from companion.errors import NO_TEXT, Fault, SettingsError, Text, joined
from companion.journal.store import FILE
from companion.settings.schema import DEFAULT, Settings
from hardware.buttons import pin_faults
from hardware.errors import HardwareError
from hardware.pi import Machine

MIN_FREE_BYTES: Final = 50_000_000
"""Bytes that should be free on a disk; a year of games needs less."""


class Level(StrEnum):
    """Severity of a finding: all is well, it is worth knowing, or something must be repaired."""

    OK = "ok"
    NOTE = "note"
    FIX = "fix"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding: its subject `what`, the reason `why`, and a `remedy`, which may be empty."""

    level: Level
    what: Text
    why: Text
    remedy: Text

    @classmethod
    def ok(cls, what: Text, why: Text) -> Finding:
        return cls(level=Level.OK, what=what, why=why, remedy=NO_TEXT)

    @classmethod
    def note(cls, what: Text, why: Text, remedy: Text = NO_TEXT) -> Finding:
        return cls(level=Level.NOTE, what=what, why=why, remedy=remedy)

    @classmethod
    def fix(cls, what: Text, why: Text, remedy: Text = NO_TEXT) -> Finding:
        return cls(level=Level.FIX, what=what, why=why, remedy=remedy)

    @classmethod
    def of(cls, what: Text, error: HardwareError, level: Level = Level.FIX) -> Finding:
        return cls(level=level, what=what, why=error.problem, remedy=error.remedy)

    @classmethod
    def of_fault(cls, fault: Fault) -> Finding:
        what = joined(": ", (fault.file, fault.key)) or Text("the running table")
        return cls(level=Level.FIX, what=what, why=fault.problem, remedy=fault.remedy)

    def lines(self, columns: int, say: Callable[[Text], str]) -> Iterator[str]:
        """Yield the finding as lines of at most `columns` characters, without breaking words."""
        margin = " " * 6
        for mark, text in (
            (f"{self.level:<{len(margin)}}", self.what),
            (margin, self.why),
            (f"{margin}-> ", self.remedy),
        ):
            yield from textwrap.wrap(
                say(text),
                columns,
                initial_indent=mark,
                subsequent_indent=" " * len(mark),
                break_long_words=False,
                break_on_hyphens=False,
            )


def settings_findings(faults: SettingsError | None, settings: Settings | None) -> Iterator[Finding]:
    """Yield a finding for each fault of the settings, or one that says that there is no fault."""
    if faults is not None:
        for fault in dict.fromkeys(faults.faults):
            yield Finding.fix(Text("settings"), fault.cause, fault.remedy)
    elif settings is not None:
        origins = sorted({DEFAULT, *settings.origins.values()})
        why = Text("they have no fault; they come from: {origins}", origins=", ".join(origins))
        yield Finding.ok(Text("settings"), why)


def unseen_finding(settings: Settings | None) -> Finding:
    """Return a note that names the checks that need settings without faults."""
    board = Text("whether wiring, supply and buttons suit this machine")
    driver = Text("which strip is set, and ") if settings is None else NO_TEXT
    text = "{driver}{board}; mend the settings first"
    return Finding.note(Text("not examined"), Text(text, driver=driver, board=board))


def clash_findings(machine: Machine, driver: str, pins: Mapping[str, int]) -> Iterator[Finding]:
    """Yield findings about buttons on pins that the machine uses for something else."""
    overlays = [strip.gpio for strip in machine.strips if strip.gpio is not None]
    of_strip = reserved_pins(driver, overlays if driver.startswith("pio:") else ())
    for fault in pin_faults(pins, _in_use(machine) | of_strip, BUTTONS):
        yield Finding.of(Text("buttons"), fault)


def _in_use(machine: Machine) -> dict[int, Text]:
    used: dict[int, Text] = {}
    if machine.has_spi:
        used |= dict.fromkeys(range(7, 12), Text("SPI, which config.txt switches on"))
    boot = machine.boot
    if boot is None:
        return used
    if boot.switched("i2c_arm") or boot.switched("i2c"):
        used |= dict.fromkeys((2, 3), Text("I2C, which config.txt switches on"))
    if boot.number("enable_uart", 0):
        used |= dict.fromkeys((14, 15), Text("the serial port, which config.txt switches on"))
    for line in boot.overlays:
        if re.match(r"w1-gpio\b", line):
            pin = re.search(r"gpiopin=(\d+)", line)
            used[int(pin[1]) if pin else 4] = Text("1-Wire, which config.txt switches on")
    return used


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def data_finding(folder: Path, *, free: Callable[[Path], int] = _free) -> Finding:
    """Return the finding about the journal's folder; `free` returns the free bytes of a disk."""
    there = next(place for place in (folder, *folder.parents) if os.access(place, os.F_OK))
    journal = folder / FILE
    closed = [
        place
        for place, mode in ((there, os.W_OK | os.X_OK), (journal, os.R_OK | os.W_OK))
        if os.access(place, os.F_OK) and not os.access(place, mode)
    ]
    what = Text("data folder {folder}", folder=folder)
    remedy = Text("give another place with --data")
    if not there.is_dir():
        why = Text("{place} is no folder", place=there)
    elif closed:
        why = Text("this user may not write to {place}", place=closed[0])
        remedy = Text(
            "run this as the user who runs the table, or make that user the owner of the "
            "folder: restart an installed Pi; elsewhere sudo mkdir -p {folder} and sudo chown "
            "-R <user> {folder}",
            folder=folder,
        )
    elif free(there) < MIN_FREE_BYTES:
        why = Text("only {mb} MB are left on the disk", mb=f"{free(there) / 1e6:.0f}")
        remedy = Text("free some space on the disk, or give another place with --data")
    else:
        why = Text("can be written, {gb} GB are left", gb=f"{free(there) / 1e9:.1f}")
        return Finding.ok(what, why)
    return Finding.fix(what, why, remedy)
