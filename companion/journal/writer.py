"""The journal: every accepted command, on disk before it is acknowledged. One thread writes.

A write is answered by its callback, in the journal's thread: saved, or not saved for now. What
could not be saved is kept and tried again, in order, with every write and every second, and
answered once more when it is.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import queue
import sqlite3
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, TextIO

from companion.errors import JournalError
from companion.files import attempts, free_name
from companion.journal.damage import is_proven
from companion.journal.schema import VERSION_REMEDY, VersionError
from companion.journal.store import Archive, Begun
from companion.rules.game import Entry, History

FILE: Final = "journal.sqlite"
_IN_MEMORY: Final = ":memory:"
_RETRY: Final = 1.0
_REMEDY: Final = (
    "see that the disk is sound and has room and no other program has the file, or set --data"
)
_LEFT_BEHIND: Final = (
    "the last game was begun with another board, other sides or other rules: it stays in the "
    "journal, and a new one begins"
)
_log = logging.getLogger(__name__)


class _DamagedError(JournalError):
    """A journal whose content is wrong; `why` tells what was found."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} is damaged ({why}): move it away, or set --data to a new folder")
        self.why = why


@dataclass(slots=True, kw_only=True)
class _Write:
    entry: Entry
    done: Callable[[bool], None]
    told: bool = False


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_RETRY, isolation_level=None, check_same_thread=False)


class Journal:
    """The journal in a folder, which one table alone may have open.

    Args:
        folder: made if it is not there; None keeps all in memory, for games that are not to last.
        now: the wall clock, for the rows and for the names of files set aside.
        commit: what makes a transaction last; tests put a slow or a failing one here.
        connect: opens the file; tests put a failing one here.
        wait: lets seconds pass between the tries to open it.

    Raises:
        JournalError: another table has the folder, or nothing can be written there.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        now: Callable[[], float] = time.time,
        commit: Callable[[sqlite3.Connection], None] = sqlite3.Connection.commit,
        connect: Callable[[Path], sqlite3.Connection] = _connect,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._now = now
        self._connect = connect
        self._wait = wait
        self._path = folder / FILE if folder else Path(_IN_MEMORY)
        self._lock = _lock_folder(folder) if folder else None
        self._commit = commit
        self._writes: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self.notice: str | None = None

    def begin(self, begun: Begun) -> tuple[History, int]:
        """What the game stands on, and the number of the last row; then writes are taken.

        Goes on where the last table stopped, if that game was begun alike; else as `begun` says.
        A file that is damaged is set aside under a dated name, and `notice` tells of it. After any
        other error it is tried again; if that does not help it stays where it is.

        Raises:
            JournalError: it cannot be read or written now, or another version has written it.
        """
        try:
            archive, history = self._open(begun)
        except _DamagedError as error:
            self._set_aside(error)
            archive, history = self._open(begun)
        if archive.left_behind:
            self.notice = _LEFT_BEHIND
        self._archive = archive
        self._thread.start()
        return history, archive.seq

    def write(self, entry: Entry, done: Callable[[bool], None]) -> None:
        """Put an entry on disk, in order; `done` is told whether it is, in the journal's thread."""
        self._writes.put(_Write(entry=entry, done=done))

    def close(self) -> None:
        """Write what waits and let go of the folder. Idempotent."""
        if self._thread.is_alive():
            self._writes.put(None)
            self._thread.join()
        if self._lock:
            self._lock.close()

    def _open(self, begun: Begun) -> tuple[Archive, History]:
        """Open the file; it takes several tries to believe that it is damaged, or cannot be had.

        Raises:
            _DamagedError: every try has found it damaged.
            JournalError: it cannot be read or written now, or another version has written it.
        """
        damaged = passing = None
        for _ in attempts(self._wait):
            try:
                return self._open_once(begun)
            except VersionError as error:
                text = f"{self._path} stays as it is ({error}): {VERSION_REMEDY}"
                raise JournalError(text) from error
            except _DamagedError as error:
                damaged = error
            except Exception as error:  # noqa: BLE001  # nothing is wrong with the file itself
                passing = error
        if damaged and not passing:
            raise damaged
        text = f"{self._path} cannot be read or written now ({_why(passing)}): {_REMEDY}"
        raise JournalError(text) from passing

    def _open_once(self, begun: Begun) -> tuple[Archive, History]:
        try:
            return self._open_archive(begun)
        except Exception as error:
            if is_proven(error, self._path):
                raise _DamagedError(self._path, _why(error)) from error
            raise

    def _open_archive(self, begun: Begun) -> tuple[Archive, History]:
        connection = self._connect(self._path)
        try:
            archive = Archive(connection, now=self._now, commit=self._commit)
            return archive, archive.resume(begun)
        except BaseException as error:
            # A statement that a frame still holds would keep the file open beyond this.
            traceback.clear_frames(error.__traceback__)
            connection.close()
            raise

    def _set_aside(self, damaged: _DamagedError) -> None:
        stamp = datetime.fromtimestamp(self._now()).astimezone().strftime("%Y-%m-%d-%H%M%S")
        try:
            aside = free_name(self._path.with_name(f"journal-unreadable-{stamp}.sqlite"))
            # The journal last: SQLite would take what is beside a missing one for stale.
            for suffix in ("-shm", "-wal", ""):
                with contextlib.suppress(FileNotFoundError):
                    Path(f"{self._path}{suffix}").rename(f"{aside}{suffix}")
        except OSError as failed:
            raise JournalError(f"{damaged}; it cannot be set aside ({failed})") from failed
        self.notice = f"the journal could not be read ({damaged.why}): it is kept as {aside.name}"

    def _run(self) -> None:
        backlog: list[_Write] = []
        while self._fetch(backlog):
            self._store(backlog)
        self._store(backlog)
        self._archive.close()

    def _fetch(self, backlog: list[_Write]) -> bool:
        """Wait for something to write; False when the journal is to close."""
        try:
            write = self._writes.get(timeout=_RETRY if backlog else None)
            while write is not None:
                backlog.append(write)
                write = self._writes.get_nowait()
        except queue.Empty:
            return True
        return False

    def _store(self, backlog: list[_Write]) -> None:
        """Store all that waits in one transaction; what fails stays, and is told once."""
        if not backlog:
            return
        try:
            self._archive.store([write.entry for write in backlog])
        except sqlite3.Error as error:
            _log.warning("the journal cannot be written (%s): it is tried again", error)
            saved = False
        except Exception:  # noqa: BLE001  # the thread must live: nothing is acknowledged without
            _log.exception("the journal cannot be written: it is tried again")
            saved = False
        else:
            saved = True
        for write in backlog:
            if saved or not write.told:
                write.done(saved)
                write.told = True
        if saved:
            backlog.clear()


def _why(error: Exception | None) -> str:
    return str(error) or type(error).__name__


def _lock_folder(folder: Path) -> TextIO:
    """The folder's lock, held while it is open; it goes with the process, however that ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("w")
    except OSError as error:
        text = f"nothing can be written in {folder} ({error.strerror}): set --data to a folder"
        raise JournalError(text) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        text = f"another table runs in {folder}: stop it, or set --data to another folder"
        raise JournalError(text) from None
    except OSError as error:
        lock.close()
        text = f"{folder} cannot be locked ({error.strerror}): set --data to another folder"
        raise JournalError(text) from None
    return lock
