"""Finding of `cribwars doctor`; checks of the settings, the buttons' pins and an installed board.

The doctor examines a machine and its settings for faults. A finding has the severity, the subject,
the reason and a remedy. The checks of an installed board are those of its disk, clock, watchdog,
backups and updates.
"""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Final

from companion.backups.backup_file import day_of
from companion.backups.folders import backup_folders, backups_in, commands_since
from companion.buttons import BUTTONS
from companion.devices.assembly import reserved_pins
from companion.errors import NO_TEXT, Fault, JournalError, SettingsError, Text, joined, plural
from companion.journal.journal_file import VERSION
from companion.journal.store import FILE as JOURNAL
from companion.settings.paths import sticks_folder
from companion.settings.schema import DEFAULT, Settings
from hardware.buttons import pin_faults
from hardware.errors import HardwareError
from hardware.pi import Machine

HERE: Final = Path("/")
"""Folder of the files of this machine; another folder has a copy of a machine's files."""

MIN_FREE_BYTES: Final = 50_000_000
"""Bytes that should be free on a disk; a year of games needs less."""

EARLIEST: Final = 1_767_225_600.0
"""Start of 2026 in seconds since the epoch; a clock with an earlier time was never set."""
MOST_UNSAVED: Final = 1000
"""More commands than this since the last backup give a note; they are a few evenings of play."""
_OVERLAYS: Final = frozenset({"overlay", "overlayroot"})
_OVERLAY_REMEDY: Final = Text(
    "switch the overlay off (raspi-config, Performance Options), or put the games on a partition "
    "of its own and write overlayroot=tmpfs:recurse=0 into cmdline.txt"
)
_READ_ONLY_REMEDY: Final = Text(
    "make a backup on the page, then restart; if the card is read-only again, replace it"
)
_WATCHDOG_REMEDY: Final = Text(
    "write RuntimeWatchdogSec=1min under [Manager] into /etc/systemd/system.conf.d/watchdog.conf"
)
_RELEASE: Final = Text(
    "an upgrade to another release with sudo apt full-upgrade removes this package; to keep it, "
    "name the package for that release in the same command; games and settings stay"
)

_WATCHDOG: Final = re.compile(r"(?m)^RuntimeWatchdogSec=(.*)$")
_UNWATCHED: Final = re.compile(r"0|off|infinity|")


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
    journal = folder / JOURNAL
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


def upkeep_findings(machine: Machine, data: Path, root: Path, *, now: float) -> Iterator[Finding]:
    """Yield findings about the games' disk, the clock, the watchdog, backups and the version.

    Args:
        machine: facts about this machine.
        data: the folder of the journal.
        root: folder of the machine's files.
        now: seconds since the epoch.
    """
    yield from _disk(data, root)
    if now < EARLIEST:
        why = Text("it was never set, so games and backups get wrong dates")
        remedy = Text("connect the board to a network once, or add a clock module")
        yield Finding.note(Text("clock"), why, remedy)
    if machine.model is not None:
        yield _watchdog(root)
    yield _version()
    if (root / "usr/lib/cribwars").is_dir():
        yield Finding.ok(Text("release upgrades"), _RELEASE)
    with suppress(PermissionError):  # the finding about the data folder reports it
        yield _backup(data)


def _disk(data: Path, root: Path) -> Iterator[Finding]:
    mount = _mount_of(data, root)
    if mount is None:
        return
    kind, options = mount
    what = Text("the disk of {folder}", folder=data)
    if kind in _OVERLAYS:
        why = Text("an overlay root: everything written to it is lost at the next power-off")
        yield Finding.fix(what, why, _OVERLAY_REMEDY)
    elif "ro" in options:
        why = Text("it is read-only: the card is worn out, or its file system damaged")
        yield Finding.fix(what, why, _READ_ONLY_REMEDY)


def _mount_of(folder: Path, root: Path) -> tuple[str, list[str]] | None:
    try:
        lines = (root / "proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    found = None
    longest = 0
    for line in lines:
        _, place, kind, options, *_ = line.split(" ")
        if folder.is_relative_to(place) and len(place) >= longest:
            longest, found = len(place), (kind, options.split(","))
    return found


def _watchdog(root: Path) -> Finding:
    folders = [root / folder / "systemd/system.conf.d" for folder in ("usr/lib", "run", "etc")]
    named = {file.name: file for folder in folders for file in folder.glob("*.conf")}
    files = [root / "etc/systemd/system.conf", *(named[name] for name in sorted(named))]
    readable = (file for file in files if file.is_file() and os.access(file, os.R_OK))
    text = "\n".join(file.read_text(errors="replace") for file in readable)
    if _UNWATCHED.fullmatch(["", *_WATCHDOG.findall(text)][-1]) is None:
        return Finding.ok(Text("watchdog"), Text("the Pi restarts if its kernel hangs"))
    why = Text("the program restarts if it hangs, but the Pi does not restart if its kernel hangs")
    return Finding.note(Text("watchdog"), why, _WATCHDOG_REMEDY)


def _version() -> Finding:
    text = "cribwars {program}, which reads journals up to version {journal}"
    return Finding.ok(Text("version"), Text(text, program=version("cribwars"), journal=VERSION))


def _backup(data: Path) -> Finding:
    what = Text("last backup")
    found = backups_in(backup_folders(data, sticks_folder()))
    remedy = Text(
        "cribwars records backup --automatic makes one; an installed board does so regularly"
    )
    try:
        (data / JOURNAL).stat()
        since = commands_since(data, found, MOST_UNSAVED)
    except (FileNotFoundError, NotADirectoryError):
        return Finding.ok(what, Text("nothing was played yet"))
    except JournalError as error:
        why = Text("the journal cannot be compared ({error})", error=error)
        return Finding.note(what, why, remedy)
    if not found:
        return Finding.note(what, Text("there is none yet"), remedy)
    day, count = day_of(found[0].manifest.made), len(found)
    if since is None:
        text = "made on {day}, the newest of {count}; more than {most} commands since then"
        return Finding.note(what, Text(text, day=day, count=count, most=MOST_UNSAVED), remedy)
    one = "made on {day}, the newest of {count}; {n} command since then"
    more = "made on {day}, the newest of {count}; {n} commands since then"
    return Finding.ok(what, plural(since, one, more, day=day, count=count))
