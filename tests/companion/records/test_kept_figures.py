"""Figures of finished games: kept once, used again, and never trusted if damaged."""

import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.records.games import MatchRecord
from companion.records.kept_figures import FILE as KEPT
from companion.records.kept_figures import KeptFigures
from companion.records.records import Records
from companion.records.statistics import Statistics
from companion.rules.game import Claim, NewGame, Peg, Undo
from tests.companion.journal.scribe import Scribe, played
from tests.support.limits import SHARED_FIXTURES, share

WIN = Claim(rule="N10", by=1, game_to=2)


def kept(folder: Path) -> list[int]:
    """Return the numbers of the games whose figures are kept."""
    with Records(folder) as records, closing(KeptFigures(folder)) as figures:
        return [each.game.number for each in records._branches if figures.get(each)]


def test_figures_of_games_that_are_over_are_kept_and_used(tmp_path: Path) -> None:
    """A second look at the same journal tells the same, out of what the first has kept."""
    scribe = Scribe(tmp_path).sit().do(Peg(side=1, points=5), WIN, NewGame())
    with Records(tmp_path) as records:
        first = records.games()
    cache = (tmp_path / KEPT).read_bytes()
    with Records(tmp_path) as records:
        assert first == records.games()
    assert cache == (tmp_path / KEPT).read_bytes()
    scribe.do(Undo(), Undo(), Peg(side=1, points=3), NewGame()).close()
    with Records(tmp_path) as records:
        assert [8] == [game.sides[1].progress for game in records.games()]


def test_a_game_that_runs_is_not_kept(tmp_path: Path) -> None:
    """Nothing is written for a game that the next count will change."""
    played(tmp_path, Peg(side=1, points=5))
    with Records(tmp_path) as records:
        records.games()
    assert not (tmp_path / KEPT).exists()


@settings(max_examples=share(0.2), suppress_health_check=SHARED_FIXTURES)
@given(data=st.data())
def test_damaged_figures_are_computed_again(tmp_path: Path, data: st.DataObject) -> None:
    """However the file of kept figures is changed or cut, answers stay, and it is made again."""
    for file in tmp_path.iterdir():
        file.unlink()
    played(tmp_path, Peg(side=1, points=5), WIN, NewGame(), Peg(side=1, points=1))
    with Records(tmp_path) as records:
        expected = records.games()
    content = bytearray((tmp_path / KEPT).read_bytes())
    for _ in range(data.draw(st.integers(1, 99))):
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    (tmp_path / KEPT).write_bytes(content[: data.draw(st.integers(0, len(content)))])
    for _ in range(2):
        with Records(tmp_path) as records:
            assert expected == records.games()
    assert [1] == kept(tmp_path)


def test_figures_kept_by_another_version_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Figures of another version may mean something else."""
    played(tmp_path, Peg(side=1, points=5), WIN, NewGame(), Peg(side=1, points=1))
    with Records(tmp_path) as records:
        records.games()
    assert [1] == kept(tmp_path)
    monkeypatch.setattr("companion.records.kept_figures.FIGURES_VERSION", 99)
    assert [] == kept(tmp_path)


@pytest.mark.parametrize("program", [sys.executable, "/bin/false"])
def test_many_games_are_read_by_further_processes(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their figures are those that one process finds, also where a process ends early."""
    once = Peg(side=1, points=5), WIN, NewGame(), Peg(side=2, points=3), NewGame()
    played(tmp_path, *once, *once)
    with Records(tmp_path) as records:
        expected = records.games(), records.statistics(), records.matches()
    (tmp_path / KEPT).unlink()
    monkeypatch.setattr("companion.records.records._MANY", 3)
    monkeypatch.setattr("sys.executable", program)
    with Records(tmp_path) as records:
        assert expected == (
            records.games(),
            records.read_apart("statistics", Statistics),
            records.read_apart("matches", list[MatchRecord]),
        )
    assert [1, 2, 3, 4] == kept(tmp_path)


def test_a_page_of_games_reads_no_other_game(tmp_path: Path) -> None:
    """The newest games below a number come newest first, and figures of others are not computed."""
    games = [command for _ in range(4) for command in (Peg(side=1, points=5), WIN, NewGame())]
    played(tmp_path, *games)
    with Records(tmp_path) as records:
        page = records.newest_games(2, before=4)
    assert [3, 2] == [game.number for game in page]
    assert [2, 3] == kept(tmp_path)


def test_records_need_no_place_to_keep_anything(tmp_path: Path) -> None:
    """A cache that cannot be written (a folder is in the way) leaves nothing out."""
    played(tmp_path, Peg(side=1, points=5), WIN, NewGame(), Peg(side=1, points=1))
    (tmp_path / KEPT).mkdir()
    with Records(tmp_path) as records:
        assert 2 == len(records.games())
    assert [tmp_path / KEPT] == list(tmp_path.glob(f"{KEPT}*"))
