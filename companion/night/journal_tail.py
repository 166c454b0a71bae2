"""The end of a table's journal, read while another thread writes the journal."""

from dataclasses import dataclass
from pathlib import Path

from companion.journal.folder import FileIdentity, identity
from companion.journal.reader import JournalReader
from companion.journal.replay import begins_game, current_series
from companion.journal.store import FILE, NO_JOURNAL, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalPosition:
    """Position of a table in its journal.

    Attributes:
        journal: id of the journal, 16 hexadecimal digits.
        seq: number of the last command in the journal.
        head: number of the last command that is not undone; after an undo it is lower than `seq`.
        game: number of the present game.
    """

    journal: str = NO_JOURNAL
    seq: int = 0
    head: int = 0
    game: int = 0


class JournalTail:
    """End of the journal in a data folder, for one thread; each method may raise `JournalError`.

    If another file has replaced the journal, the new file is opened.
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
        """Return the position of the table after the last command on disk."""
        with self._opened().store() as store:
            if not self._position.game or self._position.seq != store.last_seq:
                self._position = _position(store)
        return self._position

    def _opened(self) -> JournalReader:
        found = identity(self._folder / FILE)
        if self._reader is None or found != self._identity:
            self.close()
            self._reader, self._identity = JournalReader(self._folder), found
        return self._reader


def _position(store: Store) -> JournalPosition:
    journal, last = store.id, store.last_seq
    row = store.log_row(last)
    if row and row.head == last and not begins_game(row):  # usual: no search is needed
        return JournalPosition(journal=journal, seq=last, head=last, game=row.game)
    newest = next(current_series(store), None)
    if newest is None:
        return JournalPosition(journal=journal, seq=last)
    head = newest.last or newest.game.begun_by
    return JournalPosition(journal=journal, seq=last, head=head, game=newest.game.number)
