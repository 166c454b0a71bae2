"""What a table can ask of the game: frozen values, answered with events or a `RuleError`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Begin the next hand; before the first count only move the dealer (T2).

    `dealer` is the seat that deals, None the next one to the left.
    """

    dealer: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Peg:
    """One count of one team, 1 to 29 points (P7)."""

    team: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveInBox:
    """A boxed team moves its own peg in the box, once a hand (Z7)."""

    team: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overpeg:
    """The team's last count was `extra` too many; `taken_by` may add as many to theirs (N11)."""

    team: int
    extra: int
    taken_by: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """Begin a new game; `lanes` names the sides that take part, None those of the last game."""

    lanes: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Take back the last accepted command with all that followed from it."""


GameCommand: TypeAlias = Deal | Peg | MoveInBox | Overpeg
"""What `decide` takes: commands within one game."""

Command: TypeAlias = GameCommand | NewGame | Undo
"""What a history takes: commands within a game, and those over games."""
