"""Whether what a backup holds is sound: all of it is read as the program will read it later."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from companion.board import parse_board
from companion.errors import BadInputError, BoardFileError, CompanionError, SettingsError
from companion.journal.backup.archive import SETTINGS, Manifest
from companion.journal.records import Records
from companion.journal.store import Archive
from companion.journal.writer import FILE as JOURNAL
from companion.settings.load import load_settings


def prove(manifest: Manifest, folder: Path) -> None:
    """Prove every file of an unpacked backup sound.

    Raises:
        BadInputError: with the first thing that is not, on one line.
    """
    _prove_journal(folder)
    for name in manifest.files:
        if name == SETTINGS:
            _prove_settings(folder / name)
        elif name != JOURNAL:
            _prove_board(folder / name)


def _prove_journal(folder: Path) -> None:
    """The file is sound, its tables are the journal's own, and every game that stands folds."""
    try:
        _prove_tables(folder / JOURNAL)
        with Records(folder) as records:
            records.games()
    except (CompanionError, sqlite3.Error) as error:
        why = str(error.__cause__ or error).partition("\n")[0]
        raise BadInputError(f"its journal cannot be read: {why}") from error
    except Exception as error:  # whatever is wrong with its rows, they are not ours
        raise BadInputError("its journal cannot be read: its rows are damaged") from error


def _prove_tables(file: Path) -> None:
    """Pages and tables are sound, and there is nothing that SQLite would run by itself."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA trusted_schema = OFF")
        found = _schema(database)
        if found != _own_schema():
            raise BadInputError("its tables are not those of a journal")
        if database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise BadInputError("its pages are damaged")


def _own_schema() -> set[tuple[str, ...]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        Archive(database, now=float, commit=sqlite3.Connection.commit)
        return _schema(database)


def _schema(database: sqlite3.Connection) -> set[tuple[str, ...]]:
    return set(database.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema"))


def _prove_settings(file: Path) -> None:
    try:
        load_settings(file, {})
    except SettingsError as error:
        # The file lies elsewhere while it is looked at.
        first = replace(error.faults[0], file="")
        raise BadInputError(f"its settings: {first}") from error


def _prove_board(file: Path) -> None:
    try:
        parse_board(file.read_bytes(), file=file.name)
    except BoardFileError as error:
        raise BadInputError(f"its boards: {error.faults[0]}") from error
