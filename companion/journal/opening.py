"""Opening the journal for writing: errors that pass are tried again, damage is set aside.

What can be read of a damaged journal goes into a new file, which takes its place.
"""

import sqlite3
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

from companion.errors import JournalError, Message
from companion.files import attempts
from companion.journal.damage import is_proven
from companion.journal.folder import set_aside
from companion.journal.salvage import salvage
from companion.journal.schema import VERSION_REMEDY, VersionError, prepare
from companion.journal.store import FILE, Store

_REMEDY: Final = (
    "see that the disk is sound and has room and no other program has the file, or set --data"
)
_Used = TypeVar("_Used")
_Use = Callable[[sqlite3.Connection], _Used]


class _DamagedError(JournalError):
    """A journal whose content is wrong; `why` tells what was found."""

    def __init__(self, path: Path, why: str) -> None:
        text = "{path} is damaged ({why}): move it away, or set --data to a new folder"
        super().__init__(Message(text, path, why))
        self.why = why


class Opener:
    """Opener of the journal at a path; `notice` tells of a damaged one that was set aside."""

    def __init__(
        self,
        path: Path,
        *,
        connect: Callable[[Path], sqlite3.Connection],
        now: Callable[[], float],
        wait: Callable[[float], None],
    ) -> None:
        self._path, self.connect, self._now, self._wait = path, connect, now, wait
        self.notice: str | None = None

    def open(self, use: _Use[_Used]) -> _Used:
        """Return what `use` makes of a connection, which it then owns.

        Raises:
            JournalError: it cannot be read or written now, or another version has written it.
        """
        try:
            return self._try_to_open(use)
        except _DamagedError as error:
            self._replace(error)
            return self._try_to_open(use)

    def _try_to_open(self, use: _Use[_Used]) -> _Used:
        """Open the file; it takes several tries to believe that it is damaged, or cannot be had.

        Raises:
            _DamagedError: every try has found it damaged.
            JournalError: as `open`.
        """
        damaged = passing = None
        for _ in attempts(self._wait):
            try:
                return self._open_once(use)
            except VersionError as error:
                text = "{path} stays as it is ({error}): {remedy}"
                raise JournalError(text, self._path, error, VERSION_REMEDY) from error
            except _DamagedError as error:
                damaged = error
            except Exception as error:  # noqa: BLE001  # nothing is wrong with the file itself
                passing = error
        if damaged and not passing:
            raise damaged
        text = "{path} cannot be read or written now ({why}): {remedy}"
        raise JournalError(text, self._path, _why(passing), _REMEDY) from passing

    def _open_once(self, use: _Use[_Used]) -> _Used:
        try:
            return self._connect_and_use(use)
        except Exception as error:
            if is_proven(error, self._path):
                raise _DamagedError(self._path, _why(error)) from error
            raise

    def _connect_and_use(self, use: _Use[_Used]) -> _Used:
        connection = self.connect(self._path)
        try:
            return use(connection)
        except BaseException as error:
            # A statement that a frame still holds would keep the file open beyond this.
            traceback.clear_frames(error.__traceback__)
            connection.close()
            raise

    def _replace(self, damaged: _DamagedError) -> None:
        readable = self._path.with_name(f".{FILE}.new")
        try:
            read = _salvage(self._path, readable)
            aside = set_aside(self._path, self._now(), replacement=readable)
        except (OSError, sqlite3.Error) as failed:
            text = "{damaged}; it cannot be set aside ({failed})"
            raise JournalError(text, damaged, failed) from failed
        kept = Message("the {read} commands that could be read are kept", read)
        found = kept if read else "a new one begins"
        text = "the journal is damaged ({why}): {found}, the file is now {aside}"
        self.notice = Message(text, damaged.why, found, aside)


def copy_readable(journal: Path, target: sqlite3.Connection) -> None:
    """Copy a whole journal that can be read where nothing can be written.

    Raises:
        OSError, sqlite3.Error: it cannot be read, or not without writing.
    """
    wal = Path(f"{journal}-wal")
    # Without a write-ahead log nothing needs to be written beside the file.
    mode = "mode=ro" if wal.exists() and wal.stat().st_size else "immutable=1"
    with closing(sqlite3.connect(f"{journal.absolute().as_uri()}?{mode}", uri=True)) as source:
        source.backup(target)


def _salvage(journal: Path, target: Path) -> int:
    """Write a new journal of what can be read of a damaged one; return how many commands."""
    games, rows = salvage(journal)
    target.unlink(missing_ok=True)
    with closing(sqlite3.connect(target, isolation_level=None)) as database:
        prepare(database)
        store = Store(database)
        database.execute("PRAGMA foreign_keys = OFF")  # the game of a command may be lost
        database.execute("BEGIN")
        for game, board_file in games:
            store.add_game(game, board_file)
        for row in rows:
            store.add_log_row(row)
        database.execute("COMMIT")
    return len(rows)


def _why(error: Exception | None) -> str:
    return str(error) or type(error).__name__
