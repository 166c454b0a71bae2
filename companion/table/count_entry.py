"""Entry of counts while cards are dealt: the cards say which sides may enter one, and what for."""

from collections.abc import Callable
from dataclasses import dataclass

from companion.rules.game import Command
from companion.table.hints import HintKind


@dataclass(frozen=True, slots=True, kw_only=True)
class CountEntry:
    """Sides that may enter points: one that is to count (M1), others that may call muggins.

    Without either the machine counts the cards, and nobody enters anything. `enter` takes team and
    points, and returns the command that they come to, if to any; it raises a `RuleError` for
    points that the rules refuse.
    """

    enter: Callable[[int, int], Command | None]
    awaited: int | None = None
    callers: frozenset[int] = frozenset()

    def refusal(self, team: int) -> HintKind | None:
        """Return why a side may not enter points; None if it may."""
        if team == self.awaited or team in self.callers:
            return None
        idle = self.awaited is None and not self.callers
        return HintKind.MACHINE_COUNTS if idle else HintKind.NOT_TO_COUNT
