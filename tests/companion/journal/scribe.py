"""Journals for tests, written by the table's own recorder at known times."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from types import MappingProxyType

from companion.board import Track, board_source, load_board
from companion.journal.journal_file import prepare
from companion.journal.recorder import Recorder
from companion.journal.setup import GameRequest
from companion.journal.store import FILE, checksum_of
from companion.rules.game import Command, Entry, History, HouseRules, NewGame, Peg, Setup
from companion.rules.game.commands import CountKind

# Journals for tests, written by the table's own recorder at known times.


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
    setup = Setup.make(_track_of(board), rules, sides=sides, players=players)
    content = board_source(board) + f"\n# {note}\n".encode() * bool(note)
    return GameRequest(board_file=content, setup=setup, names=names)


@cache
def _track_of(board: str) -> Track:
    return load_board(board).track


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


def connect_with(
    commit: Callable[[sqlite3.Connection], None],
) -> Callable[[Path], sqlite3.Connection]:
    """Return a `connect` for a `Journal` whose recorder commits by `commit`."""

    class Connection(sqlite3.Connection):
        def commit(self) -> None:
            commit(self)

    return lambda path: sqlite3.connect(
        path, timeout=1, isolation_level=None, check_same_thread=False, factory=Connection
    )


# Recorded games for tests of the page


MARKUP = "<img src=x onerror=alert(1)>"

RULES = HouseRules(board="classic", game_to=121, skunk_at="finish", match_to=7)
GAME = (Peg(side=1, points=5), Peg(side=2, points=8), Peg(side=1, points=29))
"""Three places after the start; White leads once."""
WIN = (
    (1, 12, CountKind.HAND),
    (1, 5, CountKind.CRIB),
    *((2, points, CountKind.PLAY) for points in (29, 29, 29, 29, 5)),
)
"""Counts by side, points and reason: the second side wins by a double skunk."""


def three_games(folder: Path, *, reasons: bool = False) -> Path:
    """Record games 1 and 3 on the classic board, game 2 on another; the last has names and is won.

    Its counts have their reasons if asked.
    """
    classic = begun("classic", rules=RULES)
    named = begun("classic", rules=RULES, names={"1": "Anna", "2": MARKUP})
    win = [Peg(side=t, points=points, why=why if reasons else None) for t, points, why in WIN]
    scribe = Scribe(folder).sit(classic).do(*GAME).sit(begun()).do(*GAME)
    return scribe.sit(named).do(*win).close()


def many_games(folder: Path, number: int) -> Path:
    """Return a number of games on the classic board."""
    commands: list[Command] = []
    for n in range(number):
        commands += [NewGame(), Peg(side=1, points=1 + n)]
    return Scribe(folder).sit(begun("classic", rules=RULES)).do(*commands).close()
