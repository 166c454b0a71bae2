"""Games by several processes are the same, and no process is left behind."""

import multiprocessing
from contextlib import closing

import pytest

from companion.errors import WorkerError
from companion.players.simulation import cores, play_games
from tests.companion.players.simulation.records import plan


def test_jobs_play_the_same_games() -> None:
    """With any number of processes the records come in the order of their numbers."""
    some = plan("child", "regular", seed=4)
    alone = list(play_games(some, 5, jobs=1))
    assert [some.play(number) for number in range(5)] == alone
    assert alone == list(play_games(some, 5, jobs=2))
    assert [] == multiprocessing.active_children()


def test_more_jobs_than_games() -> None:
    """One game needs no other process."""
    with closing(play_games(plan("child"), 1, jobs=8)) as records:
        next(records)
        assert [] == multiprocessing.active_children()


def test_a_worker_that_dies_is_reported() -> None:
    """The death is one clear error, and the other workers end."""
    with closing(play_games(plan("child"), 1_000, jobs=2)) as records:
        next(records)
        multiprocessing.active_children()[0].kill()
        with pytest.raises(WorkerError, match="try fewer --jobs"):
            list(records)
    assert [] == multiprocessing.active_children()


def test_closing_ends_the_workers() -> None:
    """Closing the generator leaves no process behind."""
    with closing(play_games(plan("child"), 1_000, jobs=2)) as records:
        next(records)
        assert 2 == len(multiprocessing.active_children())
    assert [] == multiprocessing.active_children()


def test_there_is_a_core() -> None:
    """There is at least one core."""
    assert cores() >= 1
