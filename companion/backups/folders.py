"""Folders of backups: when a new backup is needed, its name, and which old backups are kept.

The name of a backup has a number and the checksum of the last command in it, such as
`cribwars-000000057-9f86d081884c7d65.zip`. The number is that of the last command. If a backup in
the folder has this number or a higher one, as after the restore of an earlier backup, the new
backup gets the highest number plus 1. A new backup is needed if no backup in the folder ends with
the journal's last command. The clock decides nothing; the date in the manifest is for people.
Old backups are deleted. Of nine backups with the numbers 1993 to 2001, two are superfluous:

    >>> numbered = [Path(f"cribwars-{n:09}-{n:016x}.zip") for n in range(1993, 2002)]
    >>> [each.name[9:18] for each in superfluous(numbered)]
    ['000001993', '000001994']

One folder of backups is in the data folder. On a USB stick the folder has the journal's id as its
name, because several boards may share a stick. `staged` unpacks and checks a backup in a temporary
folder, after it was made and before anything is restored.
"""

import re
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from companion.backups.backup_file import (
    BOARD,
    PHONES,
    Manifest,
    back_up,
    read_manifest,
    unpack,
)
from companion.board import parse_board
from companion.encoding import UNREADABLE
from companion.errors import (
    BadInputError,
    BoardFileError,
    CompanionError,
    JournalError,
    Text,
    first_line,
)
from companion.files import belong_like, disk_errors, sync_folder
from companion.journal.journal_file import UNWRITABLE, check_content, check_version
from companion.journal.reader import JournalReader
from companion.journal.store import FILE as JOURNAL
from companion.journal.store import NO_JOURNAL, Store, checksum_of
from companion.records.records import Records

FOLDER: Final = "backups"
"""Folder of the backups in the data folder."""
STICK_FOLDER: Final = "cribwars-backups"
NEWEST: Final = 7
"""Number of the newest backups that are always kept."""
BLOCKS: Final = 4
"""Number of the newest blocks; the last backup in each of them is kept too."""
BLOCK: Final = 1000
"""Size of a block of backup numbers: 0 to 999, 1000 to 1999, and so on."""
_NAME: Final = re.compile(r"cribwars-[0-9]{9,}-[0-9a-f]{16}\.zip")


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """A backup that can be restored, unpacked into `folder` inside the data folder.

    `faults` has a line for each damaged game in the backup; all other games are whole.
    """

    manifest: Manifest
    data: Path
    folder: Path
    faults: tuple[Text, ...]


@contextmanager
def staged(file: Path, data: Path) -> Iterator[Staged]:
    """Unpack and check a backup; afterwards delete the copy unless `prepare_restore` moved it.

    The program may be running in `data` meanwhile; the files that it uses are not touched.

    Raises:
        BadInputError: the file is no backup or is damaged; the text says what is wrong.
        JournalError: the copy cannot be written in `data`.
    """
    with disk_errors(JournalError, UNWRITABLE, folder=data):
        data.mkdir(parents=True, exist_ok=True)
        beside = tempfile.TemporaryDirectory(dir=data, prefix=".restoring-")
    with beside as parent:
        folder = Path(parent) / "backup"
        folder.mkdir()
        manifest = unpack(file, folder)
        try:
            faults = _check_journal(folder)
            _check_others(folder)
        except BadInputError as error:
            text = "{file} cannot be restored ({error}): nothing was changed, give another backup"
            raise BadInputError(text, file=file, error=error) from error
        yield Staged(manifest=manifest, data=data, folder=folder, faults=faults)


def _check_journal(folder: Path) -> tuple[Text, ...]:
    """Check that the journal can be read; return a line for each damaged game."""
    try:
        with closing(sqlite3.connect(folder / JOURNAL)) as database:
            check_content(database)
            check_version(database)
        with Records(folder) as records:
            games, faults = records.games(), records.faults
    except (CompanionError, sqlite3.Error) as error:
        why = first_line(error.__cause__ or error)
        raise BadInputError("its journal cannot be read: {why}", why=why) from error
    if faults and not games:
        raise BadInputError("its journal cannot be read: {faults}", faults=faults[0])
    return tuple(faults)


def _check_others(folder: Path) -> None:
    """Check phones and board. Settings may have faults: each start ignores what it cannot use."""
    try:
        with suppress(FileNotFoundError):
            msgspec.json.decode((folder / PHONES).read_bytes(), type=dict[str, object])
        if (board := folder / BOARD).exists():
            parse_board(board.read_bytes(), file=BOARD)
    except UNREADABLE as error:
        raise BadInputError("its phones cannot be read: {error}", error=error) from error
    except BoardFileError as error:
        raise BadInputError("its boards: {faults}", faults=error.faults[0]) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptBackup:
    """A backup in a folder."""

    file: Path
    manifest: Manifest


def is_needed(data: Path, folder: Path) -> bool:
    """Return True if the journal has commands, and no backup in a folder ends with the last one.

    Raises:
        JournalError: there is no journal, or it cannot be read.
    """
    return commands_since(data, backups_in([folder]), 1) != 0


def make_backup(data: Path, folder: Path, *, settings: Path | None, now: float) -> Path:
    """Make a backup in a folder, which is made if needed, and delete the superfluous backups there.

    The whole new backup is read back before an older backup is deleted.

    Raises:
        BadInputError: the folder cannot be written, or the backup cannot be read back.
        JournalError: there is no journal, or it cannot be read.
    """
    with disk_errors(
        BadInputError, "{folder} cannot be written ({reason}): make room", folder=folder
    ):
        _last_command(data)  # raises an error before a folder is made if there is no journal
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
    """Return the number of commands since the newest of some backups; None if above `limit`.

    If no backup ends with a command of this journal, all its commands are counted.

    Raises:
        JournalError: there is no journal, or it cannot be read.
    """
    known = {each.file.stem.split("-")[2] for each in backups}
    with closing(JournalReader(data)) as reader, reader.store() as store:
        last = store.last_seq
        for seq in range(last, max(last - limit, 0), -1):
            if _checksum_at(store, seq) in known:
                return last - seq
    return last if last <= limit else None


def superfluous(files: Iterable[Path]) -> list[Path]:
    """Return which backups in a folder to delete, lowest number first; see `NEWEST`, `BLOCKS`."""
    newest = sorted(files, key=_order, reverse=True)
    of_block: dict[int, Path] = {}
    for file in newest:
        of_block.setdefault(_number(file) // BLOCK, file)
    kept = {*newest[:NEWEST], *[*of_block.values()][:BLOCKS]}
    return [file for file in reversed(newest) if file not in kept]


def backups_in(folders: Iterable[Path]) -> list[KeptBackup]:
    """Return the readable backups in some folders, newest first."""
    files = sorted((file for each in folders for file in _files_in(each)), key=_order, reverse=True)
    found = []
    for file in files:
        with suppress(CompanionError):
            found.append(KeptBackup(file=file, manifest=read_manifest(file)))
    return found


def _files_in(folder: Path) -> list[Path]:
    """Return the files of the backups in a folder; links are left out."""
    with suppress(OSError):  # a stick was pulled out, or the folder is another user's
        there = folder.iterdir() if folder.is_dir() else ()
        return [file for file in there if _NAME.fullmatch(file.name) and not file.is_symlink()]
    return []


def _number(file: Path) -> int:
    return int(file.stem.split("-")[1])


def _order(file: Path) -> tuple[int, str]:
    return _number(file), file.name


def _last_command(data: Path) -> tuple[int, str]:
    """Return the number of a journal's last command, and its checksum in hexadecimal."""
    with closing(JournalReader(data)) as reader, reader.store() as store:
        return store.last_seq, _checksum_at(store, store.last_seq)


def _checksum_at(store: Store, seq: int) -> str:
    row = store.log_row(seq)
    return checksum_of(*(msgspec.structs.astuple(row) if row else (seq,))).hex()


def mounted_sticks(sticks: Path | None) -> list[Path]:
    """Return the mount points of the sticks that are plugged in."""
    found = sorted(sticks.iterdir()) if sticks and sticks.is_dir() else []
    return [stick for stick in found if stick.is_mount()]


def backup_folders(data: Path, sticks: Path | None) -> list[Path]:
    """Return a table's folders of backups: in the data folder, and on sticks (except links)."""
    journal = _journal_id(data)
    own = (folder / journal for folder in _on_sticks(sticks))
    return [data / FOLDER, *filter(_is_followed, own)]


def folders_of_others(data: Path, sticks: Path | None) -> list[Path]:
    """Return the folders on mounted sticks that have backups of other tables."""
    own = _journal_id(data)
    return [
        folder
        for on_stick in _on_sticks(sticks)
        for folder in _folders_in(on_stick)
        if folder.name != own
    ]


def _journal_id(data: Path) -> str:
    try:
        with closing(JournalReader(data)) as reader, reader.store() as store:
            return store.id
    except JournalError:
        return NO_JOURNAL


def _on_sticks(sticks: Path | None) -> list[Path]:
    folders = (stick / STICK_FOLDER for stick in mounted_sticks(sticks))
    return [*filter(_is_followed, folders)]


def _folders_in(folder: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(each for each in folder.iterdir() if each.is_dir() and _is_followed(each))
    return []


def _is_followed(folder: Path) -> bool:
    """Return False for a link, and for what cannot be read: a stick was pulled out."""
    with suppress(OSError):
        return not folder.is_symlink()
    return False
