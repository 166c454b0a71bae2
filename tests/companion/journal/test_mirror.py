"""The mirror of a journal: the same rows in a second file; a start takes each where it is whole."""

import queue
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.journal.mirror import MIRROR
from companion.journal.store import FILE
from companion.journal.writer import Journal
from companion.rules.game import Command, Deal, History, NewGame, Peg, Undo
from tests.support.limits import SHARED_FIXTURES, TIMEOUT_S, share
from tests.support.spine import begun, play_before

FILES = (FILE, MIRROR)
COMMANDS: tuple[Command, ...] = tuple(Peg(side=1 + n % 2, points=1) for n in range(40))
HAND = b'{"hand": "5H 5S 5D JC"}'


def started(folder: Path) -> tuple[History, str]:
    """Return the game that the next start stands on, and its notice."""
    journal = Journal(folder, now=time.time, wait=lambda _: None)
    try:
        history, _ = journal.begin(begun())
    finally:
        journal.close()
    return history, str(journal.notice or "")


def rows(file: Path) -> list[tuple[object, ...]]:
    """Return all games and commands of a file."""
    with closing(sqlite3.connect(file)) as database:
        queries = "SELECT * FROM game ORDER BY id", "SELECT * FROM log ORDER BY seq"
        return [row for query in queries for row in database.execute(query)]


def execute(file: Path, statement: str) -> None:
    """Change a file by another hand."""
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(statement)


def blank(file: Path, page: int) -> None:
    """Put zeros over a page, counted from 0."""
    content = bytearray(file.read_bytes())
    content[page * 4096 : (page + 1) * 4096] = bytes(4096)
    file.write_bytes(content)


def page_with(file: Path, content: bytes) -> int:
    """Return the last page of a file with these bytes, which is the one that is used."""
    return file.read_bytes().rindex(content) // 4096


def test_a_count_is_answered_before_it_is_in_the_mirror(tmp_path: Path) -> None:
    """The mirror has the rows of the journal soon after, and is not on the way to the answer."""
    journal = Journal(tmp_path, now=time.time)
    history, _ = journal.begin(begun())
    answered, seen = threading.Event(), []

    def answer(saved: bool) -> None:
        seen.extend([saved, len(rows(tmp_path / FILE)), len(rows(tmp_path / MIRROR))])
        answered.set()

    journal.write(history.do(COMMANDS[0]), answer, cards=HAND)
    assert answered.wait(TIMEOUT_S)
    journal.close()
    assert [True, 2, 0] == seen
    assert rows(tmp_path / FILE) == rows(tmp_path / MIRROR)
    for file in FILES:
        with closing(sqlite3.connect(tmp_path / file)) as database:
            assert [(HAND,)] == database.execute("SELECT content FROM cards").fetchall()


@settings(max_examples=share(0.3), suppress_health_check=SHARED_FIXTURES)
@given(data=st.data())
def test_whatever_happens_to_one_file_nothing_is_lost(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """A flipped bit, zeroed sector, scrawl or cut end: the game is whole, and so are both files."""
    folder = tmp_path_factory.mktemp("damaged")
    play_before(folder, *COMMANDS)
    before, (game, _) = rows(folder / FILE), started(folder)
    victim = folder / data.draw(st.sampled_from(FILES))
    content = bytearray(victim.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    match data.draw(st.sampled_from(["flip", "blank", "scrawl", "cut"])):
        case "flip":
            content[at] ^= 1 << data.draw(st.integers(0, 7))
        case "blank":
            content[at // 512 * 512 : at // 512 * 512 + 512] = bytes(512)
        case "scrawl":
            content[at : at + 64] = data.draw(st.binary(min_size=64, max_size=64))[
                : len(content) - at
            ]
        case "cut":
            del content[at:]
    victim.write_bytes(content)
    after, notice = started(folder)
    assert (game.state, len(game)) == (after.state, len(after))
    assert "lost" not in notice
    assert before == rows(folder / FILE) == rows(folder / MIRROR)
    assert "" == started(folder)[1]


def test_rows_lost_in_one_file_each_are_taken_from_the_other(tmp_path: Path) -> None:
    """Both files are set aside, and made again of all rows."""
    play_before(tmp_path, *COMMANDS, *[Deal()] * 60, COMMANDS[0])
    before = rows(tmp_path / FILE)
    blank(tmp_path / FILE, page_with(tmp_path / FILE, b'"from":0,'))
    blank(tmp_path / MIRROR, page_with(tmp_path / MIRROR, b'"to":21'))
    history, notice = started(tmp_path)
    assert 101 == len(history)
    assert "lost" not in notice
    assert "journal-damaged.sqlite" in notice
    assert "journal-mirror-damaged.sqlite" in notice
    assert before == rows(tmp_path / FILE) == rows(tmp_path / MIRROR)


def test_mending_goes_on_after_a_power_cut(tmp_path: Path) -> None:
    """A new mirror that was not yet in its place is put there, with rows that only it has."""
    play_before(tmp_path, *COMMANDS)
    before = rows(tmp_path / FILE)
    execute(tmp_path / FILE, "UPDATE log SET command = 'x' WHERE seq = 8")
    (tmp_path / MIRROR).rename(tmp_path / f".{MIRROR}.new")
    assert len(COMMANDS) == len(started(tmp_path)[0])
    assert before == rows(tmp_path / FILE) == rows(tmp_path / MIRROR)


@pytest.mark.parametrize("sound", [True, False])
def test_what_neither_has_is_named_at_that_start(tmp_path: Path, *, sound: bool) -> None:
    """Also where both files are sound and only shorter, and in a game before the last."""
    play_before(tmp_path, *COMMANDS, NewGame(), COMMANDS[0])
    for file in FILES:
        if sound:
            execute(tmp_path / file, "DELETE FROM log WHERE seq IN (7, 8)")
        else:
            execute(tmp_path / file, "UPDATE log SET command = 'x' WHERE seq IN (7, 8)")
            execute(tmp_path / file, "UPDATE log SET t = random() WHERE seq = 7")
    history, notice = started(tmp_path)
    assert 1 == history.state.pegs(1).front
    assert "2 commands are damaged in the journal and in its mirror, and are lost" in notice
    assert "" == started(tmp_path)[1]


def test_an_end_that_both_files_have_lost_is_named(tmp_path: Path) -> None:
    """The number of commands at the last clean stop tells that some are missing."""
    play_before(tmp_path, *COMMANDS)
    for file in FILES:
        execute(tmp_path / file, "DELETE FROM log WHERE seq > 37")
    history, notice = started(tmp_path)
    assert 37 == len(history)
    assert "3 commands are damaged" in notice


def test_an_end_in_damaged_pages_of_both_files_is_named(tmp_path: Path) -> None:
    """The number of commands is in the header, which can be read where the pages cannot."""
    play_before(tmp_path, *COMMANDS)
    for file in FILES:
        blank(tmp_path / file, page_with(tmp_path / file, b'"to":20'))
    history, notice = started(tmp_path)
    assert len(COMMANDS) > len(history)
    assert f"{len(COMMANDS) - len(history)} commands are damaged" in notice


def test_rows_that_are_whole_stay_where_there_is_no_other_file(tmp_path: Path) -> None:
    """A damaged journal without a mirror is made again of what can be read; each start says so."""
    play_before(tmp_path, *COMMANDS[:9])
    execute(tmp_path / FILE, "UPDATE log SET command = 'x' WHERE seq = 8")
    (tmp_path / MIRROR).unlink()
    for _ in range(2):
        history, notice = started(tmp_path)
        assert 7 == len(history)
        assert "2 commands are lost" in notice
    assert rows(tmp_path / FILE) == rows(tmp_path / MIRROR)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize(
    ("at", "written"),
    [
        pytest.param(56, bytes([0, 0, 0, 2]) * 5, id="encoding"),
        pytest.param(56, bytes([0, 0, 0, 2, 0, 0, 0, 1]), id="encoding and version"),
        pytest.param(44, bytes([0, 0, 0, 5, *bytes(12), 0, 0, 0, 1]), id="format and version"),
        pytest.param(18, b"\x63", id="read-only"),
    ],
)
def test_a_header_that_sqlite_believes_is_damage(
    tmp_path: Path, file: str, at: int, written: bytes
) -> None:
    """Encoding, version and the like were overwritten, or it says that it is read-only."""
    play_before(tmp_path, *COMMANDS)
    before, content = rows(tmp_path / FILE), bytearray((tmp_path / file).read_bytes())
    content[at : at + len(written)] = written
    (tmp_path / file).write_bytes(content)
    assert f"{file} was damaged (" in started(tmp_path)[1]
    assert before == rows(tmp_path / FILE) == rows(tmp_path / MIRROR)


def test_a_schema_that_is_no_text_is_damage(tmp_path: Path) -> None:
    """Also where the other file has lost a page: what is whole in it stays."""
    play_before(tmp_path, *COMMANDS)
    content = (tmp_path / MIRROR).read_bytes()
    (tmp_path / MIRROR).write_bytes(content.replace(b"parent INTEGER", b"\xbf" * 14, 1))
    blank(tmp_path / FILE, page_with(tmp_path / FILE, b'"to":20'))
    history, notice = started(tmp_path)
    assert f"{len(COMMANDS) - len(history)} commands are damaged" in notice


def test_the_file_that_is_behind_is_completed(tmp_path: Path) -> None:
    """The mirror without a word, as after a kill; of the journal it is said."""
    play_before(tmp_path, *COMMANDS[:9])
    for file in FILES:
        shutil.copy(tmp_path / file, tmp_path / f"old-{file}")
    play_before(tmp_path, *COMMANDS[9:])
    before = rows(tmp_path / FILE)
    (tmp_path / f"old-{MIRROR}").replace(tmp_path / MIRROR)
    assert "" == started(tmp_path)[1]
    assert before == rows(tmp_path / MIRROR)
    (tmp_path / f"old-{FILE}").replace(tmp_path / FILE)
    assert "31 commands that the journal lacked are back from its mirror" == started(tmp_path)[1]
    assert before == rows(tmp_path / FILE)


def test_the_journal_stands_where_the_mirror_has_another_history(tmp_path: Path) -> None:
    """A program that knows no mirror has gone on from a backup: the mirror is set aside."""
    play_before(tmp_path, *COMMANDS[:9])
    shutil.copy(tmp_path / FILE, tmp_path / "old")
    play_before(tmp_path, *COMMANDS[9:])
    mirror = (tmp_path / MIRROR).rename(tmp_path / "mirror")
    (tmp_path / "old").replace(tmp_path / FILE)
    play_before(tmp_path, Peg(side=2, points=7))
    mirror.replace(tmp_path / MIRROR)
    history, notice = started(tmp_path)
    assert (10, 11) == (len(history), history.state.pegs(2).front)
    assert "mirror of the journal belonged to another game" in notice
    assert 40 == len(rows(tmp_path / "journal-mirror-damaged.sqlite")) - 1
    assert rows(tmp_path / FILE) == rows(tmp_path / MIRROR)


@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_gone_is_made_from_the_other(tmp_path: Path, file: str) -> None:
    """The first start of this program finds no mirror."""
    play_before(tmp_path, *COMMANDS)
    before = rows(tmp_path / FILE)
    (tmp_path / file).unlink()
    assert len(COMMANDS) == len(started(tmp_path)[0])
    assert before == rows(tmp_path / FILE) == rows(tmp_path / MIRROR)


def test_play_goes_on_without_a_mirror(tmp_path: Path) -> None:
    """Where it cannot be written, `error` says why until it can be, and counts are saved."""
    play_before(tmp_path, COMMANDS[0])
    (tmp_path / MIRROR).unlink()
    (tmp_path / MIRROR).mkdir()
    journal = Journal(tmp_path, now=time.time, wait=lambda _: None, retry_s=0.01)
    history, _ = journal.begin(begun())
    answers = queue.SimpleQueue[bool]()
    journal.write(history.do(COMMANDS[1]), answers.put)
    assert answers.get(timeout=TIMEOUT_S)
    assert "journal-mirror.sqlite cannot be" in str(journal.mirror.error)
    (tmp_path / MIRROR).rmdir()
    _until(lambda: journal.mirror.error is None)
    journal.close()
    assert rows(tmp_path / FILE) == rows(tmp_path / MIRROR)


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    pause = threading.Event()
    while not true():
        assert time.monotonic() < deadline
        pause.wait(0.01)


def test_cards_are_taken_from_the_file_that_has_them_whole(tmp_path: Path) -> None:
    """A row of cards that is damaged in one file is that of the other."""
    journal = Journal(tmp_path, now=time.time)
    journal.begin(begun())
    journal.write(None, lambda _: None, cards=HAND)
    journal.close()
    execute(tmp_path / FILE, "UPDATE cards SET content = x'00'")
    again = Journal(tmp_path, now=time.time)
    again.begin(begun())
    again.close()
    assert HAND == again.cards


def test_undo_goes_on_over_a_mended_row(tmp_path: Path) -> None:
    """A row that was mended is one like any other."""
    play_before(tmp_path, *COMMANDS[:9])
    execute(tmp_path / FILE, "UPDATE log SET events = '[]' WHERE seq = 5")
    play_before(tmp_path, *[Undo()] * 6)
    assert 3 == len(started(tmp_path)[0])


def test_a_full_disk_at_the_end_loses_nothing(tmp_path: Path) -> None:
    """Where the number of commands cannot be written, unsaved ones are still put elsewhere."""

    class Full(sqlite3.Connection):
        """A connection to a disk without room, once it `is_full`."""

        is_full = False

        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:  # noqa: ANN401  # as sqlite3 has it
            """Execute a statement, unless it writes and the disk is full."""
            if Full.is_full and sql.startswith(("BEGIN", "PRAGMA journal.app")):
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(sql, *values)

    def connect(path: Path) -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Full)

    def opened(connect: Callable[[Path], sqlite3.Connection]) -> tuple[Journal, History]:
        others = [tmp_path / "other"]
        journal = Journal(tmp_path / "data", now=time.time, connect=connect, spare_folders=others)
        return journal, journal.begin(begun())[0]

    journal, history = opened(connect)
    answers = queue.SimpleQueue[bool]()
    journal.write(history.do(COMMANDS[0]), answers.put)
    assert answers.get(timeout=TIMEOUT_S)
    Full.is_full = True
    journal.write(history.do(COMMANDS[1]), answers.put)
    assert not answers.get(timeout=TIMEOUT_S)

    def elsewhere(path: Path) -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False)

    journal._unsaved._connect = elsewhere
    journal.close()
    again, found = opened(elsewhere)
    again.close()
    assert history.state == found.state
