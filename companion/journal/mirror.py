"""The mirror: a second file beside the journal, with the same rows.

The journal's thread commits a row to the journal, acknowledges it, and then adds it to the mirror,
synced as well: a sector that goes bad costs one of the two copies of a row at most. The mirror is
open on one connection to which the journal is attached, so that SQLite itself copies and compares.

At a start all rows of both files are compared in one query, column by column, which takes a third
of a second for a million rows. Where they are the same, no checksum needs to be computed: the same
damage does not come to two files. Where one file only ends earlier, it is completed: the mirror
after a kill between both commits, the journal where an older copy was put in its place. Anything
else is mended.

Example: the journal has rows 1 to 9, the mirror 1 to 8. All 8 are the same, the mirror is short,
and row 9 is copied. If row 3 of the journal had a wrong bit, 7 would be the same of 9 and 8.

Mending of a journal and its mirror: each row is taken from the file that has it whole.

The rows of both files are read in the order of their numbers, around the pages that SQLite cannot
read, and those whose checksums do not agree are left out. A file that lacks none of the rows found
stays. Where one lacks some, it is set aside under a free name and made again from the other by
`Mirror`. Where both do, a new mirror is made of all rows first, on disk before anything else is
touched, and then a new journal from that. So a cut of power at any point leaves every row in a
file that the next start reads.

Where both have a row with the same number, each whole and not the same, they are two histories: a
program that knows no mirror has restored a backup and gone on. The journal stands then; its mirror
is set aside.

Example: the journal has rows 1 2 3 5, with a blank page where 4 was, the mirror 1 2 3 4, as its end
is cut off. Both lack one; a mirror with 1 2 3 4 5 is made, then a journal of the same.
"""

import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from companion.errors import BadInputError, CompanionError, Text, first_line
from companion.files import free_name, sync_folder
from companion.journal.folder import FileIdentity, identity
from companion.journal.schema import SQLITE_ERRORS, is_damage, prepare
from companion.journal.setup import find_board_file
from companion.journal.store import TABLE as CARDS_TABLE
from companion.journal.store import GameRow, LogRow, Store, copy_cards

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


_Row = TypeVar("_Row")
_Connect = Callable[[Path], sqlite3.Connection]
_MOST_LOST: Final = 1 << 14
"""Numbers after the last row that could be read, at which more are looked for."""


@dataclass(slots=True)
class _Found:
    """Findings about both files: those that lack rows, and whether they are two histories."""

    lacking: set[Path] = field(default_factory=set)
    parted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """The new names of files that were set aside, each by its path.

    `parted` is True if the mirror was one of another history.
    """

    aside: Mapping[Path, str]
    parted: bool


def mend(journal: Path, mirror: Path, *, damaged: set[Path], connect: _Connect) -> Mended:
    """Set each file aside that lacks rows; one of them has all rows afterwards.

    Args:
        journal: the file; no connection to it may be open.
        mirror: the other file; the same.
        damaged: those that cannot stay, whatever their rows are.
        connect: opens a file.

    Raises:
        OSError, sqlite3.Error: a file cannot be read or written now.
    """
    found = _Found(set(damaged))
    with (
        closing(_JournalCopy(journal, connect)) as one,
        closing(_JournalCopy(mirror, connect)) as other,
    ):
        for rows in (_log_rows(one, other, found), _games(one, other, found)):
            deque(rows, maxlen=0)
        found.lacking |= {source.path for source in (one, other) if not source.is_whole}
        # A file that has just been made needs no place aside: it is filled as it is.
        found.lacking -= {
            source.path for source in (one, other) if source.is_empty and source.path not in damaged
        }
        aside: dict[Path, str] = {}
        new = mirror.with_name(f".{mirror.name}.new")
        if found.lacking == {journal, mirror}:
            _write(new, one, other, connect)
    if new.exists():
        aside[mirror] = _set_aside(mirror, replacement=new)
    elif mirror in found.lacking:
        aside[mirror] = _set_aside(mirror)
    if journal in found.lacking:
        aside[journal] = _set_aside(journal)
    return Mended(aside=aside, parted=found.parted)


class _JournalCopy:
    """A file whose rows are read as far as they can be.

    It `is_empty` until one was found, and `is_whole` until one could not be read.
    """

    def __init__(self, path: Path, connect: _Connect) -> None:
        self.path, self.is_whole, self.is_empty = path, True, True
        self.database = connect(path)
        self._store: Store | None = None
        with suppress(*SQLITE_ERRORS):
            self._store = Store(self.database)

    def close(self) -> None:
        self.database.close()

    def log_rows(self) -> Iterator[tuple[int, LogRow]]:
        """Yield the commands that can be read, oldest first, by their numbers."""
        if self._store:
            yield from self._sound(self._store.log_rows_from)

    def games(self) -> Iterator[tuple[int, tuple[GameRow, bytes]]]:
        """Yield the games that can be read, oldest first, by their numbers."""
        if self._store is None:
            return
        for number, game in self._sound(self._store.games_from):
            board_file = self._store.board_file(game, own=True)
            if board_file is None:
                self.is_whole = False
                with suppress(BadInputError):
                    board_file = find_board_file(self._store, game)
            if board_file is not None:
                yield number, (game, board_file)

    def _sound(
        self, read: Callable[[int], Iterator[tuple[int, _Row | None]]]
    ) -> Iterator[tuple[int, _Row]]:
        """Yield the rows of ascending numbers that `read` yields from a number on.

        Raises:
            sqlite3.Error: the file cannot be read now.
        """
        wanted = most = 1
        while wanted < most + _MOST_LOST:
            try:
                for number, row in read(wanted):
                    self.is_empty = False
                    if row is None or number < wanted:
                        self.is_whole = False
                    else:
                        yield number, row
                        wanted = most = number + 1
            except SQLITE_ERRORS as error:
                if not is_damage(error):
                    raise
                self.is_whole = False
                wanted += 1
            else:
                return


def _log_rows(one: _JournalCopy, other: _JournalCopy, found: _Found) -> Iterator[LogRow]:
    return _union(one.path, one.log_rows(), other.path, other.log_rows(), found)


def _games(
    one: _JournalCopy, other: _JournalCopy, found: _Found
) -> Iterator[tuple[GameRow, bytes]]:
    there = iter(()) if found.parted else other.games()
    return _union(one.path, one.games(), other.path, there, found)


def _union(
    path: Path,
    rows: Iterator[tuple[int, _Row]],
    other_path: Path,
    other_rows: Iterator[tuple[int, _Row]],
    found: _Found,
) -> Iterator[_Row]:
    """Yield each row that one of two files has, in order; say in `found` which of them lack some.

    Where they are two histories, the rows of the first alone are yielded from there on.
    """
    one, other = next(rows, None), next(other_rows, None)
    while one or other:
        if one and other and one[0] == other[0]:
            if one[1] != other[1]:
                found.parted, other, other_rows = True, None, iter(())
                found.lacking.add(other_path)
            yield one[1]
            one, other = next(rows, None), next(other_rows, None)
        elif one and (not other or one[0] < other[0]):
            found.lacking.add(other_path)
            yield one[1]
            one = next(rows, None)
        elif other:
            found.lacking.add(path)
            yield other[1]
            other = next(other_rows, None)


def _write(new: Path, one: _JournalCopy, other: _JournalCopy, connect: _Connect) -> None:
    new.unlink(missing_ok=True)
    with closing(connect(new)) as database:
        prepare(database)
        database.execute("PRAGMA foreign_keys = OFF")  # the game of a command may be lost
        database.execute("PRAGMA journal_mode = DELETE")  # so that it is one file
        store, found = Store(database), _Found()
        database.execute("BEGIN")
        for row in _log_rows(one, other, found):
            store.add_log_row(row)
        for game, board_file in _games(one, other, found):
            store.add_game(game, board_file)
        for source in (other, one):
            copy_cards(source.database, database)
        database.execute("COMMIT")
    sync_folder(new.parent)


def _set_aside(file: Path, *, replacement: Path | None = None) -> str:
    """Rename a damaged file to a free name, and put another in its place.

    Returns:
        The new name.

    Raises:
        OSError: it cannot be renamed.
    """
    aside = free_name(file.with_stem(f"{file.stem}-damaged"))
    # The file itself last: SQLite would take what is beside a missing one for stale.
    for suffix in ("-shm", "-wal", ""):
        with suppress(FileNotFoundError):
            Path(f"{file}{suffix}").rename(f"{aside}{suffix}")
    if replacement:
        replacement.rename(file)
    sync_folder(file.parent)
    return aside.name
