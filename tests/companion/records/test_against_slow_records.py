"""Records against their slow twin: random tables with undos, new games, several boards."""

from itertools import groupby
from pathlib import Path

import pytest

from companion.records.records import Records
from tests.companion.records.random_tables import random_table
from tests.companion.records.slow_records import SlowGame, slow_figures, slow_results

Table = tuple[Path, list[SlowGame]]


@pytest.fixture(scope="module", params=range(8))
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Return a random table's folder, and its games in the twin."""
    folder = tmp_path_factory.mktemp("table")
    return folder, random_table(folder, request.param).end()


def test_the_games_that_stand_are_listed_as_they_were_played(table: Table) -> None:
    """Undone commands are missing; every game has its end, sides, names and hands."""
    folder, slow = table
    with Records(folder) as records:
        listed = records.games()
    assert [_slow_listing(game) for game in slow] == [
        (
            game.board,
            {side: (listed.name, listed.progress) for side, listed in game.sides.items()},
            game.winner,
            game.hands,
            game.finish,
        )
        for game in listed
    ]


def _slow_listing(game: SlowGame) -> object:
    end = game.states[-1]
    sides = {side: (game.names.get(str(side)), end.progress(side)) for side in game.setup.sides}
    board = "classic" if game.setup.track.finish == 121 else "crib-wars"
    return board, sides, end.winner, end.hand, game.setup.track.finish


def test_the_steps_are_the_states_the_table_stood_in(table: Table) -> None:
    """After each command pegs, boxes and folds are those of the table."""
    folder, slow = table
    with Records(folder) as records:
        pasts = [records.past(game.number) for game in records.games()]
    for game, past in zip(slow, pasts, strict=True):
        assert game.commands == [step.entry.command for step in past.steps]
        stood = [state.all_pegs for state in past.states[1:]]
        assert [state.all_pegs for state in game.states] == stood


def test_figures_are_what_a_slow_replay_finds(table: Table) -> None:
    """Zones, swings and deficits are those of the game with right counts."""
    folder, slow = table
    with Records(folder) as records:
        wholes = list(records.whole_games())
    for game, whole in zip(slow, wholes, strict=True):
        for side, expected in slow_figures(game).items():
            listed = whole.figures[side]
            assert expected.zones == listed.zones
            assert expected.best == (listed.best_swing.holes if listed.best_swing else 0)
            assert expected.worst == (listed.worst_swing.holes if listed.worst_swing else 0)
            assert expected.behind == listed.behind


def test_counts_of_cards_are_distinguished_from_points_taken(table: Table) -> None:
    """An entered count is one of cards, with its corrections; penalties are not."""
    folder, slow = table
    with Records(folder) as records:
        wholes = list(records.whole_games())
    for game, whole in zip(slow, wholes, strict=True):
        if game.setup.rules.finish == "exact":
            continue  # there some move nothing, which this twin does not tell apart
        for side, listed in whole.figures.items():
            cards = game.of_cards(side)
            expected = len(cards), sum(cards), max(cards, default=0), game.taken()[side]
            assert expected == (listed.counts, listed.points, listed.largest, listed.penalty_points)


def test_results_are_counted_by_side_and_by_name(table: Table) -> None:
    """Games played and won and the streaks are those of the twin."""
    folder, slow = table
    with Records(folder) as records:
        reported = records.statistics()
    by_side = {side: slow_results(slow, side, None) for side in (1, 2, 3)}
    by_name = {name: slow_results(slow, None, name) for name in ("Anna", "Bert", "Cleo")}
    for results, tally in (
        *((by_side[side], reported.sides[side]) for side in reported.sides),
        *((by_name[name], reported.names[name]) for name in reported.names),
    ):
        streaks = [len(list(run)) if won else 0 for won, run in groupby(results)]
        expected = len(results), sum(results), max(streaks), streaks[-1]
        assert expected == (tally.played, tally.won, tally.longest_streak, tally.streak)
    assert {side for side, results in by_side.items() if results} == reported.sides.keys()
    assert {name for name, results in by_name.items() if results} == reported.names.keys()
