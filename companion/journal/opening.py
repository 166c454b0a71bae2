"""Opener of a journal and its copy, the mirror: retries after temporary errors, mends damage.

`Opener.lost` is the number of acknowledged commands that are in neither file. Each start and each
clean stop writes the number of rows into the files. The next start compares this number with the
rows; if a file has no such number, the start counts gaps in the row numbers. One loss goes
unnoticed: after a kill, rows may be lost that were added since the number of rows was written.
"""

import sqlite3
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeVar

from companion.errors import (
    BadInputError,
    CompanionError,
    JournalError,
    Text,
    as_text,
    joined,
    plural,
)
from companion.files import attempts
from companion.journal.journal_file import (
    SQLITE_ERRORS,
    VERSION_REMEDY,
    VersionError,
    is_damage,
    prepare,
    read_through,
    rows_in_header,
)
from companion.journal.mirror import MIRROR, Mirror, expected_rows, mend
from companion.journal.store import Store, load_cards

_REMEDY: Final = Text(
    "see that the disk is sound and has room and no other program has the file, or set --data"
)
_Used = TypeVar("_Used")


class Opener:
    """Opener of the journal at a path.

    Attributes:
        mirror: the mirror of the journal.
        notice: a text about damage that was found and mended, or None.
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
        """Return the result of `use`, which gets a connection and must close it.

        Raises:
            JournalError: the journal cannot be read or written now, or another version wrote it.
        """
        self.mirror.close()
        opened: dict[Path, sqlite3.Connection] = {}
        try:
            return use(self._opened_pair(opened))
        except BaseException as error:
            traceback.clear_frames(error.__traceback__)
            self._close(opened)
            if isinstance(error, CompanionError):
                raise
            if isinstance(error, (OSError, MemoryError, *SQLITE_ERRORS)):
                raise _unusable(self._path, error) from error
            raise

    def _close(self, opened: dict[Path, sqlite3.Connection]) -> None:
        self.mirror.close()
        for each in opened.values():
            each.close()

    def _opened_pair(self, opened: dict[Path, sqlite3.Connection]) -> sqlite3.Connection:
        """Bring every row into both files, if possible, and return a connection to the journal.

        `opened` gets each connection as soon as it is open.
        """
        journal, mirror = paths = self._path, self.mirror.path
        self.mirror.finish_mending()
        wrong, aside = dict[Path, Text](), dict[Path, str]()
        for path in paths:
            try:
                self._open_file(path, opened, wrong)
            except JournalError as error:
                if journal not in opened:
                    raise
                self.mirror.error, self.notice = error.text, None
                self.lost = Store(opened[journal]).missing(expected_rows(opened[journal]) or None)
                return opened[journal]
        known = *map(expected_rows, opened.values()), *map(rows_in_header, wrong)
        expected = min(filter(None, known), default=None)
        parted, added = False, None
        if not wrong:
            self.mirror.adopt(opened[mirror])
            added = self.mirror.complete()
        if added is None:
            self._close(opened)
            aside, parted = mend(*paths, damaged=set(wrong), connect=self.connect)
            still = dict[Path, Text]()
            for path in paths:
                self._open_file(path, opened, still)
            for path, why in still.items():
                text = "{path} is damaged ({why}): move it away, or set --data to a new folder"
                raise JournalError(text, path=path, why=why)
            self.mirror.adopt(opened[mirror])
            self.mirror.refill()
        if journal in aside or load_cards(opened[journal]) is None:
            self.mirror.give_cards(opened[journal])
        self.lost = Store(opened[journal]).missing(expected)
        self.notice = joined("; ", self._lines(aside, wrong, added or 0, parted=parted)) or None
        self.mirror.follow()
        self.mirror.remember()
        return opened[journal]

    def _open_file(
        self, path: Path, opened: dict[Path, sqlite3.Connection], wrong: dict[Path, Text]
    ) -> None:
        """Open or make a file; if several tries find damage, add a description of it to `wrong`.

        A wrong version number counts as damage if the two files differ in nothing else.

        Raises:
            JournalError: the file cannot be opened now, or another version wrote it.
        """
        damaged: Exception | None = None
        passing: Exception | None = None
        for _ in attempts(self._wait):
            try:
                opened[path] = self._connected(path)
            except VersionError as error:
                if not self.mirror.differs_in_version():
                    text, remedy = "{path} stays as it is ({error}): {remedy}", VERSION_REMEDY
                    raise JournalError(text, path=path, error=error, remedy=remedy) from error
                damaged, passing = error, None
                break
            except Exception as error:  # noqa: BLE001  # damage or temporary
                if is_damage(error):
                    try:
                        read_through(path)
                        damaged = error
                    except OSError as unread:
                        passing = unread  # a read error, not damage
                else:
                    passing = error
            else:
                return
        if passing or not damaged:
            raise _unusable(path, passing) from passing
        wrong[path] = as_text(damaged)

    def _connected(self, path: Path) -> sqlite3.Connection:
        if path.exists() and path.stat().st_size and rows_in_header(path) is None:
            raise BadInputError("its header is damaged")
        connection = self.connect(path)
        try:
            prepare(connection)
        except BaseException as error:
            # The traceback's frames can refer to a statement, which would keep the file open.
            traceback.clear_frames(error.__traceback__)
            connection.close()
            raise
        return connection

    def _lines(
        self, aside: Mapping[Path, str], wrong: Mapping[Path, Text], added: int, *, parted: bool
    ) -> Iterator[Text]:
        """Yield lines about files that were set aside, and about rows from the mirror."""
        for path, name in aside.items():
            if parted and path == self.mirror.path:
                text = "the mirror of the journal belonged to another game, and is now {aside}"
                yield Text(text, aside=name)
            else:
                why = wrong.get(path) or Text("rows of it are damaged")
                text = (
                    "{file} was damaged ({why}) and is made again, the damaged file is now {aside}"
                )
                yield Text(text, file=path.name, why=why, aside=name)
        if added:
            one = "{n} command that the journal lacked is back from its mirror"
            more = "{n} commands that the journal lacked are back from its mirror"
            yield plural(added, one, more)


def copy_readable(journal: Path, target: sqlite3.Connection) -> int:
    """Copy a journal from a read-only folder, or copy the mirror if only the mirror is whole.

    Returns:
        The number of commands that are missing in the copy.

    Raises:
        OSError, sqlite3.Error, CompanionError: no file is whole, and the journal is unreadable.
    """
    for path in (journal, journal.with_name(MIRROR)):
        with suppress(CompanionError, OSError, *SQLITE_ERRORS):
            store, missing = _copied(path, target)
            sound = sum(1 for _ in store.log_rows(at_most=store.last_seq))
            if sound and not missing and sound == store.count() and not store.games_without_row():
                return 0
    return _copied(journal, target)[1]


def _copied(path: Path, target: sqlite3.Connection) -> tuple[Store, int]:
    wal = Path(f"{path}-wal")
    # SQLite needs to write a file beside the journal only if there is a write-ahead log.
    mode = "mode=ro" if wal.exists() and wal.stat().st_size else "immutable=1"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)) as source:
        source.backup(target)
    prepare(target)
    return (store := Store(target)), store.missing(expected_rows(target) or None)


def _unusable(path: Path, error: BaseException | None) -> JournalError:
    text = "{path} cannot be read or written now ({why}): {remedy}"
    return JournalError(text, path=path, why=as_text(error) or type(error).__name__, remedy=_REMEDY)
