"""Keys of a side for its counts: presses build a pending count, Enter and Undo make commands.

Each returns the immediate results of a press; its button may do more when it is held.
"""

from dataclasses import dataclass

from companion.rules.game import MoveInBox, Peg, State, Undo
from companion.table.actions import Answer, CountEntry, EnteredPoints
from companion.table.counts import PendingCounts, count_refusal, enter_refusal
from companion.table.held_buttons import HeldButton, HeldButtons
from companion.table.hints import Hint, HintKind


@dataclass(frozen=True, slots=True, kw_only=True)
class CountKeys:
    """Keys of all sides, with the pending counts and the buttons that are down."""

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
        self.buttons.keep_count(side)
        return []

    def enter(
        self, side: int, held: HeldButton, state: State, entry: CountEntry | None
    ) -> list[Answer]:
        """Make a side's count a command; without one, move its peg in the box."""
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
        """Take back a press of a side, or else the last command: at once if that was its own.

        A hold takes back the whole count, or the command of another. `last_by` is the side whose
        own count came last, if any.
        """
        if self.counts.take_back(side, held.since):
            held.clears = side
            return []
        self.counts.forget_entered()
        if last_by == side:
            return [Undo()]
        held.command = Undo()
        return []
