"""The backlog of a journal: writes that wait, in order, and their answers."""

import queue
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from companion.rules.game import Entry


@dataclass(slots=True, kw_only=True)
class Write:
    """An entry, dealt cards or both to save.

    `written` while the game stands on it, `answered` once `done` was called. Cards of None are
    those before, empty ones are put away.
    """

    entry: Entry | None
    cards: bytes | None
    done: Callable[[bool], None]
    written: bool = False
    answered: bool = False


class Backlog:
    """Writes that wait. `put` and `close` are called in any thread, the rest in the journal's.

    Args:
        retry_s: seconds between the tries to save, and between looks at the file.
    """

    def __init__(self, retry_s: float) -> None:
        self._retry_s = retry_s
        self._queue: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self._waiting: list[Write] = []

    def put(self, write: Write) -> None:
        self._queue.put(write)

    def close(self) -> None:
        """Have `wait` return False after the writes put before."""
        self._queue.put(None)

    def wait(self, *, poll: bool) -> bool:
        """Wait for a write, or the next try or `poll` at the file; return False after `close`."""
        try:
            return self._collect(timeout=self._retry_s if self._waiting or poll else None)
        except queue.Empty:
            return True

    def _collect(self, timeout: float | None) -> bool:
        """Wait for a write, and take those after it; return False after `close`."""
        write = self._queue.get(timeout=timeout)
        while write is not None:
            self._waiting.append(write)
            write = self._queue.get_nowait()
        return False

    def abandoned(self) -> list[Write]:
        """Return what is unwritten after `close`, where the journal's thread is stuck."""
        with suppress(queue.Empty):
            self._collect(timeout=0)
        self.close()  # for that thread
        return self.unwritten

    @property
    def unwritten(self) -> list[Write]:
        return [write for write in self._waiting if not write.written]

    def answer(self, *, saved: bool) -> None:
        """Answer each write, if unsaved only once; those that are saved wait no more."""
        for write in self._waiting:
            if saved or not write.answered:
                write.answered = True
                write.done(saved)
        if saved:
            self._waiting.clear()
