"""Notices of a table: the lines that its page shows, including faults of the table's parts."""

from collections import deque
from collections.abc import Callable
from typing import Final

from companion.errors import Fault, Text
from companion.table.press_loop import PressLoop

NOTICE_LIMIT: Final = 5


class Notices:
    """The faults, the lines about USB sticks, and the notices that the page shows.

    `changed` is called in the event loop after each change.
    """

    def __init__(self, presses: PressLoop, changed: Callable[[], None]) -> None:
        self._presses, self._changed = presses, changed
        self._notices: deque[Text] = deque(maxlen=NOTICE_LIMIT)
        self._faults: tuple[Fault, ...] = ()
        self._sticks: tuple[Text, ...] = ()

    @property
    def lines(self) -> tuple[Text, ...]:
        """The lines to show, the faults first."""
        return (*(fault.line for fault in self._faults), *self._sticks, *self._notices)

    def say(self, notice: Text) -> None:
        """Show a line on the page, from any thread."""
        if self._presses.is_running:
            self._presses.call(self._add, notice)
        else:
            self._notices.append(notice)  # the page shows it after the start of the loop

    def show_faults(self, faults: tuple[Fault, ...]) -> None:
        """Show these faults of the table's parts instead of the last ones."""
        if faults != self._faults:
            self._faults = faults
            self._changed()

    def show_sticks(self, lines: tuple[Text, ...]) -> None:
        """Show these lines about plugged-in USB sticks instead of the last ones."""
        if lines != self._sticks:
            self._sticks = lines
            self._changed()

    def _add(self, notice: Text) -> None:
        self._notices.append(notice)
        self._changed()
