"""Opening a journal: files that are set aside, left alone, or given up."""

import os
import sqlite3
import time
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest

from companion.board import board_source, load_board
from companion.errors import JournalError
from companion.files import RETRY_WAITS_S
from companion.journal.journal_file import VERSION
from companion.journal.mirror import MIRROR
from companion.journal.setup import GameRequest
from companion.journal.store import FILE
from companion.journal.writer import Journal
from companion.rules.game import History, HouseRules, NewGame, Peg, Setup, Undo
from tests.companion.journal.scribe import seal
from tests.support.spine import begun, play_before

COUNT = Peg(side=1, points=5)
CODES = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_IOERR_READ,
    sqlite3.SQLITE_READONLY,
)
"""Errors of SQLite that tell nothing about the content."""


def at_once(_seconds: float) -> None:
    """Do not wait."""


def hasty(path: Path) -> sqlite3.Connection:
    """Open a journal without waiting for its writers."""
    return sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)


def passing_errors() -> list[Exception]:
    """Return one error of each temporary kind."""
    errors: list[Exception] = [OSError(5, "Input/output error"), MemoryError()]
    for code in CODES:
        error = sqlite3.OperationalError(f"code {code}")
        error.sqlite_errorcode = code
        errors.append(error)
    return errors


def started(folder: Path, request: GameRequest | None = None) -> tuple[History, int, str]:
    """Return the game of the next start, the number of its last command, and the notice."""
    with closing(Journal(folder, now=time.time, wait=at_once)) as journal:
        history, seq = journal.begin(request or begun())
    return history, seq, str(journal.notice or "")


class FailingDisk:
    """A connection to a journal that fails the first `failures` times."""

    def __init__(self, error: Exception, failures: int) -> None:
        self._error = error
        self._failures = failures
        self.waits: list[float] = []

    def connect(self, path: Path) -> sqlite3.Connection:
        """Open the journal, or fail."""
        if self._failures:
            self._failures -= 1
            raise self._error
        return hasty(path)

    def journal(self, folder: Path) -> Journal:
        """Return a journal on this disk."""
        return Journal(folder, now=time.time, connect=self.connect, wait=self.waits.append)


class HoleyPages(sqlite3.Connection):
    """A connection whose page check finds an unreadable page."""

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:  # noqa: ANN401  # as sqlite3 has it
        """Execute a statement."""
        reported = "SELECT 'Page 3: unable to get the page. error code=10'"
        return super().execute(reported if "quick_check" in sql else sql, *values)


def changed(
    folder: Path, *statements: str, files: tuple[str, ...] = (FILE, MIRROR), sealed: bool = False
) -> bytes:
    """Change a journal's content by statements, in its mirror too by default."""
    for file in files:
        with closing(sqlite3.connect(folder / file)) as database:
            for statement in statements:
                database.execute(statement)
            if sealed:
                seal(database)
            database.commit()
    return (folder / FILE).read_bytes()


def names_aside(folder: Path) -> list[str]:
    """Return the files that were set aside."""
    return sorted(file.name for file in folder.glob("*-damaged*.sqlite"))


@pytest.mark.parametrize("error", passing_errors(), ids=repr)
def test_an_error_that_passes_does_not_cost_the_game(tmp_path: Path, error: Exception) -> None:
    """Opening is repeated after growing waits, and the game goes on."""
    play_before(tmp_path, COUNT)
    disk = FailingDisk(error, failures=3)
    journal = disk.journal(tmp_path)
    history, seq = journal.begin(begun())
    journal.close()
    assert (5, 1, None) == (history.state.pegs(1).front, seq, journal.notice)
    assert list(RETRY_WAITS_S) == disk.waits == sorted(disk.waits)


@pytest.mark.parametrize("error", passing_errors(), ids=repr)
def test_an_error_that_stays_is_said_and_the_file_is_left_alone(
    tmp_path: Path, error: Exception
) -> None:
    """The start is refused with the reason in one line; the file stays."""
    play_before(tmp_path, COUNT)
    before = (tmp_path / FILE).read_bytes()
    journal = FailingDisk(error, failures=99).journal(tmp_path)
    with pytest.raises(JournalError, match="cannot be read or written now") as caught:
        journal.begin(begun())
    journal.close()
    assert (str(error) or "MemoryError") in str(caught.value)
    assert "\n" not in str(caught.value)
    assert before == (tmp_path / FILE).read_bytes()
    assert [] == names_aside(tmp_path)


@pytest.mark.parametrize("unlucky", [1, 4])
def test_a_page_that_cannot_be_read_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unlucky: int
) -> None:
    """SQLite calls it damage, which counts only if every byte can be read."""
    play_before(tmp_path, COUNT)
    holey = FailingDisk(sqlite3.OperationalError(), failures=0)

    def connect(path: Path) -> sqlite3.Connection:
        nonlocal unlucky
        unlucky -= 1
        kind = HoleyPages if unlucky >= 0 else sqlite3.Connection
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=kind)

    def pread(*_call: int) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "pread", pread)
    journal = Journal(tmp_path, now=time.time, connect=connect, wait=holey.waits.append)
    refused = pytest.raises(JournalError, match="Input/output error")
    with refused if unlucky == 4 else nullcontext():
        assert 5 == journal.begin(begun())[0].state.pegs(1).front
    journal.close()
    assert [] == names_aside(tmp_path)


@pytest.mark.parametrize(
    "statements",
    [
        ("PRAGMA foreign_keys = OFF", "DROP TABLE log"),
        ("ALTER TABLE log RENAME COLUMN head TO tail",),
        ("DROP TABLE log", "DROP TABLE game", "CREATE TABLE a (b)", "PRAGMA user_version = 0"),
    ],
)
def test_other_tables_are_set_aside(tmp_path: Path, statements: tuple[str, ...]) -> None:
    """A file that is no journal is renamed; rows in it are still read."""
    play_before(tmp_path, COUNT)
    content = changed(tmp_path, *statements)
    with closing(Journal(tmp_path, now=time.time, wait=at_once)) as journal:
        history, _ = journal.begin(begun())
        assert not [name for name in open_files(tmp_path) if "damaged" in name]
    assert history.state.pegs(1).front in (0, 5)
    aside = tmp_path / "journal-damaged.sqlite"
    assert content == aside.read_bytes()
    assert aside.name in (str(journal.notice or ""))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log SET command = 'nonsense' WHERE seq = 2",
        "UPDATE log SET events = CAST(x'ff' AS TEXT) WHERE seq = 2",
        "DELETE FROM log WHERE seq = 2",
    ],
)
@pytest.mark.parametrize("sealed", [True, False])
def test_the_game_goes_on_before_the_first_row_that_is_lost(
    tmp_path: Path, statement: str, *, sealed: bool
) -> None:
    """Readable rows count, the notice names lost ones, and play goes on."""
    play_before(tmp_path, COUNT, Peg(side=1, points=3), Peg(side=2, points=7))
    changed(tmp_path, statement, sealed=sealed)
    journal = Journal(tmp_path, now=time.time, wait=at_once)
    history, seq = journal.begin(begun())
    notice = str(journal.notice)
    assert ("): 2 commands are lost" in notice, notice.count(" lost")) == (True, 1)
    assert (5, 0, 3) == (history.state.pegs(1).front, history.state.pegs(2).front, seq)
    journal.write(history.do(Peg(side=2, points=1)), lambda _saved: None)
    journal.close()
    history, *last = started(tmp_path)
    assert [5, 1, 4, ""] == [*(pegs.front for pegs in history.state.all_pegs), *last]
    assert [] == names_aside(tmp_path)


def test_a_board_that_is_damaged_is_found_elsewhere(tmp_path: Path) -> None:
    """A game's board file is most of its bytes, and has copies."""
    play_before(tmp_path, COUNT)
    changed(tmp_path, "UPDATE game SET board_file = x'00'")
    history, _, notice = started(tmp_path)
    assert (5, "") == (history.state.pegs(1).front, notice)


def test_a_game_of_which_nothing_can_be_read_is_said(tmp_path: Path) -> None:
    """Without its set-up a new one begins, and the notice says why."""
    play_before(tmp_path, COUNT)
    changed(tmp_path, "UPDATE game SET setup = '{}'", sealed=True)
    history, _, notice = started(tmp_path)
    assert 0 == len(history)
    assert "the last game cannot be read (" in notice


@pytest.mark.parametrize("statement", ["UPDATE game SET setup = '{}'", "DELETE FROM game"])
def test_a_game_whose_row_is_lost_is_found_by_its_commands(tmp_path: Path, statement: str) -> None:
    """The settings that its commands fit are used, with a notice."""
    play_before(tmp_path, COUNT, NewGame(sides=(1, 3)), Peg(side=3, points=7), Undo(), COUNT)
    changed(tmp_path, statement)
    history, _, notice = started(tmp_path)
    assert ((1, 3), 5, 3) == (history.state.setup.sides, history.state.pegs(1).front, len(history))
    assert "the row of game 1 was lost, but its 2 commands were found" in notice
    assert "the row of game 2 was lost, but its 3 commands were found" in notice


def test_a_game_of_other_settings_whose_row_is_lost_is_named(tmp_path: Path) -> None:
    """If its commands do not fit, a new game begins, with their number."""
    play_before(tmp_path, COUNT, Peg(side=2, points=7))
    changed(tmp_path, "DELETE FROM game")
    classic = Setup.make(load_board("classic").track, HouseRules(board="classic"), sides=(1, 3))
    request = GameRequest(board_file=board_source("classic"), setup=classic)
    history, _, notice = started(tmp_path, request)
    assert 0 == len(history)
    assert "game 1 is lost with its 2 commands" in notice


@pytest.mark.parametrize("file", [FILE, MIRROR])
@pytest.mark.parametrize("version", [0, 3])
def test_a_version_that_only_one_file_has_is_damage(
    tmp_path: Path, file: str, version: int
) -> None:
    """If both files have the same rows, a wrong bit made the version."""
    play_before(tmp_path, COUNT)
    changed(tmp_path, f"PRAGMA user_version = {version}", files=(file,))
    assert 1 == started(tmp_path)[1]
    assert (1 if version else 0) == len(names_aside(tmp_path))


def test_nothing_that_was_set_aside_is_overwritten(tmp_path: Path) -> None:
    """Each file that is set aside has a name of its own."""
    for content in (b"one" * 99, b"two" * 99, b"three" * 99):
        (tmp_path / FILE).write_bytes(content)
        started(tmp_path)
    contents = {name: (tmp_path / name).read_bytes()[:3] for name in names_aside(tmp_path)}
    assert {
        "journal-damaged.sqlite": b"one",
        "journal-damaged-2.sqlite": b"two",
        "journal-damaged-3.sqlite": b"thr",
    } == contents


@pytest.mark.parametrize("version", [3, 99, -1])
def test_a_journal_of_another_version_is_refused_untouched(tmp_path: Path, version: int) -> None:
    """The line names the program to start, and no byte changes."""
    play_before(tmp_path, COUNT)
    content = changed(tmp_path, "DROP TABLE log", f"PRAGMA user_version = {version}")
    disk = FailingDisk(OSError(), failures=0)
    journal = disk.journal(tmp_path)
    with pytest.raises(
        JournalError, match=f"version is {version}, .*start the version of cribwars"
    ):
        journal.begin(begun())
    journal.close()
    assert [] == disk.waits
    assert content == (tmp_path / FILE).read_bytes()
    assert {FILE, MIRROR, "lock"} == {file.name for file in tmp_path.iterdir()}


def test_tables_that_were_dumped_and_loaded_again_go_on(tmp_path: Path) -> None:
    """SQLite's shell loses the version, but the tables are valid."""
    play_before(tmp_path, COUNT)
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        dump = "\n".join(database.iterdump())
    (tmp_path / FILE).unlink()
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        database.executescript(dump)
    assert 5 == started(tmp_path)[0].state.pegs(1).front
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        assert (VERSION,) == database.execute("PRAGMA user_version").fetchone()


def test_a_further_column_does_not_keep_counts_from_being_saved(tmp_path: Path) -> None:
    """Each value goes into the column of its name."""
    play_before(tmp_path, COUNT)
    changed(
        tmp_path, "ALTER TABLE log ADD COLUMN note TEXT", "ALTER TABLE game ADD COLUMN note TEXT"
    )
    play_before(tmp_path, COUNT)
    history, seq, _ = started(tmp_path)
    assert (10, 2) == (history.state.pegs(1).front, seq)


def test_a_folder_that_cannot_be_locked_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system without locks is no other table."""

    def flock(*_call: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("fcntl.flock", flock)
    with pytest.raises(JournalError, match=r"cannot be locked .No locks available"):
        Journal(tmp_path, now=time.time).begin(begun())


def open_files(folder: Path) -> list[str]:
    """Return the names of a folder's files that this process has open."""
    found = [link.readlink() for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return sorted({file.name for file in found if file.parent == folder})


def test_a_file_that_somebody_else_writes_does_not_cost_the_game(tmp_path: Path) -> None:
    """A valid file that cannot be written stays; the line has the remedy."""
    play_before(tmp_path, COUNT)
    somebody = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    somebody.execute("BEGIN IMMEDIATE")
    journal = Journal(tmp_path, now=time.time, connect=hasty, wait=at_once)
    with pytest.raises(
        JournalError, match=r"cannot be .* now .database is locked.*no other program"
    ):
        journal.begin(begun())
    journal.close()
    somebody.close()
    assert [] == list(tmp_path.glob("*damaged*"))
    assert 5 == started(tmp_path)[0].state.pegs(1).front


def test_a_journal_that_cannot_be_opened_is_said(tmp_path: Path) -> None:
    """Without a writable file there is a line about it, and no journal."""
    (tmp_path / FILE).mkdir()
    with pytest.raises(JournalError, match="cannot be read or written now"):
        started(tmp_path)
