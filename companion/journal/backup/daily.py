"""Automatic backups: one a day; the newest seven stay, and the last of each of four weeks.

Each is read back whole before it counts. A folder is the data folder's own, or one on a USB stick,
named by the journal's id, as several boards may share a stick.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from companion.errors import BadInputError, CompanionError
from companion.files import disk_errors, sync_folder
from companion.journal.backup.archive import Manifest, read_manifest
from companion.journal.backup.create import back_up
from companion.journal.backup.restore import staged
from companion.journal.store import FILE as JOURNAL
from companion.journal.tail import journal_id

FOLDER: Final = "backups"
"""Folder of the daily backups in the data folder."""
STICK_FOLDER: Final = "cribwars-backups"
DAYS: Final = 7
WEEKS: Final = 4
_NAME: Final = re.compile(r"cribwars-(\d{4}-\d\d-\d\d)\.zip")


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyBackup:
    """Automatic backup of a day."""

    file: Path
    manifest: Manifest


def backup_folders(data: Path, sticks: Path | None) -> list[Path]:
    """Return the folders of a table's backups: the data folder's, and one on each mounted stick.

    A stick on which a link lies in the place of such a folder has none.
    """
    journal = journal_id(data)
    own = (folder / journal for folder in _on_sticks(sticks))
    return [data / FOLDER, *(folder for folder in own if not folder.is_symlink())]


def mounted_sticks(sticks: Path | None) -> list[Path]:
    """Return the mount points of the sticks that are in."""
    found = sorted(sticks.iterdir()) if sticks and sticks.is_dir() else []
    return [stick for stick in found if stick.is_mount()]


def folders_of_others(data: Path, sticks: Path | None) -> list[Path]:
    """Return the folders on mounted sticks with backups of other journals than that of a table.

    Backups of versions that had no folder for each journal are of any board.
    """
    own = journal_id(data)
    return [
        folder
        for on_stick in _on_sticks(sticks)
        for folder in (on_stick, *sorted(on_stick.glob("*/")))
        if folder.name != own and not folder.is_symlink()
    ]


def _on_sticks(sticks: Path | None) -> list[Path]:
    folders = [stick / STICK_FOLDER for stick in mounted_sticks(sticks)]
    return [folder for folder in folders if not folder.is_symlink()]


def superfluous(days: Iterable[date]) -> set[date]:
    """Return the days whose backups are deleted: all but the newest seven and four weeks' last.

    >>> week = [date(2026, 3, day) for day in range(1, 10)]
    >>> sorted(day.day for day in superfluous(week))
    [2]
    """
    newest = sorted(set(days), reverse=True)
    of_week: dict[tuple[int, int], date] = {}
    for day in newest:
        of_week.setdefault(day.isocalendar()[:2], day)
    return set(newest) - set(newest[:DAYS]) - set([*of_week.values()][:WEEKS])


def make_daily_backup(data: Path, folder: Path, *, settings: Path | None, now: float) -> str | None:
    """Make the backup of a day in a folder, new or not, and delete those that are not kept.

    Returns:
        The name of the new file; None if there is one of this day, or nothing to add to the newest.

    Raises:
        BadInputError: the folder cannot be written, or the backup cannot be read back.
        JournalError: there is no journal, or it cannot be read.
    """
    today = date.fromtimestamp(now)  # noqa: DTZ012  # the day of the people here
    file = folder / f"cribwars-{today}.zip"
    with disk_errors(BadInputError, "{folder} cannot be written ({reason}): make room", folder):
        if file.exists() or not _is_outdated(data, folder):
            return None
        folder.mkdir(parents=True, exist_ok=True)
        new = folder / f".{file.name}"
        new.unlink(missing_ok=True)
        back_up(data, new, settings=settings, now=now)
        with staged(new, data):
            pass
        new.rename(file)
        for day in superfluous(_days(folder)) - {today}:
            (folder / f"cribwars-{day}.zip").unlink()
        sync_folder(folder)
    return file.name


def last_write(data: Path) -> float | None:
    """Return when a folder's journal was written, in seconds since the epoch; None without one.

    Raises:
        PermissionError: the folder is closed to this user.
    """
    files = (data / JOURNAL, data / f"{JOURNAL}-wal")
    return max((file.stat().st_mtime for file in files if file.exists()), default=None)


def daily_backups(folders: Iterable[Path]) -> list[DailyBackup]:
    """Return the backups in folders, the newest first; without those that cannot be read."""
    found = [backup for folder in folders for backup in _backups(folder)]
    return sorted(found, key=lambda backup: backup.manifest.made, reverse=True)


def _backups(folder: Path) -> Iterator[DailyBackup]:
    days: list[date] = []
    with suppress(OSError):  # a stick was pulled out, or the folder is another user's
        days = _days(folder)
    for day in days:
        file = folder / f"cribwars-{day}.zip"
        with suppress(CompanionError):
            yield DailyBackup(file=file, manifest=read_manifest(file))


def _days(folder: Path) -> list[date]:
    names = (
        [file.name for file in folder.iterdir() if not file.is_symlink()] if folder.is_dir() else []
    )
    days = []
    for found in filter(None, map(_NAME.fullmatch, names)):
        with suppress(ValueError):
            days.append(date.fromisoformat(found[1]))
    return days


def _is_outdated(data: Path, folder: Path) -> bool:
    """Return True if the journal was written after the newest backup, or one of them is missing."""
    made = [(folder / f"cribwars-{day}.zip").stat().st_mtime for day in _days(folder)]
    written = last_write(data)
    return not made or written is None or written > max(made)
