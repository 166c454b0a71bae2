"""The mirror: a second file beside the journal, which repeats all rows of the journal.

The journal's thread commits a row to the journal, acknowledges it, and then adds it to the mirror.
Both files are synced, so a bad sector damages at most one of the two copies of a row. The mirror's
connection has the journal attached to it, so SQLite copies and compares the rows.

Each start compares all rows of both files in one query, column by column, which takes a third of a
second for a million rows. No checksum is computed: two files do not get the same damage, so rows
that are equal in both are undamaged. If one file ends earlier, without other differences, it gets
the missing rows. The mirror ends earlier after a kill between the two commits; the journal ends
earlier if an older copy has replaced it. After any other difference, the files are mended.

Mending reads the rows of both files in the order of their numbers, except for pages that SQLite
cannot read. It puts the rows with a correct checksum into a new file, and syncs the new file. If
the journal lacks rows of the new file, it is set aside, which means renamed to a free name; the
same holds for the mirror. If the mirror was set aside, the new file becomes the mirror. If the
journal was set aside, it is made again from the mirror. After a power cut at any point, the next
start finds every row.

If the files have undamaged but different rows with the same number, they have different histories:
an old version of the program, which made no mirror, restored a backup and went on from it. Then the
journal is kept, and the mirror is set aside.

Example: the journal has rows 1, 2, 3 and 5, and a blank page in the place of row 4. The mirror has
rows 1 to 4, because its end is cut off. Each file lacks a row, so both files are made again.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeVar

from companion.errors import BadInputError, CompanionError, Text, first_line
from companion.files import free_name, sync_folder
from companion.journal.journal_file import (
    CACHE_SIZE,
    COLUMNS,
    SQLITE_ERRORS,
    FileIdentity,
    count,
    identity,
    is_damage,
    prepare,
)
from companion.journal.setup import find_board_file
from companion.journal.store import GameRow, LogRow, Store, load_cards, save_cards

MIRROR: Final = "journal-mirror.sqlite"
_MOST_LOST: Final = 1 << 14
"""How many row numbers after the last readable row are tried before the search for rows ends."""
_Connect = Callable[[Path], sqlite3.Connection]
_Row = TypeVar("_Row", GameRow, LogRow)


class Mirror:
    """The mirror of the journal at a path; only the journal's thread uses it.

    Attributes:
        error: the reason why the mirror cannot be written now, or None.
    """

    def __init__(self, journal: Path, connect: _Connect) -> None:
        self._journal, self._connect = journal, connect
        self.path = journal.with_name(MIRROR)
        self.error: Text | None = None
        self._db: sqlite3.Connection | None = None
        self._identity: FileIdentity | None = None

    def close(self) -> None:
        database, self._db = self._db, None
        if database:
            with suppress(sqlite3.Error):
                database.close()

    def follow(self) -> None:
        """Add the rows of the journal that the mirror lacks; set `error` if that fails."""
        try:
            database = self._opened()
            _complete(database, "main", "journal")
            cards = [
                database.execute(f"SELECT * FROM {each}.cards").fetchone()  # noqa: S608  # the names below
                for each in ("journal", "main")
            ]
            if cards[0] != cards[1]:
                copy = "INSERT INTO main.cards SELECT * FROM journal.cards"
                database.executescript(f"BEGIN; DELETE FROM main.cards; {copy}; COMMIT;")  # noqa: S608  # a constant
            self.error = None
        except (CompanionError, OSError, *SQLITE_ERRORS) as error:
            self.close()
            text = "{path} cannot be written ({why}): see that the disk has room"
            self.error = Text(text, path=self.path, why=first_line(error))

    def complete(self) -> int | None:
        """If `game` or `log` ends earlier in one file, copy the missing rows from the other file.

        Returns:
            The number of commands that were copied to the journal. None if the files differ in
            another way, or if one file has no rows to check the other file against.
        """
        database = self._opened()
        return self.refill() if all(_is_completable(database, each) for each in COLUMNS) else None

    def refill(self) -> int:
        """Copy as `complete` does, without comparing; one of the files must be whole."""
        database = self._opened()
        _complete(database, "main", "journal")
        return _complete(database, "journal", "main")

    def finish_mending(self) -> None:
        """Give a new mirror its name if a power cut came after the old mirror was set aside."""
        if not self.path.exists():
            with suppress(FileNotFoundError):
                _new_mirror(self.path).rename(self.path)

    def differs_in_version(self) -> bool:
        """Return True if both files exist and differ only in `user_version`."""
        if not (self.path.exists() and self._journal.exists()):
            return False
        with suppress(*SQLITE_ERRORS), closing(self._connect(self.path)) as database:
            self._attach(database)
            pragmas = (f"PRAGMA {schema}.user_version" for schema in ("main", "journal"))
            mine, theirs = (database.execute(each).fetchone() for each in pragmas)
            if mine != theirs:
                return all(_is_completable(database, each, same_end=True) for each in COLUMNS)
        return False

    def give_cards(self, journal: sqlite3.Connection) -> None:
        save_cards(journal, *(load_cards(self._opened()) or (0, b"")))

    def remember(self) -> None:
        """Write the number of commands into both files, so that the next start can notice a loss.

        If this fails, a file keeps the lower number that it had before.
        """
        if self._db is None:
            return
        with suppress(sqlite3.Error):
            rows = count(self._db, "journal.log")
            for schema in ("journal", "main"):
                if expected_rows(self._db, schema) != rows:
                    self._db.execute(f"PRAGMA {schema}.application_id = {rows}")

    def adopt(self, database: sqlite3.Connection) -> None:
        """Use an open connection to the mirror, on which `prepare` was called."""
        self._attach(database)
        self._db, self._identity = database, identity(self.path)

    def _attach(self, database: sqlite3.Connection) -> None:
        database.execute("PRAGMA foreign_keys = OFF")  # a command may have lost its game's row
        database.execute("ATTACH ? AS journal", (os.fsencode(self._journal),))
        database.execute(f"PRAGMA journal.{CACHE_SIZE}")

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
    """Return the number of commands that `remember` wrote into a file last, or 0 without one."""
    return int(database.execute(f"PRAGMA {schema}.application_id").fetchone()[0])


def _is_completable(database: sqlite3.Connection, table: str, *, same_end: bool = False) -> bool:
    """Return True if a table has equal rows in both files up to the end of the shorter file."""
    key, *_ = columns = COLUMNS[table]
    same = " AND ".join(f"one.{column} IS other.{column}" for column in columns)
    pairs = f"main.{table} one CROSS JOIN journal.{table} other USING ({key})"
    both = count(database, f"{pairs} WHERE {same}")
    counts = {schema: count(database, f"{schema}.{table}") for schema in ("main", "journal")}
    if set(counts.values()) == {both}:
        return True
    if not both or same_end:
        return False
    shorter, longer = sorted(counts, key=counts.__getitem__)
    last = f"{key} <= (SELECT max({key}) FROM {shorter}.{table})"  # noqa: S608  # names of the two files and of `COLUMNS`
    return both == counts[shorter] == count(database, f"{longer}.{table} WHERE {last}")


def _complete(database: sqlite3.Connection, target: str, source: str) -> int:
    """Copy the rows after the target's last row; return the number of commands among them."""
    missing = {
        table: f"FROM {source}.{table} WHERE {columns[0]} >"  # noqa: S608  # names of the two files and of `COLUMNS`
        f" (SELECT coalesce(max({columns[0]}), 0) FROM {target}.{table})"
        for table, columns in COLUMNS.items()
    }
    first = (database.execute(f"SELECT 1 {each} LIMIT 1").fetchone() for each in missing.values())
    if not any(first):
        return 0
    database.execute("BEGIN IMMEDIATE")
    try:
        for table, where in missing.items():
            names = ", ".join(COLUMNS[table])
            insert = f"INSERT INTO {target}.{table} ({names})"
            added = database.execute(f"{insert} SELECT {names} {where}")
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.rollback()
        raise
    return added.rowcount


def _new_mirror(mirror: Path) -> Path:
    return mirror.with_name(f".{mirror.name}.new")


def mend(
    journal: Path, mirror: Path, *, damaged: set[Path], connect: _Connect
) -> tuple[dict[Path, str], bool]:
    """Set aside each file that lacks rows; afterwards the journal or the mirror has all rows.

    Args:
        journal: the journal; no connection to it may be open.
        mirror: the mirror; no connection to it may be open.
        damaged: the files to set aside even if they have all rows.
        connect: opens a file.

    Returns:
        The new names of the files that were set aside, by path; and True if the mirror had another
        history.

    Raises:
        OSError, sqlite3.Error: a file cannot be read or written now.
    """
    new, aside = _new_mirror(mirror), dict[Path, str]()
    new.unlink(missing_ok=True)
    with (
        closing(_JournalCopy(journal, connect)) as one,
        closing(_JournalCopy(mirror, connect)) as other,
        closing(connect(new)) as database,
    ):
        prepare(database)
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute("PRAGMA journal_mode = DELETE")  # without a second file beside it
        database.execute("BEGIN")
        parted = not all(source.add_to(database) for source in (one, other))
        for source in (other, one):
            source.give_cards(database)
        database.execute("COMMIT")
        rows = sum(count(database, table) for table in COLUMNS)
    sync_folder(new.parent)
    for source in (other, one):  # the journal comes last, because it is made from the mirror
        path = source.path
        if path in damaged or not source.is_whole or source.rows < rows:
            if (
                source.rows or path in damaged or not source.is_whole
            ):  # a whole file without rows is new, so it is deleted
                aside[path] = free_name(path.with_stem(f"{path.stem}-damaged")).name
            # The main file goes last: SQLite deletes a -shm or -wal file that has no main file.
            for suffix in ("-shm", "-wal", ""):
                with suppress(FileNotFoundError):
                    file = Path(f"{path}{suffix}")
                    if path in aside:
                        file.rename(file.with_name(f"{aside[path]}{suffix}"))
                    else:
                        file.unlink()
            if path == mirror:
                new.rename(mirror)
            sync_folder(path.parent)
    new.unlink(missing_ok=True)
    return aside, parted


class _JournalCopy:
    """A journal or mirror that may be damaged; `is_whole` becomes False at an unusable row."""

    def __init__(self, path: Path, connect: _Connect) -> None:
        self.path, self.is_whole, self.rows = path, True, 0
        self._db = connect(path)
        self._store = Store(self._db)

    def close(self) -> None:
        self._db.close()

    def add_to(self, database: sqlite3.Connection) -> bool:
        """Add the rows that `database` lacks; return False if a command has another row there.

        Raises:
            sqlite3.Error: the file cannot be read now.
        """
        target = Store(database)
        is_empty = target.last_seq == 0
        for row in self._sound(LogRow):
            there = None if is_empty else target.log_row(row.seq)
            if there is None:
                target.add_log_row(row)
            elif there != row:
                self.is_whole = False
                return False
            self.rows += 1
        for game in self._sound(GameRow):
            board_file = self._store.board_file(game, own=True)
            if board_file is None:
                self.is_whole = False
                with suppress(BadInputError):
                    board_file = find_board_file(self._store, game)
            if board_file is not None:
                self.rows += 1
                known = target.game_row(game.number)
                self.is_whole &= known in (None, game)
                if known is None:
                    target.add_game(game, board_file)
        return True

    def give_cards(self, database: sqlite3.Connection) -> None:
        """Copy the dealt cards to another file, unless this file's copy of them is damaged."""
        with suppress(*SQLITE_ERRORS):
            if cards := load_cards(self._db):
                save_cards(database, *cards)

    def _sound(self, kind: type[_Row]) -> Iterator[_Row]:
        wanted = most = 1
        while wanted < most + _MOST_LOST:
            try:
                for number, row in self._store.rows_from(kind, wanted):
                    if row is None or number < wanted:
                        self.is_whole = False
                    else:
                        yield row
                        wanted = most = number + 1
            except SQLITE_ERRORS as error:
                if not is_damage(error):
                    raise
                self.is_whole = False
                wanted += 1
            else:
                return
