"""Making backups: all of a table in one file, and a folder of such files by number.

A backup in a folder is named by its number and by the checksum of the last command in it, such as
`cribwars-000000057-9f86d081884c7d65.zip`. The number is that of the last command, or one more than
the highest in the folder, as after the restore of an earlier backup. A new one is needed if none in
the folder ends with the last command of the journal. No clock decides any of this: the date in the
manifest is for people.

    >>> numbered = [Path(f"cribwars-{n:09}-{n:016x}.zip") for n in range(1993, 2002)]
    >>> [each.name[9:18] for each in superfluous(numbered)]
    ['000001993', '000001994']

A folder is the data folder's own, or one on a USB stick, named by the journal's id, as several
boards may share a stick.
"""

import os
import re
import tempfile
import zipfile
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import BadInputError, CompanionError
from companion.files import belong_like, disk_errors, sync_folder
from companion.journal.backup.archive import (
    BOARD,
    FORMAT,
    MANIFEST,
    PHONES,
    SETTINGS,
    VERSION,
    Manifest,
    board_of,
    note_of,
    read_manifest,
)
from companion.journal.backup.restore import staged
from companion.journal.reader import JournalReader, journal_id
from companion.journal.schema import VERSION as JOURNAL_VERSION
from companion.journal.store import FILE as JOURNAL
from companion.journal.store import Store, checksum_of
from companion.settings.sources import PAGE_FILE, page_file

FOLDER: Final = "backups"
"""Folder of the backups in the data folder."""
STICK_FOLDER: Final = "cribwars-backups"
NEWEST: Final = 7
"""Backups that are kept whatever is in them."""
BLOCKS: Final = 4
BLOCK: Final = 1000
"""Numbers of a block; of each of the newest blocks the last backup is kept."""
_NAME: Final = re.compile(r"cribwars-(\d{9,})-([0-9a-f]{16})\.zip")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptBackup:
    """A backup in a folder."""

    file: Path
    manifest: Manifest


def back_up(data: Path, file: Path, *, settings: Path | None, now: float) -> Manifest:
    """Write all that a table is made of to one new file, which its owner alone may read.

    Args:
        data: the folder of the journal; the table may be running.
        file: is made, whole or not at all; it is on disk when this returns.
        settings: the settings file; it goes in as it is, if it is there, and the page's beside it.
        now: seconds since the epoch, for the manifest.

    Raises:
        BadInputError: the file is there already, or it cannot be written.
        JournalError: there is no journal, or it cannot be read.
    """
    text = "{file} cannot be written ({reason}): choose another place"
    with (
        disk_errors(BadInputError, text, file=file),
        tempfile.TemporaryDirectory(dir=file.parent, prefix=".cribwars-backup-") as folder,
    ):
        manifest = _gather(data, Path(folder), settings, now)
        _pack(Path(folder), (MANIFEST, *manifest.files), file)
    return manifest


def _gather(data: Path, folder: Path, settings: Path | None, now: float) -> Manifest:
    with closing(JournalReader(data)) as journal:
        journal.copy_to(folder / JOURNAL)
    with closing(JournalReader(folder)) as copied:
        branches = copied.branches()
    files = {PHONES: data / PHONES}
    if settings:
        files |= {SETTINGS: settings, PAGE_FILE: page_file(settings)}
    contents = {name: file.read_bytes() for name, file in files.items() if file.is_file()}
    board = board_of(contents[name] for name in (SETTINGS, PAGE_FILE) if name in contents)
    if board:
        contents[BOARD] = board
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    manifest = Manifest(
        format=FORMAT,
        version=VERSION,
        program=version("cribwars"),
        made=now,
        journal=JOURNAL_VERSION,
        games=sum(branch.last is not None for branch in branches),
        settings_board=BOARD if board else None,
        files={found.name: note_of(found) for found in sorted(folder.iterdir())},
    )
    (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def _pack(folder: Path, names: Iterable[str], file: Path) -> None:
    """Make the file of what a folder holds; an unfinished one is deleted."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise BadInputError("{file} is there already: give a new name", file=file) from None
    try:
        with os.fdopen(descriptor, "wb") as content:
            # A clock that was never set is in 1970, which a zip file cannot name.
            with zipfile.ZipFile(
                content, "w", zipfile.ZIP_DEFLATED, compresslevel=6, strict_timestamps=False
            ) as bundle:
                for name in names:
                    bundle.write(folder / name, name)
            content.flush()
            os.fsync(descriptor)
        sync_folder(file.absolute().parent)
    except BaseException:
        file.unlink()
        raise


# A folder of backups


def is_needed(data: Path, folder: Path) -> bool:
    """Return True if something was counted that no backup in a folder has.

    Raises:
        JournalError: there is no journal, or it cannot be read.
    """
    last, checksum = _last_command(data)
    return last > 0 and not any(_checksum(each.file) == checksum for each in backups_in([folder]))


def make_backup(data: Path, folder: Path, *, settings: Path | None, now: float) -> Path:
    """Make a backup in a folder, new or not, and delete those there that are not kept.

    It is read back whole before it counts.

    Raises:
        BadInputError: the folder cannot be written, or the backup cannot be read back.
        JournalError: there is no journal, or it cannot be read.
    """
    with disk_errors(
        BadInputError, "{folder} cannot be written ({reason}): make room", folder=folder
    ):
        _last_command(data)  # no folder is made without a journal
        if not folder.is_dir():
            folder.mkdir(parents=True)
            belong_like(folder.parent, folder)
        new = folder / ".cribwars-new.zip"
        new.unlink(missing_ok=True)
        back_up(data, new, settings=settings, now=now)
        with staged(new, data) as inside:
            last, checksum = _last_command(inside.folder)
        belong_like(folder, new)
        there = _files_in(folder)
        number = max(last, *(_number(each) + 1 for each in there), 1)
        file = new.rename(folder / f"cribwars-{number:09}-{checksum}.zip")
        for each in superfluous([*there, file]):
            each.unlink()
        sync_folder(folder)
    return file


def commands_since(data: Path, backups: Iterable[KeptBackup], limit: int) -> int | None:
    """Return the number of commands after the last one that a backup has; None beyond a limit.

    Raises:
        JournalError: there is no journal, or it cannot be read.
    """
    known = {_checksum(each.file) for each in backups}
    with closing(JournalReader(data)) as reader, reader.store() as store:
        last = store.last_seq
        for seq in range(last, max(last - limit, 0), -1):
            if _checksum_at(store, seq) in known:
                return last - seq
    return last if last <= limit else None


def superfluous(files: Iterable[Path]) -> list[Path]:
    """Return those of a folder's backups that are not kept; see `NEWEST` and `BLOCKS`."""
    newest = sorted(files, key=_order, reverse=True)
    of_block: dict[int, Path] = {}
    for file in newest:
        of_block.setdefault(_number(file) // BLOCK, file)
    kept = {*newest[:NEWEST], *[*of_block.values()][:BLOCKS]}
    return [file for file in reversed(newest) if file not in kept]


def backups_in(folders: Iterable[Path]) -> list[KeptBackup]:
    """Return the backups in folders, the newest first; without those that cannot be read."""
    files = sorted((file for each in folders for file in _files_in(each)), key=_order, reverse=True)
    found = []
    for file in files:
        with suppress(CompanionError):
            found.append(KeptBackup(file=file, manifest=read_manifest(file)))
    return found


def _files_in(folder: Path) -> list[Path]:
    """Return the files of the backups in a folder; no link is one."""
    with suppress(OSError):  # a stick was pulled out, or the folder is another user's
        there = folder.iterdir() if folder.is_dir() else ()
        return [file for file in there if _NAME.fullmatch(file.name) and not file.is_symlink()]
    return []


def _order(file: Path) -> tuple[int, str]:
    return _number(file), file.name


def _number(file: Path) -> int:
    found = _NAME.fullmatch(file.name)
    return int(found[1]) if found else 0


def _checksum(file: Path) -> str | None:
    found = _NAME.fullmatch(file.name)
    return found[2] if found else None


def _last_command(data: Path) -> tuple[int, str]:
    """Return the number of a journal's last command, and its checksum in hexadecimal."""
    with closing(JournalReader(data)) as reader, reader.store() as store:
        return store.last_seq, _checksum_at(store, store.last_seq)


def _checksum_at(store: Store, seq: int) -> str:
    row = store.log_row(seq)
    return checksum_of(*(msgspec.structs.astuple(row) if row else (seq,))).hex()


# The places of such folders


def mounted_sticks(sticks: Path | None) -> list[Path]:
    """Return the mount points of the sticks that are in."""
    found = sorted(sticks.iterdir()) if sticks and sticks.is_dir() else []
    return [stick for stick in found if stick.is_mount()]


def backup_folders(data: Path, sticks: Path | None) -> list[Path]:
    """Return the folders of a table's backups: the data folder's, and one on each mounted stick.

    A stick on which a link lies in the place of such a folder has none.
    """
    journal = journal_id(data)
    own = (folder / journal for folder in _on_sticks(sticks))
    return [data / FOLDER, *(folder for folder in own if not folder.is_symlink())]


def folders_of_others(data: Path, sticks: Path | None) -> list[Path]:
    """Return the folders on mounted sticks with backups of other journals than that of a table."""
    own = journal_id(data)
    return [
        folder
        for on_stick in _on_sticks(sticks)
        for folder in sorted(on_stick.glob("*/"))
        if folder.name != own and not folder.is_symlink()
    ]


def _on_sticks(sticks: Path | None) -> list[Path]:
    folders = [stick / STICK_FOLDER for stick in mounted_sticks(sticks)]
    return [folder for folder in folders if not folder.is_symlink()]
