"""The schema of a journal file: its version and tables, and the checks of what a file holds.

An error may pass, or it may be damage, and only damage is mended. A disk that fails to read, memory
that runs out, and a file that another program holds say nothing about the content: SQLite reports
them as IOERR, NOMEM and BUSY, and the table tries again. CORRUPT and NOTADB are damage, and so is a
row whose checksum differs.
"""

import errno
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
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
_CARDS: Final = """
CREATE TABLE IF NOT EXISTS cards (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    game INTEGER NOT NULL,
    content BLOB NOT NULL,
    checksum BLOB NOT NULL
) STRICT;
"""
COLUMNS: Final = {
    "game": ("id", "t", "begun_by", "board_file", "setup", "board_checksum", "checksum"),
    "log": ("seq", "parent", "head", "game", "t", "command", "events", "checksum"),
}
"""The columns of each table that backups have, its key first; a game is before its commands."""
CACHE_SIZE: Final = "cache_size = -256"
"""Kilobytes of pages in memory, of each connection."""
_OTHER_TABLES: Final = "its tables are not those of a journal"
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
    if found != {("table", name) for name in COLUMNS}:
        raise BadInputError(_OTHER_TABLES)
    _check_tables(database)


def prepare(database: sqlite3.Connection) -> None:
    """Set a file to last through a power cut, and make, complete or check its tables.

    Raises:
        VersionError: another version of this program wrote it; nothing was written.
        BadInputError: its content is damaged, or it is no journal.
    """
    version = check_version(database)
    for pragma in _PRAGMAS:
        database.execute(f"PRAGMA {pragma}")
    _check_pages(database)
    # A damaged header may forbid writing: that is found out now, not with the first count.
    database.executescript(f"BEGIN; PRAGMA user_version = {version}; ROLLBACK;")
    is_new = _count(database, "sqlite_schema") == 0
    if not is_new:
        _check_tables(database)
    if version != VERSION or not _count(database, "sqlite_schema WHERE name = 'cards'"):
        tables = _TABLES + _CARDS if is_new else _CARDS
        try:
            database.executescript(f"BEGIN; {tables} PRAGMA user_version = {VERSION}; COMMIT;")
        except BaseException:
            database.rollback()
            raise


def _check_pages(database: sqlite3.Connection) -> None:
    if database.execute("PRAGMA quick_check(1)").fetchone()[0] not in ("ok", b"ok"):
        raise BadInputError("its pages are damaged")


def _check_tables(database: sqlite3.Connection) -> None:
    """Check that a journal's tables are there, with further columns or without."""
    for table, columns in COLUMNS.items():
        known = ", ".join(f"'{column}'" for column in columns)
        if _count(database, f"pragma_table_info('{table}') WHERE name IN ({known})") < len(columns):
            raise BadInputError(_OTHER_TABLES)


def _count(database: sqlite3.Connection, rows: str) -> int:
    return int(database.execute(f"SELECT count(*) FROM {rows}").fetchone()[0])  # noqa: S608  # names of this file


_DAMAGE: Final = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_ERROR,  # a statement of ours does not fit the tables
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_TOOBIG,
    }
)
SQLITE_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""Errors of a statement. Python raises the second where SQLite quotes a damaged name in its own."""

_PRIMARY: Final = 0xFF
_PIECE: Final = 1 << 16
_MAGIC: Final = b"SQLite format 3\0"
_HEADER_BYTES: Final = 100
_NEWEST_FORMAT: Final = 2
"""Of writing and of reading: SQLite calls a file with a higher number read-only."""


def rows_in_header(file: Path) -> int | None:
    """Return the number of commands in the header of a journal's file; None if that is damaged.

    The fields are those of https://sqlite.org/fileformat2.html#the_database_header.

    Raises:
        OSError: it cannot be read.
    """
    with file.open("rb", buffering=0) as content:
        header = content.read(_HEADER_BYTES)
    if not header.startswith(_MAGIC) or max(header[18:20], default=99) > _NEWEST_FORMAT:
        return None
    return int.from_bytes(header[68:72], "big")


def is_damage(error: Exception) -> bool:
    """Return True if an error is due to wrong content, as far as the error alone can tell."""
    if isinstance(error, sqlite3.Error):
        code: int | None = getattr(error, "sqlite_errorcode", None)  # Python's own have none
        return code is not None and code & _PRIMARY in _DAMAGE
    return not isinstance(error, (OSError, MemoryError, VersionError))


def read_through(journal: Path) -> None:
    """Read every byte of a journal, by the call that SQLite reads with.

    SQLite's check of the pages calls a page damaged that could not be read: damage is proven only
    where every byte can be. No connection of this process may be open, it would lose its locks.

    Raises:
        OSError: some of it cannot be read just now.
    """
    for path in (journal, journal.with_name(f"{journal.name}-wal")):
        with suppress(FileNotFoundError), path.open("rb", buffering=0) as file:
            position = 0
            while piece := os.pread(file.fileno(), _PIECE, position):
                position += len(piece)
            if position < os.fstat(file.fileno()).st_size:
                raise OSError(errno.EIO, "it ends before its size", str(path))
