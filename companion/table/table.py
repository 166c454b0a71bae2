"""Running table: it applies the commands of buttons and pages, writes them, and then shows them.

An edge (a button goes down or up) passes through the debouncer to the panel, which turns it into
commands. The rules decide a command at once: they refuse it or return an entry with its events and
the new state. The pegs move when the journal has written the entry.

Example: Enter with 6 pending gives `Peg(side=1, points=6)`. Its entry goes to the journal's thread,
and the ghost light stays on the landing hole. When the entry is on disk, the peg begins to move,
pages are notified, and the entry becomes the last of `queue.accepted`.
"""

import asyncio
from collections.abc import Callable

from companion.buttons import BUTTONS, ENTER
from companion.errors import RuleError
from companion.journal.writer import Journal
from companion.lights import View
from companion.rules.game import Command, Entry, History, NewGame, Peg, State
from companion.signals import Signal
from companion.table.command_queue import CommandQueue
from companion.table.display import Display, Lights, Tapped
from companion.table.panel import actions
from companion.table.panel.actions import Hint, HintKind
from companion.table.panel.consents import ConsentRequest
from companion.table.panel.panel import Panel
from companion.table.panel.press_loop import Notices, PressLoop
from hardware.debounce import Change, Debouncer


class Table:
    """Table at which a game is played. Use it only in its event loop.

    `history` is the game so far, and `seq` is the number of its last row in the journal. If `calm`
    is True, pegs fade from hole to hole instead of walking. With a `speed` of 2.0, moves are twice
    as fast. `clock` returns seconds.

    Attributes:
        changed: signals each change, in the event loop.
        panel: the buttons and pending counts.
        presses: takes the edges of buttons, from any thread.
        queue: the commands that wait for the disk, and the newest accepted commands.
        display: the views for the lights, and the hint about the last press.
        notices: the lines that pages show.
    """

    def __init__(
        self,
        history: History,
        panel: Panel,
        journal: Journal,
        lights: Lights,
        *,
        seq: int,
        debouncer: Debouncer,
        calm: bool,
        clock: Callable[[], float],
        speed: float = 1.0,
    ) -> None:
        self.panel, self._lights, self.clock = panel, lights, clock
        self.changed = Signal()
        self.presses = PressLoop(
            panel=panel,
            debouncer=debouncer,
            clock=clock,
            act=self._act,
            pressed=lambda: self.display.note_press(),  # noqa: PLW0108  # `display` is made below
            looked=self._refresh,
        )
        self.notices = Notices(self.presses, self._refresh)
        self.queue = CommandQueue(
            history, journal, seq=seq, in_loop=self.presses.call, changed=self._refresh
        )
        self._update_panel()
        self.display = Display(self.queue, panel, lights, calm=calm, speed=speed, clock=clock)

    @property
    def state(self) -> State:
        """The newest state of the game; disk and lights may be behind it."""
        return self.queue.history.state

    def start(self) -> None:
        """Begin to take edges. If house rules changed, restart a game that has no counts yet."""
        self.presses.start()
        if self.queue.takes_new_rules:
            self._try(NewGame(dealer=self.state.dealer))
            self._refresh()

    def set_brightness(self, part: float) -> None:
        """Set the brightness to a fraction of full light at once."""
        self._lights.brightness = part
        self._refresh()

    def set_pace(self, *, calm: bool, speed: float, show_after_s: float) -> None:
        """Change the pace of later moves, and the idle time before the demo."""
        self.display.set_pace(calm=calm, speed=speed)
        self.panel.idle.show_after = show_after_s
        self.presses.poll()

    # Presses

    def tap(
        self, action: str, *, held: float = 0.0, device: str = actions.PAD, is_sure: bool = True
    ) -> Tapped:
        """Take a press on a score pad, from down to up.

        Args:
            action: the name of the button, such as `1.enter`.
            held: seconds that the press has lasted.
            device: identifies the phone.
            is_sure: True to take an Enter even if another device may have entered this hand.
        """
        now, button = self.clock(), actions.PAD + action
        self.presses.poll()
        does = BUTTONS[action]
        may_doubt = does.action is ENTER and not is_sure
        doubt = self.panel.counts.doubt(does.side, device) if may_doubt else None
        if doubt:
            return Tapped(counted=False, hint=None, doubt=doubt)
        self.display.note_press()
        pressed = self.panel.press(Change(button=button, down=True, t=now - held), device)
        self._act(pressed)
        self._act(self.panel.tick(now))
        self._act(self.panel.press(Change(button=button, down=False, t=now)))
        hint = self.display.hint
        self.presses.poll()
        woke = any(isinstance(each, Hint) and each.kind.swallows for each in pressed)
        return Tapped(counted=not woke, hint=hint)

    def _act(self, answers: list[actions.Answer]) -> None:
        for answer in answers:
            match answer:
                case Hint():
                    self.display.give(answer)
                case actions.BrightnessStep():
                    self.display.step_brightness()
                case actions.ConsentGiven():
                    self.consent(answer.number, granted=True, held=True)
                case actions.EnteredPoints():
                    self._enter(answer)
                case actions.ResultConfirmed():
                    self._confirm(answer.side)
                case _:
                    self._try(answer)

    # Consent

    def ask(
        self, request: ConsentRequest, let_in: Callable[[], None] = lambda: None
    ) -> tuple[int, asyncio.Future[bool]]:
        """Ask the people at the table for consent.

        Return the number of the request and a future, which is True after consent, else False.
        `let_in` is called when they consent, before any page shows the consent.

        Raises:
            ConsentError: the people have refused this asker a short time ago.
        """
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def end(granted: bool) -> None:  # noqa: FBT001  # a callback's argument
            if granted:
                let_in()
            if not answer.done():
                answer.set_result(granted)

        number = self.panel.consents.ask(request, self.clock(), end)
        self.presses.poll()
        return number, answer

    def consent(self, number: int, *, granted: bool, held: bool = False) -> bool:
        """Grant or refuse a request; return False if it is gone.

        `held` is True if a held button grants it.
        """
        consents, now = self.panel.consents, self.clock()
        found = consents.grant(number, held=held) if granted else consents.refuse(number, now)
        if found and granted:
            self.display.give(Hint(kind=HintKind.LET_IN))
        self._refresh()
        return found

    # Commands

    async def execute(self, command: Command, *, cards: bytes | None = None) -> Entry:
        """Carry out a command that did not come from a button; see `carry_out`.

        Raises:
            RuleError: the rules refuse the command; nothing is changed.
        """
        return await self.carry_out(self.queue.history.decide(command), cards=cards)

    async def carry_out(self, entry: Entry, *, cards: bytes | None = None) -> Entry:
        """Add an entry to the game; return it when the journal answers or times out.

        Like a press, the entry wakes the board and ends the demo. `cards` are the dealt cards after
        the entry, which are written with it.
        """
        self.panel.note_activity(self.clock())
        self.display.announced = None
        answer = self._accept(entry, cards)
        self._refresh()
        return await asyncio.shield(answer)

    def await_confirmation(self, confirmation: actions.Confirmation | None) -> None:
        """Let sides confirm a won game; None ends the wait for confirmation."""
        self.panel.confirmation = confirmation
        self._refresh()

    def _confirm(self, side: int) -> None:
        confirmation = self.panel.confirmation
        if confirmation:
            self.panel.confirmation = confirmation.without(side)
            confirmation.confirm(side)

    def _enter(self, entered: actions.EnteredPoints) -> None:
        entry = self.panel.count_entry
        try:
            command = entry and entry.enter(entered.side, entered.points)
        except RuleError as error:
            self._refuse(entered.side, error)
            return
        if command:
            self._try(command)

    def _refuse(self, side: int | None, error: RuleError) -> None:
        self.display.give(Hint(kind=HintKind.REFUSED, side=side, error=error))

    def _try(self, command: Command) -> None:
        """Carry out a button's command, or show the reason of a refusal."""
        try:
            entry = self.queue.history.decide(command)
        except RuleError as error:
            self._refuse(getattr(command, "side", None), error)
            return
        self._accept(entry)

    def _accept(self, entry: Entry, cards: bytes | None = None) -> asyncio.Future[Entry]:
        """Add an entry to the game; the future is done when the journal answers or times out.

        A new game begins without pending counts.
        """
        self.display.hint = None
        if isinstance(entry.command, NewGame):
            self.panel.counts.retain(lambda _: False)
        answer = self.queue.accept(entry, cards)
        self._update_panel()
        return answer

    def _update_panel(self) -> None:
        history, last_by = self.queue.history, self.queue.last_by
        self.panel.update(history.state, last_by=last_by, presets=tuple(history.presets))

    # Showing

    def announce(self, count: Peg | None) -> None:
        """Show a count as if it were pending, until `carry_out` begins; None hides it."""
        self.display.announced = count
        self._refresh()

    def demo(self, *, on: bool) -> None:
        """Begin or end the demo; both end a replay."""
        self.display.replayed = None
        self.panel.note_activity(self.clock(), show=on)
        self.presses.poll()

    def replay(self, view: View | None) -> None:
        """Show a view of another game in place of the demo; None ends this replay."""
        self.display.replayed, self.display.hint = view, None
        self.panel.note_activity(self.clock(), show=view is not None)
        self.presses.poll()

    def show_instead(self, view: View | None) -> None:
        """Show a view in place of the view of the game; None shows the game again."""
        self.display.instead = view
        self._refresh()

    def _refresh(self) -> None:
        self.display.refresh()
        self.changed.notify()
