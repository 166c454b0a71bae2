"""Unsaved commands are written elsewhere at the end, and added by the next start."""

import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import JournalError, RuleError, UnsavedError
from companion.journal.writer import Journal
from companion.records.records import Records
from companion.rules.game import Command, Deal, NewGame, Peg, Undo
from tests.companion.journal.scribe import connect_with
from tests.support.limits import SHARED_FIXTURES, TIMEOUT_S, share
from tests.support.spine import begun, play_before

GAME: tuple[Command, ...] = (
    Peg(side=1, points=5),
    Deal(),
    Peg(side=2, points=7),
    NewGame(),
    Peg(side=2, points=9),
)
LAST: tuple[Command, ...] = (
    Peg(side=1, points=3),
    Undo(),
    Peg(side=1, points=4),
    Peg(side=2, points=2),
)


class Table:
    """A table whose data folder is on a disk that can be taken away, beside two other folders.

    `history` is the game as the players have entered it.
    """

    def __init__(self, home: Path) -> None:
        self._home, self.data, self._disk = home, home / "data", home / "disk"
        self.others = [home / "state" / "cribwars", home / "tmp"]
        self._answers = threading.Condition()
        self._reported = 0
        self.accepted: list[Command] = []
        self._disk.mkdir()
        self._put(self._disk)
        self.start()

    def start(self) -> None:
        """Begin, in memory if the folder cannot be used."""
        self.journal = Journal(
            self.data, now=time.time, wait=lambda _: None, retry_s=0.01, spare_folders=self.others
        )
        try:
            self.history, _ = self.journal.begin(begun())
        except JournalError:
            self.history, _ = self.journal.begin_in_memory(begun())
        self.journal.listen(lambda _: self._tell())

    def do(self, *commands: Command) -> None:
        """Accept the commands that the rules allow, and wait for an answer to each."""
        for command in commands:
            try:
                entry = self.history.do(command)
            except RuleError:
                continue
            self.accepted.append(command)
            self._reported = 0
            self.journal.write(entry, lambda _saved: self._tell())
            self.until(lambda: self._reported > 0)

    def _tell(self) -> None:
        with self._answers:
            self._reported += 1
            self._answers.notify()

    def until(self, true: Callable[[], bool]) -> None:
        """Wait until a condition on the journal's messages is true."""
        with self._answers:
            assert self._answers.wait_for(true, TIMEOUT_S)

    def restart(self) -> None:
        """Stop and start; the next start must have the players' game."""
        left = self.history
        self.journal.close()
        self.start()
        assert (left.state, len(left)) == (self.history.state, len(self.history))
        self.history = left

    def unmount(self, *, beneath: bool) -> None:
        """Remove the disk; `beneath` it is another folder, or no folder."""
        place = self._home / ("beneath" if beneath else "file")
        place.mkdir(exist_ok=True) if beneath else place.touch()
        self._put(place)

    def mount(self) -> None:
        """Put the disk back."""
        self._put(self._disk)

    def _put(self, folder: Path) -> None:
        new = self._home / "new"
        new.symlink_to(folder)
        new.replace(self.data)

    @property
    def files(self) -> list[Path]:
        """Return the files in the other folders."""
        return [file for folder in self.others for file in folder.glob("unsaved*")]


def summary(folder: Path) -> list[tuple[object, ...]]:
    """Return the games of a folder's journal without values of the clock."""
    with Records(folder) as records:
        return [(game.standing, game.counts, game.hands, game.sides) for game in records.games()]


def assert_nothing_is_lost(table: Table, plain: Path) -> None:
    """Check that the records have each game once, as if the folder had stayed."""
    table.mount()
    table.restart()
    table.journal.close()
    assert [] == table.files
    play_before(plain, *table.accepted)
    assert summary(plain) == summary(table.data)


@pytest.mark.parametrize("beneath", [True, False])
@pytest.mark.parametrize("stopped", [True, False])
@pytest.mark.parametrize("last", [LAST, (Undo(),), (Undo(),) * 5])
def test_a_game_goes_on_when_its_disk_is_back(
    tmp_path: Path, last: tuple[Command, ...], *, stopped: bool, beneath: bool
) -> None:
    """The game is there once, even if the table was stopped meanwhile."""
    table = Table(tmp_path)
    table.do(*GAME)
    table.unmount(beneath=beneath)
    table.do(*last)
    if stopped:
        table.restart()
        table.do(Peg(side=1, points=1))
        table.restart()
    assert_nothing_is_lost(table, tmp_path / "plain")


STEPS = st.one_of(
    st.builds(Peg, side=st.integers(1, 2), points=st.integers(1, 29)),
    st.just(Deal()),
    st.just(Undo()),
    st.just(NewGame()),
    st.sampled_from(["unmount", "unmount beneath", "mount", "restart"]),
)


@settings(max_examples=share(0.1), suppress_health_check=SHARED_FIXTURES)
@given(steps=st.lists(STEPS, max_size=20))
def test_nothing_is_lost_whenever_the_disk_goes_and_comes(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Command | str]
) -> None:
    """This holds for any play with losses of the disk and stops."""
    home = tmp_path_factory.mktemp("home")
    table = Table(home)
    for step in steps:
        match step:
            case "mount":
                table.mount()
            case "restart":
                table.restart()
            case str():
                table.unmount(beneath=step == "unmount beneath")
            case _:
                table.do(step)
    assert_nothing_is_lost(table, home / "plain")


def test_what_another_table_played_meanwhile_stays(tmp_path: Path) -> None:
    """A folder that has other games, too, has all of them in its records."""
    table = Table(tmp_path)
    table.do(Peg(side=1, points=5))
    table.unmount(beneath=False)
    table.do(Peg(side=1, points=3))
    table.journal.close()
    table.mount()
    (tmp_path / "state" / "cribwars").rename(tmp_path / "kept")
    other = Journal(table.data, now=time.time)
    history, _ = other.begin(begun(sides=3))
    other.write(history.do(Peg(side=3, points=2)), lambda _saved: None)
    other.close()
    (tmp_path / "kept").rename(tmp_path / "state" / "cribwars")
    table.start()
    assert 8 == table.history.state.pegs(1).front
    table.journal.close()
    assert [1, 1, 2] == [games[1] for games in summary(table.data)]


def test_a_file_that_cannot_be_deleted_is_added_once(tmp_path: Path) -> None:
    """A game is not added again, even after others were played."""
    table = Table(tmp_path)
    table.unmount(beneath=False)
    table.do(*GAME)
    table.journal.close()
    (file,) = table.files
    content = file.read_bytes()
    table.mount()
    for commands in ((Undo(), Undo(), Undo()), (Peg(side=1, points=1),)):
        table.start()
        table.do(*commands)
        left = table.history
        table.journal.close()
        file.write_bytes(content)
        table.start()
        assert (left.state, len(left)) == (table.history.state, len(table.history))
        table.journal.close()


def test_the_next_start_says_what_is_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The end names the file, the next start the number of commands."""
    table = Table(tmp_path)
    table.unmount(beneath=False)
    table.do(*LAST)
    table.journal.close()
    (file,) = table.files
    assert f"4 commands could not be saved in {table.data}: they are in {file}" in caplog.text
    table.mount()
    table.start()
    assert "4 commands that could not be saved before are back" == str(table.journal.notice)
    table.journal.close()


def test_what_can_be_written_nowhere_is_said(tmp_path: Path) -> None:
    """The error has the number of commands and the tried folders."""
    table = Table(tmp_path)
    table.others[0].parent.write_text("in the way")
    table.others[1].mkdir(mode=0o777)
    table.others[1].chmod(0o777)  # where others may put files
    table.do(Peg(side=1, points=5))
    table.unmount(beneath=False)
    table.do(*LAST)
    with pytest.raises(
        UnsavedError, match=f"5 commands are lost: .*{table.data}.*{table.others[1]}"
    ):
        table.journal.close()
    table.journal.close()


def test_a_file_that_cannot_be_read_stays(tmp_path: Path) -> None:
    """The start goes on without it, and names its place."""
    table = Table(tmp_path)
    table.unmount(beneath=False)
    table.do(*LAST)
    table.journal.close()
    (file,) = table.files
    file.write_bytes(b"no journal")
    table.mount()
    table.start()
    assert f"{file} cannot be read (file is not a database): it is kept as it is" == str(
        table.journal.notice
    )
    table.journal.close()
    assert [file] == table.files


def test_a_disk_that_never_answers_holds_nothing_up(tmp_path: Path) -> None:
    """The end waits a moment for it; then the rest is written elsewhere."""
    answers, is_stuck, others = threading.Event(), threading.Event(), [tmp_path / "other"]

    def commit(database: sqlite3.Connection) -> None:
        if is_stuck.is_set() and threading.current_thread().name == "journal":
            answers.wait(TIMEOUT_S)
        sqlite3.Connection.commit(database)

    def open_journal(answer_timeout_s: float = TIMEOUT_S) -> Journal:
        return Journal(
            tmp_path / "data",
            now=time.time,
            connect=connect_with(commit),
            spare_folders=others,
            answer_timeout_s=answer_timeout_s,
        )

    journal = open_journal(0.01)
    history, _ = journal.begin(begun())
    saved = queue.SimpleQueue[bool]()
    journal.write(history.do(Peg(side=1, points=5)), saved.put)
    assert saved.get(timeout=TIMEOUT_S)
    is_stuck.set()
    for points in (3, 4):
        journal.write(history.do(Peg(side=2, points=points)), lambda _saved: None)
    journal.close()
    is_stuck.clear()
    answers.set()
    journal._thread.join(TIMEOUT_S)
    assert not journal._thread.is_alive()
    journal.close()
    again = open_journal()
    found, _ = again.begin(begun())
    assert (history.state, len(history)) == (found.state, len(found))
    again.close()
    assert [] == list(others[0].iterdir())
