"""Queue of a table's commands: each is decided by the rules, written, and then acknowledged.

`history` is the game after the newest command, and `shown` is the game after the last acknowledged
command. The journal answers in the order of the writes. If it does not answer for 5 s, the write
counts as unsaved: the command is acknowledged, and `saved` is False until the answer comes. Use the
queue only in the event loop.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Final

from companion.journal.resume import Accepted
from companion.journal.writer import Journal
from companion.rules.game import Command, Entry, History, Undo
from companion.signals import Signal

ACCEPTED_LIMIT: Final = 256
"""Number of accepted commands that pages can request after a gap in their stream."""

DISK_TIMEOUT_S: Final = 5.0  # seconds after which a write without an answer counts as unsaved


@dataclass(frozen=True, slots=True, kw_only=True)
class _Queued:
    """Entry that waits for the disk; if it is an undo, `undone` is the entry that it takes back."""

    entry: Entry
    undone: Entry | None
    answer: asyncio.Future[Entry]


def _call_later(seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(seconds, call)


class CommandQueue:
    """Queue of commands that wait for the disk.

    Args:
        history: the game in the journal; commands are added to it as soon as they are decided.
        journal: writes the commands in a thread.
        seq: the number of the last journal row of `history`.
        in_loop: makes a call in the event loop, from any thread.
        changed: called after each answer of the journal and each timeout.
        later: makes a call in the event loop after a number of seconds, unless it is cancelled.

    `acknowledged` notifies its subscribers of each acknowledged command, with the state before it.
    """

    def __init__(
        self,
        history: History,
        journal: Journal,
        *,
        seq: int,
        in_loop: Callable[..., None],
        changed: Callable[[], None],
        later: Callable[[float, Callable[[], None]], asyncio.TimerHandle] = _call_later,
    ) -> None:
        self._later = later
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self.history, self._journal, self._in_loop = history, journal, in_loop
        self._changed, self.acknowledged = changed, Signal()
        self._queue: deque[_Queued] = deque()
        self._unsaved: set[int] = set()
        journal.listen(lambda _on_disk: in_loop(changed))
        self._numbers = count()
        self._accepted = deque(journal.accepted, maxlen=ACCEPTED_LIMIT)
        self.seq = seq
        self.shown = history.state
        """The game after the last acknowledged command."""

    @property
    def last_by(self) -> int | None:
        """The side of the last decided command, or None if that command has no side."""
        last = self.history.last
        return getattr(last.command, "side", None) if last else None

    @property
    def takes_new_rules(self) -> bool:
        """True if the house rules changed, and the game has neither counts nor cards yet."""
        state = self.history.state
        begun = state.counts or state.winner is not None or self._journal.cards
        return self.history.has_new_rules and not begun

    @property
    def waiting(self) -> tuple[Command, ...]:
        return tuple(each.entry.command for each in self._queue)

    @property
    def saved(self) -> bool:
        """True while all acknowledged commands are on disk."""
        return self._journal.on_disk and not self._unsaved

    @property
    def accepted(self) -> tuple[Accepted, ...]:
        """The newest acknowledged commands, including commands from before this run."""
        return tuple(self._accepted)

    def accept(self, entry: Entry, cards: bytes | None = None) -> asyncio.Future[Entry]:
        """Add an entry and write it; the future is done when the entry is acknowledged.

        `cards` are the dealt cards after the entry, or None if they have not changed.
        """
        answer: asyncio.Future[Entry] = asyncio.get_running_loop().create_future()
        undone = self.history.last if isinstance(entry.command, Undo) else None
        self.history.add(entry)
        self._queue.append(_Queued(entry=entry, undone=undone, answer=answer))
        self._write(entry, cards, self._acknowledge)
        return answer

    def _write(
        self, entry: Entry | None, cards: bytes | None, acknowledge: Callable[[], None]
    ) -> None:
        """Write an entry, cards or both; `acknowledge` is called at the answer or the timeout."""
        number = next(self._numbers)

        def answered(saved: bool) -> None:  # noqa: FBT001  # a callback's argument
            self._answered(number, saved, acknowledge)

        self._timers[number] = self._later(DISK_TIMEOUT_S, lambda: answered(False))  # noqa: FBT003
        self._journal.write(entry, lambda saved: self._in_loop(answered, saved), cards=cards)

    async def save_cards(self, cards: bytes) -> None:
        """Write dealt cards, or delete them if `cards` is empty; wait for the journal's answer."""
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def acknowledge() -> None:
            if not answer.done():
                answer.set_result(None)

        self._write(None, cards, acknowledge)
        await answer

    async def settled(self) -> None:
        """Wait until all accepted commands are acknowledged."""
        if self._queue:
            await asyncio.shield(self._queue[-1].answer)

    def _answered(self, number: int, saved: bool, acknowledge: Callable[[], None]) -> None:  # noqa: FBT001  # a callback's argument
        """Acknowledge a write at its answer or timeout; a later answer only marks it as saved."""
        if saved:
            self._unsaved.discard(number)
        else:
            self._unsaved.add(number)
        timer = self._timers.pop(number, None)
        if timer:
            timer.cancel()
            acknowledge()
        self._changed()

    def _acknowledge(self) -> None:
        """Acknowledge the oldest entry of the queue: the journal answers in order."""
        oldest = self._queue.popleft()
        entry, before = oldest.entry, self.shown
        if not oldest.answer.done():
            oldest.answer.set_result(entry)
        self.seq += 1
        self.shown = entry.state
        undone = oldest.undone.events if oldest.undone else ()
        accepted = Accepted(seq=self.seq, entry=entry, undone=undone)
        self._accepted.append(accepted)
        self.acknowledged.notify(before, accepted)
