"""Panel of buttons: it turns debounced presses into pending (not yet entered) counts and commands.

`press` takes each edge (a button goes down or up) and returns its immediate results: commands for
the game, hints for the player, and requests to the table. `tick` returns the results of holds, and
clears pending counts that waited too long. The panel has no clock or thread: call `tick` at the
time that `deadline` returns, and call `update` after each change of the game.

Example: side 1 presses +5, +1 and Enter. The first two presses return nothing and leave a pending
count of 6; Enter returns `Peg(side=1, points=6)`. If side 2 now presses Undo, the press returns
nothing: `tick` returns `Undo` once the button has been down for a second. An earlier release
returns the hint to hold the button.
"""

from collections.abc import Mapping
from math import inf
from typing import assert_never

from companion.buttons import (
    BUTTONS,
    DEMO_HOLD_S,
    MODE,
    NEW_GAME_HOLD_S,
    TOUR_HOLD_S,
    UNDO,
    ActionKind,
    Button,
    ButtonAction,
    button_names,
)
from companion.lights.scene.tour import SIGN_S, sign_views
from companion.rules.game import Deal, NewGame, State, Undo
from companion.table.panel.actions import (
    PAD,
    Answer,
    BrightnessStep,
    Confirmation,
    CountEntry,
    Hint,
    HintKind,
    ResultConfirmed,
)
from companion.table.panel.consents import Consents
from companion.table.panel.modes import ButtonTest, Idle, SignUp, Tour
from companion.table.panel.presses import (
    PANEL,
    CountKeys,
    HeldButton,
    HeldButtons,
    PendingCounts,
    count_refusal,
    deal_hint,
)
from hardware.debounce import Change


class Panel:
    """The state of all buttons and pending counts.

    Args:
        state: the game.
        actions: the actions of buttons that do something else than their name says.
        lanes: the number of lanes of the board; score pads (on phones) have the buttons of all
            these lanes, even if the table has no such button.
        idle: puts the board to sleep, or starts the demo.

    Attributes:
        counts: the pending counts.
        held: the buttons that are down.
        sign_s: seconds for which the next tour shows each sign, such as that of a pending count.
        sign_up: the new game being set up, or None.
        button_test: the test of buttons and lamps, or None.
        tour: the tour of the lights, or None.
        consents: requests that wait for a button held at the table.
        count_entry: sides that may enter points in a card game, else None.
        confirmation: sides that must confirm a won game, else None.
    """

    def __init__(self, state: State, *, actions: Mapping[str, str], lanes: int, idle: Idle) -> None:
        self._state = state
        self._last_by: int | None = None
        others = {name: BUTTONS[action] for name, action in actions.items()}
        of_pads = {PAD + name: BUTTONS[name] for name in button_names(lanes)}
        self._does = {**BUTTONS, **others, **of_pads}
        self._lanes, self.idle, self.sign_s = lanes, idle, SIGN_S
        self.held = HeldButtons()
        self.counts = PendingCounts()
        self._count_keys = CountKeys(counts=self.counts, buttons=self.held)
        self.sign_up: SignUp | None = None
        self.tour: Tour | None = None
        self.button_test: ButtonTest | None = None
        self.consents = Consents()
        self.count_entry: CountEntry | None = None
        self.confirmation: Confirmation | None = None
        self._presets: tuple[str, ...] = ("",)

    @property
    def awaited(self) -> frozenset[int]:
        """The sides that must count the cards, or confirm the result."""
        if self.confirmation and self._state.winner is not None:
            return self.confirmation.awaited
        counting = self.count_entry.awaited if self.count_entry else None
        return frozenset({counting} if counting else ())

    @property
    def mode_since(self) -> float | None:
        modes = (held for button, held in self.held.items() if self._does[button].action is MODE)
        return min((held.since for held in modes if not held.ignored), default=None)

    def update(
        self, state: State, *, last_by: int | None, presets: tuple[str, ...] = ("",)
    ) -> None:
        """Take the game after a change.

        A fold, a box or a win clears a side's pending count. Commands of held buttons are
        cancelled: people meant them for the game before the change.

        Args:
            state: the game.
            last_by: the side of the last command, or None.
            presets: the house rules to choose from for a new game.
        """
        if state is not self._state:
            for held in self.held.values():
                held.command = None
        self._state, self._last_by, self._presets = state, last_by, presets
        self.counts.retain(lambda side: count_refusal(state, side) is None)

    def ignore(self, button: str, now: float) -> None:
        """Ignore a button that is down at the program's start, until it is released.

        If the button is Mode, the test of buttons and lamps begins.
        """
        if self._does[button].action is MODE:
            self.button_test = ButtonTest(last=now)
        self.held[button] = HeldButton(since=now, ignored=True)

    def note_activity(self, now: float, *, show: bool = False) -> None:
        """Note activity other than a press: end a tour; start the demo if `show`, else end it."""
        self.tour = None
        if show and not self.idle.show:
            self.sign_up = None
            for held in self.held.values():  # the demo hides the game for which they are held
                held.ignored = True
        self.idle.note(now, show=show)

    # Edges

    def press(self, change: Change, device: str = PANEL) -> list[Answer]:
        """Return the immediate results of a debounced edge; `device` is `PANEL` or a phone."""
        if self.button_test or not change.down:
            test = self.button_test
            return self._test(test, change) if test else self._release(change)
        self.idle.note_press(change.t)
        if change.button in self.held:
            return []
        held = self.held[change.button] = HeldButton(since=change.t, device=device)
        swallowed, does = self._swallow(), self._does[change.button]
        is_tap = change.button.startswith(PAD)
        request = None if is_tap else self.consents.first(does.name)
        if request and not (swallowed and request.needs_button):
            held.consents_to = request.number
        if swallowed:
            held.ignored = True
            return [swallowed]
        before = [] if is_tap else self._end_taps(does)
        return before if request else [*before, *self._begin(does, held)]

    def _end_taps(self, pressed: Button) -> list[Answer]:
        """Carry out the waiting presses of a side when it presses another button.

        A press waits for the button's release if a hold of the button would grant a request. The
        next press of the same side must not take effect before the waiting press.
        """
        answers: list[Answer] = []
        for button, held in self.held.items():
            own = self._does[button]
            is_of_side = own != pressed and own.side == pressed.side > 0
            if is_of_side and held.consents_to and not held.ignored:
                held.consents_to = None
                answers += self._begin(own, held)
        return answers

    def _begin(self, does: Button, held: HeldButton) -> list[Answer]:
        side, action, state = does.side, does.action, self._state
        match action.kind:
            case ActionKind.DEAL:
                answers: list[Answer] = self._deal(held)
            case ActionKind.MODE:
                self.sign_up, answers = None, []
            case _ if self.sign_up:
                answers = self._sign_up_key(self.sign_up, side, action, held.since)
            case ActionKind.ENTER if side in self.awaited and state.winner is not None:
                answers = [ResultConfirmed(side=side)]
            case ActionKind.ENTER:
                answers = self._count_keys.enter(side, held, state, self.count_entry)
            case ActionKind.UNDO:
                answers = self._count_keys.undo(side, held, self._last_by)
            case ActionKind.COUNT:
                answers = self._count_keys.add(side, action.points, held, state, self.count_entry)
            case _ as unknown:
                assert_never(unknown)
        return answers

    def _test(self, test: ButtonTest, change: Change) -> list[Answer]:
        """Follow an edge in the test of buttons; a press of Mode ends it."""
        does = self._does[change.button]
        self.idle.note_press(change.t)
        if not change.down:
            self.held.pop(change.button, None)
        elif change.button in self.held:
            return []
        else:
            self.held[change.button] = HeldButton(since=change.t, ignored=True)
        ends = change.down and does.action is MODE
        self.button_test = None if ends else test.change(does.name, down=change.down, t=change.t)
        return []

    def _swallow(self) -> Answer | None:
        """Wake the board, end demo and tour; return a hint if a press does only this, or None."""
        slept, showed = self.idle.asleep, self.idle.show or self.tour is not None
        self.idle.wake()
        self.tour = None
        if slept or showed:
            return Hint(kind=HintKind.GAME_SHOWN if showed else HintKind.AWAKE)
        return None

    def _release(self, change: Change) -> list[Answer]:
        held = self.held.pop(change.button, None)
        if held is None or held.ignored:
            return []
        self.idle.note_press(change.t)
        does = self._does[change.button]
        if held.consents_to:
            return self._begin(does, held)
        if does.action is MODE:
            return self._mode(change.t - held.since, change.t)
        if isinstance(held.command, Undo):
            return [Hint(kind=HintKind.HOLD_UNDO, side=does.side)]
        return []

    # Deal

    def _deal(self, held: HeldButton) -> list[Answer]:
        if self.sign_up:
            return self._begin_game(self.sign_up)
        state = self._state
        if state.winner is not None:
            command: Deal | NewGame = NewGame(dealer=state.next_first_dealer())
            hint = Hint(kind=HintKind.RESULT_AWAITED) if self.awaited else None
        else:
            command, hint = Deal(), deal_hint(state, pending=bool(self.counts.by_side))
        if hint is None:
            return [command]
        held.command = command
        return [hint]

    # Mode and a new game

    def _mode(self, seconds: float, t: float) -> list[Answer]:
        if seconds < DEMO_HOLD_S:
            return [BrightnessStep()]
        if seconds < NEW_GAME_HOLD_S:
            self.idle.show = True
        elif seconds < TOUR_HOLD_S:
            self.sign_up = SignUp.begin(t, self._presets, self._state.setup.preset)
        else:
            signs = tuple(sign_views(self._state.setup, 0.0))
            self.tour = Tour(since=t, sign_s=self.sign_s, signs=signs)
        return []

    def _sign_up_key(
        self, sign_up: SignUp, side: int, action: ButtonAction, t: float
    ) -> list[Answer]:
        if action is UNDO:
            self.sign_up = None
            return []
        found = sign_up.press(side, action, t=t, lanes=self._lanes)
        if isinstance(found, HintKind):
            return [Hint(kind=found, side=side)]
        self.sign_up = found
        return []

    def _begin_game(self, sign_up: SignUp) -> list[Answer]:
        if sign_up.refusal:
            return [Hint(kind=sign_up.refusal)]
        self.sign_up = None
        return [sign_up.command]

    # Time

    def deadline(self, now: float) -> float | None:
        """Return the time of the next `tick`, or None."""
        times = [*self.held.deadlines(), *self.counts.deadlines(), *self.idle.deadlines()]
        times += self.consents.deadlines()
        times += self.sign_up.deadlines() if self.sign_up else ()
        times += self.tour.deadlines() if self.tour else ()
        times += [self.button_test.end] if self.button_test else []
        return min((t for t in times if now < t < inf), default=None)

    def tick(self, now: float) -> list[Answer]:
        """Return the results that are due by now."""
        answers = self.held.due(now, clear=self.counts.take)
        self.counts.expire(now)
        self.consents.expire(now)
        self.sign_up = self.sign_up and self.sign_up.at(now)
        if self.button_test and now >= self.button_test.end:
            self.button_test = None
        if self.tour and self.tour.at(now) is None:
            self.tour = None
            self.idle.note_press(now)
        in_use = any(not held.ignored for held in self.held.values())
        if not (self.counts.by_side or self.sign_up or self.tour or in_use):
            self.idle.tick(now)
        return answers
