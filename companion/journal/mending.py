"""Mending of a journal and its mirror: each row is taken from the file that has it whole.

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

import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from companion.errors import BadInputError
from companion.files import sync_folder
from companion.journal.damage import SQLITE_ERRORS, is_damage
from companion.journal.dealt_cards import copy_cards
from companion.journal.folder import set_aside
from companion.journal.schema import prepare
from companion.journal.setup import find_board_file
from companion.journal.store import GameRow, LogRow, Store

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
        aside[mirror] = set_aside(mirror, replacement=new)
    elif mirror in found.lacking:
        aside[mirror] = set_aside(mirror)
    if journal in found.lacking:
        aside[journal] = set_aside(journal)
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
