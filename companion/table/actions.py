"""Results of presses, sides that may enter counts of cards, and sides that must confirm a win."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from companion.rules.game import Command
from companion.table.hints import Hint, HintKind

PAD = "pad "  # prefix of names of buttons on a score pad, which is a page on a phone


class BrightnessStep:
    """Step of the lights to the next brightness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentGiven:
    """Consent to the request with this number, given by holding the button that it names."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredPoints:
    """Points that a side enters for the cards; 0 means Enter without a pending count."""

    side: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultConfirmed:
    """Confirmation of a won game by a side."""

    side: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CountEntry:
    """Sides that may enter points; if there is no such side, the machine counts the cards.

    The side `awaited` must count its hand, and the sides in `callers` may call muggins. `enter`
    takes a side and its points; it returns a command or None, or raises `RuleError`.
    """

    enter: Callable[[int, int], Command | None]
    awaited: int | None = None
    callers: frozenset[int] = frozenset()

    def refusal(self, side: int) -> HintKind | None:
        """Return why a side may not enter points, or None if it may enter them."""
        if side == self.awaited or side in self.callers:
            return None
        idle = self.awaited is None and not self.callers
        return HintKind.MACHINE_COUNTS if idle else HintKind.NOT_TO_COUNT


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """Confirmation of a won game: when a side in `awaited` presses Enter, `confirm` gets the side.

    Until all these sides have confirmed, Deal must be held to begin the next game.
    """

    awaited: frozenset[int]
    confirm: Callable[[int], None]

    def without(self, side: int) -> Confirmation:
        """Return the confirmation after a side has confirmed."""
        return replace(self, awaited=self.awaited - {side})


Answer: TypeAlias = Command | BrightnessStep | ConsentGiven | EnteredPoints | ResultConfirmed | Hint
