"""The journal's thread writes each accepted command to disk before the command is acknowledged.

`write` puts an entry into the backlog and returns at once. The thread takes all waiting writes,
saves them in one transaction, and calls the callback of each, with True if the write is saved. Then
it copies the new rows to the mirror, a second file beside the journal. Failed writes are retried in
order, on each write and every second; when one is saved, its callback is called again.

If the journal is deleted, replaced or damaged while it is open, the thread notices within a second
and writes the present game into a new file. If the folder cannot be used at the start, the journal
begins in memory and moves into the folder in the same way.

Example: side 1 pegs 5 while the disk is full. The callback gets False, the page says so, and the
game continues in memory. A second later the disk has room: the same write is saved, and the
callback gets True. If the file is deleted later, `_poll` notices that the file at the path differs,
and the rows of the game are written into a new file before the next count is acknowledged.
"""

import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from companion.errors import (
    CompanionError,
    JournalError,
    Text,
    UnsavedError,
    as_text,
    first_line,
    joined,
    plural,
)
from companion.journal.journal_file import FileIdentity, FolderLock, identity, is_damage, prepare
from companion.journal.opening import Opener, copy_readable
from companion.journal.recorder import Recorder
from companion.journal.resume import Accepted
from companion.journal.setup import GameRequest
from companion.journal.store import FILE
from companion.journal.unsaved import UnsavedGames
from companion.rules.game import Entry, History


@dataclass(slots=True, kw_only=True)
class Write:
    """A waiting write of an entry, of dealt cards, or of both.

    `written` is True after the entry was saved, and `answered` is True after `done` was called. If
    `cards` is None, the saved cards stay; if `cards` is empty, the saved cards are deleted.
    """

    entry: Entry | None
    cards: bytes | None
    done: Callable[[bool], None]
    written: bool = False
    answered: bool = False


class Backlog:
    """Waiting writes.

    Any thread may call `put`, `close` and `abandoned`; only the journal's thread calls the others.

    Args:
        retry_s: seconds between attempts to save, and between checks of the file.
    """

    def __init__(self, retry_s: float) -> None:
        self._retry_s = retry_s
        self._queue: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self._waiting: list[Write] = []

    def put(self, write: Write) -> None:
        self._queue.put(write)

    def close(self) -> None:
        """Make `wait` return False once it has collected the writes that were put before."""
        self._queue.put(None)

    def wait(self, *, poll: bool) -> bool:
        """Wait until a write is put; return False after `close`.

        If writes are waiting already, or `poll` is True, return after `retry_s` at the latest.
        """
        try:
            return self._collect(timeout=self._retry_s if self._waiting or poll else None)
        except queue.Empty:
            return True

    def _collect(self, timeout: float | None) -> bool:
        """Wait for a write and take all; then return False if closed, else raise `queue.Empty`."""
        write = self._queue.get(timeout=timeout)
        while write is not None:
            self._waiting.append(write)
            write = self._queue.get_nowait()
        return False

    def abandoned(self) -> list[Write]:
        """Return the unwritten writes after `close`, when the journal's thread is stuck."""
        with suppress(queue.Empty):
            self._collect(timeout=0)
        self.close()  # the stuck thread must also find the end, if it goes on
        return self.unwritten

    @property
    def unwritten(self) -> list[Write]:
        return [write for write in self._waiting if not write.written]

    def answer(self, *, saved: bool) -> None:
        """Call each write's callback, with False only once; if `saved`, empty the backlog."""
        for write in self._waiting:
            if saved or not write.answered:
                write.answered = True
                write.done(saved)
        if saved:
            self._waiting.clear()


_IN_MEMORY: Final = ":memory:"
_RETRY_S: Final = 1.0
ANSWER_TIMEOUT_S: Final = 4.0
_Used = TypeVar("_Used")
_log = logging.getLogger(__name__)


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=_RETRY_S, isolation_level=None, check_same_thread=False)


def _in_memory() -> sqlite3.Connection:
    database = _connect(Path(_IN_MEMORY))
    prepare(database)
    return database


class Journal:
    """The journal in a folder, which only one running program may have open.

    Args:
        folder: the data folder, which is made if needed; None keeps the games only in memory.
        now: returns seconds since the epoch, for the rows.
        when_locked: is called with the folder after it was locked, before a file is read there.
        connect: opens a file.
        wait: sleeps for some seconds.
        retry_s: seconds between attempts to save, and between checks of the file.
        spare_folders: the folders for games that cannot be saved here, the best first.
        answer_timeout_s: seconds that `close` waits for a disk that does not answer.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        now: Callable[[], float],
        when_locked: Callable[[Path], object] = lambda _: None,
        connect: Callable[[Path], sqlite3.Connection] = _connect,
        wait: Callable[[float], None] = time.sleep,
        retry_s: float = _RETRY_S,
        spare_folders: Sequence[Path] = (),
        answer_timeout_s: float = ANSWER_TIMEOUT_S,
    ) -> None:
        self._folder = folder
        self._lock: FolderLock | None = None
        self._path = folder / FILE if folder else Path(_IN_MEMORY)
        self._opener = Opener(self._path, connect=connect, wait=wait)
        self.mirror = self._opener.mirror
        self._unsaved = UnsavedGames(self._path, spare_folders if folder else (), connect)
        self._now, self._when_locked, self._answer_timeout_s = now, when_locked, answer_timeout_s
        self._backlog = Backlog(retry_s)
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._recorder: Recorder
        self._open_files: list[FileIdentity | None] = []
        self._listeners: list[Callable[[bool], None]] = []
        self.on_disk = True
        """False while the journal's file is gone from the folder, or cannot be opened there yet."""
        self.error: Text | None = None
        """The reason why nothing can be written now."""
        self._lost = self._copied = 0
        self._is_blind = False
        self.notice: Text | None = None
        self.cards = b""
        """The dealt cards that `begin` found in the journal; see `write`."""
        self.accepted: list[Accepted] = []
        """The commands that were accepted before this start, oldest first."""

    def begin(self, request: GameRequest) -> tuple[History, int]:
        """Return the game's history and the number of the last row; then accept writes.

        The last game is continued if it fits `request`; otherwise a new game begins. A damaged file
        is set aside and made again from the undamaged rows of the journal and its mirror; `notice`
        says so. After other errors the file is opened again; if all tries fail, it is unchanged.

        Raises:
            JournalError: another program has the folder, nothing can be written there, the file
                cannot be read or written now, or another version of this program wrote the file.
        """
        self._recorder = self._open(
            lambda database: self._record(database, request, self._opener.lost)
        )
        return self._start()

    def begin_in_memory(self, request: GameRequest) -> tuple[History, int]:
        """Begin as `begin` does, but in memory, after `begin` has failed.

        The journal tries the folder every second. As soon as the folder can be used, the present
        game and all waiting writes are added to the journal there: `on_disk` becomes True, the
        listeners are called with True, and each callback is called again. Until then, callbacks get
        False, and the waiting writes are saved nowhere.

        If the journal or its mirror can be read but not written, its last game is continued. If
        neither can be read, the old game stays in the file, and the game that begins here is added
        after it; see `has_unread_game`.
        """
        self.on_disk = False
        memory = self._opener.connect(Path(_IN_MEMORY))
        try:
            lost = copy_readable(self._path, memory)
            self._recorder = self._record(memory, request, lost)
            self._copied = max(0, len(self._recorder.rows) - self._recorder.added)
        except (CompanionError, OSError, sqlite3.Error):
            memory.close()
            self._recorder = self._record(_in_memory(), request, 0)
            self._is_blind = True
        return self._start()

    def _open(self, use: Callable[[sqlite3.Connection], _Used]) -> _Used:
        """Lock the folder, and return the result of `use` for its journal.

        Raises:
            JournalError: see `begin`.
        """
        try:
            if self._folder and not (self._lock and self._lock.is_in_place):
                self._take_lock(self._folder)
            used = self._opener.open(use) if self._folder else use(_in_memory())
        except JournalError as error:
            self.error = as_text(error)
            raise
        self._open_files = self._files()
        self._unsaved.delete()
        return used

    def _take_lock(self, folder: Path) -> None:
        lock = FolderLock(folder)
        try:
            self._when_locked(folder)
        except BaseException:
            lock.close()
            raise
        if self._lock:
            self._lock.close()
        self._lock = lock

    def _record(self, database: sqlite3.Connection, request: GameRequest, lost: int) -> Recorder:
        unsaved = self._unsaved.read()
        return Recorder(database, request, now=self._now, unsaved=unsaved, lost=lost)

    def _start(self) -> tuple[History, int]:
        recorder = self._recorder
        notices = self._opener.notice, self._unsaved.notice(recorder.added), recorder.notice
        self.notice = joined("; ", notices) or None
        self.cards, self.accepted = recorder.cards, recorder.accepted
        history, seq = recorder.history, recorder.seq
        self._thread.start()
        return history, seq

    @property
    def has_unread_game(self) -> bool:
        """True if the folder can be used again, and has a game that this journal has not read."""
        recorder = self._recorder
        return self._is_blind and self.on_disk and recorder.seq > 0 and not recorder.rows

    def name_sides(self, names: Mapping[str, str]) -> None:
        """Use other names of the sides for games that begin from now on."""
        self._recorder.name_sides(names)

    def listen(self, listener: Callable[[bool], None]) -> None:
        """Call `listener` in the journal's thread with `on_disk`, whenever `on_disk` changes."""
        self._listeners.append(listener)

    def write(
        self, entry: Entry | None, done: Callable[[bool], None], *, cards: bytes | None = None
    ) -> None:
        """Write an entry to disk, after all earlier entries.

        `done` is called in the journal's thread, with True if the entry is on disk. `cards` are the
        dealt cards after the entry, for the next start of this game; empty cards delete the saved
        cards, and None leaves the saved cards unchanged.
        """
        self._backlog.put(Write(entry=entry, cards=cards, done=done))

    def close(self) -> None:
        """Save the waiting writes, if need be in a spare folder, and unlock. Idempotent.

        Raises:
            UnsavedError: the writes could not be saved anywhere and are lost.
        """
        if self._thread.is_alive():
            self._backlog.close()
            self._thread.join(self._answer_timeout_s)
            if self._thread.is_alive():
                self._lost = self._write_elsewhere(self._backlog.abandoned())
        if self._lock and not self._thread.is_alive():
            self._lock.close()
        lost, self._lost = self._lost, 0
        if lost:
            one = "{n} command is lost: nothing can be written in {folder}, nor in {others}"
            more = "{n} commands are lost: nothing can be written in {folder}, nor in {others}"
            folders = self._unsaved.folders
            raise UnsavedError(plural(lost, one, more, folder=self._folder, others=folders))

    # In the journal's thread

    def _run(self) -> None:
        is_open = True
        while is_open:
            is_open = self._backlog.wait(poll=self._folder is not None)
            self._work()
        if self._folder and self.on_disk:
            self.mirror.remember()
        self.mirror.close()
        self._recorder.close()
        self._lost = self._write_elsewhere(self._backlog.unwritten)

    def _work(self) -> None:
        """Save the waiting writes in one transaction; if that fails, the writes stay waiting."""
        backlog = self._backlog
        if not self._poll():
            backlog.answer(saved=False)  # a player should not wait until a file is opened
            if not self._write_again():
                return
        saved = self._save() and self._poll()
        backlog.answer(saved=saved)
        if saved and self._folder:
            self.mirror.follow()  # after the answer, which need not wait for the mirror

    def _save(self) -> bool:
        new = self._backlog.unwritten
        try:
            if new:
                entries = [write.entry for write in new if write.entry]
                cards = [write.cards for write in new if write.cards is not None]
                self._recorder.save(entries, cards[-1] if cards else None)
        except Exception as error:  # noqa: BLE001  # the thread must not end
            if not isinstance(error, sqlite3.Error):
                _log.exception("the journal cannot be written")
            text = "{path} cannot be written ({why}): see that the disk has room"
            self.error = Text(text, path=self._path, why=first_line(error))
            if is_damage(error):
                self._close_file()
            return False
        for write in new:
            write.written = True
        self.error = None
        return True

    # A journal that is deleted, replaced or damaged while it is open

    def _is_in_place(self) -> bool:
        """Return True if the open file is still at its path, in the locked folder."""
        if self._folder is None:
            return True
        locked = self._lock is not None and self._lock.is_in_place
        return locked and self._open_files == self._files()

    def _files(self) -> list[FileIdentity | None]:
        """Return the identities of the journal and its write-ahead log at their paths now."""
        return [identity(self._path), identity(Path(f"{self._path}-wal"))]

    def _poll(self) -> bool:
        """Return True if the file is in place; call the listeners if that has changed."""
        in_place = self._is_in_place()
        if in_place != self.on_disk:
            self.on_disk, self._copied = in_place, 0
            for listener in self._listeners:
                listener(in_place)
        return in_place

    def _close_file(self) -> None:
        self._open_files = []
        if self._folder:
            self.mirror.close()
            with suppress(sqlite3.Error):
                self._recorder.close()

    def _write_again(self) -> bool:
        """Open or make the file at the path, and add those rows of the game that it lacks."""
        # Close the old file first: closed later, it could delete the new file's write-ahead log.
        self._close_file()
        with suppress(JournalError):
            self._open(lambda database: self._recorder.move_to(database, self._unsaved.read()))
            return True
        return False

    # The end, while nothing can be saved

    def _write_elsewhere(self, writes: list[Write]) -> int:
        """Save unsaved commands in a spare folder; return the number of commands that are lost."""
        new = [write.entry for write in writes if write.entry]
        unsaved = len(new) + (0 if self.on_disk else len(self._recorder.rows) - self._copied)

        def use(database: sqlite3.Connection) -> None:
            prepare(database)
            recorder = copy(self._recorder)  # the journal's thread may be stuck in the original
            recorder.move_to(database)
            recorder.save(new)

        file = self._unsaved.write(use) if unsaved else None
        if file is None:
            return unsaved
        text = "%d commands could not be saved in %s: they are in %s, and the next start adds them"
        if unsaved == 1:
            text = "%d command could not be saved in %s: it is in %s, and the next start adds it"
        _log.warning(text, unsaved, self._folder, file)
        return 0
