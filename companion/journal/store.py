"""The tables of a journal file: games, and the commands that were accepted. Rows are only added.

Each row of `log` names the row it builds on (`parent`) and the row that stands after it (`head`):
itself, or for an undo the parent of what it took back. So the past is a chain of parents, and an
undo is a row like any other. Each game carries its board's file and its house rules.

Each row carries a checksum of its other values: one wrong bit is repaired, any other row that does
not agree is never returned. The checksum columns may be empty, as an earlier program leaves them.

A journal of version 1 is continued as one of version 2, whose commands that program cannot read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Sequence
from hashlib import blake2b
from typing import Final, TypeVar

import msgspec

from companion.errors import BadInputError
from companion.journal.repair import repaired

FILE: Final = "journal.sqlite"
VERSION: Final = 2
_READABLE: Final = (0, 1, VERSION)
"""Versions that are read; 0 is that of a new file, and of tables that SQLite's shell has loaded."""
VERSION_REMEDY: Final = "start the version of cribwars that wrote it, or set --data to a new folder"
CHECKSUM_BYTES: Final = 8

_TABLES: Final = """
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
_CHECKSUM_COLUMNS: Final = """
ALTER TABLE game ADD COLUMN board_checksum BLOB;
ALTER TABLE game ADD COLUMN checksum BLOB;
ALTER TABLE log ADD COLUMN checksum BLOB;
UPDATE game SET board_checksum = checksum_of(board_file);
UPDATE game SET checksum = checksum_of(id, t, begun_by, CAST(setup AS BLOB), board_checksum);
UPDATE log SET checksum =
    checksum_of(seq, parent, head, game, t, CAST(command AS BLOB), CAST(events AS BLOB));
"""
_COLUMNS: Final = {
    "game": {"id", "t", "begun_by", "board_file", "setup"},
    "log": {"seq", "parent", "head", "game", "t", "command", "events"},
}
_ANY_GAME: Final = 1 << 62
_MOST_REPAIRS: Final = 100
"""Rows whose repair is tried, at some 10 ms each; more of them are not damage by chance."""
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


class GameRow(msgspec.Struct, frozen=True, array_like=True):
    """A game: `setup` is JSON, `begun_by` the number of the command that began it, or 0.

    `board_checksum` is that of its board file, None in the row of an earlier program.
    """

    number: int
    t: float
    begun_by: int
    setup: bytes
    board_checksum: bytes | None


class LogRow(msgspec.Struct, frozen=True, array_like=True):
    """An accepted command: `command` and `events` are JSON, `t` seconds since the epoch."""

    seq: int
    parent: int
    head: int
    game: int
    t: float
    command: bytes
    events: bytes


_Row = TypeVar("_Row", GameRow, LogRow)


def checksum_of(*values: object) -> bytes:
    """Return the checksum of a row's values, in the order of its columns."""
    return blake2b(msgspec.msgpack.encode(values), digest_size=CHECKSUM_BYTES).digest()


def is_sound(row: GameRow | LogRow) -> bool:
    """Return whether the numbers of a row lead back, so that every chain of rows has an end."""
    if isinstance(row, GameRow):
        return row.number > 0 <= row.begun_by
    return 0 <= row.parent < row.seq >= row.head >= 0 < row.game


def check_version(database: sqlite3.Connection) -> int:
    """Return the version of a journal, which this program reads.

    Raises:
        VersionError: it is another one.
    """
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version not in _READABLE:
        raise VersionError(f"its version is {version}, this program reads 1 to {VERSION}")
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
    changes = "" if _has_tables(database) else _TABLES
    if "checksum" not in _columns(database, "log"):
        database.create_function("checksum_of", -1, checksum_of, deterministic=True)
        changes += _CHECKSUM_COLUMNS
    if changes or version != VERSION:
        try:
            database.executescript(f"BEGIN; {changes} PRAGMA user_version = {VERSION}; COMMIT;")
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
    """Return whether a journal's tables are there, with further columns or without.

    Raises:
        BadInputError: some of it is missing, or the tables are those of something else.
    """
    (there,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    for table, columns in _COLUMNS.items():
        if there and not columns <= _columns(database, table):
            raise BadInputError("its tables are not those of a journal")
    return bool(there)


class Store:
    """The rows of an open journal file. Errors of SQLite come out as they are."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._db, self._repairs_left = database, _MOST_REPAIRS
        # Text that is not UTF-8 is then a row that cannot be read, not an error without a code.
        database.text_factory = bytes
        has = "checksum" in _columns(database, "log")
        board, checksum = ("board_checksum", "checksum") if has else ("NULL", "NULL")
        self._games = f"SELECT id, t, begun_by, setup, {board}, {checksum} FROM game"  # noqa: S608  # names of this file
        self._log = f"SELECT seq, parent, head, game, t, command, events, {checksum} FROM log"  # noqa: S608  # the same

    # Reading

    @property
    def last_seq(self) -> int:
        """The highest number of a command, 0 without any."""
        return int(self._db.execute("SELECT coalesce(max(seq), 0) FROM log").fetchone()[0])

    @property
    def last_game(self) -> int:
        """The highest number of a game, 0 without any."""
        return int(self._db.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()[0])

    def games(self) -> dict[int, GameRow]:
        """Return every game that can be read, by its number, oldest first."""
        found = (self._verified(values, GameRow) for values in self._db.execute(self._games))
        return {row.number: row for row in found if row}

    def log_row(self, seq: int) -> LogRow | None:
        """Return a command, or None if it is missing or cannot be read."""
        values = self._db.execute(f"{self._log} WHERE seq = ?", (seq,)).fetchone()
        return values and self._verified(values, LogRow)

    def log_rows(
        self, *, at_most: int, after: int = 0, below_game: int | None = None
    ) -> Generator[LogRow]:
        """Yield the commands that can be read with after < number <= at_most, newest first.

        With `below_game` only those of games with a lower number.
        """
        where = "WHERE seq <= ? AND seq > ? AND game < ? ORDER BY seq DESC"
        bounds = at_most, after, _ANY_GAME if below_game is None else below_game
        found = self._db.execute(f"{self._log} {where}", bounds)
        try:
            for values in found:
                if row := self._verified(values, LogRow):
                    yield row
        finally:
            found.close()

    def rows_after(self, seq: int) -> int:
        """Return how many commands follow one, whether they can be read or not."""
        found = self._db.execute("SELECT count(*) FROM log WHERE seq > ?", (seq,))
        return int(found.fetchone()[0])

    def board_file(self, game: GameRow) -> bytes | None:
        """Return the board file of a game, or None if no game has it undamaged."""
        query = "SELECT board_file FROM game WHERE id = ?"
        values: tuple[bytes, ...] | None = self._db.execute(query, (game.number,)).fetchone()
        if values and game.board_checksum in (None, checksum_of(*values)):
            return values[0]
        query = "SELECT board_file FROM game WHERE board_checksum = ?"
        copies = self._db.execute(query, (game.board_checksum,))
        return next((copy for (copy,) in copies if checksum_of(copy) == game.board_checksum), None)

    # Writing

    def add_game(self, game: GameRow, board_file: bytes) -> None:
        """Insert a game with the file of its board."""
        self._db.execute(
            "INSERT INTO game (id, t, begun_by, setup, board_checksum, checksum, board_file)"
            " VALUES (?, ?, ?, CAST(? AS TEXT), ?, ?, ?)",
            (*msgspec.structs.astuple(game), _own_checksum(game), board_file),
        )

    def add_log_row(self, row: LogRow) -> None:
        """Insert a command."""
        self._db.execute(
            "INSERT INTO log (seq, parent, head, game, t, command, events, checksum)"
            " VALUES (?, ?, ?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?)",
            (*msgspec.structs.astuple(row), _own_checksum(row)),
        )

    def _verified(self, values: Sequence[object], kind: type[_Row]) -> _Row | None:
        """Return the row of these values and their checksum, or None if they do not agree."""
        *content, checksum = values
        row = _row(content, kind)
        if checksum is None or (row and checksum == _own_checksum(row)):
            return row
        if not isinstance(checksum, bytes) or not self._repairs_left:
            return None
        self._repairs_left -= 1
        found = repaired(content, checksum, checksum_of)
        return _row(found, kind) if found else None


def _own_checksum(row: GameRow | LogRow) -> bytes:
    return checksum_of(*msgspec.structs.astuple(row))


def _row(content: Sequence[object], kind: type[_Row]) -> _Row | None:
    try:
        row = msgspec.convert(content, type=kind)
    except msgspec.ValidationError:
        return None
    return row if is_sound(row) else None
