"""Opening a journal with its mirror: errors that pass are tried again, damage is mended.

Everything that was acknowledged and is in neither file is reported in `lost`, at this opening: the
number of commands is compared with the one at the last clean stop, or before the first of them
with the numbers of the rows. After a kill, commands since the last clean stop are missed only if
something of them is left: if both files lose the same rows from their ends, and no page or row is
damaged, nothing tells that there were more.
"""

import sqlite3
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeVar

from companion.errors import BadInputError, CompanionError, JournalError, Text, as_text, joined
from companion.files import attempts
from companion.journal.mirror import MIRROR, Mirror, expected_rows, mend
from companion.journal.schema import (
    SQLITE_ERRORS,
    VERSION_REMEDY,
    VersionError,
    is_damage,
    prepare,
    read_through,
    rows_in_header,
)
from companion.journal.store import Store, load_cards

_REMEDY: Final = Text(
    "see that the disk is sound and has room and no other program has the file, or set --data"
)
_Used = TypeVar("_Used")
_Opened = sqlite3.Connection | Text
"""A connection, or what is wrong with the content of a file."""


class Opener:
    """Opener of the journal at a path.

    Attributes:
        mirror: the mirror of the journal.
        notice: tells of damage that was found and mended.
        lost: the number of commands that are in neither file.
    """

    def __init__(
        self,
        path: Path,
        *,
        connect: Callable[[Path], sqlite3.Connection],
        wait: Callable[[float], None],
    ) -> None:
        self._path, self.connect, self._wait = path, connect, wait
        self.mirror = Mirror(path, connect)
        self.notice: Text | None = None
        self.lost = 0

    def open(self, use: Callable[[sqlite3.Connection], _Used]) -> _Used:
        """Return what `use` makes of a connection, which it then owns.

        Raises:
            JournalError: it cannot be read or written now, or another version has written it.
        """
        self.mirror.close()
        opened: list[_Opened] = []
        try:
            connection = self._opened_pair(opened)
            return use(connection)
        except BaseException as error:
            traceback.clear_frames(error.__traceback__)
            self.mirror.close()
            _close(opened)
            if isinstance(error, CompanionError):
                raise
            if isinstance(error, (OSError, MemoryError, *SQLITE_ERRORS)):
                raise _unusable(self._path, error) from error
            raise

    def _opened_pair(self, opened: list[_Opened]) -> sqlite3.Connection:
        """Return a connection to the journal after each row is in both files.

        All that is open is in `opened`.
        """
        opened.append(self._opened_or_damaged(self._path))
        try:
            opened.append(self._opened_or_damaged(self.mirror.path))
        except JournalError as error:
            if isinstance(opened[0], Text):
                raise
            self.mirror.error, self.notice = error.text, None
            self.lost = Store(opened[0]).missing(expected_rows(opened[0]) or None)
            return opened[0]
        paths = self._path, self.mirror.path
        known = (
            rows_in_header(path) if isinstance(each, Text) else expected_rows(each)
            for path, each in zip(paths, opened, strict=True)
        )
        expected = min(filter(None, known), default=None)
        wrong = {
            path: each for path, each in zip(paths, opened, strict=True) if isinstance(each, Text)
        }
        aside: Mapping[Path, str] = {}
        parted, added = False, None
        if not wrong:
            self.mirror.adopt(_sound(opened[1], paths[1]))
            added = self.mirror.complete()
        if added is None:
            self.mirror.close()
            _close(opened)
            aside, parted = mend(*paths, damaged=set(wrong), connect=self.connect)
            opened += [self._opened(path) for path in paths]
            self.mirror.adopt(_sound(opened[1], paths[1]))
            self.mirror.refill()
        journal = _sound(opened[0], paths[0])
        if self._path in aside or load_cards(journal) is None:
            self.mirror.give_cards(journal)
        self.lost = Store(journal).missing(expected)
        self.notice = joined("; ", self._lines(aside, wrong, added or 0, parted=parted)) or None
        self.mirror.follow()
        self.mirror.remember()
        return journal

    def _opened_or_damaged(self, path: Path) -> _Opened:
        """Open a file; a version in which alone it differs from the other is damage."""
        try:
            return self._opened(path)
        except JournalError as error:
            if isinstance(error.__cause__, VersionError) and self.mirror.differs_in_version():
                return as_text(error.__cause__)
            raise

    def _opened(self, path: Path) -> _Opened:
        """Open or make a file; it takes several tries to believe that it is damaged.

        Raises:
            JournalError: it cannot be had now, or another version has written it.
        """
        damaged: Exception | None = None
        passing: Exception | None = None
        for _ in attempts(self._wait):
            try:
                return self._connected(path)
            except VersionError as error:
                text = "{path} stays as it is ({error}): {remedy}"
                raise JournalError(text, path=path, error=error, remedy=VERSION_REMEDY) from error
            except Exception as error:  # noqa: BLE001  # what it is comes out below
                if is_damage(error):
                    try:
                        read_through(path)
                        damaged = error
                    except OSError as unread:
                        passing = unread  # that is the reason then
                else:
                    passing = error
        if damaged and not passing:
            return as_text(damaged)
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

    def _lines(
        self, aside: Mapping[Path, str], wrong: Mapping[Path, Text], added: int, *, parted: bool
    ) -> Iterator[Text]:
        """Yield what is to be said of the files that were set aside, and of rows that came back."""
        for path, name in aside.items():
            if parted and path == self.mirror.path:
                text = "the mirror of the journal was one of another game, and is now {aside}"
                yield Text(text, aside=name)
            else:
                why = wrong.get(path) or Text("rows of it are damaged")
                text = (
                    "{file} was damaged ({why}) and is made again, the damaged file is now {aside}"
                )
                yield Text(text, file=path.name, why=why, aside=name)
        if added:
            text = "{added} commands that the journal lacked are back from its mirror"
            yield Text(text, added=added)


def _close(opened: list[_Opened]) -> None:
    for each in opened:
        if isinstance(each, sqlite3.Connection):
            each.close()
    opened.clear()


def _sound(opened: _Opened, path: Path) -> sqlite3.Connection:
    """Return the connection to a file that has just been made or found sound."""
    if isinstance(opened, Text):
        text = "{path} is damaged ({why}): move it away, or set --data to a new folder"
        raise JournalError(text, path=path, why=opened)
    return opened


def copy_readable(journal: Path, target: sqlite3.Connection) -> int:
    """Copy a journal where nothing can be written, or its mirror if that alone is whole.

    Returns:
        The number of commands that are missing from it.

    Raises:
        OSError, sqlite3.Error, CompanionError: neither is whole, and the journal cannot be read.
    """
    for path in (journal, journal.with_name(MIRROR)):
        with suppress(CompanionError, OSError, *SQLITE_ERRORS):
            store, missing = _copied(path, target)
            sound = sum(1 for _ in store.log_rows(at_most=store.last_seq))
            if sound and not missing and sound == store.rows and not store.games_without_row():
                return 0
    return _copied(journal, target)[1]


def _copied(path: Path, target: sqlite3.Connection) -> tuple[Store, int]:
    wal = Path(f"{path}-wal")
    # Without a write-ahead log nothing needs to be written beside the file.
    mode = "mode=ro" if wal.exists() and wal.stat().st_size else "immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)) as source:
        source.backup(target)
    prepare(target)
    return (store := Store(target)), store.missing(expected_rows(target) or None)


def _unusable(path: Path, error: BaseException | None) -> JournalError:
    text = "{path} cannot be read or written now ({why}): {remedy}"
    return JournalError(text, path=path, why=as_text(error) or type(error).__name__, remedy=_REMEDY)
