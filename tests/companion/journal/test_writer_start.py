"""Opening a journal: what is set aside, what is left alone, what is let go of."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.journal.writer import FILE, Journal
from companion.rules.game import Peg
from tests.support.spine import begun, play_before

COUNT = Peg(team=1, points=5)


def open_files(folder: Path) -> list[str]:
    """The names of a folder's files that this process has open."""
    found = [link.readlink() for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return sorted({file.name for file in found if file.parent == folder})


def test_a_file_that_somebody_else_writes_does_not_cost_the_game(tmp_path: Path) -> None:
    """A sound file that cannot be written now stays in its place; the line says what to do."""
    play_before(tmp_path, COUNT)
    somebody = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    somebody.execute("BEGIN IMMEDIATE")
    journal = Journal(tmp_path)
    with pytest.raises(JournalError, match=r"cannot be written .*see that the disk has room"):
        journal.begin(begun())
    journal.close()
    somebody.close()
    assert [] == list(tmp_path.glob("*unreadable*"))
    again = Journal(tmp_path)
    assert 5 == again.begin(begun())[0].state.side(1).front
    again.close()


def test_a_file_that_is_set_aside_is_let_go_of(tmp_path: Path) -> None:
    """A journal with a row that means nothing is closed before the new one is begun."""
    play_before(tmp_path, COUNT)
    database = sqlite3.connect(tmp_path / FILE)
    database.execute("UPDATE log SET command = 'nonsense'")
    database.commit()
    database.close()
    journal = Journal(tmp_path)
    history, seq = journal.begin(begun())
    assert (0, 0) == (len(history), seq)
    assert not [name for name in open_files(tmp_path) if "unreadable" in name]
    journal.write(history.do(COUNT), lambda _saved: None)
    journal.close()
    after = Journal(tmp_path)
    assert 5 == after.begin(begun())[0].state.side(1).front
    after.close()


def test_a_journal_that_cannot_be_opened_is_said(tmp_path: Path) -> None:
    """Where no file can be there is a line about it, and no journal."""
    (tmp_path / FILE).mkdir()
    journal = Journal(tmp_path)
    with pytest.raises(JournalError, match="cannot be written"):
        journal.begin(begun())
    journal.close()
