"""The schema of a journal file: its version and tables, and the checks of what a file holds.

Damage is told from errors that pass. A disk that fails to read, memory that runs out and a file
that another program holds say nothing about the content. Only what SQLite or this program has read,
and found wrong, is damage.
"""

import errno
import os
import sqlite3
import struct
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
_HEADER: Final = struct.Struct(">28x L 12x L 4x L L 4x L L 20s 4x L")
_MAGIC: Final = b"SQLite format 3\0"
_SCHEMA_FORMAT, _UTF_8, _SQLITE = 4, 1, 3
_WRITE_VERSION: Final = 18
"""The byte of SQLite's header that says which programs may write the file."""
_NEWEST_WRITE_VERSION: Final = 2


def rows_in_header(file: Path) -> int | None:
    """Return the number of commands in the header of a journal's file; None if that is damaged.

    SQLite believes a header in which version or encoding was overwritten. The fields that are
    always the same show it: https://sqlite.org/fileformat2.html#the_database_header. An empty
    database has neither format nor encoding yet.

    Raises:
        OSError: it cannot be read.
    """
    with file.open("rb", buffering=0) as content:
        header = content.read(_HEADER.size)
    if not header.startswith(_MAGIC) or len(header) < _HEADER.size:
        return None
    pages, schema_format, root, encoding, vacuums, rows, rest, program = _HEADER.unpack(header)
    is_empty = (pages, schema_format, encoding) == (1, 0, 0)
    if not is_empty and (schema_format, encoding) != (_SCHEMA_FORMAT, _UTF_8):
        return None
    if root or vacuums or any(rest) or program // 1_000_000 != _SQLITE:
        return None
    return int(rows)


def is_damage(error: Exception) -> bool:
    """Return True if an error is due to wrong content, as far as the error alone can tell."""
    if isinstance(error, sqlite3.Error):
        return _code(error) in _DAMAGE
    return not isinstance(error, (OSError, MemoryError, VersionError))


def is_proven(error: Exception, journal: Path) -> bool:
    """Return True if an error that a journal's content was read with is damage indeed.

    SQLite's check of the pages calls a page damaged that could not be read: it is proven only
    where every byte can be. No connection of this process may be open, it would lose its locks.

    Raises:
        OSError: some of it cannot be read just now.
    """
    if isinstance(error, sqlite3.Error) and _code(error) == sqlite3.SQLITE_READONLY:
        return _header_forbids_writing(journal)
    if not is_damage(error):
        return False
    for file in (journal, journal.with_name(f"{journal.name}-wal")):
        with suppress(FileNotFoundError):
            _read_through(file)
    return True


def _code(error: sqlite3.Error) -> int | None:
    """Return SQLite's primary code; None for an error of Python's own."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & _PRIMARY


def _header_forbids_writing(journal: Path) -> bool:
    with journal.open("rb", buffering=0) as file:
        header = file.read(_WRITE_VERSION + 1)
    return header[_WRITE_VERSION:] > bytes([_NEWEST_WRITE_VERSION])


def _read_through(path: Path) -> None:
    """Read every byte, by the call that SQLite reads with."""
    with path.open("rb", buffering=0) as file:
        position = 0
        while piece := os.pread(file.fileno(), _PIECE, position):
            position += len(piece)
        if position < os.fstat(file.fileno()).st_size:
            raise OSError(errno.EIO, "it ends before its size", str(path))
