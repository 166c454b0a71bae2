"""Opening a journal with its mirror: errors that pass are tried again, damage is mended.

Everything that was acknowledged and is in neither file is reported in `notice`, at this opening:
the number of commands is compared with the one at the last clean stop, or before the first of them
with the numbers of the rows. After a kill, commands since the last clean stop are missed only if
something of them is left: if both files lose the same rows from their ends, and no page or row is
damaged, nothing tells that there were more.
"""

import sqlite3
import traceback
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeVar

from companion.errors import BadInputError, CompanionError, JournalError, Text, joined
from companion.files import attempts
from companion.journal.mirror import MIRROR, Mended, Mirror, expected_rows, mend
from companion.journal.schema import (
    SQLITE_ERRORS,
    VERSION_REMEDY,
    VersionError,
    is_proven,
    prepare,
    rows_in_header,
)
from companion.journal.store import Store, has_damaged_cards

_REMEDY: Final = (
    "see that the disk is sound and has room and no other program has the file, or set --data"
)
_Used = TypeVar("_Used")
_Use = Callable[[sqlite3.Connection], _Used]
_Opened = sqlite3.Connection | str
"""A connection, or what is wrong with the content of a file."""


class Opener:
    """Opener of the journal at a path; `notice` tells of damage that it found and mended."""

    def __init__(
        self,
        path: Path,
        *,
        connect: Callable[[Path], sqlite3.Connection],
        wait: Callable[[float], None],
    ) -> None:
        self._path, self.connect, self._wait = path, connect, wait
        self.mirror = Mirror(path, connect)
        self.notice: str | None = None

    def open(self, use: _Use[_Used]) -> _Used:
        """Return what `use` makes of a connection, which it then owns.

        Raises:
            JournalError: it cannot be read or written now, or another version has written it.
        """
        self.mirror.close()
        connection = self._opened_pair()
        try:
            return use(connection)
        except BaseException as error:
            traceback.clear_frames(error.__traceback__)
            connection.close()
            self.mirror.close()
            if isinstance(error, (OSError, sqlite3.Error, MemoryError)):
                raise _unusable(self._path, error) from error
            raise

    def _opened_pair(self) -> sqlite3.Connection:
        journal = self._opened_or_proven(self._path)
        try:
            mirror = self._opened_or_proven(self.mirror.path)
        except JournalError as error:
            if isinstance(journal, str):
                raise
            self.mirror.error = str(error)
            lost = _lost(Store(journal), expected_rows(journal) or None)
            self.notice = joined("; ", _lines_of_rows(0, lost)) or None
            return journal
        try:
            return self._agreed(journal, mirror)
        except (OSError, *SQLITE_ERRORS) as error:
            self.mirror.close()
            for each in (journal, mirror):
                if isinstance(each, sqlite3.Connection):
                    each.close()
            raise _unusable(self._path, error) from error

    def _opened_or_proven(self, path: Path) -> _Opened:
        """Open a file; a version in which alone it differs from the other is damage."""
        try:
            return self._opened(path)
        except JournalError as error:
            if isinstance(error.__cause__, VersionError) and self.mirror.differs_in_version():
                return str(error.__cause__)
            raise

    def _agreed(self, journal: _Opened, mirror: _Opened) -> sqlite3.Connection:
        """Return a connection to the journal after each row is in both files."""
        opened = [each for each in (journal, mirror) if isinstance(each, sqlite3.Connection)]
        files = {self._path: journal, self.mirror.path: mirror}
        known = (
            rows_in_header(path) if isinstance(each, str) else expected_rows(each)
            for path, each in files.items()
        )
        expected = min(filter(None, known), default=None)
        wrong = {path: each for path, each in files.items() if isinstance(each, str)}
        mended, added = None, None
        if isinstance(journal, sqlite3.Connection) and isinstance(mirror, sqlite3.Connection):
            self.mirror.adopt(mirror)
            added = self.mirror.complete()
        if added is None or not isinstance(journal, sqlite3.Connection):
            self.mirror.close()
            for each in opened:
                each.close()
            mended = mend(self._path, self.mirror.path, damaged=set(wrong), connect=self.connect)
            journal, mirror = self._whole(self._path), self._whole(self.mirror.path)
            self.mirror.adopt(mirror)
            self.mirror.refill()
            added = 0
        if (mended and self._path in mended.aside) or has_damaged_cards(journal):
            self.mirror.give_cards(journal)
        lost = _lost(Store(journal), expected)
        lines = [*self._lines(wrong, mended), *_lines_of_rows(added, lost)]
        self.notice = joined("; ", lines) or None
        self.mirror.follow()
        self.mirror.remember()
        return journal

    def _whole(self, path: Path) -> sqlite3.Connection:
        opened = self._opened(path)
        if isinstance(opened, str):
            text = "{path} is damaged ({why}): move it away, or set --data to a new folder"
            raise JournalError(text, path=path, why=opened)
        return opened

    def _opened(self, path: Path) -> _Opened:
        """Open or make a file; it takes several tries to believe that it is damaged.

        Raises:
            JournalError: it cannot be had now, or another version has written it.
        """
        damaged = passing = None
        for _ in attempts(self._wait):
            try:
                return self._connected(path)
            except VersionError as error:
                text = "{path} stays as it is ({error}): {remedy}"
                raise JournalError(text, path=path, error=error, remedy=VERSION_REMEDY) from error
            except Exception as error:  # noqa: BLE001  # what it is comes out below
                try:
                    is_wrong = is_proven(error, path)
                except OSError as unread:
                    is_wrong, error = False, unread  # that is the reason then
                damaged, passing = (error, passing) if is_wrong else (damaged, error)
        if damaged and not passing:
            return str(damaged)
        raise _unusable(path, passing) from passing

    def _connected(self, path: Path) -> sqlite3.Connection:
        if path.exists() and path.stat().st_size and rows_in_header(path) is None:
            raise BadInputError("its header is damaged")
        connection = self.connect(path)
        try:
            prepare(connection)
        except BaseException as error:
            # A statement that a frame still holds would keep the file open beyond this.
            traceback.clear_frames(error.__traceback__)
            connection.close()
            raise
        return connection

    def _lines(self, wrong: dict[Path, str], mended: Mended | None) -> Iterable[str]:
        """Yield what is to be said of the files that were set aside."""
        if mended is None:
            return
        for path, aside in mended.aside.items():
            if mended.parted and path == self.mirror.path:
                text = "the mirror of the journal was one of another game, and is now {aside}"
                yield Text(text, aside=aside)
            else:
                why = wrong.get(path) or Text("rows of it are damaged")
                text = (
                    "{file} was damaged ({why}) and is made again, the damaged file is now {aside}"
                )
                yield Text(text, file=path.name, why=why, aside=aside)


def copy_readable(journal: Path, target: sqlite3.Connection) -> None:
    """Copy a journal where nothing can be written, or its mirror if that alone is whole.

    Raises:
        OSError, sqlite3.Error, CompanionError: neither is whole, and the journal cannot be read.
    """
    for path in (journal, journal.with_name(MIRROR)):
        with suppress(CompanionError, OSError, *SQLITE_ERRORS):
            _copy(path, target)
            store, expected = Store(target), expected_rows(target) or None
            sound = sum(1 for _ in store.log_rows(at_most=store.last_seq))
            is_short = sound < store.extent[0] or _lost(store, expected)
            if sound and not is_short and not store.games_without_row():
                return
    _copy(journal, target)


def _copy(path: Path, target: sqlite3.Connection) -> None:
    wal = Path(f"{path}-wal")
    # Without a write-ahead log nothing needs to be written beside the file.
    mode = "mode=ro" if wal.exists() and wal.stat().st_size else "immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)) as source:
        source.backup(target)
    prepare(target)


def _lost(store: Store, expected: int | None) -> int:
    """Return how many commands are missing of those expected, or between the first and the last."""
    rows, first, last = store.extent
    return (
        max(0, (last - first + 1 if expected is None else expected) - rows)
        if last
        else expected or 0
    )


def _lines_of_rows(added: int, lost: int) -> Iterable[str]:
    """Yield what is to be said of commands that came back, and of those that are lost."""
    if added:
        text = "{added} commands that the journal lacked are back from its mirror"
        yield Text(text, added=added)
    if lost:
        text = (
            "{lost} commands are damaged in the journal and in its mirror, and are lost: "
            "enter again what is missing, or restore a backup"
        )
        yield Text(text, lost=lost)


def _unusable(path: Path, error: BaseException | None) -> JournalError:
    text = "{path} cannot be read or written now ({why}): {remedy}"
    return JournalError(text, path=path, why=str(error) or type(error).__name__, remedy=_REMEDY)
