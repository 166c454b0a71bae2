"""The mirror: a second file beside the journal, with the same rows.

The journal's thread commits a row to the journal, acknowledges it, and then adds it to the mirror,
synced as well: a sector that goes bad costs one of the two copies of a row at most. The mirror is
open on one connection to which the journal is attached, so that SQLite itself copies and compares.

At a start all rows of both files are compared in one query, column by column, which takes a third
of a second for a million rows. Where they are the same, no checksum needs to be computed: the same
damage does not come to two files. Where one file only ends earlier, it is completed: the mirror
after a kill between both commits, the journal where an older copy was put in its place. Anything
else is for `mending`.

Example: the journal has rows 1 to 9, the mirror 1 to 8. All 8 are the same, the mirror is short,
and row 9 is copied. If row 3 of the journal had a wrong bit, 7 would be the same of 9 and 8.
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from companion.errors import CompanionError, Text, first_line
from companion.journal.damage import SQLITE_ERRORS
from companion.journal.dealt_cards import TABLE as CARDS_TABLE
from companion.journal.dealt_cards import copy_cards
from companion.journal.folder import FileIdentity, identity
from companion.journal.schema import prepare

MIRROR: Final = "journal-mirror.sqlite"
_COLUMNS: Final = {
    "game": ("id", "t", "begun_by", "board_file", "setup", "board_checksum", "checksum"),
    "log": ("seq", "parent", "head", "game", "t", "command", "events", "checksum"),
}
"""The columns of each table, its key first; a game is written before its commands."""


class Mirror:
    """The mirror of the journal at a path, for the journal's thread.

    Attributes:
        path: of the mirror.
        error: why it cannot be written now, None while it can.
    """

    def __init__(self, journal: Path, connect: Callable[[Path], sqlite3.Connection]) -> None:
        self._journal, self._connect = journal, connect
        self.path = journal.with_name(MIRROR)
        self.error: str | None = None
        self._db: sqlite3.Connection | None = None
        self._identity: FileIdentity | None = None

    def close(self) -> None:
        database, self._db = self._db, None
        if database:
            with suppress(sqlite3.Error):
                database.close()

    def follow(self) -> None:
        """Add what the journal has and the mirror lacks; `error` tells if that fails."""
        try:
            database = self._opened()
            _complete(database, "main", "journal")
            _copy_cards(database)
            self.error = None
        except (CompanionError, OSError, *SQLITE_ERRORS) as error:
            self.close()
            text = "{path} cannot be written ({why}): see that the disk has room"
            self.error = Text(text, path=self.path, why=first_line(error))

    def complete(self) -> int | None:
        """Complete the file that ends earlier than the other.

        Returns:
            The number of commands that the journal got; None if the files differ otherwise, or all
            rows are in one file alone, where nothing tells that they are whole.
        """
        database = self._opened()
        return self.refill() if all(_is_completable(database, each) for each in _COLUMNS) else None

    def differs_in_version(self) -> bool:
        """Return True if both files are there and differ in their versions alone."""
        if not (self.path.exists() and self._journal.exists()):
            return False
        with suppress(*SQLITE_ERRORS), closing(self._connect(self.path)) as database:
            database.execute("ATTACH ? AS journal", (os.fsencode(self._journal),))
            pragmas = (f"PRAGMA {schema}.user_version" for schema in ("main", "journal"))
            mine, theirs = (database.execute(each).fetchone() for each in pragmas)
            if mine != theirs:
                return all(_is_completable(database, each, same_end=True) for each in _COLUMNS)
        return False

    def refill(self) -> int:
        """Give each file what follows its last row in the other; see `complete`."""
        database = self._opened()
        _complete(database, "main", "journal")
        return _complete(database, "journal", "main")

    def give_cards(self, journal: sqlite3.Connection) -> None:
        """Put the dealt cards of the mirror into the journal."""
        copy_cards(self._opened(), journal)

    def remember(self) -> None:
        """Write the number of commands into both files, as the one that a later start expects.

        A file in which that fails keeps the lower number from before.
        """
        if self._db is None:
            return
        with suppress(sqlite3.Error):
            rows = _count(self._db, "journal", "log")
            for schema in ("journal", "main"):
                if expected_rows(self._db, schema) != rows:
                    self._db.execute(f"PRAGMA {schema}.application_id = {rows}")

    def adopt(self, database: sqlite3.Connection) -> None:
        """Go on with a connection to the mirror, which is prepared."""
        database.execute("PRAGMA foreign_keys = OFF")  # the game of a command may be lost
        database.execute("ATTACH ? AS journal", (os.fsencode(self._journal),))
        self._db, self._identity = database, identity(self.path)

    def _opened(self) -> sqlite3.Connection:
        if self._db and identity(self.path) != self._identity:
            self.close()
        if self._db is None:
            database = self._connect(self.path)
            try:
                prepare(database)
                self.adopt(database)
            except BaseException:
                database.close()
                raise
            return database
        return self._db


def expected_rows(database: sqlite3.Connection, schema: str = "main") -> int:
    """Return the number of commands that a file had when it was closed, 0 if it is not known."""
    return int(database.execute(f"PRAGMA {schema}.application_id").fetchone()[0])


def _count(database: sqlite3.Connection, schema: str, table: str, where: str = "TRUE") -> int:
    query = f"SELECT count(*) FROM {schema}.{table} WHERE {where}"  # noqa: S608  # names of this file
    return int(database.execute(query).fetchone()[0])


def _is_completable(database: sqlite3.Connection, table: str, *, same_end: bool = False) -> bool:
    """Return True if a table of one file is the beginning of that of the other, or the same."""
    key, *_ = columns = _COLUMNS[table]
    same = " AND ".join(f"one.{column} IS other.{column}" for column in columns)
    joined = f"main.{table} one CROSS JOIN journal.{table} other USING ({key})"
    both = int(database.execute(f"SELECT count(*) FROM {joined} WHERE {same}").fetchone()[0])  # noqa: S608  # the same
    counts = {schema: _count(database, schema, table) for schema in ("main", "journal")}
    if set(counts.values()) == {both}:
        return True
    if not both or same_end:
        return False
    shorter, longer = sorted(counts, key=counts.__getitem__)
    last = f"{key} <= (SELECT max({key}) FROM {shorter}.{table})"  # noqa: S608  # the same
    return both == counts[shorter] == _count(database, longer, table, last)


def _complete(database: sqlite3.Connection, target: str, source: str) -> int:
    """Add to one file the rows after its last; return how many commands these were."""
    missing = {
        table: f"FROM {source}.{table} WHERE {columns[0]} >"  # noqa: S608  # the same
        f" (SELECT coalesce(max({columns[0]}), 0) FROM {target}.{table})"
        for table, columns in _COLUMNS.items()
    }
    first = (database.execute(f"SELECT 1 {each} LIMIT 1").fetchone() for each in missing.values())
    if not any(first):
        return 0
    database.execute("BEGIN IMMEDIATE")
    try:
        for table, where in missing.items():
            names = ", ".join(_COLUMNS[table])
            insert = f"INSERT INTO {target}.{table} ({names})"
            added = database.execute(f"{insert} SELECT {names} {where}")
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.rollback()
        raise
    return added.rowcount


def _copy_cards(database: sqlite3.Connection) -> None:
    """Make the dealt cards in the mirror those of the journal."""
    found = []
    for schema in ("main", "journal"):
        there = f"SELECT 1 FROM {schema}.sqlite_schema WHERE name = 'cards'"  # noqa: S608  # the same
        has = database.execute(there).fetchone()
        query = f"SELECT * FROM {schema}.cards"  # noqa: S608  # the same
        found.append(database.execute(query).fetchall() if has else [])
    if found[0] != found[1]:
        copy = "INSERT INTO main.cards SELECT * FROM journal.cards;" if found[1] else ""
        database.executescript(f"BEGIN; {CARDS_TABLE}; DELETE FROM main.cards; {copy} COMMIT;")  # noqa: S608  # the same
