"""The running table: edges in, commands decided, written, and only then shown. One event loop.

What is decided runs ahead of what is on disk: pending counts and ghosts build on it at once, the
pegs move when the journal has it.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import Final

from companion.errors import RuleError
from companion.game import Command, Entry, Event, History, Peg, State, Undo
from companion.lights import Flash, FlashKind, Motion, View, flashing, plan
from companion.table.journal import Journal
from companion.table.news import Accepted, Lights, News
from companion.table.panel import PAD, Answer, Hint, Panel, Wish
from companion.table.trails import trails
from hardware.debounce import Change, Debouncer, Edge

BRIGHTNESS: Final = (0.1, 0.25, 0.5, 1.0)
"""The steps of brightness that Mode goes through, as parts of the full light."""

_NOTICES: Final = 5
_ACCEPTED: Final = 256
"""Commands that are kept to tell of: more than fall into any gap of a page's stream."""


class Table:
    """A table at which a game is played. All but `edge` and `say` is called in the event loop.

    Args:
        history: the game so far, as the journal has it; `seq` is the number of its last row.
        changed: is called in the event loop after every change worth showing.
        demo: is told, in the event loop, when the demo shall begin (True) and end.
    """

    def __init__(
        self,
        history: History,
        panel: Panel,
        journal: Journal,
        lamps: Lights,
        *,
        seq: int,
        debouncer: Debouncer,
        calm: bool,
        notices: tuple[str, ...],
        changed: Callable[[], None],
        demo: Callable[[bool], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._history, self._panel, self._journal, self._lamps = history, panel, journal, lamps
        self._debouncer, self._clock, self._changed = debouncer, clock, changed
        self._calm = calm
        self._demo, self._demo_on = demo, False
        self._instead: View | None = None
        self._announced: Peg | None = None
        self._watchers: list[Callable[[], None]] = []
        self._notices = deque(notices, maxlen=_NOTICES)
        self._seq, self._entry = seq, history.last
        self._ahead: deque[tuple[Entry, Entry | None]] = deque()
        self._undone: tuple[Event, ...] = ()
        self._told: deque[Accepted] = deque(maxlen=_ACCEPTED)
        self._unsaved: set[int] = set()
        self._numbers = count()
        self._answers: dict[int, asyncio.Future[Entry]] = {}
        self._settling: list[asyncio.Future[None]] = []
        self._visit: asyncio.Future[None] | None = None
        self._state = history.state
        self._motion = Motion.none()
        self._flashes: tuple[Flash, ...] = ()
        self._feedback: str | None = None
        self._edges: deque[Edge] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        lamps.on_failure = self.say
        self._tell_panel()
        self._view = self._new_view()

    @property
    def news(self) -> News:
        """How the table stands now."""
        return News(
            seq=self._seq,
            view=self._view,
            pending=self._panel.pending,
            entry=self._entry,
            saved=not self._unsaved,
            feedback=self._feedback,
            undone=self._undone,
            sign_up=self._panel.sign_up,
            notices=(*self._notices, *map(_stuck, self._panel.stuck)),
        )

    @property
    def accepted(self) -> tuple[Accepted, ...]:
        """The commands that were accepted last, up to that of `news`; those of this run only."""
        return tuple(self._told)

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

    # From other threads

    def edge(self, edge: Edge) -> None:
        """Take an edge, in any thread; it is worked on in the event loop."""
        self._edges.append(edge)
        self._in_loop(self._take_edges)

    def say(self, notice: str) -> None:
        """Show a line on the page, from any thread."""
        if self._loop is None:
            self._notices.append(notice)  # shown once it starts
        else:
            self._in_loop(self._say, notice)

    def _in_loop(self, call: Callable[..., None], *values: object) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(call, *values)

    def _say(self, notice: str) -> None:
        self._notices.append(notice)
        self._show()

    # From elsewhere than the panel

    def tap(self, action: str, *, held: float = 0.0) -> None:
        """Take a whole press on a score pad, that lasted `held` seconds until now."""
        now, button = self._clock(), PAD + action
        self._look()
        self._feedback = None
        self._act(self._panel.press(Change(button=button, down=True, t=now - held)))
        self._act(self._panel.tick(now))
        self._act(self._panel.press(Change(button=button, down=False, t=now)))
        self._look()

    async def settled(self) -> None:
        """Wait until all that was accepted so far is acknowledged."""
        if self._ahead:
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._settling.append(waiting)
            await waiting

    async def visit(self) -> None:
        """Wait until somebody presses a button at the table, which does nothing else.

        Cancelling gives the buttons back.
        """
        self._visit = asyncio.get_running_loop().create_future()
        self._panel.visitor = True
        try:
            await self._visit
        finally:
            self._panel.visitor = False

    def _visited(self) -> None:
        if self._visit and not self._visit.done():
            self._visit.set_result(None)

    # Presses

    def _take_edges(self) -> None:
        while self._edges:
            self._debouncer.feed(self._edges.popleft())
        self._look()

    def _look(self) -> None:
        """Do what is due by now, in the order of the times, and come back when more is."""
        now = self._clock()
        for change in self._debouncer.settle(now):
            self._act(self._panel.tick(change.t))
            if change.down:  # words about a press outlast it
                self._feedback = None
            self._act(self._panel.press(change))
        self._act(self._panel.tick(now))
        self._show()
        self._look_again(now)

    def _look_again(self, now: float) -> None:
        if self._timer:
            self._timer.cancel()
        times = (self._debouncer.deadline, self._panel.deadline(now))
        due = min((t for t in times if t is not None), default=None)
        if due is not None and self._loop is not None:
            self._timer = self._loop.call_later(max(0.0, due - now), self._look)

    def _act(self, answers: list[Answer]) -> None:
        for answer in answers:
            match answer:
                case Hint():
                    self._flash(answer.kind, answer.team)
                    self._feedback = answer.text
                case Wish.BRIGHTNESS:
                    self._step_brightness()
                case Wish.SHOW:
                    pass  # the panel keeps it, and the view shows it
                case Wish.LET_IN:
                    self._visited()
                case _:
                    self._do(answer)

    def _step_brightness(self) -> None:
        brighter = (step for step in BRIGHTNESS if step > self._lamps.brightness)
        self._lamps.brightness = next(brighter, BRIGHTNESS[0])

    def _flash(self, kind: FlashKind, team: int | None) -> None:
        flash = Flash(kind=kind, team=team, t0=self._clock())
        self._flashes = flashing(self._flashes, flash)

    # Commands

    def _do(self, command: Command) -> None:
        try:
            entry = self._history.decide(command)
        except RuleError as error:
            self._flash(FlashKind.REFUSED, getattr(command, "team", None))
            self._feedback = str(error)
            return
        self._accept(entry)

    @property
    def state(self) -> State:
        """The game as decided, perhaps a moment ahead of what is on disk and shown."""
        return self._history.state

    def watch(self, decided: Callable[[], None]) -> Callable[[], None]:
        """Have `decided` called after each command, whoever gave it; what is returned ends that."""
        self._watchers.append(decided)
        return lambda: self._watchers.remove(decided)

    def announce(self, count: Peg | None) -> None:
        """Show what a count will do before it is asked for, as if entered, until the next is."""
        self._announced = count
        self._show()

    async def ask(self, command: Command) -> Entry:
        """Carry out a command that no button gives; its entry when it is acknowledged.

        Like a press it wakes the board and ends the demo.

        Raises:
            RuleError: the rules refuse it; nothing is changed.
        """
        answer: asyncio.Future[Entry] = asyncio.get_running_loop().create_future()
        entry = self._history.decide(command)
        self._panel.stir(self._clock())
        self._announced = None
        self._answers[self._accept(entry)] = answer
        self._show()
        return await answer

    def _accept(self, entry: Entry) -> int:
        """Go on from an entry and have it written; the number of the write."""
        self._feedback = None
        undone = self._history.last if isinstance(entry.command, Undo) else None
        self._history.add(entry)
        self._ahead.append((entry, undone))
        self._tell_panel()
        number = next(self._numbers)
        self._journal.write(entry, lambda saved: self._in_loop(self._written, number, saved))
        for decided in tuple(self._watchers):
            decided()
        return number

    def _tell_panel(self) -> None:
        last = self._history.last
        last_by = getattr(last.command, "team", None) if last else None
        self._panel.game_is(self._history.state, last_by=last_by)

    def _written(self, number: int, saved: bool) -> None:  # noqa: FBT001  # a callback's answer
        """Acknowledge a write, saved or not; one that was not is told again when it is."""
        if number in self._unsaved:
            self._unsaved.remove(number)
        else:
            entry = self._acknowledge()
            if not saved:
                self._unsaved.add(number)
            answer = self._answers.pop(number, None)
            if answer and not answer.done():
                answer.set_result(entry)
        while self._settling and not self._ahead:
            settled = self._settling.pop()
            if not settled.done():
                settled.set_result(None)
        self._show()

    def _acknowledge(self) -> Entry:
        """Show the oldest entry that has not been: the journal answers in order."""
        entry, taken_back = self._ahead.popleft()
        self._seq += 1
        self._undone = taken_back.events if taken_back else ()
        self._told.append(Accepted(seq=self._seq, events=entry.events, undone=self._undone))
        motion = plan(self._state, entry, self._clock(), calm=self._calm)
        self._motion, self._state, self._entry = self._motion.joined(motion), entry.state, entry
        return entry

    # Showing

    def demo(self, *, on: bool) -> None:
        """Begin the demo, or end it, as Mode does."""
        self._panel.stir(self._clock(), show=on)
        self._look()

    def show_instead(self, view: View | None) -> None:
        """Show another view than that of the game, until told None."""
        self._instead = view
        self._show()

    def _show(self) -> None:
        view = self._new_view()
        if view != self._view:  # a scene that is given the same one has nothing to paint
            self._view = view
        self._lamps.show(self._instead or self._view)
        self._changed()
        if self._demo_on != self._panel.show:
            self._demo_on = self._panel.show
            self._demo(self._demo_on)

    def _new_view(self) -> View:
        panel = self._panel
        announced = self._announced
        pending = {announced.team: announced.points} if announced else {}
        pending |= {team: entered.points for team, entered in panel.pending.items()}
        shown, again = trails((entry.command for entry, _ in self._ahead), pending)
        return View(
            state=self._state,
            ahead=self._history.state if again else self._state,
            pending=shown,
            warned=panel.warned(self._clock()),
            motion=self._motion,
            flashes=self._flashes,
            mode_since=panel.mode_since,
            sign_up=panel.sign_up.joined if panel.sign_up else None,
            attract=panel.show,
            asleep=panel.asleep,
            alert=bool(self._unsaved),
        )


def _stuck(button: str) -> str:
    return f"button {button} has been down for long: it is ignored until it comes up"
