"""Restore: a backup that was unpacked and checked replaces the present data, wholly or not at all.

A single rename decides. Everything that a restore needs is written into a folder, each file is
synced, and the folder is renamed to `restore-ready`. Before the rename nothing is restored; after
the rename the restore is certain, because the next start finishes the restore before it reads
anything. Game and settings therefore never come from two backups, whenever the power fails. After
the rename the web page makes the program restart; `records restore` does the rest at once. Steps:

    1. journal.sqlite, settings-of-page.toml, phones.json, restore.json are in restore-ready/
    2. backups/cribwars-000000057-9f86d081884c7d65.zip is made from the present data
    3. /etc/cribwars/settings-of-page.toml, phones.json are written from the folder's files
    4. the write-ahead log and the mirror (second copy) of the old journal are deleted
    5. restore-ready/journal.sqlite is renamed to journal.sqlite
    6. restore-ready/ is deleted

If a start is cut off in step 3 or 4, the next start begins again with step 3; the file `kept` in
the folder says that step 2 was done. If the folder has no journal, only step 6 is left. If the
present journal cannot be backed up, it is copied with the settings into a folder `before-restore`.
If the disk has no room for the backup, `restore-ready` is deleted, and nothing is restored.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from companion.backups.backup_file import PHONES, SETTINGS, board_of, day_of
from companion.backups.folders import FOLDER, Staged, make_backup
from companion.encoding import UNREADABLE, encode_json
from companion.errors import CompanionError, JournalError, Text, system_error
from companion.files import belong_like, disk_errors, free_name, sync_folder, write_durably
from companion.journal.journal_file import UNWRITABLE, FolderLock
from companion.journal.mirror import MIRROR
from companion.journal.store import FILE as JOURNAL
from companion.settings.sources import PAGE_FILE, flat, page_file, page_text
from companion.toml import decode, parse

READY: Final = "restore-ready"
"""Folder with all files of a restore; it exists from the first step to the last."""
NOTE: Final = "restore.json"
KEPT: Final = "kept"
"""File in `restore-ready`; its content is the name of the backup of the replaced data."""
ASIDE: Final = "before-restore"
"""Folder for a copy of the replaced data if these data cannot be backed up."""
_STALE: Final = tuple(
    f"{file}{suffix}" for file in (JOURNAL, MIRROR) for suffix in ("-wal", "-shm")
)
"""Files of the old journal that SQLite would take for files of the new journal."""


class _Prepared(msgspec.Struct, frozen=True):
    """Content of `restore.json`; paths are bytes, written in Base64.

    Attributes:
        made: the time of the backup in seconds since the epoch.
        settings: the path of the settings file.
        places: the name of each file in the folder, and the path to which it is copied.
    """

    made: float
    settings: bytes | None
    places: list[tuple[str, bytes]]


def prepare_restore(backup: Staged, settings: Path | None) -> None:
    """Make the next start restore a backup; a game may go on meanwhile.

    Args:
        backup: the backup; its folder is moved.
        settings: the path of the settings file, which is made if it is missing. If it exists, it
            stays, and the settings of the backup go into `PAGE_FILE` beside it. If this is None or
            the backup has no settings, both files stay as they are.

    Raises:
        JournalError: the folder cannot be written; nothing will be restored.
    """
    data = backup.data.resolve()
    with disk_errors(JournalError, UNWRITABLE, folder=data):
        note = _Prepared(
            made=backup.manifest.made,
            settings=os.fsencode(settings.resolve()) if settings else None,
            places=[(name, os.fsencode(place)) for name, place in _places(backup, settings)],
        )
        (backup.folder / NOTE).write_bytes(encode_json(note))
        for file in (backup.folder, *backup.folder.iterdir()):
            belong_like(data, file)
            _sync(file)
        with suppress(FileNotFoundError):
            (data / READY).rename(backup.folder.with_name("superseded"))
        backup.folder.rename(data / READY)
        sync_folder(data)


def restore(backup: Staged, settings: Path | None, now: float) -> Text | None:
    """Restore a backup at once, and return a line about it.

    Raises:
        JournalError: the program is running in the folder, or something cannot be written.
    """
    with _locked(backup.data):
        prepare_restore(backup, settings)
        return finish_restore(backup.data, now)


def _places(backup: Staged, settings: Path | None) -> Iterator[tuple[str, Path]]:
    """Yield the name and the target path of each file except the journal.

    If a settings file exists, it stays; the backup's can only become the `PAGE_FILE` beside it.
    """
    if (backup.folder / PHONES).exists():
        yield PHONES, backup.data.resolve() / PHONES
    if settings is None:
        return
    board = _settings_board(backup)
    by_hand, page = backup.folder / SETTINGS, backup.folder / PAGE_FILE
    if by_hand.exists() and not settings.exists():
        yield SETTINGS, settings.resolve()
    elif by_hand.exists() and not page.exists():
        page.write_bytes(by_hand.read_bytes())
    if board:
        yield board
        text = decode(page.read_bytes(), PAGE_FILE, []) if page.exists() else ""
        values = flat(parse(text, PAGE_FILE, [])) | {"board": str(board[1])}
        page.write_text(page_text(values, settings.name), encoding="utf-8")
    elif by_hand.exists() and page_file(settings).exists() and not page.exists():
        page.write_bytes(b"")  # the old values there would override the restored settings
    if page.exists():
        yield PAGE_FILE, page_file(settings.resolve())


def _settings_board(backup: Staged) -> tuple[str, Path] | None:
    """Return the backup's board file and its new path, or None if no board file must be written."""
    entry = backup.manifest.settings_board
    if entry is None:
        return None
    files = [backup.folder / name for name in (SETTINGS, PAGE_FILE)]
    content = (backup.folder / entry).read_bytes()
    if board_of(file.read_bytes() for file in files if file.exists()) == content:
        return None
    return entry, backup.data.resolve() / f"board-{hashlib.sha256(content).hexdigest()[:12]}.toml"


def finish_restore(data: Path, now: float) -> Text | None:
    """Finish the restore that waits in a locked data folder; return a line about it, or None.

    Args:
        data: the folder of the journal.
        now: the time in seconds since the epoch, when the present data are backed up.

    Raises:
        JournalError: the restore is not finished; if `restore-ready` still exists, call this again.
    """
    ready = data.resolve() / READY
    text = "the restore that waits in {folder} cannot be finished ({reason}): make room there"
    with disk_errors(JournalError, text, folder=ready):
        if not (ready / JOURNAL).exists():
            if ready.is_dir():
                _drop(ready)
            return None
        try:
            prepared = msgspec.json.decode((ready / NOTE).read_bytes(), type=_Prepared)
            kept = _keep(ready, prepared, now)
        except (CompanionError, *UNREADABLE) as error:
            _drop(ready)
            raise JournalError("no backup was restored: {error}", error=error) from error
        for name, place in prepared.places:
            _place(ready / name, Path(os.fsdecode(place)))
        _place_journal(ready)
        _drop(ready)
    text = "the backup of {day} is restored; what was there is kept as {previous}"
    return Text(text, day=day_of(prepared.made), previous=kept)


def resume_restore(data: Path, now: float) -> Text | None:
    """Lock a data folder and finish the restore that waits in it; return None if none waits."""
    if not (data / READY).is_dir():
        return None
    with _locked(data):
        return finish_restore(data, now)


@contextmanager
def _locked(data: Path) -> Iterator[None]:
    """Keep the program from starting in a data folder; give the lock file to the folder's owner."""
    with closing(FolderLock(data)):
        belong_like(data, data / "lock")
        yield


def _keep(ready: Path, prepared: _Prepared, now: float) -> str:
    """Back up the present data, or copy them if they are damaged; return the name of the copy.

    Raises:
        CompanionError: the disk has no room, or fails.
    """
    done, data = ready / KEPT, ready.parent
    if done.exists():
        return done.read_text(encoding="utf-8")
    settings = Path(os.fsdecode(prepared.settings)) if prepared.settings else None
    try:
        name = make_backup(data, data / FOLDER, settings=settings, now=now).name
    except CompanionError as error:
        if system_error(error) is not None:
            raise
        name = _copy_aside(data, settings)  # the journal is missing or damaged
    write_durably(done, name.encode())
    return name


def _copy_aside(data: Path, settings: Path | None) -> str:
    """Copy journal, mirror, page's settings and phones to a new folder; return its name."""
    files = [data / name for name in (JOURNAL, MIRROR, *_STALE, PHONES)]
    there = [
        file for file in (*files, *([page_file(settings)] if settings else [])) if file.exists()
    ]
    if not there:
        return "nothing"
    aside = free_name(data / ASIDE)
    aside.mkdir()
    for file in (*(Path(shutil.copy(file, aside)) for file in there), aside):
        belong_like(data, file)
        _sync(file)
    return aside.name


def _place(source: Path, target: Path) -> None:
    """Write a file with the mode and owner of the file that it replaces, or with the folder's."""
    if not target.parent.is_dir():
        target.parent.mkdir(parents=True)
        belong_like(target.parent.parent, target.parent)
        sync_folder(target.parent.parent)
    is_new = not target.exists()
    write_durably(target, source.read_bytes())
    if is_new:
        belong_like(target.parent, target)


def _place_journal(ready: Path) -> None:
    journal = ready.with_name(JOURNAL)
    if journal.exists():
        belong_like(journal, ready / JOURNAL)
    for name in (*_STALE, MIRROR):
        ready.with_name(name).unlink(missing_ok=True)
    sync_folder(ready.parent)
    (ready / JOURNAL).replace(journal)
    sync_folder(ready.parent)
    sync_folder(ready)


def _drop(ready: Path) -> None:
    """Delete `restore-ready`, its journal first: the folder restores nothing without a journal."""
    (ready / JOURNAL).unlink(missing_ok=True)
    sync_folder(ready)
    shutil.rmtree(ready)
    sync_folder(ready.parent)


def _sync(file: Path) -> None:
    opened = os.open(file, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
