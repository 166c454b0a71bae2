"""The loop of presses: edges from any thread reach the panel in the order of their times."""

import asyncio
from collections import deque
from collections.abc import Callable

from companion.table.actions import Answer
from companion.table.panel import Panel
from hardware.debounce import Debouncer, Edge


class PressLoop:
    """The loop of presses; all but `edge` and `call` is for use in the event loop.

    `act` is given the panel's answers, `pressed` is called before each press, `looked` when all
    that was due is done.
    """

    def __init__(
        self,
        panel: Panel,
        debouncer: Debouncer,
        *,
        clock: Callable[[], float],
        act: Callable[[list[Answer]], None],
        pressed: Callable[[], None],
        looked: Callable[[], None],
    ) -> None:
        self._panel, self._debouncer, self._clock = panel, debouncer, clock
        self._act, self._pressed, self._looked = act, pressed, looked
        self._edges: deque[Edge] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def is_running(self) -> bool:
        """True while it takes edges."""
        return self._loop is not None

    def start(self) -> None:
        """Begin to take edges; a button that is down already does nothing until it is up."""
        self._loop = asyncio.get_running_loop()
        for edge in self._edges:
            if edge.down:
                self._panel.ignore(edge.button, edge.t)
        self._take_edges()

    def stop(self) -> None:
        """Take no more edges."""
        self._loop = None
        if self._timer:
            self._timer.cancel()

    def edge(self, edge: Edge) -> None:
        """Take an edge, in any thread."""
        self._edges.append(edge)
        self.call(self._take_edges)

    def call(self, call: Callable[..., None], *values: object) -> None:
        """Call something in the event loop, from any thread, while edges are taken."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(call, *values)

    def _take_edges(self) -> None:
        while self._edges:
            self._debouncer.feed(self._edges.popleft())
        self.look()

    def look(self) -> None:
        """Do what is due by now, in the order of the times, and come back when more is."""
        now = self._clock()
        for change in self._debouncer.settle(now):
            self._act(self._panel.tick(change.t))
            if change.down:
                self._pressed()
            self._act(self._panel.press(change))
        self._act(self._panel.tick(now))
        self._looked()
        self._look_again(now)

    def _look_again(self, now: float) -> None:
        if self._timer:
            self._timer.cancel()
        times = (self._debouncer.deadline, self._panel.deadline(now))
        due = min((t for t in times if t is not None), default=None)
        if due is not None and self._loop is not None:
            self._timer = self._loop.call_later(max(0.0, due - now), self.look)
