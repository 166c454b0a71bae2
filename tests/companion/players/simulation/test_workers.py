"""Games by several processes: the same games, and no process left behind."""

from __future__ import annotations

import multiprocessing
from contextlib import closing

import pytest

from companion.errors import WorkerError
from companion.players.simulation import cores, played
from tests.companion.players.simulation.records import plan


def test_jobs_play_the_same_games() -> None:
    """However many processes play, each number is its game, and comes once."""
    some = plan("child", "regular", seed=4)
    alone = list(played(some, 5, jobs=1))
    together = list(played(some, 5, jobs=2))
    assert [0, 1, 2, 3, 4] == [number for number, _ in alone]
    assert alone == sorted(together, key=lambda game: game[0])
    assert [] == multiprocessing.active_children()


def test_more_jobs_than_games() -> None:
    """No process is started that has nothing to do; one game needs none."""
    with closing(played(plan("child"), 1, jobs=8)) as records:
        next(records)
        assert [] == multiprocessing.active_children()


def test_a_worker_that_dies_is_told() -> None:
    """It is one clear error, and the others are ended."""
    with closing(played(plan("child"), 10_000, jobs=2)) as records:
        next(records)
        multiprocessing.active_children()[0].kill()
        with pytest.raises(
            WorkerError, match="has died, maybe for want of memory: try fewer --jobs"
        ):
            list(records)
    assert [] == multiprocessing.active_children()


def test_closing_ends_the_workers() -> None:
    """Whoever has seen enough leaves no process behind."""
    with closing(played(plan("child"), 10_000, jobs=2)) as records:
        next(records)
        assert 2 == len(multiprocessing.active_children())
    assert [] == multiprocessing.active_children()


def test_there_is_a_core() -> None:
    """At least the one that this runs on."""
    assert cores() >= 1
