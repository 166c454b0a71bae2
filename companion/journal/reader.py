"""Reader of a journal, the SQLite file of the recorded games, even while rows are added to it.

A read transaction sees the same rows from its beginning to its end, so one transaction reads a list
of games. Rows are only added, so a later transaction can read the commands of a listed game. An
export of 1,000 games is 1,000 short transactions: none is open while a client receives the export.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from errno import ENOSPC
from pathlib import Path
from typing import Final

from companion.errors import BadInputError, CompanionError, JournalError, Text, first_line
from companion.journal.journal_file import (
    CACHE_SIZE,
    SQLITE_ERRORS,
    VERSION_REMEDY,
    VersionError,
    check_version,
    is_damage,
)
from companion.journal.store import FILE, GameRow, Store

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
        """Give access to a snapshot of the rows, without rows that are added after its beginning.

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
