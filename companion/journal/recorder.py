"""The writing half of a journal: the game to continue from, and every command after it.

It keeps the rows that the game stands on, so that a journal which is lost while the table runs can
be written again.
"""

import dataclasses
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec

from companion.errors import joined
from companion.journal.replay import begins_game
from companion.journal.resume import (
    HISTORY_LIMIT,
    HistoryPosition,
    JournalGame,
    read_accepted,
    recover_games,
    resume,
)
from companion.journal.setup import GameRequest, find_board_file, write_setup
from companion.journal.store import GameRow, LogRow, Store, checksum_of, load_cards, save_cards
from companion.journal.unsaved import Added, Extract, add
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
        with self._transaction():
            recovered = list(recover_games(self._store, request))
        resumed = resume(self._store, request)
        self.history = resumed.history
        self.notice = joined("; ", filter(None, (*recovered, resumed.notice))) or None
        self._positions = resumed.positions
        self._games = {each.game.row.number: each.game for each in self._positions}
        self._recent: deque[LogRow] = deque(maxlen=HISTORY_LIMIT)
        self._keep_recent(list(self._newest_rows()))
        self.accepted = read_accepted(self._store, resumed)
        self.cards = load_cards(database, _game_number(self._positions))
        """The cards dealt in the game that goes on, empty without any."""

    def _open(self, database: sqlite3.Connection, unsaved: Iterable[Extract]) -> int:
        """Make a file the journal, add what was not saved, and return the number of commands."""
        self._db, self._store = database, Store(database)
        added = 0
        for extract in unsaved:
            with self._transaction():
                added += add(extract, self._store).new
        self.seq = self._store.last_seq
        return added

    def _newest_rows(self) -> Iterable[LogRow]:
        """Return the newest commands; their games are known then."""
        if not self._positions:
            return ()
        rows = self._store.log_rows(at_most=self.seq, after=max(0, self.seq - HISTORY_LIMIT))
        for number, game in self._store.games().items():
            if number > self._positions[0].game.row.number and number not in self._games:
                board_file = find_board_file(self._store, game, self._request.board_file)
                self._games[number] = JournalGame(game, board_file)
        return reversed(list(rows))

    def _keep_recent(self, rows: Iterable[LogRow]) -> None:
        """Keep new commands, and no game from before those that the game stands on."""
        self._recent.extend(rows)
        first = self._positions[0].game.row.number if self._positions else 0
        self._games = {n: game for n, game in self._games.items() if n >= first}

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
        positions, rows = list(self._positions), list[LogRow]()
        content = self.cards if cards is None else cards
        with self._transaction():
            if entries and not positions:
                game = self._add_game(0, new_game(self._request.setup))
                positions.append(HistoryPosition(0, game, None))
            for seq, entry in enumerate(entries, start=self.seq + 1):
                positions = self._add(seq, entry, positions, rows)
            if content or self.cards:
                save_cards(self._db, _game_number(positions), content)
        self.seq += len(entries)
        self._positions, self.cards = positions, content
        self._games |= {each.game.row.number: each.game for each in positions[-len(entries) - 1 :]}
        self._keep_recent(rows)

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
        self, seq: int, entry: Entry, positions: list[HistoryPosition], rows: list[LogRow]
    ) -> list[HistoryPosition]:
        """Write a command, add it to `rows`, and return the positions after it."""
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
        rows.append(row)
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
                self._move_own()
            if self.cards:
                self.save(())
        except BaseException:
            self.seq = seq
            raise

    def _move_own(self) -> None:
        """Add what the file lacks of all that the game stands on; it goes on with those rows."""
        root = self._positions[0].seq
        rows = {row.seq: row for row in self._recent if row.seq > root}
        rows |= {position.seq: position.row for position in self._positions if position.row}
        extract = Extract(
            games={number: (game.row, game.board_file) for number, game in self._games.items()},
            rows=[rows[seq] for seq in sorted(rows)],
        )
        with self._transaction():
            added = add(extract, self._store, stands=True)
        self.seq = self._store.last_seq
        self._positions = [_moved(position, added) for position in self._positions]
        recent = filter(None, (added.rows.get(row.seq) for row in self._recent))
        self._recent = deque(recent, maxlen=HISTORY_LIMIT)
        self._games = {
            row.number: JournalGame(row, self._games[number].board_file)
            for number, row in added.games.items()
        }


def _moved(position: HistoryPosition, added: Added) -> HistoryPosition:
    game = added.games[position.game.row.number]
    row = added.rows[position.seq] if position.row else None
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
