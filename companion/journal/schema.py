"""The schema of a journal file: its version and tables, and the checks of what a file holds."""

import sqlite3
from typing import Final

from companion.errors import BadInputError, Text

VERSION: Final = 2
_READABLE: Final = (0, VERSION)
"""Versions that are read; 0 is that of a new file, and of tables that SQLite's shell has loaded."""
VERSION_REMEDY: Final = Text(
    "start the version of cribwars that wrote it, or set --data to a new folder"
)

_TABLES: Final = """
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    t REAL NOT NULL,
    begun_by INTEGER NOT NULL,
    board_file BLOB NOT NULL,
    setup TEXT NOT NULL,
    board_checksum BLOB,
    checksum BLOB
) STRICT;
CREATE TABLE log (
    seq INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL,
    head INTEGER NOT NULL,
    game INTEGER NOT NULL REFERENCES game (id),
    t REAL NOT NULL,
    command TEXT NOT NULL,
    events TEXT NOT NULL,
    checksum BLOB
) STRICT;
"""
_COLUMNS: Final = {
    "game": {"id", "t", "begun_by", "board_file", "setup", "board_checksum", "checksum"},
    "log": {"seq", "parent", "head", "game", "t", "command", "events", "checksum"},
}
CACHE_SIZE: Final = "cache_size = -256"
"""Kilobytes of pages in memory, of each connection."""
_PRAGMAS: Final = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "wal_autocheckpoint = 200",
    "journal_size_limit = 1048576",
    "foreign_keys = ON",
    CACHE_SIZE,
)


class VersionError(BadInputError):
    """A journal of another version than this program reads; the file itself is sound."""


def check_version(database: sqlite3.Connection) -> int:
    """Return the version of a journal, which this program reads.

    Raises:
        VersionError: it is another one.
    """
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version not in _READABLE:
        text = "its version is {version}, this program reads {known}"
        raise VersionError(text, version=version, known=VERSION)
    return int(version)


def check_content(database: sqlite3.Connection) -> None:
    """Check pages, tables and that SQLite runs nothing by itself, of a file from elsewhere.

    Raises:
        BadInputError: the file is damaged, or holds something other than a journal.
    """
    database.execute("PRAGMA trusted_schema = OFF")
    _check_pages(database)
    found = set(database.execute("SELECT type, name FROM sqlite_schema"))
    if found != {("table", name) for name in _COLUMNS} or not _has_tables(database):
        raise BadInputError("its tables are not those of a journal")


def prepare(database: sqlite3.Connection) -> None:
    """Set a file to last through a power cut, and make, complete or check its tables.

    Raises:
        VersionError: another version of this program wrote it; nothing was written.
        BadInputError: its content is damaged, or not a journal's.
    """
    version = check_version(database)
    for pragma in _PRAGMAS:
        database.execute(f"PRAGMA {pragma}")
    _check_pages(database)
    # A damaged header may forbid writing: that is found out now, not with the first count.
    database.executescript(f"BEGIN; PRAGMA user_version = {version}; ROLLBACK;")
    tables = "" if _has_tables(database) else _TABLES
    if tables or version != VERSION:
        try:
            database.executescript(f"BEGIN; {tables} PRAGMA user_version = {VERSION}; COMMIT;")
        except BaseException:
            database.rollback()
            raise


def _check_pages(database: sqlite3.Connection) -> None:
    if database.execute("PRAGMA quick_check(1)").fetchone()[0] not in ("ok", b"ok"):
        raise BadInputError("its pages are damaged")


def _columns(database: sqlite3.Connection, table: str) -> set[str]:
    found = database.execute("SELECT CAST(name AS BLOB) FROM pragma_table_info(?)", (table,))
    return {name.decode(errors="replace") for (name,) in found}


def _has_tables(database: sqlite3.Connection) -> bool:
    """Return True if a journal's tables are there, with further columns or without.

    Raises:
        BadInputError: some of it is missing, or the tables are those of something else.
    """
    (there,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    for table, needed in _COLUMNS.items():
        if there and not needed <= _columns(database, table):
            raise BadInputError("its tables are not those of a journal")
    return bool(there)
