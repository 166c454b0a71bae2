"""Statistics of many games, by side and by name, counted by hand."""

import dataclasses
from pathlib import Path

from companion.board import ZoneKind
from companion.records.counts import ByReason, SideFigures
from companion.records.games import Game, GameFigures, GameSide, Standing
from companion.records.records import Records
from companion.records.statistics import Averages, Feat, Skunks, Statistics, statistics
from companion.rules.game import Claim, Deal, NewGame, Peg
from tests.companion.journal.scribe import Scribe, begun

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


def game(
    number: int,
    winner: int | None,
    *sides: SideFigures,
    worth: int = 1,
    names: dict[int, str] | None = None,
) -> GameFigures:
    """Return a game of these sides, the first being side 1."""
    by_side = {
        side: dataclasses.replace(figures, won=side == winner)
        for side, figures in enumerate(sides or (PLAIN, PLAIN), start=1)
    }
    listed = Game(
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
            side: GameSide(
                name=(names or {}).get(side), progress=figures.holes, caught=figures.caught
            )
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
    reported = statistics(
        [game(1, 1, PLAIN, skunked, doubly, worth=4), game(2, 2, skunked, PLAIN, worth=2)]
    )
    one, two, three = (reported.sides[side] for side in (1, 2, 3))
    assert (Skunks(given=1, taken=1), Skunks(given=1, taken=0)) == (one.skunks, one.double_skunks)
    assert (Skunks(given=1, taken=1), Skunks(given=0, taken=0)) == (two.skunks, two.double_skunks)
    assert (Skunks(given=0, taken=0), Skunks(given=0, taken=1)) == (
        three.skunks,
        three.double_skunks,
    )
    assert (4, 2, 0) == (one.worth, two.worth, three.worth)


def test_averages_are_over_all_counts_and_games() -> None:
    """Each count has the same weight; holes and zones are a game's."""
    many = dataclasses.replace(
        PLAIN, counts=30, points=90, holes=200, largest=24, zones={ZoneKind.TIME_TRAP: 3}
    )
    tally = statistics([game(1, 1), game(2, 2, many, PLAIN)]).sides[1]
    assert (40, 3.5, 24, 150.0) == (
        tally.counts,
        tally.average_count,
        tally.largest_count,
        tally.holes,
    )
    assert dict.fromkeys(ZoneKind, 0.0) | {ZoneKind.TIME_TRAP: 1.5} == tally.zones


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
