"""The commands of a table on their way: decided, written, and only then acknowledged.

What is decided runs ahead of what is on disk; the journal answers in the order of the writes. Used
in the event loop alone.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Final

from companion.journal.writer import Journal
from companion.rules.game import Command, Entry, History, Peg, State, Undo
from companion.table.snapshot import Accepted


def trails(
    commands: Iterable[Command], pending: Mapping[int, int]
) -> tuple[tuple[tuple[int, int], ...], bool]:
    """Return teams with their points, rising; and True if they start from what is only decided.

    A count of the `commands` that are decided and not yet on disk keeps its trail until the peg
    moves; of two counts of one side the first does, for only that one starts from where the peg
    is. A side that has one pending already sees that one, from where its peg will be.
    """
    entered: dict[int, int] = {}
    for command in commands:
        if isinstance(command, Peg):
            entered.setdefault(command.team, command.points)
    again = bool(entered.keys() & pending.keys())
    shown = pending if again else entered | dict(pending)
    return tuple(sorted(shown.items())), again


ACCEPTED_LIMIT: Final = 256
"""Commands that are kept to tell of: more than fall into any gap of a page's stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ahead:
    """An entry on its way to the disk, what it takes back if it is an undo, and who waits."""

    entry: Entry
    undone: Entry | None
    answer: asyncio.Future[Entry]


class Ledger:
    """A history, and how much of it is on disk.

    Args:
        history: the game so far, as the journal has it; `seq` is the number of its last row.
        journal: where entries are written.
        in_loop: calls something in the event loop, from any thread.
        acknowledged: is given the state before an entry, and the entry, when it may be shown.
        changed: is called after each answer of the journal.
    """

    def __init__(
        self,
        history: History,
        journal: Journal,
        *,
        seq: int,
        in_loop: Callable[..., None],
        acknowledged: Callable[[State, Entry], None],
        changed: Callable[[], None],
    ) -> None:
        self._history, self._journal, self._in_loop = history, journal, in_loop
        self._acknowledged, self._changed = acknowledged, changed
        self._ahead: deque[_Ahead] = deque()
        self._unsaved: set[int] = set()
        journal.listen(lambda _on_disk: in_loop(changed))
        self._numbers = count()
        self._accepted: deque[Accepted] = deque(maxlen=ACCEPTED_LIMIT)
        self.seq = seq
        if history.last:
            self._accepted.append(Accepted(seq=seq, entry=history.last, undone=()))
        self.shown = history.state
        """The game as acknowledged."""

    @property
    def decided(self) -> State:
        """The game as decided, perhaps a moment ahead of what is acknowledged."""
        return self._history.state

    @property
    def last_by(self) -> int | None:
        """The team whose own count came last, as decided; None if it was something else."""
        last = self._history.last
        return getattr(last.command, "team", None) if last else None

    @property
    def ahead(self) -> tuple[Command, ...]:
        """The commands that are decided and not acknowledged yet."""
        return tuple(each.entry.command for each in self._ahead)

    @property
    def saved(self) -> bool:
        """True while all that is acknowledged is on disk."""
        return self._journal.on_disk and not self._unsaved

    @property
    def accepted(self) -> tuple[Accepted, ...]:
        """The commands that were acknowledged last; of those before this run the last one."""
        return tuple(self._accepted)

    def decide(self, command: Command) -> Entry:
        """Return the entry that a command would make; nothing is changed.

        Raises:
            RuleError: the rules refuse it.
        """
        return self._history.decide(command)

    def accept(self, entry: Entry) -> asyncio.Future[Entry]:
        """Go on from an entry and have it written; what is returned is done when it is."""
        answer: asyncio.Future[Entry] = asyncio.get_running_loop().create_future()
        undone = self._history.last if isinstance(entry.command, Undo) else None
        self._history.add(entry)
        self._ahead.append(_Ahead(entry=entry, undone=undone, answer=answer))
        number = next(self._numbers)
        self._journal.write(entry, lambda saved: self._in_loop(self._written, number, saved))
        return answer

    async def settled(self) -> None:
        """Wait until all that was accepted so far is acknowledged."""
        if self._ahead:
            await asyncio.shield(self._ahead[-1].answer)

    def _written(self, number: int, saved: bool) -> None:  # noqa: FBT001  # a callback's answer
        """Acknowledge a write, saved or not; one that was not is told again when it is."""
        if number in self._unsaved:
            self._unsaved.remove(number)
        else:
            if not saved:
                self._unsaved.add(number)
            self._acknowledge()
        self._changed()

    def _acknowledge(self) -> None:
        """Show the oldest entry that has not been: the journal answers in order."""
        oldest = self._ahead.popleft()
        entry, before = oldest.entry, self.shown
        if not oldest.answer.done():
            oldest.answer.set_result(entry)
        self.seq += 1
        self.shown = entry.state
        undone = oldest.undone.events if oldest.undone else ()
        self._accepted.append(Accepted(seq=self.seq, entry=entry, undone=undone))
        self._acknowledged(before, entry)
