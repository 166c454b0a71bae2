"""Presses of buttons at the panel: pending counts, and the effects of buttons that are held.

A side's presses of +1 and +5 are a pending count. Enter makes them one count with one landing.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from companion.board.layout import MOST_POINTS
from companion.buttons import HOLD_S
from companion.rules.game import Deal, MoveInBox, NewGame, Peg, State, Undo
from companion.table.panel.actions import (
    Answer,
    ConsentGiven,
    CountEntry,
    EnteredPoints,
    Hint,
    HintKind,
)

WARN_AFTER_S, CLEAR_AFTER_S = 30.0, 120.0
"""Seconds without a press until the lamps warn of a pending count, and until it is cleared."""

DOUBT_S = 10.0
"""Seconds after an entered count in which another device's count may be for the same hand."""

PANEL = ""  # device name of the buttons at the table; phones and pages have other names

STUCK_AFTER_S = 10.0  # seconds after which a button that is down is reported and ignored


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Doubt: two devices of a side may be entering the same hand.

    `kind` is "counted" if another device entered `points` a moment ago. It is "typed" if presses of
    another phone are part of the pending `points`.
    """

    kind: Literal["counted", "typed"]
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A count being entered: its presses in order, and the time of the last press.

    `began` has the time of the first press of each device.
    """

    presses: tuple[int, ...]
    last: float
    began: Mapping[str, float] = field(default_factory=dict)

    @property
    def points(self) -> int:
        return sum(self.presses)


class PendingCounts:
    """The counts being entered, by side, and the last count that each side has entered."""

    def __init__(self) -> None:
        self.by_side: dict[int, Pending] = {}
        self._entered: dict[int, tuple[str, Pending, float]] = {}

    def add(self, side: int, points: int, t: float, device: str = PANEL) -> bool:
        """Add a press to a side's count; return False if it would exceed 29 points."""
        before = self.by_side.get(side, Pending(presses=(), last=t))
        if before.points + points > MOST_POINTS:
            return False
        began = {device: t, **before.began}
        self.by_side[side] = Pending(presses=(*before.presses, points), last=t, began=began)
        return True

    def enter(self, side: int, t: float, device: str = PANEL) -> Pending | None:
        pending = self.take(side)
        if pending:
            self._entered[side] = device, pending, t
        return pending

    def forget_entered(self) -> None:
        """Forget the last entered counts, because somebody takes a count back."""
        self._entered.clear()

    def doubt(self, side: int, device: str) -> Doubt | None:
        """Return the doubt to settle before a device enters a side's count, or None."""
        pending = self.by_side.get(side)
        if pending is None:
            return None
        if device in pending.began and pending.began.keys() - {device, PANEL}:
            return Doubt(kind="typed", points=pending.points)
        by, entered, t = self._entered.get(side, (device, pending, 0.0))
        if by != device and t >= pending.began.get(device, pending.last) - DOUBT_S:
            return Doubt(kind="counted", points=entered.points)
        return None

    def take(self, side: int) -> Pending | None:
        return self.by_side.pop(side, None)

    def take_back(self, side: int, t: float) -> bool:
        pending = self.take(side)
        if pending and len(pending.presses) > 1:
            self.by_side[side] = replace(pending, presses=pending.presses[:-1], last=t)
        return pending is not None

    def retain(self, where: Callable[[int], bool]) -> None:
        self.by_side = {side: p for side, p in self.by_side.items() if where(side)}

    # Time

    def warned(self, now: float) -> frozenset[int]:
        """Return the sides whose count will soon be cleared."""
        return frozenset(t for t, p in self.by_side.items() if now >= p.last + WARN_AFTER_S)

    def deadlines(self) -> Iterator[float]:
        for pending in self.by_side.values():
            yield from (pending.last + WARN_AFTER_S, pending.last + CLEAR_AFTER_S)

    def expire(self, now: float) -> None:
        """Remove the counts that have waited too long."""
        self.retain(lambda side: now < self.by_side[side].last + CLEAR_AFTER_S)


def count_refusal(state: State, side: int) -> HintKind | None:
    """Return why a side cannot enter a count, or None if it can do so."""
    if side not in state.setup.sides:
        return HintKind.NOT_PLAYING
    if state.winner is not None:
        return HintKind.GAME_OVER
    pegs = state.pegs(side)
    if pegs.boxed:
        return HintKind.BOXED
    return HintKind.FOLDED if pegs.folded else None


def enter_refusal(state: State, side: int) -> HintKind | None:
    """Return why Enter without a pending count does nothing, or None if it moves a boxed peg."""
    if side not in state.setup.sides or state.winner is not None:
        return count_refusal(state, side)
    pegs = state.pegs(side)
    if pegs.boxed is None:
        return HintKind.FOLDED if pegs.folded else HintKind.NOTHING_PENDING
    if not pegs.boxed.hands:
        return HintKind.BOX_SERVED
    if state.is_to_move_in_box(side):
        return None
    return HintKind.BOX_ENTERED if pegs.folded else HintKind.BOX_MOVED


def deal_hint(state: State, *, pending: bool) -> Hint | None:
    """Return the reason why the button Deal must be held down; None if a press is enough."""
    if pending:
        return Hint(kind=HintKind.COUNT_PENDING)
    if state.counts and not state.counts_in_hand:
        return Hint(kind=HintKind.NOBODY_COUNTED)
    forgotten = next(filter(state.is_to_move_in_box, state.setup.sides), None)
    return Hint(kind=HintKind.BOX_FORGOTTEN, side=forgotten) if forgotten else None


@dataclass(slots=True)
class HeldButton:
    """Button that went down at `since`, and the effect of holding it for a second.

    Attributes:
        device: name of the phone or page with the button, or `PANEL` for the table itself.
        command: the command that the hold gives.
        clears: the side whose pending count (points pressed but not entered) the hold clears.
        consents_to: the number of the request that the hold grants, such as a phone's wish to join
            (`table.panel.consents`), or None. If it is set, a short press acts at its release.
        ignored: True if neither hold nor release has an effect.
        reported: True once the button has been reported as stuck.
    """

    since: float
    device: str = ""
    command: Undo | Deal | NewGame | None = None
    clears: int | None = None
    consents_to: int | None = None
    ignored: bool = False
    reported: bool = False

    def results(self) -> list[Answer]:
        """Return the results of the hold; a later call returns no results."""
        answers: list[Answer] = []
        if self.consents_to:
            answers.append(ConsentGiven(number=self.consents_to))
            self.consents_to, self.ignored = None, True
        if self.command:
            answers.append(self.command)
        self.command = self.clears = None
        return answers


class HeldButtons(dict[str, HeldButton]):
    """The buttons that are down, by name."""

    @property
    def stuck(self) -> tuple[str, ...]:
        """The buttons that have been down too long."""
        return tuple(button for button, held in self.items() if held.reported)

    def due(self, now: float, *, clear: Callable[[int], object]) -> list[Answer]:
        """Return the results of holds that are long enough; `clear` clears a side's count."""
        answers: list[Answer] = []
        for button, held in self.items():
            if now >= held.since + HOLD_S:
                if held.clears:
                    clear(held.clears)
                answers += held.results()
            if not held.reported and now >= held.since + STUCK_AFTER_S:
                held.ignored = held.reported = True
                answers.append(Hint(kind=HintKind.STUCK, button=button))
        return answers

    def deadlines(self) -> Iterator[float]:
        for held in self.values():
            yield from (held.since + HOLD_S, held.since + STUCK_AFTER_S)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountKeys:
    """Effects of the sides' buttons on pending counts, on holds and on the game."""

    counts: PendingCounts
    buttons: HeldButtons

    def add(
        self, side: int, points: int, held: HeldButton, state: State, entry: CountEntry | None
    ) -> list[Answer]:
        reason = count_refusal(state, side)
        if reason is HintKind.FOLDED:
            forgotten = Hint(kind=HintKind.DEAL_FORGOTTEN, side=side)
            return [Hint(kind=reason, side=side), forgotten]
        if reason is None and entry:
            reason = entry.refusal(side)
        if reason is None and not self.counts.add(side, points, held.since, held.device):
            reason = HintKind.COUNT_LIMIT
        if reason:
            return [Hint(kind=reason, side=side)]
        for each in self.buttons.values():
            if each.clears == side:  # a hold no longer clears a count that has grown
                each.clears = None
        return []

    def enter(
        self, side: int, held: HeldButton, state: State, entry: CountEntry | None
    ) -> list[Answer]:
        """Turn a side's pending count into a command, or else move its peg in a penalty box."""
        pending = self.counts.enter(side, held.since, held.device)
        if entry and (pending or count_refusal(state, side) is None):
            reason = entry.refusal(side)
            if reason is None:
                return [EnteredPoints(side=side, points=pending.points if pending else 0)]
            return [Hint(kind=reason, side=side)]
        if pending:
            return [Peg(side=side, points=pending.points)]
        reason = enter_refusal(state, side)
        return [Hint(kind=reason, side=side) if reason else MoveInBox(side=side)]

    def undo(self, side: int, held: HeldButton, last_by: int | None) -> list[Answer]:
        """Take back a side's last press, or the last command if no count is pending.

        A hold takes back the whole count. A command of another side is only taken back by a hold;
        `last_by` is the side of the last command, or None.
        """
        if self.counts.take_back(side, held.since):
            held.clears = side
            return []
        self.counts.forget_entered()
        if last_by == side:
            return [Undo()]
        held.command = Undo()
        return []
