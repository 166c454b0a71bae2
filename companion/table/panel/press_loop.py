"""Loop that passes edges (presses and releases) from any thread to the panel, in order of time.

An edge arrives later than it happened, and others of the same contact may still be under way. So
presses and holds are judged at a time that lies back by as much as the last edge was late.

`Notices` are the lines of text that the table's web page shows; any thread may add one.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from companion.errors import Fault, Text
from companion.table.panel.actions import Answer
from companion.table.panel.panel import Panel
from hardware.debounce import Debouncer, Edge

MOST_LATE_S: Final = 0.5
"""Longest time for which edges can be under way; an edge that seems later has a slower clock."""


@dataclass(slots=True, kw_only=True)
class PressLoop:
    """Loop of presses; only `edge` and `call` can be used outside the event loop.

    `act` is called with the panel's answers, `pressed` before each press, and `looked` after each
    `poll`.
    """

    panel: Panel
    debouncer: Debouncer
    clock: Callable[[], float]
    act: Callable[[list[Answer]], None]
    pressed: Callable[[], None]
    looked: Callable[[], None]
    _edges: deque[Edge] = field(init=False, default_factory=deque)
    _lateness: float = field(init=False, default=0.0)
    _timer: asyncio.TimerHandle | None = field(init=False, default=None)
    _loop: asyncio.AbstractEventLoop | None = field(init=False, default=None)

    @property
    def is_running(self) -> bool:
        return self._loop is not None

    def start(self) -> None:
        """Begin to take edges; ignore a button that is down already until it is released."""
        self._loop = asyncio.get_running_loop()
        for edge in self._edges:
            if edge.down:
                self.panel.ignore(edge.button, edge.t)
        self._take_edges()
        self.poll()

    def stop(self) -> None:
        self._loop = None
        if self._timer:
            self._timer.cancel()

    def edge(self, edge: Edge) -> None:
        self._edges.append(edge)
        self.call(self._take_edges)

    def call(self, call: Callable[..., None], *values: object) -> None:
        """Make a call in the event loop, from any thread; do nothing while the loop is stopped."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(call, *values)

    def _take_edges(self) -> None:
        now = self.clock()
        while self._edges:
            edge = self._edges.popleft()
            self.debouncer.feed(edge)
            self._lateness = min(max(0.0, now - edge.t), MOST_LATE_S)
        now -= self._lateness
        settled = self.debouncer.deadline
        if settled is None or settled <= now:
            self.poll()
        else:  # an edge has no effect before it is debounced
            self._look_again(now)

    def poll(self) -> None:
        """Handle all presses and holds due by now, in the order of their times."""
        now = self.clock() - self._lateness
        for change in self.debouncer.settle(now):
            self.act(self.panel.tick(change.t))
            if change.down:
                self.pressed()
            self.act(self.panel.press(change))
        self.act(self.panel.tick(now))
        self.looked()
        self._look_again(now)

    def _look_again(self, now: float) -> None:
        if self._timer:
            self._timer.cancel()
        times = (self.debouncer.deadline, self.panel.deadline(now))
        due = min((t for t in times if t is not None), default=None)
        if due is not None and self._loop is not None:
            self._timer = self._loop.call_later(max(0.0, due - now), self.poll)


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
