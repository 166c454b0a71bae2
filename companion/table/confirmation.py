"""Confirmation of a won game by its sides, for lists of results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace


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
