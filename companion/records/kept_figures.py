"""Figures of the sides in finished games, kept in a file so that each game is read once.

The key of a game's figures has the number of the game's last command. If an undo leads back into a
game, the game ends with another command later, and its old figures are replaced. Example: game 1
ends with command 98. After two undos and a count it ends with command 101, and has no figures yet.

Each row has a checksum, which includes the version of the figures. An unusable file is deleted; its
figures are computed again when needed. So writes need not wait for the disk or report their errors.
"""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from companion.journal.journal_file import SQLITE_ERRORS
from companion.journal.replay import Branch
from companion.journal.store import checksum_of
from companion.records.games import GameFigures

FILE: Final = "records-kept.sqlite"
FIGURES_VERSION: Final = 4
"""Version of `GameFigures`; raise it when a field changes its meaning."""
_AT_ONCE: Final = 500
"""Number of games whose figures are written in one transaction."""
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS figures (
    game INTEGER PRIMARY KEY, key TEXT NOT NULL, content BLOB NOT NULL, checksum BLOB NOT NULL
) STRICT
"""
_Result = TypeVar("_Result")


class KeptFigures:
    """The kept figures in a data folder; only one thread may use this object."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._db: sqlite3.Connection | None = None
        self._new: list[tuple[int, str, bytes, bytes]] = []

    def close(self) -> None:
        """Write the new figures, and close the file. Idempotent."""
        self.save()
        if self._db:
            self._db.close()
        self._db = None

    def get(self, branch: Branch) -> GameFigures | None:
        if self._path.is_file():
            query = "SELECT content, checksum FROM figures WHERE game = ? AND key = ?"
            number, key = branch.game.number, _key(branch)
            row = self._use(lambda file: file.execute(query, (number, key)).fetchone())
            if row and row[1] == checksum_of(FIGURES_VERSION, key, row[0]):
                return msgspec.msgpack.decode(row[0], type=GameFigures)
        return None

    def add(self, branch: Branch, figures: GameFigures) -> None:
        key, content = _key(branch), msgspec.msgpack.encode(figures)
        checksum = checksum_of(FIGURES_VERSION, key, content)
        self._new.append((branch.game.number, key, content, checksum))
        if len(self._new) >= _AT_ONCE:
            self.save()

    def save(self) -> None:
        """Write the new figures; do nothing if the file cannot be written."""
        new, self._new = self._new, []

        def write(file: sqlite3.Connection) -> None:
            file.execute("PRAGMA synchronous = OFF")
            file.execute("BEGIN IMMEDIATE")
            file.execute(_TABLE)
            file.executemany("INSERT OR REPLACE INTO figures VALUES (?, ?, ?, ?)", new)
            file.execute("COMMIT")

        if new:
            self._use(write)

    def _use(self, job: Callable[[sqlite3.Connection], _Result]) -> _Result | None:
        """Return a job's result; after an error, delete the file unless another process uses it."""
        try:
            if self._db is None:
                self._db = _connect(self._path)
            return job(self._db)
        except SQLITE_ERRORS as error:
            if self._db:
                self._db.close()
            self._db = None
            if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY:
                with suppress(OSError):
                    self._path.unlink()
            return None


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    database.text_factory = bytes
    return database


def _key(branch: Branch) -> str:
    """Return a key that changes whenever the game changes."""
    return f"{branch.game.t!r} {branch.last} {branch.t!r}"
