"""Commands in the queue for a disk that does not answer."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, cast

import pytest

from companion.journal.writer import Journal
from companion.rules.game import Entry, History, HouseRules, Peg, Setup, new_game
from companion.table.command_queue import DISK_TIMEOUT_S, CommandQueue
from tests.companion.table.bench import SlowJournal
from tests.support.boards import CRIB_WARS
from tests.support.scenes import run_by


class Later:
    """Calls that are made when the test says that their time has come."""

    def __init__(self, seconds: float, call: Callable[[], None]) -> None:
        self.seconds, self._call, self.cancelled = seconds, call, False

    def cancel(self) -> None:
        """Prevent the call."""
        self.cancelled = True

    def come(self) -> None:
        """Make the call, unless it was cancelled."""
        if not self.cancelled:
            self._call()


class Waiting:
    """A queue in front of a slow journal."""

    def __init__(self) -> None:
        self.journal, self.timers = SlowJournal(), list[Later]()
        self.acknowledged: list[Entry] = []
        self.queue = CommandQueue(
            History(new_game(Setup.make(CRIB_WARS, HouseRules(), sides=(1, 2)))),
            cast("Journal", self.journal),
            seq=0,
            in_loop=lambda call, *arguments: call(*arguments),
            changed=lambda: None,
            later=self._later,
        )
        self.queue.acknowledged.subscribe(lambda _, new: self.acknowledged.append(new.entry))

    def _later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        self.timers.append(Later(seconds, call))
        return cast("asyncio.TimerHandle", self.timers[-1])

    def peg(self, side: int) -> None:
        """Enter a count of five."""
        self.queue.accept(self.queue.history.decide(Peg(side=side, points=5)))


def in_loop(scene: Callable[[Waiting], Coroutine[Any, Any, None]]) -> None:
    """Run a scene in an event loop."""
    asyncio.run(scene(Waiting()))


@run_by(in_loop)
async def test_play_goes_on_while_the_disk_is_stuck(waiting: Waiting) -> None:
    """After five seconds without an answer a count is acknowledged, but not saved."""
    waiting.peg(1)
    assert ([], True) == (waiting.acknowledged, waiting.queue.saved)
    (timer,) = waiting.timers
    assert timer.seconds == DISK_TIMEOUT_S
    timer.come()
    assert (1, False) == (len(waiting.acknowledged), waiting.queue.saved)


@pytest.mark.parametrize("refusals", [0, 1])
@run_by(in_loop)
async def test_a_disk_that_comes_back_saves_all(waiting: Waiting, refusals: int) -> None:
    """A late answer marks the count as saved, even after a failure. It is acknowledged once."""
    waiting.peg(1)
    waiting.peg(2)
    for timer in waiting.timers:
        timer.come()
    for _ in range(refusals):
        waiting.journal.answer(saved=False)
    assert not waiting.queue.saved
    while len(waiting.journal.waiting):
        waiting.journal.answer()
    assert (2, True) == (len(waiting.acknowledged), waiting.queue.saved)


@run_by(in_loop)
async def test_an_answer_in_time_is_the_only_one(waiting: Waiting) -> None:
    """The timer of an answered write does nothing."""
    waiting.peg(1)
    waiting.journal.answer()
    waiting.timers[0].come()
    assert (1, True) == (len(waiting.acknowledged), waiting.queue.saved)
