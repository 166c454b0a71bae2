"""Findings about an installed board: its disk, clock, watchdog, backups and updates."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Final

from companion.backups.backup_file import day_of
from companion.backups.folders import backup_folders, backups_in, commands_since
from companion.devices.doctor.finding import Finding
from companion.errors import JournalError, Text, plural
from companion.journal.journal_file import VERSION
from companion.journal.store import FILE as JOURNAL
from companion.settings.paths import sticks_folder
from hardware.pi import Machine

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
