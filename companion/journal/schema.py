"""The tables of a journal file, the version that they carry, and the settings that make them last.

Nothing is written to a file before its version is known to be ours.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from companion.errors import BadInputError

VERSION: Final = 1
VERSION_REMEDY: Final = "start the version of cribwars that wrote it, or set --data to a new folder"
_UNMARKED: Final = 0
"""The version of a new file, and of tables that SQLite's shell has dumped and loaded again."""
_COLUMNS: Final = {
    "game": {"id", "t", "begun_by", "board_file", "setup"},
    "log": {"seq", "parent", "head", "game", "t", "command", "events"},
}
_SCHEMA: Final = """
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    t REAL NOT NULL,
    begun_by INTEGER NOT NULL,
    board_file BLOB NOT NULL,
    setup TEXT NOT NULL
) STRICT;
CREATE TABLE log (
    seq INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL,
    head INTEGER NOT NULL,
    game INTEGER NOT NULL REFERENCES game (id),
    t REAL NOT NULL,
    command TEXT NOT NULL,
    events TEXT NOT NULL
) STRICT;
"""
_PRAGMAS: Final = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "wal_autocheckpoint = 200",
    "journal_size_limit = 1048576",
    "foreign_keys = ON",
)


class VersionError(BadInputError):
    """A journal of another version than this program reads; the file itself is sound."""


def check_version(database: sqlite3.Connection) -> int:
    """Return the version of a journal: ours, or 0 where none is marked.

    Raises:
        VersionError: it is another one.
    """
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version not in (_UNMARKED, VERSION):
        raise VersionError(f"its version is {version}, this program reads {VERSION}")
    return int(version)


def prepare(database: sqlite3.Connection) -> None:
    """Set a file to last through a power cut, and make or check its tables.

    Raises:
        VersionError: another version of this program wrote it; nothing was written.
        BadInputError: its content is damaged, or not a journal's.
    """
    version = check_version(database)
    for pragma in _PRAGMAS:
        database.execute(f"PRAGMA {pragma}")
    if database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise BadInputError("its pages are damaged")
    # A damaged header may forbid writing: that is found out now, not with the first count.
    database.executescript(f"BEGIN; PRAGMA user_version = {version}; ROLLBACK;")
    if version == _UNMARKED:
        tables = "" if _has_tables(database) else _SCHEMA
        database.executescript(f"BEGIN; {tables} PRAGMA user_version = {VERSION}; COMMIT;")
    else:
        _has_tables(database)


def _has_tables(database: sqlite3.Connection) -> bool:
    """Return whether a journal's tables are there, with further columns or without.

    Raises:
        BadInputError: some of it is missing, or the tables are those of something else.
    """
    there = {name for (name,) in database.execute("SELECT name FROM sqlite_schema")}
    for table, columns in _COLUMNS.items():
        found = database.execute("SELECT name FROM pragma_table_info(?)", (table,))
        if there and not columns <= {name for (name,) in found}:
            raise BadInputError("its tables are not those of a journal")
    return bool(there)
