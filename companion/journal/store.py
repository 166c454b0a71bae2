"""The journal's file: SQLite, rows only ever added, and how a table goes on from them.

Each row of `log` names the row it builds on (`parent`) and the row that stands after it (`head`):
itself, or for an undo the parent of what it took back. So the past is a chain of parents, and an
undo is a row like any other. Each game carries its board's file and its house rules.
"""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from companion.board import parse_board
from companion.errors import BadInputError, RuleError
from companion.journal.schema import prepare
from companion.rules.game import (
    Entry,
    History,
    HouseRules,
    Match,
    NewGame,
    Setup,
    State,
    Undo,
    new_game,
)
from companion.rules.game.house_rules import as_settings, with_rule
from companion.rules.game.notation import command_value, event_value, read_command, read_events

_MOST_ROWS: Final = 2_000
_NEW_GAME: Final = '{"new_game"'
_CHAIN: Final = """
WITH RECURSIVE chain (seq, parent, game, command, events, depth) AS (
    SELECT seq, parent, game, command, events, 1 FROM log WHERE seq = ?
    UNION ALL
    SELECT log.seq, log.parent, log.game, log.command, log.events, depth + 1
    FROM log JOIN chain ON log.seq = chain.parent WHERE depth < ?
)
SELECT seq, parent, game, command, events FROM chain ORDER BY depth DESC
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """How a game was asked for: the board's file, the set-up made from it, the sides' names."""

    board_file: bytes
    setup: Setup
    names: Mapping[str, str] = field(default_factory=dict)


class _Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The column `setup` of a game; `asked` are the lanes that settings asked for."""

    board: str
    rules: dict[str, str]
    lanes: tuple[int, ...]
    asked: tuple[int, ...]
    players: int
    games_won: dict[int, int]
    names: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of `log`, as far as going on needs it."""

    seq: int
    parent: int
    game: int
    command: str
    events: str


@dataclass(frozen=True, slots=True)
class _Stand:
    """Where the chain of parents has come to: its last row, and the game after it."""

    seq: int
    game: int


class Archive:
    """An open journal file. Any error of SQLite or of its content comes out as it is."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        now: Callable[[], float],
        commit: Callable[[sqlite3.Connection], None],
    ) -> None:
        self._db = connection
        self._now = now
        self._commit = commit
        # Text that is none is then wrong content, not an error without a code.
        connection.text_factory = bytes.decode
        prepare(connection)
        self.seq = self._one("SELECT coalesce(max(seq), 0) FROM log")
        self._stands: list[_Stand] = []
        self._begun: Begun | None = None
        self.left_behind = False

    def close(self) -> None:
        """Close the file; what was stored is on disk already."""
        self._db.close()

    # Going on

    def resume(self, begun: Begun) -> History:
        """The past to go on from: the last game if it was begun alike, else a new one's start.

        `left_behind` then tells that there was a game which was begun otherwise.
        """
        self._begun = begun
        newest = self._one("SELECT coalesce(max(id), 0) FROM game")
        self.left_behind = bool(newest) and not self._begun_alike(newest, begun)
        if newest and not self.left_behind:
            return self._resume_chain()
        # Its row comes with its first command: a start that was a mistake leaves nothing.
        self._stands = []
        return History(new_game(begun.setup))

    def _resume_chain(self) -> History:
        parent, head = self._db.execute("SELECT parent, head FROM log ORDER BY seq DESC").fetchone()
        seq, rows = self._chain(head)
        if seq:
            game = self._game_begun_by(seq)
        elif rows:
            game = rows[0].game
        else:  # all was taken back: the last row is the undo of the first
            game = self._one("SELECT game FROM log WHERE seq = ?", parent)
        self._stands = [_Stand(seq, game)]
        history = History(self._start(game))
        for row in rows:
            command = read_command(row.command)
            history.restore(command, read_events(row.events))
            begun = self._game_begun_by(row.seq) if isinstance(command, NewGame) else row.game
            self._stands.append(_Stand(row.seq, begun))
        return history

    def _chain(self, head: int) -> tuple[int, list[_Row]]:
        """The chain up to `head`, and the row it begins after: 0, or one that begins a game."""
        rows = self._rows(head, _MOST_ROWS)
        if not rows or not rows[0].parent:
            return 0, rows
        for place, row in enumerate(rows):
            if row.command.startswith(_NEW_GAME):
                return row.seq, rows[place + 1 :]
        return 0, self._rows(head, self.seq)

    def _rows(self, head: int, most: int) -> list[_Row]:
        return [_Row(*values) for values in self._db.execute(_CHAIN, (head, most))]

    def _begun_alike(self, game: int, begun: Begun) -> bool:
        """Whether a game was asked for as this one is: same track, rules and players a side."""
        asked, old, new = self._game_row(game).asked, self._setup(game), begun.setup
        return (
            new.lanes in (asked, old.lanes)
            and old.track == new.track
            and dataclasses.replace(old.rules, board=new.rules.board) == new.rules
            and old.players * len(new.lanes) == new.players * len(old.lanes)
        )

    def _setup(self, game: int) -> Setup:
        """A game's set-up; a house rule that it does not know, or we do not, has its default."""
        row, rules = self._game_row(game), HouseRules()
        for name, value in row.rules.items():
            with suppress(RuleError):
                rules = with_rule(rules, name, value)
        content = self._one("SELECT board_file FROM game WHERE id = ?", game)
        track = parse_board(content, file=row.board).track
        return Setup.make(track, rules, lanes=row.lanes, players=row.players)

    def _start(self, game: int) -> State:
        won = self._game_row(game).games_won
        return new_game(self._setup(game), Match(games=tuple(sorted(won.items()))))

    def _game_row(self, game: int) -> _Game:
        return msgspec.json.decode(
            self._one("SELECT setup FROM game WHERE id = ?", game), type=_Game
        )

    def _game_begun_by(self, seq: int) -> int:
        return int(self._one("SELECT id FROM game WHERE begun_by = ?", seq))

    # Writing

    def store(self, entries: list[Entry]) -> None:
        """Put entries on disk, all or none; they are there when this returns."""
        stands, seq = list(self._stands), self.seq
        self._db.execute("BEGIN IMMEDIATE")
        try:
            if not stands:
                game = self._insert_game(0, self._asked().setup, Match())
                stands.append(_Stand(0, game))
            for entry in entries:
                seq += 1
                self._store(seq, entry, stands)
            self._commit(self._db)
        except BaseException:
            if self._db.in_transaction:
                self._db.rollback()
            raise
        self._stands, self.seq = stands, seq

    def _store(self, seq: int, entry: Entry, stands: list[_Stand]) -> None:
        stand = stands[-1]
        if isinstance(entry.command, Undo):
            stands.pop()
            head = stands[-1].seq
        else:
            head = seq
        self._insert_row(seq, stand, head, entry)
        if isinstance(entry.command, NewGame):
            game = self._insert_game(seq, entry.state.setup, entry.state.match)
            stands.append(_Stand(seq, game))
        elif head == seq:
            stands.append(_Stand(seq, stand.game))

    def _insert_row(self, seq: int, stand: _Stand, head: int, entry: Entry) -> None:
        command = msgspec.json.encode(command_value(entry.command)).decode()
        events = msgspec.json.encode([event_value(event) for event in entry.events]).decode()
        self._db.execute(
            "INSERT INTO log (seq, parent, head, game, t, command, events)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (seq, stand.seq, head, stand.game, self._now(), command, events),
        )

    def _insert_game(self, begun_by: int, setup: Setup, match: Match) -> int:
        asked = self._asked()
        row = _Game(
            board=setup.board,
            rules=as_settings(setup.rules),
            lanes=setup.lanes,
            asked=asked.setup.lanes,
            players=setup.players,
            games_won=dict(match.games),
            names=dict(asked.names),
        )
        setup_json = msgspec.json.encode(row).decode()
        values = (self._now(), begun_by, asked.board_file, setup_json)
        self._db.execute(
            "INSERT INTO game (t, begun_by, board_file, setup) VALUES (?, ?, ?, ?)",
            values,
        )
        return int(self._one("SELECT max(id) FROM game"))

    def _asked(self) -> Begun:
        assert self._begun is not None  # noqa: S101  # set by `resume`, which comes first
        return self._begun

    def _one(self, sql: str, *values: object) -> Any:  # noqa: ANN401  # SQLite's value, by column
        found = self._db.execute(sql, values).fetchone()
        if found is None:
            raise BadInputError("a row that others build on is missing")
        return found[0]
