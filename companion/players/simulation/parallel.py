"""Runner of the games of a plan, in this process or in several worker processes."""

import os
import signal
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, get_context, resource_tracker

from companion.errors import WorkerError
from companion.players.match.match import GameRecord
from companion.players.simulation.plan import SimulationPlan

_SPAWN = get_context("spawn")
"""Workers are not forked, because a fork of a process with threads can hang; numpy has threads."""

_AHEAD = 16
"""Games running or queued for each job, so that no worker is idle while a long game runs."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_games(plan: SimulationPlan, games: int, *, jobs: int) -> Generator[GameRecord]:
    """Yield the records of the games in order of their numbers, from 0.

    With one job the games run in this process. Closing the generator ends the workers.

    Raises:
        WorkerError: a worker has died.
    """
    jobs = min(jobs, games)
    if jobs == 1:
        yield from map(plan.play, range(games))
        return
    with _pool(jobs) as pool:
        numbers = iter(range(games))
        with _interrupts_blocked():
            ahead = deque(pool.submit(plan.play, n) for n in islice(numbers, jobs * _AHEAD))
        try:
            while ahead:
                yield ahead.popleft().result()
                ahead.extend(pool.submit(plan.play, n) for n in islice(numbers, 1))
        except BrokenProcessPool:
            raise WorkerError(
                "a process that played games has died, maybe for lack of memory: use fewer --jobs"
            ) from None


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Start worker processes. At the end of the block, kill them, even in the middle of a game."""
    pool = ProcessPoolExecutor(jobs, mp_context=_SPAWN)
    try:
        yield pool
    finally:
        for worker in active_children():
            worker.terminate()
        pool.shutdown()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C until the block ends; processes that start in the block never get it.

    A terminal sends Ctrl-C to all processes, but only this process must act on it and end the
    workers. Python's resource tracker is started first, because its start would unblock the signal.
    """
    resource_tracker.ensure_running()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
