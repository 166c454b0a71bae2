"""Loop that passes edges of buttons from any thread to the panel, in the order of their times."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.table.actions import Answer
from companion.table.panel import Panel
from hardware.debounce import Debouncer, Edge


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
        while self._edges:
            self.debouncer.feed(self._edges.popleft())
        now, settled = self.clock(), self.debouncer.deadline
        if settled is None or settled <= now:
            self.poll()
        else:  # an edge has no effect before it has settled
            self._look_again(now)

    def poll(self) -> None:
        """Handle all presses and holds due by now, in the order of their times; set the timer."""
        now = self.clock()
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
