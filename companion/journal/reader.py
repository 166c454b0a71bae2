"""Read access to a journal that a table may be writing.

A read transaction sees the same rows from its beginning to its end, so each list is made in one
transaction. Rows are only added, so the commands of a listed game can be read later, in another
transaction. An export of 1,000 games is 1,000 short transactions: no transaction stays open while a
client receives the export.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import BadInputError, CompanionError, JournalError, Text, first_line
from companion.journal.folder import FileIdentity, identity
from companion.journal.replay import begins_game, current_series
from companion.journal.schema import (
    CACHE_SIZE,
    SQLITE_ERRORS,
    VERSION_REMEDY,
    VersionError,
    check_version,
    is_damage,
)
from companion.journal.store import FILE, GameRow, Store, checksum_of

_DAMAGE_REMEDY: Final = Text(
    "start the table, which keeps what can be read of it, or restore a backup"
)
_PASSING_REMEDY: Final = Text("try again; if that does not help, see that the disk is sound")


class JournalReader:
    """The journal of a data folder, open for reading; only one thread may use it at a time.

    Raises:
        JournalError: there is no journal, or it cannot be read; any method may raise it.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        if not self._path.is_file():
            text = "there is no journal in {folder}: play a game first, or set --data"
            raise JournalError(text, folder=folder)
        with self._errors():
            uri = f"{self._path.absolute().as_uri()}?mode=ro"
            self._db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        try:
            with self._errors():
                self._db.execute(f"PRAGMA {CACHE_SIZE}")
                check_version(self._db)
                self._store = Store(self._db)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._db.close()

    def copy_to(self, file: Path) -> None:
        """Copy the present journal, without the dealt cards, to a new file."""
        try:
            self._db.execute("VACUUM INTO ?", (os.fspath(file),))
            with closing(sqlite3.connect(file)) as copy:
                copy.execute("PRAGMA secure_delete = ON")  # overwrite the bytes of the cards
                copy.execute("DROP TABLE IF EXISTS cards")
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:  # the disk with the copy is full
                raise OSError(ENOSPC, os.strerror(ENOSPC)) from error
            text = "{path} cannot be copied ({error}): see that there is room for a copy"
            raise JournalError(text, path=self._path, error=error) from error

    @contextmanager
    def store(self, game: GameRow | None = None) -> Iterator[Store]:
        """Give access to a snapshot of the rows, which the table's writes do not change.

        A `with` block inside another one uses the outer snapshot. If `game` is given, an error in
        the `with` block is raised as a `GameError` for this game.
        """
        is_outer = not self._db.in_transaction
        with self._errors():
            if is_outer:
                self._db.execute("BEGIN")
            try:
                yield self._store
            except CompanionError as error:
                if game is None:
                    raise
                text = "game {number} of the journal cannot be read ({why}): {remedy}"
                why, remedy = first_line(error), _DAMAGE_REMEDY
                raise GameError(text, number=game.number, why=why, remedy=remedy) from error
            finally:
                if is_outer:
                    self._db.rollback()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (*SQLITE_ERRORS, BadInputError) as error:
            remedy = _DAMAGE_REMEDY if is_damage(error) else _PASSING_REMEDY
            if isinstance(error, VersionError):
                remedy = VERSION_REMEDY
            text = "{path} cannot be read ({error}): {remedy}"
            raise JournalError(text, path=self._path, error=error, remedy=remedy) from error


class GameError(JournalError):
    """A game of the journal cannot be read, but the journal itself can."""


NO_JOURNAL = "0" * 16
"""Id of a journal without games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalPosition:
    """Position of a table in its journal.

    Attributes:
        journal: id of the journal, 16 hexadecimal digits.
        seq: number of the last command in the journal.
        head: number of the last command that stands, which is lower than `seq` after an undo.
        game: number of the present game.
    """

    journal: str = NO_JOURNAL
    seq: int = 0
    head: int = 0
    game: int = 0


class JournalTail:
    """End of the journal in a data folder, for one thread; each method may raise `JournalError`.

    If another file has replaced the journal, the new file is opened.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reader: JournalReader | None = None
        self._identity: FileIdentity | None = None
        self._position = JournalPosition()

    def close(self) -> None:
        if self._reader:
            self._reader.close()
        self._reader, self._position = None, JournalPosition()

    def position(self) -> JournalPosition:
        """Return the position of the table after the last command on disk."""
        with self._opened().store() as store:
            if not self._position.game or self._position.seq != store.last_seq:
                self._position = _position(store)
        return self._position

    def _opened(self) -> JournalReader:
        found = identity(self._folder / FILE)
        if self._reader is None or found != self._identity:
            self.close()
            self._reader, self._identity = JournalReader(self._folder), found
        return self._reader


def journal_id(folder: Path) -> str:
    """Return the id of a folder's journal, or `NO_JOURNAL` if it cannot be read."""
    try:
        with closing(JournalReader(folder)) as reader, reader.store() as store:
            return _id_of(store)
    except JournalError:
        return NO_JOURNAL


def _position(store: Store) -> JournalPosition:
    journal, last = _id_of(store), store.last_seq
    row = store.log_row(last)
    if row and row.head == last and not begins_game(row):  # usual: no search is needed
        return JournalPosition(journal=journal, seq=last, head=last, game=row.game)
    newest = next(current_series(store), None)
    if newest is None:
        return JournalPosition(journal=journal, seq=last)
    head = newest.last or newest.game.begun_by
    return JournalPosition(journal=journal, seq=last, head=head, game=newest.game.number)


def _id_of(store: Store) -> str:
    """Return a journal's id, which is made from the first game and therefore equal in a copy."""
    first = next((game for _, game in store.rows_from(GameRow, 0) if game), None)
    return checksum_of(*msgspec.structs.astuple(first)).hex() if first else NO_JOURNAL
