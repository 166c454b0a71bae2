"""Buttons that are down, and the effects of holding them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

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
from companion.table.panel.counts import PendingCounts, count_refusal, enter_refusal

STUCK_AFTER_S = 10.0  # seconds after which a button that is down is reported and ignored


@dataclass(slots=True)
class HeldButton:
    """Button that went down at `since`, and the effect of holding it for a second.

    Attributes:
        device: name of the phone or page with the button, or `counts.PANEL` for the table itself.
        command: the command that the hold gives.
        clears: the side whose pending count (points pressed but not entered) the hold clears.
        consents_to: the number of the request that the hold grants, such as a phone's wish to join
            (`table.consents`), or None. If it is set, a short press acts at its release.
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
