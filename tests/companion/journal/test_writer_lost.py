"""A journal that is deleted, replaced or damaged while the table has it open."""

import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.journal.store import FILE
from companion.journal.writer import Journal
from companion.records.records import Records
from companion.rules.game import Command, Deal, History, NewGame, Peg, Undo
from tests.support.limits import TIMEOUT_S
from tests.support.spine import begun, play_before

GAME: tuple[Command, ...] = (
    Peg(side=1, points=5),
    Deal(),
    NewGame(),
    Peg(side=2, points=7),
    Peg(side=1, points=9),
    Undo(),
)


class Losing:
    """A table's journal that looks at its file without pause, and all that it has said.

    Where its folder cannot be used it begins in memory.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = Journal(folder, now=time.time, wait=lambda _: None, retry_s=0.01)
        self._changed = threading.Condition()
        self.on_disk: list[bool] = []
        self.saved: list[bool] = []
        self.journal.listen(lambda on_disk: self._take(self.on_disk, on_disk))
        self.history: History
        try:
            self.history, _ = self.journal.begin(begun())
        except JournalError:
            self.history, _ = self.journal.begin_in_memory(begun())

    def _take(self, answers: list[bool], answer: bool) -> None:
        with self._changed:
            answers.append(answer)
            self._changed.notify()

    def until(self, true: Callable[[], bool]) -> None:
        """Wait until a condition on the journal's messages is true."""
        with self._changed:
            assert self._changed.wait_for(true, TIMEOUT_S)

    def do(self, *commands: Command) -> None:
        """Accept commands, and wait for an answer to each."""
        before = len(self.saved)
        for command in commands:
            entry = self.history.do(command)
            self.journal.write(entry, lambda saved: self._take(self.saved, saved))
        self.until(lambda: len(self.saved) >= before + len(commands))


def restarted(folder: Path) -> History:
    """Return the history with which the next start goes on."""
    journal = Journal(folder, now=time.time)
    history, _ = journal.begin(begun())
    journal.close()
    return history


def linked(data: Path, folder: Path) -> Path:
    """Make the data folder a link to a folder, in place of another link, at once."""
    folder.mkdir(exist_ok=True)
    new = data.with_name("new")
    new.symlink_to(folder)
    return new.replace(data)


def delete_folder(data: Path) -> None:
    """Delete the whole folder."""
    shutil.rmtree(data.resolve().rename(data.with_name("gone")))
    data.unlink()


def delete_journal(data: Path) -> None:
    """Delete the journal and SQLite's files beside it."""
    for file in data.glob(f"{FILE}*"):
        file.unlink(missing_ok=True)


def delete_log(data: Path) -> None:
    """Delete SQLite's log, which is not yet in the journal."""
    (data / f"{FILE}-wal").unlink()


def replace_folder(data: Path) -> None:
    """Replace it by an empty folder, as if another disk were mounted there."""
    linked(data, data.with_name("second"))


def put_another_journal(data: Path) -> None:
    """Replace it by a folder with another game."""
    second = data.with_name("second")
    play_before(second, Peg(side=2, points=2))
    linked(data, second)


LOSSES = (delete_folder, delete_journal, delete_log, replace_folder, put_another_journal)


@pytest.mark.parametrize("lose", LOSSES)
@pytest.mark.parametrize("idle", [True, False])
def test_what_is_lost_is_said_and_written_again(
    tmp_path: Path, lose: Callable[[Path], None], *, idle: bool
) -> None:
    """It is unsaved, then saved again with all undo steps, without any press."""
    table = Losing(linked(tmp_path / "data", tmp_path / "first"))
    table.do(*GAME)
    lose(table.folder)
    if idle:
        table.until(lambda: table.on_disk[-1:] == [True])
    table.do(Peg(side=1, points=3))
    table.until(lambda: table.saved[-1] and table.on_disk[-1:] == [True])
    table.journal.close()
    assert (True, False) == (all(table.saved[: len(GAME)]), table.on_disk[0])
    after = restarted(table.folder)
    assert (table.history.state, len(table.history)) == (after.state, len(after))
    for _ in range(len(after)):
        table.history.do(Undo())
        after.do(Undo())
        assert table.history.state == after.state


@pytest.mark.parametrize(
    "damage",
    [
        "SELECT 1",
        "UPDATE log SET command = '{}' WHERE seq = 4",
        "DELETE FROM log WHERE seq > 4",
        "DELETE FROM game",
    ],
)
def test_a_journal_that_cannot_be_written_is_continued(tmp_path: Path, damage: str) -> None:
    """Its game goes on in memory, from the mirror if that alone is whole.

    What is counted follows it as soon as that can be saved.
    """
    play_before(tmp_path, *GAME)
    before = restarted(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as other, other:
        other.execute(damage)
    (tmp_path / "lock").unlink()
    (tmp_path / "lock").mkdir()
    table = Losing(tmp_path)
    assert (before.state, len(before)) == (table.history.state, len(table.history))
    table.do(Peg(side=1, points=3))
    assert [False] == table.saved
    (tmp_path / "lock").rmdir()
    table.until(lambda: table.saved[-1])
    table.journal.close()
    assert [True] == table.on_disk
    after = restarted(tmp_path)
    assert (table.history.state, len(before) + 1) == (after.state, len(after))
    with Records(tmp_path) as records:
        assert 2 == len(records.games())


def test_it_stays_unsaved_until_there_is_a_place(tmp_path: Path) -> None:
    """A file in the folder's place prevents saving; later all is saved."""
    table = Losing(linked(tmp_path / "data", tmp_path / "first"))
    table.do(*GAME)
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "file").replace(table.folder)
    table.until(lambda: table.on_disk == [False])
    table.do(Peg(side=1, points=3), Peg(side=2, points=4))
    assert [False, False] == table.saved[-2:]
    linked(table.folder, tmp_path / "second")
    table.until(lambda: table.on_disk == [False, True] and table.saved[-2:] == [True, True])
    table.journal.close()
    assert table.history.state == restarted(table.folder).state


def test_a_journal_in_memory_moves_to_its_folder(tmp_path: Path) -> None:
    """Counts made without a usable folder are saved once there is one."""
    linked(tmp_path / "data", tmp_path / "first")
    (tmp_path / "data").unlink()
    (tmp_path / "data").write_text("in the way")
    table = Losing(tmp_path / "data")
    table.do(Peg(side=1, points=3), Undo(), Peg(side=2, points=4))
    assert ([False] * 3, False) == (table.saved, table.journal.on_disk)
    play_before(tmp_path / "second", Peg(side=2, points=2))
    linked(table.folder, tmp_path / "second")
    table.until(lambda: table.on_disk == [True] and len(table.saved) == 6)
    table.journal.close()
    assert [True] * 3 == table.saved[3:]
    after = restarted(table.folder)
    assert (table.history.state, len(table.history)) == (after.state, len(after))
    with Records(table.folder) as records:
        assert [2, 4] == [game.sides[2].progress for game in records.games()]


def test_another_tables_folder_is_not_written(tmp_path: Path) -> None:
    """A folder that another table has taken is not touched."""
    table = Losing(linked(tmp_path / "data", tmp_path / "first"))
    table.do(Peg(side=1, points=5))
    another = Losing(tmp_path / "second")
    another.do(Peg(side=2, points=2))
    linked(table.folder, tmp_path / "second")
    table.until(lambda: table.on_disk == [False])
    table.do(Peg(side=1, points=3))
    assert [True, False] == table.saved
    another.journal.close()
    table.until(lambda: table.saved[-1])
    table.journal.close()
    with Records(table.folder) as records:
        found = [(game.sides[1].progress, game.sides[2].progress) for game in records.games()]
    assert [(0, 2), (8, 0)] == found


def test_tables_that_are_gone_are_made_again(tmp_path: Path) -> None:
    """A journal that refuses rows is set aside, and written again."""
    table = Losing(tmp_path / "data")
    table.do(*GAME)
    with closing(sqlite3.connect(table.folder / FILE)) as other:
        other.execute("DROP TABLE log")
        other.commit()
    table.do(Peg(side=1, points=3))
    table.until(lambda: table.saved[-1])
    table.journal.close()
    assert table.history.state == restarted(table.folder).state
    assert 1 == len(list(table.folder.glob("journal-damaged*")))
