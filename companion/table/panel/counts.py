"""Pending counts: a side's presses of +1 and +5. Enter makes them one count with one landing."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from companion.board.layout import MOST_POINTS
from companion.rules.game import State
from companion.table.panel.actions import Hint, HintKind

WARN_AFTER_S, CLEAR_AFTER_S = 30.0, 120.0
"""Seconds without a press until the lamps warn of a pending count, and until it is cleared."""

DOUBT_S = 10.0
"""Seconds after an entered count in which another device's count may be for the same hand."""

PANEL = ""  # device name of the buttons at the table; phones and pages have other names


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
