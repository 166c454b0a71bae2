"""Journals for tests, written by the table's own archive, at times that a test can tell."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from pathlib import Path
from types import MappingProxyType

from companion.board import board_source, load_board
from companion.journal.store import Archive, Begun
from companion.journal.writer import FILE
from companion.rules.game import Command, Entry, History, HouseRules, Setup

NOON = 1_800_000_000.0
_NO_NAMES: Mapping[str, str] = MappingProxyType({})


def begun(
    board: str = "crib-wars",
    *,
    lanes: tuple[int, ...] = (1, 2),
    players: int | None = None,
    rules: HouseRules | None = None,
    names: Mapping[str, str] = _NO_NAMES,
    note: str = "",
) -> Begun:
    """A game as settings ask for it; `note` makes the board's file another one."""
    rules = rules or HouseRules(board=board)
    setup = Setup.make(load_board(board).track, rules, lanes=lanes, players=players)
    content = board_source(board) + f"\n# {note}\n".encode() * bool(note)
    return Begun(board_file=content, setup=setup, names=names)


def clock(start: float = NOON) -> Callable[[], float]:
    """A clock that is a second on whenever somebody looks at it."""
    ticks = count()
    return lambda: start + next(ticks)


class Scribe:
    """A table's journal in a folder: each `sit` is a start of the table there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._now = clock()
        self._archive: Archive | None = None
        self.history: History

    def sit(self, asked: Begun | None = None) -> Scribe:
        """Start the table, which goes on from the journal if its game was begun alike."""
        self.close()
        database = sqlite3.connect(self.folder / FILE, isolation_level=None)
        self._archive = Archive(database, now=self._now, commit=sqlite3.Connection.commit)
        self.history = self._archive.resume(asked or begun())
        return self

    def do(self, *commands: Command) -> Scribe:
        """Accept commands and put them on disk."""
        return self.write([self.history.do(command) for command in commands])

    def write(self, entries: Iterable[Entry]) -> Scribe:
        """Put entries on disk that the history has already."""
        assert self._archive is not None
        self._archive.store(list(entries))
        return self

    def close(self) -> Path:
        """Stop the table; its folder."""
        if self._archive:
            self._archive.close()
            self._archive = None
        return self.folder

    def __del__(self) -> None:
        """A table that a test leaves running lets go of its file."""
        self.close()


def played(folder: Path, *commands: Command, asked: Begun | None = None) -> Path:
    """A folder with the journal of one start and these commands."""
    return Scribe(folder).sit(asked).do(*commands).close()


def changed(folder: Path, *statements: str) -> Path:
    """The folder with its journal changed by somebody else's hand."""
    database = sqlite3.connect(folder / FILE)
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()
    return folder
