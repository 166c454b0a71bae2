"""The games of a plan on several cores: processes that are given a number and answer its game.

A worker holds the only other end of its line: where it dies the line ends, and where we are killed
its own does. So neither waits for the other for ever.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import cast

from companion.errors import WorkerError
from companion.players.match.match import GameRecord
from companion.players.simulation.plan import Plan

_SPAWNING = get_context("spawn")
"""Fresh processes: a fork of a process with threads may hang, and numpy brings threads."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def played(plan: Plan, games: int, *, jobs: int) -> Generator[tuple[int, GameRecord]]:
    """Yield the games numbered from 0, each with its number, in the order in which they end.

    With one job they are played in this process. A worker that dies is a `WorkerError`. Close the
    iterator, and the workers are gone.
    """
    jobs = min(jobs, games)
    if jobs == 1:
        yield from ((number, plan.play(number)) for number in range(games))
        return
    with _workers(plan, jobs) as lines:
        yield from _by_workers(lines, games)


def _by_workers(lines: list[Connection], games: int) -> Iterator[tuple[int, GameRecord]]:
    numbers, busy = iter(range(games)), list(lines)
    try:
        for line, number in zip(busy, numbers, strict=False):
            line.send(number)
        while busy:
            for line in cast("list[Connection]", wait(busy)):
                yield line.recv()
                after = next(numbers, None)
                if after is None:
                    busy.remove(line)
                else:
                    line.send(after)
    except (EOFError, ConnectionError):
        raise WorkerError(
            "a process that played games has died, maybe for want of memory: try fewer --jobs"
        ) from None


@contextmanager
def _workers(plan: Plan, jobs: int) -> Iterator[list[Connection]]:
    """Start worker processes."""
    with ExitStack() as running:
        yield [running.enter_context(_worker(plan)) for _ in range(jobs)]


@contextmanager
def _worker(plan: Plan) -> Iterator[Connection]:
    ours, theirs = _SPAWNING.Pipe()
    process = _SPAWNING.Process(target=_work, args=(theirs, plan), daemon=True)
    with ours:
        with theirs, _deaf_to_interrupts():
            process.start()
        try:
            yield ours
        finally:
            process.terminate()
            process.join()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Ctrl-C goes to all processes at a terminal: one that starts here stays deaf to it.

    It is ours to end the workers. To block the signal instead does not do: the first process that
    is spawned has it unblocked.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(line: Connection, plan: Plan) -> None:
    with suppress(EOFError, ConnectionError):
        while True:
            number = line.recv()
            line.send((number, plan.play(number)))
