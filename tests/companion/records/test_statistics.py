"""Figures and statistics of games, by side and by name; figures are kept once, and checked."""

import dataclasses
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import ZoneKind
from companion.records.counts import ByReason, SideFigures
from companion.records.games import GameFigures, GameSide, MatchRecord, RecordedGame, Standing
from companion.records.records import Records
from companion.records.statistics import FILE as KEPT
from companion.records.statistics import Averages, Feat, KeptFigures, Skunks, Statistics, statistics
from companion.rules.game import Claim, Deal, NewGame, Peg, Undo
from tests.companion.journal.scribe import Scribe, begun, played
from tests.support.limits import SHARED_FIXTURES, share

PLAIN = SideFigures(
    won=False,
    caught=0,
    holes=100,
    counts=10,
    points=50,
    largest=12,
    penalty_points=0,
    muggins_points=0,
    awards=0,
    zones={},
    best_swing=None,
    worst_swing=None,
    behind=0,
    deals=4,
    cribs=2,
    by_reason=None,
)

WIN = Claim(rule="N10", by=1, game_to=2)


def game(number: int, winner: int | None, *sides: SideFigures, worth: int = 1) -> GameFigures:
    """Return a game of these sides, the first being side 1."""
    by_side = {
        side: dataclasses.replace(figures, won=side == winner)
        for side, figures in enumerate(sides or (PLAIN, PLAIN), start=1)
    }
    listed = RecordedGame(
        number=number,
        standing=Standing.WON if winner else Standing.LEFT,
        begun=0,
        ended=1,
        board="crib-wars",
        title="Crib Wars",
        finish=363,
        players=len(by_side),
        rules={},
        sides={
            side: GameSide(name=None, progress=figures.holes, caught=figures.caught)
            for side, figures in by_side.items()
        },
        winner=winner,
        worth=worth if winner else None,
        counts=20,
        hands=4,
    )
    return GameFigures(game=listed, sides=by_side, score={}, match_to=None, match_won=False)


def test_no_games_come_to_nothing() -> None:
    """Without a won game there is no tally."""
    assert Statistics(games=0, sides={}, names={}) == statistics([game(1, None)])


def test_skunks_are_given_and_taken() -> None:
    """G4: a winner gives one to each skunked side; doubles are separate."""
    skunked, doubly = (dataclasses.replace(PLAIN, caught=games) for games in (2, 4))
    won = game(1, 1, PLAIN, skunked, doubly, worth=4), game(2, 2, skunked, PLAIN, worth=2)
    assert {
        1: (Skunks(given=1, taken=1), Skunks(given=1, taken=0), 4),
        2: (Skunks(given=1, taken=1), Skunks(given=0, taken=0), 2),
        3: (Skunks(given=0, taken=0), Skunks(given=0, taken=1), 0),
    } == {
        side: (tally.skunks, tally.double_skunks, tally.worth)
        for side, tally in statistics(won).sides.items()
    }


def test_averages_are_over_all_counts_and_games() -> None:
    """Each count has the same weight; holes and zones are a game's."""
    many = dataclasses.replace(
        PLAIN, counts=30, points=90, holes=200, largest=24, zones={ZoneKind.TIME_TRAP: 3}
    )
    side = statistics([game(1, 1), game(2, 2, many, PLAIN)]).sides[1]
    assert (40, 3.5, 24, 150.0) == (side.counts, side.average_count, side.largest_count, side.holes)
    assert dict.fromkeys(ZoneKind, 0.0) | {ZoneKind.TIME_TRAP: 1.5} == side.zones


def test_a_comeback_is_the_deficit_of_a_game_that_was_won() -> None:
    """A loser's deficit is none; of two equal ones the first counts."""
    behind = [dataclasses.replace(PLAIN, behind=holes) for holes in (30, 80, 30)]
    reported = statistics(
        [game(n, w, side) for n, (w, side) in enumerate(zip((1, 2, 1), behind, strict=True), 1)]
    )
    assert Feat(holes=30, game=1) == reported.sides[1].comeback


def test_hand_crib_and_pegging_are_a_deals_where_they_are_known() -> None:
    """They are points a deal and a crib of games that know them, else None."""
    known = dataclasses.replace(PLAIN, by_reason=ByReason(hand=32, crib=9, pegging=12))
    tally = statistics([game(1, 1, known, PLAIN), game(2, 1)]).sides
    assert Averages(games=1, hand=8.0, crib=4.5, pegging=3.0) == tally[1].averages
    assert Averages(games=0, hand=None, crib=None, pegging=None) == tally[2].averages


def test_the_journal_comes_to_the_same(tmp_path: Path) -> None:
    """The best swing, the comeback and the count have their steps."""
    scribe = Scribe(tmp_path).sit(begun(names={"1": "Anna"}))
    scribe.do(Peg(side=2, points=22), Peg(side=1, points=9), NewGame())
    box = Peg(side=1, points=15), Deal(), Peg(side=1, points=7)
    scribe.do(*box, Claim(rule="N10", by=2, game_to=1)).close()
    with Records(tmp_path) as records:
        reported = records.statistics()
    anna = reported.names["Anna"]
    assert (1, 1, 1) == (reported.games, anna.played, anna.won)
    assert Feat(holes=15, game=2, step=1) == anna.best_swing
    assert Feat(holes=-33, game=2, step=3) == anna.worst_swing
    assert Feat(holes=18, game=2) == anna.comeback
    assert (2, 11.0, 15) == (anna.counts, anna.average_count, anna.largest_count)


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
    monkeypatch.setattr("companion.records.statistics.FIGURES_VERSION", 99)
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
