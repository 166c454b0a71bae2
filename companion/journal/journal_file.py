"""The journal file and its folder: the folder's lock, the file's version, tables and checks.

Some errors are temporary, others mean damaged content. If the disk fails to read, memory is
missing, or another program uses the file, SQLite reports IOERR, NOMEM or BUSY; then cribwars tries
again. CORRUPT, NOTADB, or a row with a wrong checksum means damage, which the next start mends.
"""

import errno
import fcntl
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.errors import BadInputError, JournalError, Text
from companion.files import disk_errors

UNWRITABLE: Final = (
    "nothing can be written in {folder} ({reason}): check that its disk is sound and has room, "
    "and that it belongs to the user of the table. On an installed board restart the Pi for "
    "that; elsewhere run sudo chown -R <user> {folder}, or name another folder with --data"
)
"""Template of the error for a data folder in which nothing can be written."""

FileIdentity = tuple[int, int]
"""Device and inode of a file; another file at the same path has other numbers."""

VERSION: Final = 2
_READABLE: Final = (0, VERSION)
"""Versions that this program reads; a new file has version 0."""
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
"""The columns of each table in a backup, key first; `log` is last because it refers to `game`."""
CACHE_SIZE: Final = "cache_size = -256"
"""The memory for pages of each connection; SQLite reads -256 as 256 kilobytes."""
_OTHER_TABLES: Final = "its tables are not those of a journal"
_PRAGMAS: Final = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "wal_autocheckpoint = 200",
    "journal_size_limit = 1048576",
    "foreign_keys = ON",
    CACHE_SIZE,
)


def identity(file: Path) -> FileIdentity | None:
    """Return the identity of the file that is at a path now, or None."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class FolderInUseError(JournalError):
    """Another running `cribwars` has locked the data folder."""


class FolderLock:
    """The lock of a data folder, which only one program may hold; the kernel frees it at exit.

    Raises:
        JournalError: another program has the folder, or nothing can be written there.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lock"
        with disk_errors(JournalError, UNWRITABLE, folder=folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("w")
        text = "{folder} cannot be locked ({reason}): set --data to another folder"
        try:
            with disk_errors(JournalError, text, folder=folder):
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except JournalError as error:
            self._file.close()
            if isinstance(error.__context__, BlockingIOError):
                text = "another table runs in {folder}: stop it, or set --data to another folder"
                raise FolderInUseError(text, folder=folder) from None
            raise

    @property
    def is_in_place(self) -> bool:
        held = os.fstat(self._file.fileno())
        return identity(self._path) == (held.st_dev, held.st_ino)

    def close(self) -> None:
        self._file.close()


class VersionError(BadInputError):
    """A journal has a version that this program does not read; the file itself is sound."""


def check_version(database: sqlite3.Connection) -> int:
    """Return the version of a journal.

    Raises:
        VersionError: this program does not read the version, and the file is sound.
        BadInputError, sqlite3.Error: the content is damaged, so that the version may be wrong.
    """
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version not in _READABLE:
        _check_pages(database)
        text = "its version is {version}, this program reads {known}"
        raise VersionError(text, version=version, known=VERSION)
    return int(version)


def check_content(database: sqlite3.Connection) -> None:
    """Check the tables and SQLite's pages of a file from a backup; refuse triggers and views.

    Raises:
        BadInputError: the file is damaged, or it is no journal.
    """
    database.execute("PRAGMA trusted_schema = OFF")
    _check_pages(database)
    found = set(database.execute("SELECT type, name FROM sqlite_schema"))
    if found != {("table", name) for name in COLUMNS}:
        raise BadInputError(_OTHER_TABLES)
    _check_tables(database)


def prepare(database: sqlite3.Connection) -> None:
    """Make a file safe against power cuts, and make, complete or check its tables.

    Raises:
        VersionError: another version of this program wrote the file; it stays unchanged.
        BadInputError: the content is damaged, or the file is no journal.
    """
    version = check_version(database)
    for pragma in _PRAGMAS:
        database.execute(f"PRAGMA {pragma}")
    _check_pages(database)
    # A damaged header may forbid writing. This statement then fails, before a game begins.
    database.executescript(f"BEGIN; PRAGMA user_version = {version}; ROLLBACK;")
    is_new = count(database, "sqlite_schema") == 0
    if not is_new:
        _check_tables(database)
    if version != VERSION or not count(database, "sqlite_schema WHERE name = 'cards'"):
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
    """Check that the journal's tables have all columns; further columns are allowed."""
    for table, columns in COLUMNS.items():
        known = ", ".join(f"'{column}'" for column in columns)
        if count(database, f"pragma_table_info('{table}') WHERE name IN ({known})") < len(columns):
            raise BadInputError(_OTHER_TABLES)


def count(database: sqlite3.Connection, rows: str) -> int:
    """Return the number of rows; `rows` is the part of a query after FROM, such as a table."""
    return int(database.execute(f"SELECT count(*) FROM {rows}").fetchone()[0])  # noqa: S608  # only our own constants


_DAMAGE: Final = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_ERROR,  # the tables do not fit our statement
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_TOOBIG,
    }
)
SQLITE_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""Errors of a statement. Python raises `UnicodeDecodeError` if SQLite quotes a damaged name."""

_PRIMARY: Final = 0xFF
_PIECE: Final = 1 << 16
_MAGIC: Final = b"SQLite format 3\0"
_HEADER_BYTES: Final = 100
_NEWEST_FORMAT: Final = 2
"""Highest format number that SQLite writes; a higher one in a header is damage."""


def rows_in_header(file: Path) -> int | None:
    """Return the number of commands that a file's header states; None if the header is damaged.

    The field is "Application ID" in https://sqlite.org/fileformat2.html#the_database_header.

    Raises:
        OSError: the file cannot be read.
    """
    with file.open("rb", buffering=0) as content:
        header = content.read(_HEADER_BYTES)
    if not header.startswith(_MAGIC) or max(header[18:20], default=99) > _NEWEST_FORMAT:
        return None
    return int.from_bytes(header[68:72], "big")


def is_damage(error: Exception) -> bool:
    """Return True if an error means damaged content, as far as the error alone shows."""
    if isinstance(error, sqlite3.Error):
        code: int | None = getattr(error, "sqlite_errorcode", None)  # None if Python raised it
        return code is not None and code & _PRIMARY in _DAMAGE
    return not isinstance(error, (OSError, MemoryError, VersionError))


def read_through(journal: Path) -> None:
    """Read every byte of a journal, with the system call that SQLite uses.

    SQLite reports an unreadable page as damaged, so damage is proven only if every byte can be
    read. First close this process's connections to the file: they would lose their locks.

    Raises:
        OSError: a part of the file cannot be read now.
    """
    for path in (journal, journal.with_name(f"{journal.name}-wal")):
        with suppress(FileNotFoundError), path.open("rb", buffering=0) as file:
            position = 0
            while piece := os.pread(file.fileno(), _PIECE, position):
                position += len(piece)
            if position < os.fstat(file.fileno()).st_size:
                raise OSError(errno.EIO, "it ends before its size", str(path))
