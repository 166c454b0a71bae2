"""The running table: edges in, commands decided, written, and only then shown. One event loop.

Pending counts and ghosts build at once on what is decided; the pegs move when the journal has it.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from companion.errors import RuleError
from companion.journal.writer import Journal
from companion.lights import Flash, Motion, View, flashing, plan
from companion.rules.game import Command, Entry, History, Peg, State
from companion.table.actions import PAD, Answer, Hint, HintKind, PanelRequest
from companion.table.panel import Panel
from companion.table.pending import Ledger, trails
from companion.table.snapshot import Accepted, Lights, News, Tapped
from hardware.debounce import Change, Debouncer, Edge

BRIGHTNESS: Final = (0.1, 0.25, 0.5, 1.0)
"""The steps of brightness that Mode goes through, as parts of the full light."""

NOTICE_LIMIT: Final = 5
_VISIT = "a phone asks to be let in: the next press of any button lets it in, and does nothing else"
_VISITED = "a phone was let in: that press did nothing else"


class Table:
    """A table at which a game is played. All but `edge` and `say` is called in the event loop.

    Args:
        history: the game so far, as the journal has it; `seq` is the number of its last row.
        calm: pegs move without a show.
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
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._panel, self._lamps = panel, lamps
        self._debouncer, self._clock, self._calm = debouncer, clock, calm
        self._instead: View | None = None
        self._replayed: View | None = None
        self._announced: Peg | None = None
        self._listeners: list[Callable[[], None]] = []
        self._notices: deque[str] = deque(maxlen=NOTICE_LIMIT)
        self._visits: list[asyncio.Future[None]] = []
        self._motion = Motion()
        self._flashes: tuple[Flash, ...] = ()
        self._hint: Hint | None = None
        self._edges: deque[Edge] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ledger = Ledger(
            history,
            journal,
            seq=seq,
            in_loop=self._in_loop,
            acknowledged=self._move,
            changed=self._show,
        )
        lamps.on_failure = self.say
        self._tell_panel()
        self._view = self._new_view()

    @property
    def news(self) -> News:
        """Standing of the table now."""
        return News(
            seq=self._ledger.seq,
            view=self._view,
            pending=self._panel.pending,
            saved=self._ledger.saved,
            hint=self._hint,
            sign_up=self._panel.sign_up,
            notices=(*self._notices, *map(_stuck, self._panel.stuck)),
        )

    @property
    def accepted(self) -> tuple[Accepted, ...]:
        """The commands accepted last, up to that of `news`; of those before this run the last."""
        return self._ledger.accepted

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

    def tap(self, action: str, *, held: float = 0.0) -> Tapped:
        """Take a whole press on a score pad, that lasted `held` seconds until now."""
        now, button = self._clock(), PAD + action
        self._look()
        self._hint = None
        pressed = self._panel.press(Change(button=button, down=True, t=now - held))
        self._act(pressed)
        self._act(self._panel.tick(now))
        self._act(self._panel.press(Change(button=button, down=False, t=now)))
        hint = self._hint
        self._look()
        woke = any(isinstance(each, Hint) and each.kind is HintKind.WAKE for each in pressed)
        return Tapped(counted=not woke, hint=hint)

    async def settled(self) -> None:
        """Wait until all that was accepted so far is acknowledged."""
        await self._ledger.settled()

    async def visit(self) -> None:
        """Wait until somebody presses a button at the table, which does nothing else.

        Whoever waits longest is let in first; when nobody waits, buttons do what they always do.
        """
        visit: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._visits.append(visit)
        self._panel.visitor = True
        self._say_of_visit(_VISIT)
        try:
            await visit
        finally:
            self._visits.remove(visit)
            self._panel.visitor = bool(self._visits)

    def _visited(self) -> None:
        waiting = next((visit for visit in self._visits if not visit.done()), None)
        if waiting:
            waiting.set_result(None)
            self._say_of_visit(_VISITED)

    def _say_of_visit(self, words: str) -> None:
        self._give(Hint(kind=HintKind.WAKE, team=None, text=words))
        self._show()

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
                self._hint = None
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
                    self._give(answer)
                case PanelRequest.BRIGHTNESS:
                    self._step_brightness()
                case PanelRequest.SHOW:
                    pass  # the panel keeps it, and the view shows it
                case PanelRequest.LET_IN:
                    self._visited()
                case _:
                    self._do(answer)

    def _step_brightness(self) -> None:
        brighter = (step for step in BRIGHTNESS if step > self._lamps.brightness)
        self._lamps.brightness = next(brighter, BRIGHTNESS[0])

    def _give(self, hint: Hint) -> None:
        """Show a hint with the lamps, and on the page until the next press."""
        flash = Flash(kind=hint.kind.flash, team=hint.team, t0=self._clock())
        self._flashes = flashing(self._flashes, flash)
        self._hint = hint

    # Commands

    def _do(self, command: Command) -> None:
        try:
            entry = self._ledger.decide(command)
        except RuleError as error:
            team = getattr(command, "team", None)
            self._give(Hint(kind=HintKind.REFUSED, team=team, text=str(error)))
            return
        self._accept(entry)

    @property
    def state(self) -> State:
        """The game as decided, perhaps a moment ahead of what is on disk and shown."""
        return self._ledger.decided

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` in the event loop after each change worth showing.

        Return a function that unsubscribes it, once or again.
        """
        self._listeners.append(listener)

        def unsubscribe() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

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
        entry = self._ledger.decide(command)
        self._panel.stir(self._clock())
        self._announced = None
        answer = self._accept(entry)
        self._show()
        return await asyncio.shield(answer)

    def _accept(self, entry: Entry) -> asyncio.Future[Entry]:
        """Go on from an entry; what is returned is done when it is acknowledged."""
        self._hint = None
        answer = self._ledger.accept(entry)
        self._tell_panel()
        return answer

    def _tell_panel(self) -> None:
        self._panel.game_is(self._ledger.decided, last_by=self._ledger.last_by)

    def _move(self, before: State, entry: Entry) -> None:
        """Set the pegs off that an acknowledged entry moves."""
        motion = plan(before, entry, self._clock(), calm=self._calm)
        self._motion = self._motion.joined(motion)

    # Showing

    def demo(self, *, on: bool) -> None:
        """Begin the demo, or end it, as Mode does; a replay ends."""
        self._replayed = None
        self._panel.stir(self._clock(), show=on)
        self._look()

    @property
    def demo_on(self) -> bool:
        """True while the demo is to play."""
        return self._view.attract

    def replay(self, view: View | None) -> None:
        """Show another game until told None, or until what ends a demo; a demo ends for it."""
        self._replayed, self._hint = view, None
        self._panel.stir(self._clock(), show=view is not None)
        self._look()

    @property
    def replayed(self) -> View | None:
        """View given to `replay`, while it is shown."""
        return self._replayed

    def show_instead(self, view: View | None) -> None:
        """Show another view than that of the game, until told None."""
        self._instead = view
        self._show()

    def _show(self) -> None:
        if not self._panel.show:
            self._replayed = None
        view = self._new_view()
        if view != self._view:  # a scene that is given the same one has nothing to paint
            self._view = view
        self._lamps.show(self._replayed or self._instead or self._view)
        for listener in tuple(self._listeners):
            listener()

    def _new_view(self) -> View:
        panel = self._panel
        announced = self._announced
        pending = {announced.team: announced.points} if announced else {}
        pending |= {team: entered.points for team, entered in panel.pending.items()}
        shown, again = trails(self._ledger.ahead, pending)
        return View(
            state=self._ledger.shown,
            ahead=self._ledger.decided if again else self._ledger.shown,
            pending=shown,
            warned=panel.warned(self._clock()),
            motion=self._motion,
            flashes=self._flashes,
            mode_since=panel.mode_since,
            sign_up=panel.sign_up.joined if panel.sign_up else None,
            attract=panel.show and self._replayed is None,
            asleep=panel.asleep,
            alert=not self._ledger.saved,
        )


def _stuck(button: str) -> str:
    return f"button {button} has been down for long: it is ignored until it comes up"
