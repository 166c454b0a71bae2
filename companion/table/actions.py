"""Results of presses, entry of counts for the cards, and confirmation of a won game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from companion.rules.game import Command
from companion.table.hints import Hint, HintKind

PAD = "pad "  # prefix of the name of each button on a score pad; the rest is its action


class BrightnessStep:
    """Step of the lights to the next brightness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentGiven:
    """Consent to the request with this number, by a button that was held for it."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredPoints:
    """Points that a side enters for the cards; 0 is Enter with nothing pending."""

    side: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultConfirmed:
    """Confirmation of a won game by a side."""

    side: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CountEntry:
    """Sides that may enter points: one that must count (M1), others that may call muggins.

    Without either the machine counts the cards, and no side enters points. `enter` takes side and
    points, and returns their command or None; it raises a `RuleError` for points that the rules
    refuse.
    """

    enter: Callable[[int, int], Command | None]
    awaited: int | None = None
    callers: frozenset[int] = frozenset()

    def refusal(self, side: int) -> HintKind | None:
        """Return why a side may not enter points; None if it may."""
        if side == self.awaited or side in self.callers:
            return None
        idle = self.awaited is None and not self.callers
        return HintKind.MACHINE_COUNTS if idle else HintKind.NOT_TO_COUNT


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """Awaited confirmation: Enter of a side of `awaited` calls `confirm` with that side.

    Until all have, Deal must be held to begin the next game.
    """

    awaited: frozenset[int]
    confirm: Callable[[int], None]

    def without(self, side: int) -> Confirmation:
        """Return the confirmation after a side has confirmed."""
        return replace(self, awaited=self.awaited - {side})


Answer: TypeAlias = Command | BrightnessStep | ConsentGiven | EnteredPoints | ResultConfirmed | Hint
