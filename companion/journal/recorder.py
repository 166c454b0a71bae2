"""The writing half of a journal: the game to continue from, and every command after it.

It keeps the rows that the game stands on, so that a journal which is lost while the table runs can
be written again.
"""

import dataclasses
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec

from companion.journal.accepted import read_accepted
from companion.journal.branch import begins_game
from companion.journal.dealt_cards import load_cards, save_cards
from companion.journal.merge import Extract, Merged, merge
from companion.journal.resume import HISTORY_LIMIT, HistoryPosition, JournalGame, resume
from companion.journal.schema import prepare
from companion.journal.setup import GameRequest, write_setup
from companion.journal.store import GameRow, LogRow, Store, checksum_of
from companion.rules.game import (
    Entry,
    NewGame,
    State,
    Undo,
    new_game,
    surplus_entries,
)
from companion.rules.game.notation import command_value


class Recorder:
    """An open journal that a table continues. Errors of SQLite come out as they are.

    Args:
        database: a connection that this object closes.
        request: the game that the settings ask for.
        unsaved: is added to the journal first; `added` is the number of commands that were.

    Raises:
        BadInputError: the file is damaged, or not a journal.
        VersionError: another version of this program wrote it.
    """

    def __init__(
        self,
        database: sqlite3.Connection,
        request: GameRequest,
        *,
        now: Callable[[], float],
        commit: Callable[[sqlite3.Connection], None] = sqlite3.Connection.commit,
        unsaved: Iterable[Extract] = (),
    ) -> None:
        self._request, self._now, self._commit = request, now, commit
        self.added = self._open(database, unsaved)
        resumed = resume(self._store, request)
        self.history, self.notice = resumed.history, resumed.notice
        self._positions = resumed.positions
        self.accepted = read_accepted(self._store, resumed)
        self.cards = load_cards(database, _game_number(self._positions))
        """The cards dealt in the game that goes on, empty without any."""

    def _open(self, database: sqlite3.Connection, unsaved: Iterable[Extract]) -> int:
        """Make a file the journal, add what was not saved, and return the number of commands."""
        prepare(database)
        self._db, self._store = database, Store(database)
        added = sum(self._merge(extract).new for extract in unsaved)
        self.seq = self._store.last_seq
        return added

    def name_sides(self, names: Mapping[str, str]) -> None:
        """Write other names of the sides into games that begin from now on."""
        self._request = dataclasses.replace(self._request, names=names)

    def close(self) -> None:
        """Close the file; what was saved is on disk already."""
        self._db.close()

    # Writing

    def save(self, entries: Sequence[Entry], cards: bytes | None = None) -> None:
        """Put entries on disk, all or none; they are there when this returns.

        With them the dealt cards: `cards` are those after the entries, None if they are the same.
        """
        positions = list(self._positions)
        content = self.cards if cards is None else cards
        with self._transaction():
            if entries and not positions:
                game = self._add_game(0, new_game(self._request.setup))
                positions.append(HistoryPosition(0, game, None))
            for seq, entry in enumerate(entries, start=self.seq + 1):
                positions = self._add(seq, entry, positions)
            if content or self.cards:
                save_cards(self._db, _game_number(positions), content)
        self.seq += len(entries)
        self._positions, self.cards = positions, content

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._commit(self._db)
        except BaseException:
            if self._db.in_transaction:
                self._db.rollback()
            raise

    def _add(
        self, seq: int, entry: Entry, positions: list[HistoryPosition]
    ) -> list[HistoryPosition]:
        last = positions[-1]
        if isinstance(entry.command, Undo):
            positions.pop()
        row = LogRow(
            seq=seq,
            parent=last.seq,
            head=positions[-1].seq if isinstance(entry.command, Undo) else seq,
            game=last.game.row.number,
            t=self._now(),
            command=msgspec.json.encode(command_value(entry.command)),
            events=msgspec.json.encode(entry.events),
        )
        self._store.add_log_row(row)
        if isinstance(entry.command, NewGame):
            game = self._add_game(seq, entry.state)
            return _without_oldest([*positions, HistoryPosition(seq, game, row)])
        if row.head == seq:
            positions.append(HistoryPosition(seq, last.game, row))
        return positions

    def _add_game(self, begun_by: int, start: State) -> JournalGame:
        content = self._request.board_file
        row = GameRow(
            number=self._store.last_game + 1,
            t=self._now(),
            begun_by=begun_by,
            setup=write_setup(start, self._request),
            board_checksum=checksum_of(content),
        )
        self._store.add_game(row, content)
        return JournalGame(row, content)

    @property
    def commands(self) -> int:
        """The number of commands that the game stands on."""
        return sum(position.row is not None for position in self._positions)

    def move_to(self, database: sqlite3.Connection, unsaved: Iterable[Extract] = ()) -> None:
        """Continue in another file after `close`, or in the same one opened again.

        What it lacks of `unsaved` is added, then what it lacks of all that the game stands on, and
        the game stands there as here.

        Raises:
            BadInputError, VersionError: see the class.
        """
        seq = self.seq
        try:
            self._open(database, unsaved)
            if self._positions:
                self._merge_own()
            if self.cards:
                self.save(())
        except BaseException:
            self.seq = seq
            raise

    def _merge_own(self) -> None:
        positions = self._positions
        games = {position.game.row.number: position.game for position in positions}
        extract = Extract(
            games={number: game.row for number, game in games.items()},
            rows=[position.row for position in positions if position.row],
            board_files={number: game.board_file for number, game in games.items()},
            head=positions[-1].seq,
        )
        merged = self._merge(extract)
        self.seq = self._store.last_seq
        self._positions = [_moved(position, merged) for position in positions]

    def _merge(self, extract: Extract) -> Merged:
        with self._transaction():
            return merge(extract, self._store, self._now())


def _moved(position: HistoryPosition, merged: Merged) -> HistoryPosition:
    """Return a position with the rows that a merge has put in the place of its own."""
    game = merged.games[position.game.row.number]
    row = merged.rows[position.seq] if position.row else None
    seq = row.seq if row else game.begun_by
    return HistoryPosition(seq, dataclasses.replace(position.game, row=game), row)


def _without_oldest(positions: list[HistoryPosition]) -> list[HistoryPosition]:
    """Return the positions that a history with the same entries keeps."""
    begins = [bool(position.row and begins_game(position.row)) for position in positions]
    if first := surplus_entries(begins[1:], HISTORY_LIMIT):
        return [dataclasses.replace(positions[first], row=None), *positions[first + 1 :]]
    return positions


def _game_number(positions: Sequence[HistoryPosition]) -> int:
    """Return the number of the game that goes on, 0 before its first command."""
    return positions[-1].game.row.number if positions else 0
