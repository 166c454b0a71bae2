"""The journal's file as records read it: which games stand, and the rows of each. Never written.

Rows are only ever added, so what stands was complete when it was looked up, and its rows can be
read later without a transaction: a table may write meanwhile for as long as it takes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import BadInputError, JournalError
from companion.journal.damage import is_damage
from companion.journal.schema import VERSION_REMEDY, VersionError, check_version
from companion.journal.writer import FILE

_DAMAGE_REMEDY: Final = "restore a backup of it"
_PASSING_REMEDY: Final = "try again; if that does not help, see that the disk is sound"


class GameSetup(msgspec.Struct, frozen=True):
    """The column `setup` of a game, as far as records tell of it."""

    board: str
    rules: dict[str, str]
    lanes: tuple[int, ...]
    players: int
    games_won: dict[int, int]
    names: dict[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """A row of `game`: `number` is its id, `begun_by` the row of `log` that began it, or 0."""

    number: int
    t: float
    begun_by: int
    setup: GameSetup


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A game that stands, and the last row that stands in it; None if it has no row of its own.

    `t` is when that row was written, or when the game was begun. `newest`: the table goes on from
    it.
    """

    game: GameRow
    last: int | None
    t: float
    newest: bool

    @property
    def opens(self) -> bool:
        """Whether no other game led to this one, so that it begins a series."""
        return self.game.begun_by == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """A row of `log` that stands; `command` and `events` are JSON."""

    seq: int
    t: float
    command: str
    events: str


class JournalFile:
    """The journal of a data folder, open for reading, by one thread at a time.

    Raises:
        JournalError: there is none, or it cannot be read; any method may find that out.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        if not self._path.is_file():
            raise JournalError(f"there is no journal in {folder}: play a game first, or set --data")
        with self._reading():
            uri = f"{self._path.absolute().as_uri()}?mode=ro"
            self._db = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self._db.text_factory = bytes.decode
        try:
            with self._reading():
                check_version(self._db)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file. Idempotent."""
        self._db.close()

    def chapters(self) -> list[Chapter]:
        """The games that stand, oldest first: whatever was taken back is in none of them."""
        with self._reading():
            games = {row.number: row for row in self._games()}
            begun = {row.begun_by: row.number for row in games.values()}
            found: list[Chapter] = []
            end = self._end("seq > ?", 0)
            while end:
                seq, parent, head = end
                for number, last in self._series(begun, games, parent, head):
                    t = games[number].t if last is None else float(self._row("t", last)[0])
                    chapter = Chapter(game=games[number], last=last, t=t, newest=not found)
                    found.append(chapter)
                root = found[-1]
                end = self._end("seq < ? AND game < ?", root.last or seq, root.game.number)
        return found[::-1]

    def rows(self, chapter: Chapter) -> list[LogRow]:
        """The rows that stand in a game, in order."""
        wanted, begun_by = chapter.last or 0, chapter.game.begun_by
        found: list[LogRow] = []
        with self._reading():
            rows = self._db.execute(
                "SELECT seq, parent, t, command, events FROM log WHERE seq <= ? ORDER BY seq DESC",
                (wanted,),
            )
            for seq, parent, t, command, events in rows:
                if wanted <= begun_by:
                    break
                if seq == wanted:
                    found.append(LogRow(seq=seq, t=t, command=command, events=events))
                    wanted = parent
            rows.close()
        if wanted > begun_by:
            raise self._unreadable(f"row {wanted}, on which others build, is missing")
        return found[::-1]

    def board_file(self, number: int) -> bytes:
        """The content of the board file that a game was played on."""
        with self._reading():
            sql = "SELECT board_file FROM game WHERE id = ?"
            return bytes(self._db.execute(sql, (number,)).fetchone()[0])

    def board_files(self) -> list[bytes]:
        """The content of every board file that a game was played on, each once, oldest first."""
        with self._reading():
            sql = "SELECT board_file FROM game GROUP BY board_file ORDER BY min(id)"
            return [bytes(content) for (content,) in self._db.execute(sql)]

    def copy_to(self, file: Path) -> None:
        """Copy the whole journal as it is now into a new file, which then stands by itself."""
        try:
            with closing(sqlite3.connect(file)) as copy:
                self._db.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            text = f"{self._path} cannot be copied ({error}): see that there is room for a copy"
            raise JournalError(text) from error

    # The chain

    def _series(
        self, begun: dict[int, int], games: dict[int, GameRow], parent: int, head: int
    ) -> Iterator[tuple[int, int | None]]:
        """Games from a series' last row back to the one that no other led to, and their last rows.

        `parent` and `head` are that row's, `begun` the games by the rows that began them.
        """
        if head == 0:  # all was taken back: the row is the undo of the first
            number = int(self._row("game", parent)[0])
        else:
            number = begun.get(head) or int(self._row("game", head)[0])
        while True:
            begun_by = games[number].begun_by
            yield number, head if head != begun_by else None
            if not begun_by:
                return
            head, before = map(int, self._row("parent, game", begun_by))
            if before >= number or head >= begun_by:
                raise BadInputError("a game builds on a later one")
            number = before

    def _end(self, condition: str, *values: int) -> tuple[int, int, int] | None:
        """The last of such rows: its number, its parent, and what stands after it."""
        sql = f"SELECT seq, parent, head FROM log WHERE {condition} ORDER BY seq DESC LIMIT 1"  # noqa: S608  # conditions of this class
        found: tuple[int, int, int] | None = self._db.execute(sql, values).fetchone()
        return found

    def _row(self, columns: str, seq: int) -> tuple[float, ...]:
        sql = f"SELECT {columns} FROM log WHERE seq = ?"  # noqa: S608  # columns named by this class
        found: tuple[float, ...] | None = self._db.execute(sql, (seq,)).fetchone()
        if found is None:
            raise BadInputError(f"row {seq}, on which others build, is missing")
        return found

    def _games(self) -> Iterator[GameRow]:
        decoder = msgspec.json.Decoder(GameSetup)
        for number, t, begun_by, setup in self._db.execute(
            "SELECT id, t, begun_by, setup FROM game ORDER BY id"
        ):
            yield GameRow(number=number, t=t, begun_by=begun_by, setup=decoder.decode(setup))

    # What can be wrong with a file

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except VersionError as error:
            raise self._unreadable(str(error), VERSION_REMEDY) from error
        except (sqlite3.Error, UnicodeDecodeError, msgspec.MsgspecError, BadInputError) as error:
            remedy = _DAMAGE_REMEDY if is_damage(error) else _PASSING_REMEDY
            raise self._unreadable(str(error), remedy) from error
        except (KeyError, TypeError) as error:
            raise self._unreadable("a row that others build on is missing") from error

    def _unreadable(self, why: str, remedy: str = _DAMAGE_REMEDY) -> JournalError:
        return JournalError(f"{self._path} cannot be read ({why}): {remedy}")
