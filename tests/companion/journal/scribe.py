"""Journals for tests, written by the table's own recorder at known times."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from pathlib import Path
from types import MappingProxyType

from companion.board import board_source, load_board
from companion.journal.recorder import Recorder
from companion.journal.schema import prepare
from companion.journal.setup import GameRequest
from companion.journal.store import FILE, checksum_of
from companion.rules.game import Command, Entry, History, HouseRules, Setup

NOON = 1_800_000_000.0
_NO_NAMES: Mapping[str, str] = MappingProxyType({})


def begun(
    board: str = "crib-wars",
    *,
    sides: tuple[int, ...] = (1, 2),
    players: int | None = None,
    rules: HouseRules | None = None,
    names: Mapping[str, str] = _NO_NAMES,
    note: str = "",
) -> GameRequest:
    """Return a game as settings request it; another `note` makes another board's file."""
    rules = rules or HouseRules(board=board)
    setup = Setup.make(load_board(board).track, rules, sides=sides, players=players)
    content = board_source(board) + f"\n# {note}\n".encode() * bool(note)
    return GameRequest(board_file=content, setup=setup, names=names)


def clock(start: float = NOON) -> Callable[[], float]:
    """Return a clock that goes on by a second at each call."""
    ticks = count()
    return lambda: start + next(ticks)


class Scribe:
    """A table's journal in a folder: each `sit` is a start of the table there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._now = clock()
        self._recorder: Recorder | None = None
        self.history: History

    def sit(self, requested: GameRequest | None = None) -> Scribe:
        """Start the table, which resumes the journal if its game has the same settings."""
        self.close()
        database = sqlite3.connect(self.folder / FILE, isolation_level=None)
        prepare(database)
        self._recorder = Recorder(database, requested or begun(), now=self._now)
        self.history = self._recorder.history
        return self

    def do(self, *commands: Command) -> Scribe:
        """Accept commands and put them on disk."""
        return self.write([self.history.do(command) for command in commands])

    def write(self, entries: Iterable[Entry]) -> Scribe:
        """Write entries that the history has already."""
        assert self._recorder is not None
        self._recorder.save(list(entries))
        return self

    def close(self) -> Path:
        """Stop the table. Return its folder."""
        if self._recorder:
            self._recorder.close()
            self._recorder = None
        return self.folder

    def __del__(self) -> None:
        """Close the file of a table that a test leaves running."""
        self.close()


def played(folder: Path, *commands: Command, requested: GameRequest | None = None) -> Path:
    """Return a folder with the journal of one start and these commands."""
    return Scribe(folder).sit(requested).do(*commands).close()


CHECKSUMS = """
UPDATE game SET board_checksum = checksum_of(board_file);
UPDATE game SET checksum = checksum_of(id, t, begun_by, CAST(setup AS BLOB), board_checksum);
UPDATE log SET checksum =
    checksum_of(seq, parent, head, game, t, CAST(command AS BLOB), CAST(events AS BLOB));
"""
"""Statements that make every row agree with its checksum."""


def seal(database: sqlite3.Connection) -> None:
    """Compute the checksums of all rows, so that only their content is wrong."""
    database.create_function("checksum_of", -1, checksum_of)
    database.executescript(CHECKSUMS)


def changed(folder: Path, *statements: str, checked: bool = False) -> Path:
    """The folder with its journal changed by somebody else's hand.

    Unless `checked` its rows agree with their checksums afterwards.
    """
    database = sqlite3.connect(folder / FILE)
    for statement in statements:
        database.execute(statement)
    if not checked:
        seal(database)
    database.commit()
    database.close()
    return folder
