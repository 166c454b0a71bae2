"""A backup that is unpacked and checked in a temporary folder, before anything is restored."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from companion.backups.backup_file import BOARD, PHONES, SETTINGS, Manifest, unpack
from companion.board import parse_board
from companion.errors import (
    BadInputError,
    BoardFileError,
    CompanionError,
    JournalError,
    SettingsError,
    Text,
    first_line,
)
from companion.files import disk_errors
from companion.journal.journal_file import UNWRITABLE, check_content, check_version
from companion.journal.store import FILE as JOURNAL
from companion.records.records import Records
from companion.settings.load import load_settings


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
    try:
        load_settings(folder / SETTINGS, {}, required=False)
        with suppress(FileNotFoundError):
            msgspec.json.decode((folder / PHONES).read_bytes(), type=dict[str, object])
        if (board := folder / BOARD).exists():
            parse_board(board.read_bytes(), file=BOARD)
    except SettingsError as error:
        # The fault names a file in the temporary folder, which no user knows.
        first = replace(error.faults[0], file="")
        raise BadInputError("its settings: {first}", first=first) from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInputError("its phones cannot be read: {error}", error=error) from error
    except BoardFileError as error:
        raise BadInputError("its boards: {faults}", faults=error.faults[0]) from error
