"""The writing half of a journal: the game to continue from, and every command after it.

It keeps the rows that the game stands on, so that a journal which is lost while the table runs can
be written again.
"""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import msgspec

from companion.errors import CompanionError
from companion.journal.branch import Branch, begins_game, current_series
from companion.journal.dealt_cards import load_cards, save_cards
from companion.journal.merge import Extract, Merged, merge
from companion.journal.replay import Past, read_past
from companion.journal.setup import (
    Continuation,
    GameRequest,
    continuation,
    find_board_file,
    parse_board_file,
    read_setup,
    write_setup,
)
from companion.journal.store import GameRow, LogRow, Store, checksum_of, prepare
from companion.rules.game import (
    Entry,
    History,
    NewGame,
    Setup,
    State,
    Undo,
    first_kept,
    new_game,
)
from companion.rules.game.notation import command_value, event_value, read_command

HISTORY_LIMIT: Final = 4_000
"""Commands that a running table can take back; the last two games always."""

LEFT_BEHIND: Final = (
    "the last game was begun with another board or other sides: it stays in the journal, and a new "
    "one begins"
)


@dataclass(frozen=True, slots=True)
class _JournalGame:
    """A game with its board file, as the journal has it."""

    row: GameRow
    board_file: bytes


@dataclass(frozen=True, slots=True)
class _HistoryPosition:
    """A place in the undo history: after command `seq`, in a game; `row` is None at its root."""

    seq: int
    game: _JournalGame
    row: LogRow | None


class Recorder:
    """An open journal that a table continues. Errors of SQLite come out as they are.

    Args:
        database: a connection that this object closes.
        begun: the game that the settings ask for.
        now: the wall clock, for the rows.
        commit: ends a transaction.
        unsaved: is added to the journal first; `added` is the number of commands that were.

    Raises:
        BadInputError: the file is damaged, or not a journal.
        VersionError: another version of this program wrote it.
    """

    def __init__(
        self,
        database: sqlite3.Connection,
        begun: GameRequest,
        *,
        now: Callable[[], float],
        commit: Callable[[sqlite3.Connection], None] = sqlite3.Connection.commit,
        unsaved: Iterable[Extract] = (),
    ) -> None:
        self._begun, self._now, self._commit = begun, now, commit
        self.added = self._open(database, unsaved)
        self._positions: list[_HistoryPosition] = []
        self.notice: str | None = None
        self.history = self._resume()
        self.cards = load_cards(database, _game_number(self._positions))
        """The cards dealt in the game that goes on, empty without any."""

    def _open(self, database: sqlite3.Connection, unsaved: Iterable[Extract]) -> int:
        """Make a file the journal, add what was not saved, and return the number of commands."""
        prepare(database)
        self._db, self._store = database, Store(database)
        added = sum(self._merge(extract).new for extract in unsaved)
        self.seq = self._store.last_seq
        return added

    def close(self) -> None:
        """Close the file; what was saved is on disk already."""
        self._db.close()

    # Resuming

    def _resume(self) -> History:
        """Return the last game's past if it was begun alike, else the start of a new game.

        Its row comes with its first command: a start that was a mistake leaves nothing.
        """
        try:
            history = self._last_games()
        except CompanionError as error:
            history = None
            self.notice = f"the last game cannot be read ({_line(error)}): a new one begins"
        if history is None:
            return History(new_game(self._begun.setup), limit=HISTORY_LIMIT)
        return history

    def _last_games(self) -> History | None:
        """Return the past of the last game, and of those before it that a history holds."""
        found: list[tuple[_JournalGame, Past]] = []
        entries = 0
        for branch in current_series(self._store):
            try:
                game, past = self._read(branch)
            except CompanionError:
                if found:
                    break
                raise
            if not found:
                if not self._goes_on(game.row, past.start.setup):
                    self.notice = LEFT_BEHIND
                    return None
                self._tell_of_loss(branch, past)
            entries += len(past.steps) + 1
            if found and (past.cut is not None or entries > HISTORY_LIMIT):
                break
            found.append((game, past))
        return self._join(found[::-1]) if found else None

    def _read(self, branch: Branch) -> tuple[_JournalGame, Past]:
        board_file = find_board_file(self._store, branch.game, self._begun.board_file)
        track = parse_board_file(board_file, read_setup(branch.game).board).track
        return _JournalGame(branch.game, board_file), read_past(self._store, branch, track)

    def _join(self, games: Sequence[tuple[_JournalGame, Past]]) -> History:
        """Return the history of games of which each led to the next."""
        setup = self._begun.setup
        history = History(games[0][1].start, limit=HISTORY_LIMIT, next_setup=setup)
        for number, (game, past) in enumerate(games):
            begun_by = game.row.begun_by
            row = self._store.log_row(begun_by) if number else None
            self._positions.append(_HistoryPosition(begun_by, game, row))
            if row:
                history.add(Entry(command=read_command(row.command), events=(), state=past.start))
            for step in past.steps:
                self._positions.append(_HistoryPosition(step.seq, game, step.row))
                history.add(step.entry)
        return history

    def _tell_of_loss(self, branch: Branch, past: Past) -> None:
        read_up_to = branch.ended_by if past.cut is None else past.cut
        if lost := self._store.rows_after(read_up_to):
            t = past.steps[-1].t if past.steps else branch.game.t
            when = datetime.fromtimestamp(t).astimezone().strftime("%Y-%m-%d %H:%M:%S")
            fault = past.fault or f"row {read_up_to + 1} is damaged"
            self.notice = (
                f"the journal is damaged ({fault}): its last {lost} commands are lost, and the game"
                f" goes on as it stood at {when}; enter again what is missing, or restore a backup"
            )

    def _goes_on(self, row: GameRow, old: Setup) -> bool:
        """Return whether a game goes on with the settings: for its sides, or those asked for then.

        Args:
            row: its row.
            old: its set-up, with the sides that joined it.
        """
        new, row_setup = self._begun.setup, read_setup(row)
        lanes = row_setup.asked or old.lanes
        players = row_setup.asked_players or old.players // len(old.lanes) * len(lanes)
        asked = dataclasses.replace(old, lanes=lanes, players=players)
        return any(continuation(each, new) is not Continuation.NEW_GAME for each in (old, asked))

    # Writing

    def save(self, entries: Sequence[Entry], cards: bytes | None = None) -> None:
        """Put entries on disk, all or none; they are there when this returns.

        With them the dealt cards: `cards` are those after the entries, None if they are the same.
        """
        positions = list(self._positions)
        content = self.cards if cards is None else cards
        with self._transaction():
            if entries and not positions:
                game = self._add_game(0, new_game(self._begun.setup))
                positions.append(_HistoryPosition(0, game, None))
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
        self, seq: int, entry: Entry, positions: list[_HistoryPosition]
    ) -> list[_HistoryPosition]:
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
            events=msgspec.json.encode([event_value(event) for event in entry.events]),
        )
        self._store.add_log_row(row)
        if isinstance(entry.command, NewGame):
            game = self._add_game(seq, entry.state)
            return _without_oldest([*positions, _HistoryPosition(seq, game, row)])
        if row.head == seq:
            positions.append(_HistoryPosition(seq, last.game, row))
        return positions

    def _add_game(self, begun_by: int, start: State) -> _JournalGame:
        content = self._begun.board_file
        row = GameRow(
            number=self._store.last_game + 1,
            t=self._now(),
            begun_by=begun_by,
            setup=write_setup(start, self._begun),
            board_checksum=checksum_of(content),
        )
        self._store.add_game(row, content)
        return _JournalGame(row, content)

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
            board_file=lambda row: games[row.number].board_file,
            head=positions[-1].seq,
        )
        merged = self._merge(extract)
        self.seq = self._store.last_seq
        self._positions = [_moved(position, merged) for position in positions]

    def _merge(self, extract: Extract) -> Merged:
        with self._transaction():
            return merge(extract, self._store, self._now())


def _moved(position: _HistoryPosition, merged: Merged) -> _HistoryPosition:
    """Return a position with the rows that a merge has put in the place of its own."""
    game = merged.games[position.game.row.number]
    row = merged.rows[position.seq] if position.row else None
    seq = row.seq if row else game.begun_by
    return _HistoryPosition(seq, dataclasses.replace(position.game, row=game), row)


def _without_oldest(positions: list[_HistoryPosition]) -> list[_HistoryPosition]:
    """Return the positions that a history with the same entries keeps."""
    begins = [bool(position.row and begins_game(position.row)) for position in positions]
    if first := first_kept(begins[1:], HISTORY_LIMIT):
        return [dataclasses.replace(positions[first], row=None), *positions[first + 1 :]]
    return positions


def _game_number(positions: Sequence[_HistoryPosition]) -> int:
    """Return the number of the game that goes on, 0 before its first command."""
    return positions[-1].game.row.number if positions else 0


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0]
