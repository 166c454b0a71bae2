"""The games of a plan, played one after the other or by several processes."""

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
"""Fresh processes: a fork of a process with threads may hang, and numpy brings threads."""

_AHEAD = 16
"""Games a job that are running or queued, so that no worker waits for the record of a long game."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_games(plan: SimulationPlan, games: int, *, jobs: int) -> Generator[GameRecord]:
    """Yield the games numbered from 0, in this order.

    With one job they are played in this process. Closing the iterator ends the workers.

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
                "a process that played games has died, maybe for want of memory: try fewer --jobs"
            ) from None


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Start worker processes; at the exit end them in the middle of their games."""
    pool = ProcessPoolExecutor(jobs, mp_context=_SPAWN)
    try:
        yield pool
    finally:
        for worker in active_children():
            worker.terminate()
        pool.shutdown()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C, here for a moment and in the processes that start here for good.

    At a terminal it goes to all processes, and the parent ends the workers. The resource tracker
    is started first: its start would unblock the signal.
    """
    resource_tracker.ensure_running()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
