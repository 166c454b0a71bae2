"""The rows of a journal file: games and accepted commands. Rows are only added.

A command is in force unless an undo has taken it back. Each row of `log` has the numbers of two
rows: `parent` is the last row in force before it, and `head` is the last row in force after it. The
head of an undo is the parent of the row that it takes back; any other row is its own head. So the
past is a chain of parents. Example: rows 1 and 2 are counts; an undo, row 3, has parent 2, head 1.

The row of a game has the board's file and the house rules. Each row has a checksum of its other
values; a row with a wrong checksum is never returned.

The journal file's table `cards` has one row with the cards that are dealt now. The row is replaced
at each card and deleted when the cards are put away, so no earlier hand is left. A command and the
cards after it are saved in one transaction. Backups do not have this table, because its row holds
the players' hands, and the secret tokens in the addresses of the pages that show these hands.
"""

import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from hashlib import blake2b
from typing import Final, TypeVar

import msgspec

FILE: Final = "journal.sqlite"
CHECKSUM_BYTES: Final = 8
NO_JOURNAL: Final = "0" * 16
"""Id of a journal without games."""

_ANY_GAME: Final = 1 << 62
_GAMES: Final = "SELECT id, t, begun_by, setup, board_checksum, checksum FROM game"
_LOG: Final = "SELECT seq, parent, head, game, t, command, events, checksum FROM log"


class GameRow(msgspec.Struct, frozen=True, array_like=True):
    """A game. `setup` is JSON; `begun_by` is the number of the command that began it, or 0."""

    number: int
    t: float
    begun_by: int
    setup: bytes
    board_checksum: bytes


class LogRow(msgspec.Struct, frozen=True, array_like=True):
    """An accepted command. `command` and `events` are JSON; `t` is in seconds since the epoch."""

    seq: int
    parent: int
    head: int
    game: int
    t: float
    command: bytes
    events: bytes


_Row = TypeVar("_Row", GameRow, LogRow)


def checksum_of(*values: object) -> bytes:
    """Return the checksum of a row's values, in the order of its columns."""
    return blake2b(msgspec.msgpack.encode(values), digest_size=CHECKSUM_BYTES).digest()


class Store:
    """The rows of an open journal file. The methods raise SQLite's own errors."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._db = database
        # Text is read as bytes, so that invalid UTF-8 makes one row unreadable without an error.
        database.text_factory = bytes

    # Reading

    @property
    def id(self) -> str:
        """The journal's id, which is made from the first game and therefore equal in a copy."""
        first = next((game for _, game in self.rows_from(GameRow, 0) if game), None)
        return _own_checksum(first).hex() if first else NO_JOURNAL

    @property
    def last_seq(self) -> int:
        """The highest number of a command, or 0."""
        return int(self._db.execute("SELECT coalesce(max(seq), 0) FROM log").fetchone()[0])

    @property
    def last_game(self) -> int:
        """The highest number of a game, or 0."""
        return int(self._db.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()[0])

    def missing(self, expected: int | None) -> int:
        """Return how many of `expected` commands are missing; None counts gaps in the numbers."""
        if expected is None:
            query = "SELECT coalesce(max(seq) - min(seq) + 1, 0) FROM log"
            (expected,) = self._db.execute(query).fetchone()
        return max(0, expected - self.count())

    def game_row(self, number: int) -> GameRow | None:
        values = self._db.execute(f"{_GAMES} WHERE id = ?", (number,)).fetchone()
        return values and self._verified(values, GameRow)

    def game_begun_by(self, seq: int, *, after: int) -> GameRow | None:
        """Return the game that a command began; only games with number > `after` are searched."""
        query = f"{_GAMES} WHERE id > ? AND begun_by = ? ORDER BY id"
        with closing(self._db.execute(query, (after, seq))) as found:
            return next(filter(None, (self._verified(each, GameRow) for each in found)), None)

    def log_row(self, seq: int) -> LogRow | None:
        values = self._db.execute(f"{_LOG} WHERE seq = ?", (seq,)).fetchone()
        return values and self._verified(values, LogRow)

    def has(self, row: LogRow) -> bool:
        """Return True if any row of the journal has the time and the command of `row`."""
        query = "SELECT 1 FROM log WHERE t = ? AND CAST(command AS BLOB) = ?"
        return self._db.execute(query, (row.t, row.command)).fetchone() is not None

    def log_rows(
        self, *, at_most: int, after: int = 0, below_game: int | None = None
    ) -> Generator[LogRow]:
        """Yield the readable commands with after < number <= at_most, newest first.

        `below_game` leaves out games with this number or a higher one.
        """
        where = "WHERE seq <= ? AND seq > ? AND game < ? ORDER BY seq DESC"
        bounds = at_most, after, _ANY_GAME if below_game is None else below_game
        with closing(self._db.execute(f"{_LOG} {where}", bounds)) as found:
            for values in found:
                if row := self._verified(values, LogRow):
                    yield row

    def rows_from(self, kind: type[_Row], number: int) -> Iterator[tuple[int, _Row | None]]:
        """Yield the rows from a number on, oldest first; yield None for an unreadable row."""
        query, key = (_LOG, "seq") if kind is LogRow else (_GAMES, "id")
        for values in self._db.execute(f"{query} WHERE {key} >= ? ORDER BY {key}", (number,)):
            yield values[0], self._verified(values, kind)

    def games_without_row(self) -> list[int]:
        """Return the numbers of games with commands whose `game` row cannot be read."""
        readable = sum(1 for _, row in self.rows_from(GameRow, 0) if row)
        last = self.log_row(self.last_seq)
        if readable >= max(self.last_game, last.game if last else 0):
            return []
        found = self._db.execute("SELECT DISTINCT game FROM log ORDER BY game").fetchall()
        return [number for (number,) in found if not self.game_row(number)]

    def count(self, *, after: int = 0) -> int:
        """Return the number of commands with number > `after`, readable or not."""
        found = self._db.execute("SELECT count(*) FROM log WHERE seq > ?", (after,))
        return int(found.fetchone()[0])

    def board_file(self, game: GameRow, *, own: bool = False) -> bytes | None:
        """Return the board file of a game, or None; with `own`, look only in this game's row."""
        query = "SELECT board_file FROM game WHERE id = ?"
        values: tuple[bytes, ...] | None = self._db.execute(query, (game.number,)).fetchone()
        if values and game.board_checksum == checksum_of(*values):
            return values[0]
        if own:
            return None
        query = "SELECT board_file FROM game WHERE board_checksum = ?"
        copies = self._db.execute(query, (game.board_checksum,))
        return next((copy for (copy,) in copies if checksum_of(copy) == game.board_checksum), None)

    # Writing

    def add_game(self, game: GameRow, board_file: bytes) -> None:
        """Insert a game with its board file; replace an unreadable row that has the same number."""
        self._db.execute(
            "INSERT OR REPLACE INTO game"
            " (id, t, begun_by, setup, board_checksum, checksum, board_file)"
            " VALUES (?, ?, ?, CAST(? AS TEXT), ?, ?, ?)",
            (*msgspec.structs.astuple(game), _own_checksum(game), board_file),
        )

    def add_log_row(self, row: LogRow) -> None:
        self._db.execute(
            "INSERT INTO log (seq, parent, head, game, t, command, events, checksum)"
            " VALUES (?, ?, ?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?)",
            (*msgspec.structs.astuple(row), _own_checksum(row)),
        )

    def _verified(self, values: Sequence[object], kind: type[_Row]) -> _Row | None:
        """Return the row with these values, or None if the checksum, the last value, is wrong."""
        *content, checksum = values
        try:
            row = msgspec.convert(content, type=kind)
        except msgspec.ValidationError:
            return None
        if isinstance(row, GameRow):  # each parent must have a lower number, so each chain ends
            is_sound = row.number > 0 <= row.begun_by
        else:
            is_sound = 0 <= row.parent < row.seq >= row.head >= 0 < row.game
        return row if is_sound and checksum == checksum_of(*content) else None


def _own_checksum(row: GameRow | LogRow) -> bytes:
    return checksum_of(*msgspec.structs.astuple(row))


def save_cards(database: sqlite3.Connection, game: int, content: bytes) -> None:
    """Replace the dealt cards; b"" deletes them. `game` is 0 if no game has a row yet."""
    database.execute("DELETE FROM cards")
    if content:
        values = game, content, checksum_of(game, content)
        database.execute("INSERT INTO cards VALUES (1, ?, ?, ?)", values)


def load_cards(database: sqlite3.Connection) -> tuple[int, bytes] | None:
    """Return the game of the dealt cards, and the cards; (0, b"") without any, None if damaged."""
    row = database.execute("SELECT game, content, checksum FROM cards").fetchone()
    if row is None:
        return 0, b""
    return (row[0], bytes(row[1])) if row[2] == checksum_of(*row[:2]) else None
