"""Tail of a journal: its newest commands, for a reader that follows a running table.

Nothing is read again that was read before, however many games the journal has, but after an undo
or a new game.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion.errors import JournalError
from companion.journal.branch import begins_game, current_series
from companion.journal.folder import FileIdentity, identity
from companion.journal.reader import JournalReader
from companion.journal.store import FILE, LogRow, Store, checksum_of

NO_JOURNAL = "0" * 16
"""Id of a journal without games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalPosition:
    """Position of a table in its journal.

    Attributes:
        journal: id of the journal, 16 hexadecimal digits.
        seq: number of its last command.
        head: number of the command that the game stands on, lower than `seq` after an undo.
        game: number of the game.
    """

    journal: str = NO_JOURNAL
    seq: int = 0
    head: int = 0
    game: int = 0


class JournalTail:
    """Tail of the journal in a data folder, for one thread; each method may raise `JournalError`.

    A journal that was replaced is opened again.
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
        """Return where the table stands, as far as it is on disk."""
        with self._opened().store() as store:
            self._position = _follow(store, self._position)
        return self._position

    def rows(self, after: int, limit: int) -> list[LogRow]:
        with self._opened().store() as store:
            return list(store.log_rows(after=after, at_most=after + limit))[::-1]

    def _opened(self) -> JournalReader:
        found = identity(self._folder / FILE)
        if self._reader is None or found != self._identity:
            self.close()
            self._reader, self._identity = JournalReader(self._folder), found
        return self._reader


def journal_id(folder: Path) -> str:
    """Return the id of a folder's journal; that of a journal without games if it cannot be read."""
    try:
        with closing(JournalReader(folder)) as reader, reader.store() as store:
            return _id_of(store)
    except JournalError:
        return NO_JOURNAL


def _follow(store: Store, before: JournalPosition) -> JournalPosition:
    last = store.last_seq
    if last == before.seq and before.game:
        return before
    journal = before.journal if before.game else _id_of(store)
    row = store.log_row(last)
    if row and row.head == last and not begins_game(row):
        return JournalPosition(journal=journal, seq=last, head=last, game=row.game)
    newest = next(current_series(store), None)
    if newest is None:
        return JournalPosition(journal=journal, seq=last)
    head = newest.last or newest.game.begun_by
    return JournalPosition(journal=journal, seq=last, head=head, game=newest.game.number)


def _id_of(store: Store) -> str:
    """Return the id of a journal, made of its first game: a copy of it has the same."""
    first = next(iter(store.games().values()), None)
    if first is None:
        return NO_JOURNAL
    return checksum_of(*msgspec.structs.astuple(first)).hex()
