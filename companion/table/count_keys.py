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
        self, team: int, points: int, held: HeldButton, state: State, entry: CountEntry | None
    ) -> list[Answer]:
        """Add points to a side's count."""
        reason = count_refusal(state, team)
        if reason is HintKind.FOLDED:
            forgotten = Hint(kind=HintKind.DEAL_FORGOTTEN, team=team)
            return [Hint(kind=reason, team=team), forgotten]
        if reason is None and entry:
            reason = entry.refusal(team)
        if reason is None and not self.counts.add(team, points, held.since, held.device):
            reason = HintKind.COUNT_LIMIT
        if reason:
            return [Hint(kind=reason, team=team)]
        self.buttons.keep_count(team)
        return []

    def enter(
        self, team: int, held: HeldButton, state: State, entry: CountEntry | None
    ) -> list[Answer]:
        """Make a side's count a command; without one, move its peg in the box."""
        pending = self.counts.enter(team, held.since, held.device)
        if entry and (pending or count_refusal(state, team) is None):
            reason = entry.refusal(team)
            if reason is None:
                return [EnteredPoints(team=team, points=pending.points if pending else 0)]
            return [Hint(kind=reason, team=team)]
        if pending:
            return [Peg(team=team, points=pending.points)]
        reason = enter_refusal(state, team)
        return [Hint(kind=reason, team=team) if reason else MoveInBox(team=team)]

    def undo(self, team: int, held: HeldButton, last_by: int | None) -> list[Answer]:
        """Take back a press of a side, or else the last command: at once if that was its own.

        A hold takes back the whole count, or the command of another. `last_by` is the team whose
        own count came last, if any.
        """
        if self.counts.take_back(team, held.since):
            held.clears = team
            return []
        self.counts.forget_entered()
        if last_by == team:
            return [Undo()]
        held.command = Undo()
        return []
