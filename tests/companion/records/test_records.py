"""Games of a journal: undos over wins and new games, several starts, damage."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.journal.reader import JournalReader
from companion.journal.replay import all_branches, read_branch
from companion.journal.store import FILE, GameRow, Store
from companion.journal.writer import Journal
from companion.records.records import Records
from companion.rules.game import Claim, Deal, NewGame, Peg, Undo
from tests.companion.journal.scribe import NOON, Scribe, begun, changed, played

WIN = Claim(rule="N10", by=1, game_to=2)


def listing(folder: Path) -> list[tuple[int, str, int | None, dict[int, int]]]:
    """Each game's number, standing, winner and progress."""
    with Records(folder) as records:
        return [
            (
                game.number,
                game.standing.value,
                game.winner,
                {side: listed.progress for side, listed in game.sides.items()},
            )
            for game in records.games()
        ]


def test_a_journal_with_no_command_tells_of_no_game(tmp_path: Path) -> None:
    """A start alone is no game; records of it are empty, and no error."""
    played(tmp_path)
    with Records(tmp_path) as records:
        assert ([], [], 0) == (records.games(), records.matches(), records.statistics().games)


def test_a_game_runs_until_it_is_won(tmp_path: Path) -> None:
    """The newest game is running without a winner, and won with one."""
    scribe = Scribe(tmp_path).sit().do(Peg(side=1, points=5))
    assert [(1, "running", None, {1: 5, 2: 0})] == listing(tmp_path)
    scribe.do(WIN).close()
    assert [(1, "won", 2, {1: 5, 2: 363})] == listing(tmp_path)


def test_an_undo_over_a_new_game_goes_on_with_the_old_one(tmp_path: Path) -> None:
    """A new game that was taken back is gone with its counts; its number is not given again."""
    first = Peg(side=1, points=5), WIN, NewGame(), Peg(side=2, points=9)
    back = Undo(), Undo(), Undo(), Peg(side=2, points=4), WIN
    played(tmp_path, *first, *back, NewGame(), Peg(side=1, points=1))
    expected = [(1, "won", 2, {1: 5, 2: 363}), (3, "running", None, {1: 1, 2: 0})]
    assert expected == listing(tmp_path)


def test_a_new_game_before_a_win_leaves_the_old_one(tmp_path: Path) -> None:
    """A game that was never won stays as left; one without any count is not told of."""
    played(tmp_path, Peg(side=1, points=5), NewGame(), Deal(), NewGame(), Peg(side=2, points=3))
    expected = [(1, "left", None, {1: 5, 2: 0}), (3, "running", None, {1: 0, 2: 3})]
    assert expected == listing(tmp_path)


@pytest.mark.parametrize("first", [Peg(side=3, points=4), NewGame(), NewGame(sides=(1, 2))])
def test_a_start_of_which_all_was_taken_back_hides_nothing(
    tmp_path: Path, first: Peg | NewGame
) -> None:
    """Of a start that was undone to nothing, nothing is told; the games before it are."""
    scribe = Scribe(tmp_path).sit().do(Peg(side=1, points=5))
    scribe.sit(begun(sides=(1, 2, 3))).do(first, Undo())
    assert [(1, "left", None, {1: 5, 2: 0})] == listing(tmp_path)
    scribe.do(Peg(side=2, points=2), NewGame(), Peg(side=2, points=3)).close()
    assert [{1: 5, 2: 0}, {1: 0, 2: 2, 3: 0}, {1: 0, 2: 3, 3: 0}] == [
        sides for _, _, _, sides in listing(tmp_path)
    ]


def test_a_past_that_began_with_a_new_game_is_reported(tmp_path: Path) -> None:
    """A table whose first command was a new game tells of that one alone."""
    played(tmp_path, NewGame(), Peg(side=2, points=3))
    assert [(2, "running", None, {1: 0, 2: 3})] == listing(tmp_path)


def test_begun_and_ended_are_the_times_of_the_rows(tmp_path: Path) -> None:
    """A game begins when its first row is written and ends with its last; one running has none."""
    played(tmp_path, Peg(side=1, points=5), WIN, NewGame(), Peg(side=1, points=1))
    with Records(tmp_path) as records:
        times = [(game.begun - NOON, game.ended) for game in records.games()]
    assert [(0.0, NOON + 2), (4.0, None)] == times


def test_records_are_read_while_the_table_writes(tmp_path: Path) -> None:
    """Records are of the rows on disk at the first question; the table goes on unhindered."""
    scribe = Scribe(tmp_path).sit().do(Peg(side=1, points=5))
    with Records(tmp_path) as records:
        before = records.past(1)
        scribe.do(Peg(side=2, points=4))
        assert 1 == records.games()[0].counts
    with Records(tmp_path) as records:
        assert 2 == records.games()[0].counts
    scribe.do(Undo(), Peg(side=2, points=6)).close()
    assert 1 == len(before.steps)
    assert [(1, "running", None, {1: 5, 2: 6})] == listing(tmp_path)


def test_the_table_goes_on_from_a_journal_that_was_read(tmp_path: Path) -> None:
    """Reading changes no byte of the journal, and leaves nothing that a start would trip over."""
    played(tmp_path, Peg(side=1, points=5))
    content = (tmp_path / FILE).read_bytes()
    listing(tmp_path)
    assert content == (tmp_path / FILE).read_bytes()
    journal = Journal(tmp_path, now=time.time)
    history, seq = journal.begin(begun())
    journal.close()
    assert (5, 1, None) == (history.state.pegs(1).front, seq, journal.notice)


def test_what_a_power_cut_left_is_read_and_not_touched(tmp_path: Path) -> None:
    """Rows that are not in the file itself yet are told, and stay where they are."""
    scribe, cut = Scribe(tmp_path).sit().do(Peg(side=1, points=5)), tmp_path / "cut"
    cut.mkdir()
    names = FILE, f"{FILE}-wal"
    for name in names:
        (cut / name).write_bytes((tmp_path / name).read_bytes())
    scribe.close()
    before = [(cut / name).read_bytes() for name in names]
    assert [(1, "running", None, {1: 5, 2: 0})] == listing(cut)
    assert before == [(cut / name).read_bytes() for name in names]


def test_no_journal_is_said(tmp_path: Path) -> None:
    """A folder without games is named with the remedy."""
    with pytest.raises(JournalError, match=r"there is no journal in .*play a game first"):
        Records(tmp_path)


FOUR = Peg(side=1, points=5), Peg(side=2, points=3), Deal(), Peg(side=1, points=4)


@pytest.mark.parametrize(
    ("statement", "read", "fault"),
    [
        ("DELETE FROM log WHERE seq = 3", 2, "row 3 is damaged or missing"),
        ("UPDATE log SET events = '{' WHERE seq = 3", 2, "row 3: not events in JSON"),
        ("UPDATE log SET command = CAST(x'ff' AS TEXT) WHERE seq = 3", 2, "row 3: not a command"),
        ("UPDATE log SET command = '{\"hop\": {}}' WHERE seq = 4", 3, "row 4: no command 'hop'"),
        ("UPDATE log SET parent = 3 WHERE seq = 3", 2, "row 3 is damaged or missing"),
        ("UPDATE log SET game = 9 WHERE seq = 2", 1, "row 2 is damaged or missing"),
        ("UPDATE log SET events = replace(events, ':3', ':999') WHERE seq = 2", 1, "beyond the"),
        (
            'UPDATE log SET events = replace(events, \'"to":5\', \'"to":"z"\') WHERE seq = 1',
            0,
            "follow",
        ),
    ],
)
def test_a_damaged_game_is_reported_up_to_the_damage(
    tmp_path: Path, statement: str, read: int, fault: str
) -> None:
    """The readable rows are reported, the first lost one is named, and other games are whole."""
    folder = played(tmp_path, *FOUR, NewGame(), Peg(side=1, points=1))
    foreign = "PRAGMA foreign_keys = OFF"
    with Records(changed(folder, foreign, statement)) as records:
        assert read == len(records.past(1).steps)
        assert 1 == records.games()[-1].counts
        (line,) = records.faults
    assert "\n" not in str(line)
    assert str(line).startswith("game 1 is damaged (")
    assert fault in str(line)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE game SET setup = '{}' WHERE id = 1", "missing required field"),
        ("UPDATE game SET setup = replace(setup, '[1,2]', '[1,9]') WHERE id = 1", "lanes"),
        ("UPDATE game SET board_file = x'00' WHERE id = 1", "not TOML"),
    ],
)
def test_a_game_of_which_nothing_can_be_read_hides_no_other(
    tmp_path: Path, statement: str, why: str
) -> None:
    """It is left out of the records and named there; asked for by its number it is an error."""
    folder = changed(played(tmp_path, *FOUR, NewGame(), Peg(side=1, points=1)), statement)
    with Records(folder) as records:
        assert [2] == [game.number for game in records.games()]
        (line,) = records.faults
        assert str(line).startswith("game 1 of the journal cannot be read (")
        assert why in str(line)
        with pytest.raises(JournalError, match="or restore a backup"):
            records.game(1)


@pytest.mark.parametrize(
    "statement", ["DELETE FROM game WHERE id = 1", "UPDATE game SET setup = '{}' WHERE id = 1"]
)
def test_a_game_after_one_that_is_lost_is_reported_once(tmp_path: Path, statement: str) -> None:
    """The listing comes to an end, and names the game whose row is gone or is not believed."""
    played(tmp_path, Peg(side=1, points=5), NewGame(), Peg(side=1, points=3))
    changed(tmp_path, statement, checked=True)
    assert [(2, "running", None, {1: 3, 2: 0})] == listing(tmp_path)
    with Records(tmp_path) as records:
        assert records.games()
        (fault,) = records.faults
        assert "game 1 cannot be read: its row is damaged or missing" == str(fault)


def test_a_row_that_disagrees_with_its_checksum_is_not_believed(tmp_path: Path) -> None:
    """A count that reads well and is another than was written is lost, not told otherwise."""
    other = "UPDATE log SET events = replace(events, '3', '4') WHERE seq = 2"
    with Records(changed(played(tmp_path, *FOUR), other, checked=True)) as records:
        assert [(1, 5)] == [(game.counts, game.sides[1].progress) for game in records.games()]


def test_the_records_agree_while_games_begin(tmp_path: Path) -> None:
    """A look-up is a snapshot: a game that begins meanwhile is no damage."""
    scribe = Scribe(tmp_path).sit().do(Peg(side=1, points=5))
    reader = JournalReader(tmp_path)
    store, seen = reader._store, list[int]()

    class Meanwhile(Store):
        """A store on which the table begins a game after each look at a game."""

        def game_row(self, number: int) -> GameRow | None:
            """Return the game as it was before."""
            found = store.game_row(number)
            scribe.do(Peg(side=1, points=1), NewGame(), Peg(side=2, points=2))
            return found

    reader._store = Meanwhile(reader._db)
    with closing(reader):
        for _ in range(3):
            with reader.store() as read:
                branches = list(all_branches(read, at_most=read.last_seq))
            seen.append(len(branches))
            assert branches[0].newest
            with reader.store() as read:
                rows, cut = read_branch(read, branches[0])
            assert cut is None
            assert len(FOUR) > len(rows) > 0
    assert [1, 2, 4] == seen
    scribe.close()


def test_a_journal_of_another_version_is_no_damage(tmp_path: Path) -> None:
    """The line says which program reads it, and not to put a backup in its place."""
    folder = changed(played(tmp_path, Peg(side=1, points=5)), "PRAGMA user_version = 99")
    with pytest.raises(JournalError, match=r"its version is 99, .* start the version of cribwars"):
        listing(folder)


def test_a_journal_that_cannot_be_read_just_now_is_no_damage(tmp_path: Path) -> None:
    """The line says to try again, and not to put a backup in its place."""
    folder = played(tmp_path, Peg(side=1, points=5))
    journal = sqlite3.connect(folder / FILE, isolation_level=None)
    journal.execute("PRAGMA journal_mode = DELETE")
    with closing(journal), closing(JournalReader(folder)) as reading:
        reading._db.execute("PRAGMA busy_timeout = 0")
        journal.execute("BEGIN EXCLUSIVE")
        refused = pytest.raises(JournalError, match=r"database is locked.*: try again")
        with refused, reading.store() as store:
            store.game_row(1)


def test_a_file_that_is_no_journal_is_said(tmp_path: Path) -> None:
    """A file of another kind under the journal's name is no reason for a traceback."""
    (tmp_path / FILE).write_bytes(b"this is no database" * 99)
    with pytest.raises(JournalError, match=r"cannot be read .file is not a database"):
        Records(tmp_path)
