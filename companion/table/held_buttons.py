"""Buttons that are down, and what holding them does."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.buttons import HOLD_S
from companion.rules.game import Deal, NewGame, Undo
from companion.table.actions import Answer, ConsentGiven
from companion.table.hints import Hint, HintKind

STUCK_AFTER_S = 10.0
"""Seconds after which a button that is down is reported and ignored."""


@dataclass(slots=True)
class HeldButton:
    """A button that is down since `since`, and what a hold of a second will do.

    Attributes:
        device: whose button it is, see `companion.table.counts.PANEL`.
        command: is given.
        clears: the side whose pending count is cleared.
        consents_to: the number of the request that it consents to; a shorter press does what it
            always does, on release.
        ignored: nothing, nor does its release.
        reported: it has been reported as stuck.
    """

    since: float
    device: str = ""
    command: Undo | Deal | NewGame | None = None
    clears: int | None = None
    consents_to: int | None = None
    ignored: bool = False
    reported: bool = False

    def results(self) -> list[Answer]:
        """Return what the hold comes to, once."""
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
        """The buttons that have been down too long, and are so still."""
        return tuple(button for button, held in self.items() if held.reported)

    @property
    def is_any_in_use(self) -> bool:
        """True while a button is down that is not ignored."""
        return any(not held.ignored for held in self.values())

    def cancel_commands(self) -> None:
        """Have no hold give a command any more: it was meant for a game that has gone on."""
        for held in self.values():
            held.command = None

    def keep_count(self, side: int) -> None:
        """Have no hold clear a side's count: a press during the hold was not meant to go."""
        for held in self.values():
            if held.clears == side:
                held.clears = None

    def ignore_all(self) -> None:
        """Ignore every button until it has been up."""
        for held in self.values():
            held.ignored = True

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
