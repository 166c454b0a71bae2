"""The journal on real files keeps acknowledged commands, whatever the process does."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import JournalError, RuleError
from companion.journal.setup import GameRequest
from companion.journal.store import FILE
from companion.journal.writer import Journal
from companion.rules.game import (
    Claim,
    Command,
    Correct,
    Deal,
    History,
    HouseRules,
    MoveInBox,
    NewGame,
    Overpeg,
    Peg,
    SetPegs,
    Undo,
)
from tests.companion.journal.scribe import NOON, begun, connect_with
from tests.support.limits import SHARED_FIXTURES, TIMEOUT_S, share

THREE = begun(sides=(1, 2, 3))


class Keeper:
    """A journal with a history, as a table has them."""

    def __init__(
        self,
        folder: Path | None,
        requested: GameRequest | None = None,
        commit: Callable[[sqlite3.Connection], None] = sqlite3.Connection.commit,
    ) -> None:
        self.journal = Journal(
            folder, now=lambda: NOON, connect=connect_with(commit), wait=lambda _: None
        )
        self.history, self.seq = self.journal.begin(requested or begun())
        self.reported: list[bool] = []
        self._news = threading.Condition()

    def do(self, *commands: Command) -> Keeper:
        """Accept commands, and wait until each is on disk, or has failed."""
        for command in commands:
            entry = self.history.do(command)
            before = len(self.reported)
            self.journal.write(entry, self._tell)
            self.wait(before + 1)
        return self

    def _tell(self, saved: bool) -> None:
        with self._news:
            self.reported.append(saved)
            self._news.notify()

    def wait(self, answers: int) -> None:
        """Wait until the journal has given this number of answers."""
        with self._news:
            assert self._news.wait_for(lambda: len(self.reported) >= answers, timeout=TIMEOUT_S)

    def leave(self) -> History:
        """Close the journal. Return its history."""
        self.journal.close()
        return self.history


def reopened(folder: Path, requested: GameRequest | None = None) -> tuple[History, int]:
    """Return the game with which the next start goes on."""
    keeper = Keeper(folder, requested)
    keeper.journal.close()
    return keeper.history, keeper.seq


GAME: tuple[Command, ...] = (
    Deal(),
    Peg(side=1, points=15),
    Peg(side=2, points=8),
    Peg(side=1, points=7),
    Deal(),
    Undo(),
    Deal(),
    Peg(side=2, points=12),
    Overpeg(side=2, extra=2, taken_by=1),
    NewGame(sides=(1, 2, 3)),
    Peg(side=3, points=22),
    Deal(),
    MoveInBox(side=3),
    NewGame(sides=(1, 2), dealer=2),
    Peg(side=1, points=22),
    Peg(side=2, points=5),
    SetPegs(side=2, front="trap-130:3", back=131),
    Correct(entry=1, points=21),
)


@pytest.mark.parametrize("length", range(len(GAME) + 1))
def test_the_next_start_stands_where_the_last_command_left_it(tmp_path: Path, length: int) -> None:
    """Pegs, dealer, boxes and undo history are the same after any restart."""
    keeper = Keeper(tmp_path).do(*GAME[:length]).leave()
    history, seq = reopened(tmp_path)
    assert (keeper.state, len(keeper), length) == (history.state, len(history), seq)


def test_undo_goes_on_after_a_restart(tmp_path: Path) -> None:
    """Each undo after a restart is the same as without it."""
    keeper = Keeper(tmp_path).do(*GAME).leave()
    after = Keeper(tmp_path)
    for _ in range(len(keeper)):
        keeper.do(Undo())
        after.do(Undo())
        assert keeper.state == after.history.state
    after.leave()
    assert (0, keeper.state) == (len(reopened(tmp_path)[0]), reopened(tmp_path)[0].state)


COMMANDS = st.one_of(
    st.builds(Peg, side=st.integers(1, 3), points=st.integers(1, 29)),
    st.builds(Deal),
    st.builds(MoveInBox, side=st.integers(1, 3)),
    st.just(Undo()),
    st.just(Undo()),
    st.builds(NewGame, sides=st.sampled_from([None, (1, 2), (1, 3), (1, 2, 3)])),
)


@settings(max_examples=share(0.1), suppress_health_check=SHARED_FIXTURES)
@given(plan=st.lists(st.lists(COMMANDS, max_size=12), max_size=4))
def test_any_past_survives_restarts(
    tmp_path_factory: pytest.TempPathFactory, plan: list[list[Command]]
) -> None:
    """After any commands, undos and restarts the state is the same."""
    folder = tmp_path_factory.mktemp("journal")
    twin = History(reopened(folder)[0].state)
    for commands in plan:
        keeper = Keeper(folder)
        for command in commands:
            try:
                entry = twin.decide(command)
            except RuleError:
                continue
            twin.add(entry)
            keeper.do(command)
        keeper.leave()
        assert (twin.state, len(twin)) == (keeper.history.state, len(keeper.history))
    assert twin.state == reopened(folder)[0].state


def test_other_settings_begin_a_new_game_and_keep_the_old_one(tmp_path: Path) -> None:
    """A game with other settings stays in the file; a new one begins."""
    Keeper(tmp_path).do(Peg(side=1, points=5)).leave()
    three = Keeper(tmp_path, THREE)
    state, past = three.history.state, len(three.history)
    assert ((1, 2, 3), 0, 1) == (state.setup.sides, past, three.seq)
    three.do(Peg(side=3, points=4)).leave()
    assert 4 == reopened(tmp_path, THREE)[0].state.pegs(3).front
    with sqlite3.connect(tmp_path / FILE) as database:
        assert (2, 2) == database.execute(
            "SELECT (SELECT count(*) FROM log), (SELECT count(*) FROM game)"
        ).fetchone()
    database.close()


def test_other_rules_count_from_the_next_game(tmp_path: Path) -> None:
    """Game and match go on by the old rules; undo returns to them."""
    Keeper(tmp_path).do(
        Claim(rule="N10", by=2, game_to=1), NewGame(), Peg(side=1, points=5)
    ).leave()
    exact = begun(rules=HouseRules(finish="exact", game_to=61))
    keeper = Keeper(tmp_path, exact)
    state = keeper.history.state
    assert (5, "overshoot", 1) == (
        state.pegs(1).front,
        state.setup.rules.finish,
        state.match.won(1),
    )
    assert keeper.history.has_new_rules
    keeper.do(NewGame()).leave()
    history, _ = reopened(tmp_path, exact)
    state = history.state
    assert ("exact", 61, 1) == (
        state.setup.rules.finish,
        state.setup.track.finish,
        state.match.won(1),
    )
    assert not history.has_new_rules
    history.do(Undo())
    assert ("overshoot", 5) == (history.state.setup.rules.finish, history.state.pegs(1).front)


def test_a_start_by_mistake_costs_nothing(tmp_path: Path) -> None:
    """A start with other sides that ends without a count changes nothing."""
    Keeper(tmp_path).do(Peg(side=1, points=5)).leave()
    reopened(tmp_path, THREE)
    history, _ = reopened(tmp_path)
    assert (5, 1) == (history.state.pegs(1).front, len(history))


def test_sides_that_have_joined_may_be_asked_for(tmp_path: Path) -> None:
    """A game with the sides of the settings goes on, however it began."""
    Keeper(tmp_path).do(NewGame(sides=(1, 2, 3)), Peg(side=3, points=4)).leave()
    assert 4 == reopened(tmp_path, THREE)[0].state.pegs(3).front
    assert 4 == reopened(tmp_path)[0].state.pegs(3).front


def test_a_game_for_other_sides_goes_on_after_a_restart(tmp_path: Path) -> None:
    """Sides that joined a new game at the panel are still in it after a restart."""
    Keeper(tmp_path).do(NewGame(sides=(1, 3)), Peg(side=3, points=4)).leave()
    history, _ = reopened(tmp_path)
    assert ((1, 3), 4) == (history.state.setup.sides, history.state.pegs(3).front)


def test_partners_that_have_joined_are_still_there_after_a_restart(tmp_path: Path) -> None:
    """People added at the panel stay, whatever the settings say."""
    Keeper(tmp_path).do(NewGame(sides=(1, 2), players=4), Peg(side=2, points=4)).leave()
    for history, _ in (reopened(tmp_path), reopened(tmp_path, begun(players=4))):
        assert (4, 4) == (history.state.setup.players, history.state.pegs(2).front)


def test_each_row_builds_on_another_and_none_is_changed(tmp_path: Path) -> None:
    """An undo is a row, too, and undone commands stay in the file."""
    Keeper(tmp_path).do(Peg(side=1, points=5), Undo(), Peg(side=2, points=3)).leave()
    database = sqlite3.connect(tmp_path / FILE)
    rows = database.execute("SELECT seq, parent, head FROM log ORDER BY seq").fetchall()
    database.close()
    assert [(1, 0, 1), (2, 1, 0), (3, 0, 3)] == rows


def test_a_failing_disk_is_reported_and_tried_again(tmp_path: Path) -> None:
    """The answer says so, the game goes on, and all is saved later."""
    full = threading.Event()

    def commit(database: sqlite3.Connection) -> None:
        if full.is_set():
            raise sqlite3.OperationalError("database or disk is full")
        sqlite3.Connection.commit(database)

    keeper = Keeper(tmp_path, commit=commit)
    keeper.do(Peg(side=1, points=1))
    full.set()
    keeper.do(Peg(side=1, points=2))
    assert [True, False] == keeper.reported
    full.clear()
    keeper.do(Peg(side=1, points=3))
    keeper.wait(4)
    assert [True, False, True, True] == keeper.reported
    keeper.leave()
    assert (6, 3) == (reopened(tmp_path)[0].state.pegs(1).front, reopened(tmp_path)[1])


def test_closing_writes_what_waits(tmp_path: Path) -> None:
    """Commands accepted before the end are on disk after it."""
    keeper = Keeper(tmp_path)
    for points in (1, 2, 3):
        keeper.journal.write(keeper.history.do(Peg(side=1, points=points)), lambda _saved: None)
    keeper.leave()
    assert 6 == reopened(tmp_path)[0].state.pegs(1).front


def test_two_tables_cannot_share_a_folder(tmp_path: Path) -> None:
    """A second table gets an error with the remedy."""
    first = Keeper(tmp_path)
    with pytest.raises(JournalError, match="another table runs in"):
        Keeper(tmp_path)
    first.leave()
    Keeper(tmp_path).leave()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """The error has the place and the remedy."""
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="restart the Pi for that"):
        Keeper(tmp_path / "file")


def test_print_on_the_sheet_does_not_begin_a_new_game(tmp_path: Path) -> None:
    """Comments, lettering and geometry of the board's file may change."""
    Keeper(tmp_path).do(Peg(side=1, points=5)).leave()
    assert 5 == reopened(tmp_path, begun(note="a note"))[0].state.pegs(1).front


def test_a_game_left_behind_is_said(tmp_path: Path) -> None:
    """A start with other sides says that the last game is kept."""
    Keeper(tmp_path).do(Peg(side=1, points=5)).leave()
    keeper = Keeper(tmp_path, THREE)
    keeper.leave()
    assert "it stays in the journal" in (str(keeper.journal.notice or ""))


def test_a_past_longer_than_is_read_at_once_begins_with_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the last games of a long past are read; a long game is read whole."""
    monkeypatch.setattr("companion.journal.resume.HISTORY_LIMIT", 5)
    twin = Keeper(tmp_path).do(*[Peg(side=1, points=1)] * 9).leave()
    assert (twin.state, 9) == (reopened(tmp_path)[0].state, len(reopened(tmp_path)[0]))
    Keeper(tmp_path).do(NewGame(sides=(1, 3))).leave()
    history, _ = reopened(tmp_path)
    assert ((1, 3), 0, 0) == (history.state.setup.sides, history.state.counts, len(history))
    Keeper(tmp_path).do(Peg(side=3, points=3)).leave()
    history, _ = reopened(tmp_path)
    assert (3, 1) == (history.state.pegs(3).front, len(history))


def test_each_game_keeps_its_sides_names(tmp_path: Path) -> None:
    """G6: as a series has named sides, each game has its names."""
    Keeper(tmp_path, begun(names={"1": "Anna"})).do(Peg(side=1, points=5)).leave()
    database = sqlite3.connect(tmp_path / FILE)
    names = database.execute("SELECT json_extract(setup, '$.names') FROM game").fetchone()
    database.close()
    assert ('{"1":"Anna"}',) == names
    assert 5 == reopened(tmp_path, begun(names={"1": "Bert"}))[0].state.pegs(1).front


def test_a_journal_without_a_folder_is_kept_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It acknowledges as usual; no file is made, and the next begins empty."""
    monkeypatch.chdir(tmp_path)
    keeper = Keeper(None).do(Peg(side=1, points=5), Peg(side=2, points=7), Undo())
    assert [True] * 3 == keeper.reported
    assert (5, 0) == tuple(pegs.front for pegs in keeper.leave().state.all_pegs)
    another = Keeper(None)
    another.leave()
    assert ([], 0) == (list(tmp_path.iterdir()), another.seq)
