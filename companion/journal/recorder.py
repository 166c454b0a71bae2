"""The recorder finds the game that a table continues, and writes each command into the journal.

`save` writes entries in one transaction and changes the recorder's fields only after the commit.
After an error, `save` can therefore be called again with equal entries. The recorder keeps in
memory the rows of commands that the table can still take back. If row 57 is an undo of row 56, it
keeps rows 1 to 55. If the journal of a running table is deleted, a new file gets these rows.
"""

import dataclasses
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from itertools import islice
from typing import Self

import msgspec

from companion.errors import joined
from companion.journal.replay import begins_game
from companion.journal.resume import HISTORY_LIMIT, read_accepted, recover_games, resume
from companion.journal.setup import GameRequest, find_board_file, write_setup
from companion.journal.store import GameRow, LogRow, Store, checksum_of, load_cards, save_cards
from companion.journal.unsaved import Extract, add
from companion.rules.game import Entry, NewGame, State, Undo, new_game, surplus_entries
from companion.rules.game.notation import command_value


class Recorder:
    """An open journal that a table continues. Its methods raise SQLite's own errors.

    Args:
        database: a connection that this object closes.
        request: the game that the settings ask for.
        now: returns seconds since the epoch, for the rows.
        unsaved: commands to add before the journal is read; `added` counts those it lacked.
        lost: number of commands that are known to be missing; the text `notice` has this number.

    Attributes:
        seq: the number of the last command.
        rows: the commands in force (not taken back), oldest first.
        games: the game of the first command in `rows`, and all later games.
        game: the number of the game that goes on; 0 if it has no command yet.
        recent: the newest commands, including commands that were taken back.
        cards: the cards dealt in the game that goes on, or b"".

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
        unsaved: Iterable[Extract] = (),
        lost: int = 0,
    ) -> None:
        self._request, self._now = request, now
        self.added = self._open(database, unsaved)
        with self._transaction():
            recovered = list(recover_games(self._store, request))
        resumed = resume(self._store, request, lost)
        self.history, self.accepted = resumed.history, read_accepted(self._store, resumed)
        self.notice = joined("; ", (*recovered, resumed.notice)) or None
        self.rows, self.games = resumed.rows, dict(resumed.games)
        self.game = max(self.games, default=0)
        self.recent: deque[LogRow] = deque(maxlen=HISTORY_LIMIT)
        if self.games:
            for number, game in self._store.rows_from(GameRow, min(self.games) + 1):
                if game and number not in self.games:
                    board_file = find_board_file(self._store, game, request.board_file)
                    self.games[number] = game, board_file
            in_force = {row.seq: row for row in self.rows}  # share the rows, to save memory
            newest = self._store.log_rows(at_most=self.seq, after=self.root)
            self.recent.extendleft(
                in_force.get(row.seq, row) for row in islice(newest, HISTORY_LIMIT)
            )
        of_game, cards = load_cards(database) or (0, b"")
        self.cards = cards if of_game == self.game else b""

    def _open(self, database: sqlite3.Connection, unsaved: Iterable[Extract]) -> int:
        """Use a file as the journal; return the number of commands that are added to it."""
        self._db, self._store = database, Store(database)
        added = 0
        for extract in unsaved:
            with self._transaction():
                added += add(extract, self._store).new
        self.seq = self._store.last_seq
        return added

    def name_sides(self, names: Mapping[str, str]) -> None:
        """Write other names of the sides into games that begin from now on."""
        self._request = dataclasses.replace(self._request, names=names)

    def close(self) -> None:
        """Close the file; all saved commands are on disk already."""
        self._db.close()

    # Writing

    def save(self, entries: Sequence[Entry], cards: bytes | None = None) -> None:
        """Write all entries to disk before this returns; after an error, no entry is written.

        `cards` are the dealt cards after the entries; None leaves the cards unchanged.
        """
        after = copy(self)  # `self` changes after the commit
        after.rows, after.games = self.rows.copy(), self.games.copy()
        after.cards = self.cards if cards is None else cards
        with self._transaction():
            if entries and not self.game:
                self._add_game(after, 0, new_game(self._request.setup))
            added = [self._add(after, entry) for entry in entries]
            if after.cards or self.cards:
                save_cards(self._db, after.game, after.cards)
        self.seq, self.rows, self.games = after.seq, after.rows, after.games
        self.game, self.cards = after.game, after.cards
        self.recent.extend(added)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.commit()
        except BaseException:
            if self._db.in_transaction:
                self._db.rollback()
            raise

    def _add(self, after: Self, entry: Entry) -> LogRow:
        """Write a command and, if it begins a game, the game's row; return the command's row."""
        parent, game = after.head, after.game
        after.seq += 1
        if isinstance(entry.command, Undo):
            after.game = after.rows.pop().game
        row = LogRow(
            seq=after.seq,
            parent=parent,
            head=after.head if isinstance(entry.command, Undo) else after.seq,
            game=game,
            t=self._now(),
            command=msgspec.json.encode(command_value(entry.command)),
            events=msgspec.json.encode(entry.events),
        )
        self._store.add_log_row(row)
        if row.head == row.seq:
            after.rows.append(row)
        if isinstance(entry.command, NewGame):
            self._add_game(after, row.seq, entry.state)
            after.drop_oldest()
        return row

    def _add_game(self, after: Self, begun_by: int, start: State) -> None:
        content = self._request.board_file
        row = GameRow(
            number=self._store.last_game + 1,
            t=self._now(),
            begun_by=begun_by,
            setup=write_setup(start, self._request),
            board_checksum=checksum_of(content),
        )
        self._store.add_game(row, content)
        after.games[row.number], after.game = (row, content), row.number

    def drop_oldest(self) -> None:
        """Forget the oldest rows, as a `History` does with its entries; the file keeps them."""
        if first := surplus_entries([begins_game(row) for row in self.rows], HISTORY_LIMIT):
            root = self.rows[first - 1].seq
            del self.rows[:first]
            self.games = {n: each for n, each in self.games.items() if each[0].begun_by >= root}

    @property
    def root(self) -> int:
        """The number of the command that began the first of `games`, or 0 if none did."""
        return self.games[min(self.games)][0].begun_by if self.games else 0

    @property
    def head(self) -> int:
        """The number of the last command in force."""
        return self.rows[-1].seq if self.rows else self.root

    def move_to(self, database: sqlite3.Connection, unsaved: Iterable[Extract] = ()) -> None:
        """Continue, after `close`, in another file, or in the same file opened again.

        The commands that the file lacks are added: first those of `unsaved`, then those in memory.
        Afterwards the table's game goes on in this file, from the game's present state.

        Raises:
            BadInputError, VersionError: see the class.
        """
        seq = self.seq
        try:
            self._open(database, unsaved)
            if self.game:
                self._move_own()
            if self.cards:
                self.save(())
        except BaseException:
            self.seq = seq
            raise

    def _move_own(self) -> None:
        """Add the commands in memory that the file lacks, and use their numbers in the file."""
        recent = (row for row in self.recent if row.seq > self.root and row.game in self.games)
        own = {row.seq: row for row in (*recent, *self.rows)}
        extract = Extract(games=self.games, rows=[own[seq] for seq in sorted(own)])
        with self._transaction():
            added = add(extract, self._store, stands=True)
        self.seq = self._store.last_seq
        self.rows = [added.rows[row.seq] for row in self.rows]
        moved = filter(None, (added.rows.get(row.seq) for row in self.recent))
        self.recent = deque(moved, maxlen=HISTORY_LIMIT)
        self.game = added.games[self.game].number
        self.games = {row.number: (row, self.games[n][1]) for n, row in added.games.items()}
