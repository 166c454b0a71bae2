"""Landings and awards of a record, compared with the events of the game."""

import random
from collections import Counter

import pytest

from companion.players.match.match import play_game
from companion.rules.game import Deal, Peg, new_game
from tests.support.card_games import GameRun, play_out, regulars, setup_for

SEEDS = range(4)


def seen(players: int, seed: int) -> GameRun:
    """Play a game, and return it with all its events."""
    return play_out(setup_for(players), regulars(players), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", [2, 3])
def test_landings_are_where_counts_and_awards_ended(players: int, seed: int) -> None:
    """An award that goes on past a box or a trap ends where it stops (Z9)."""
    expected: Counter[object] = Counter()
    for entry in seen(players, seed).entries:
        moves = [one for one in entry.events if one.kind in ("counted", "awarded", "skipped")]
        # Every count and award of one command is another side's: the last move of each stays.
        expected.update({one.side: one.to for one in moves}.values())
    record = play_game(setup_for(players), regulars(players), random.Random(seed))
    assert expected == record.landings


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", [2, 3])
def test_who_led_into_a_zone(players: int, seed: int) -> None:
    """A side leads into a zone if it was alone ahead before the count."""
    entries = seen(players, seed).entries
    setup, expected = setup_for(players), set()
    for before, entry in zip(
        [new_game(setup), *(one.state for one in entries)], entries, strict=False
    ):
        progress = {side: before.progress(side) for side in setup.sides}
        ahead = [side for side in setup.sides if progress[side] == max(progress.values())]
        for event in entry.events:
            if event.kind.facts.zone and event.origin is not None and ahead == [event.side]:
                zone = setup.track.zone_at(event.origin)
                assert zone is not None
                expected.add((zone.id, event.side))
    assert expected == play_game(setup, regulars(players), random.Random(seed)).led_into


@pytest.mark.parametrize("seed", SEEDS)
def test_points_of_whole_deals(seed: int) -> None:
    """The record has the points before the last deal, by the dealing side and others."""
    entries = seen(2, seed).entries
    last = max(n for n, entry in enumerate(entries) if isinstance(entry.command, Deal))
    expected: Counter[bool] = Counter()
    for entry in entries[:last]:
        if isinstance(entry.command, Peg):
            dealer = entry.state.setup.side_of(entry.state.dealer)
            expected[entry.command.side == dealer] += entry.command.points
    record = play_game(setup_for(2), regulars(2), random.Random(seed))
    assert expected == record.points
    state = entries[-1].state
    assert (state.winner, state.match.games) == (record.winner, ((record.winner, record.worth),))
