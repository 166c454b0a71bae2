"""Actions of buttons, and results of presses: pending counts, requests, hints, commands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from companion.lights.scene.view import FlashKind
from companion.rules.game import Command

PAD = "pad "
"""Begins the name of each button on a score pad; the rest is what it does."""

POINTS = {"plus_one": 1, "plus_five": 5}
"""Holes that a button of a side adds to its count."""


def all_actions(lanes: int) -> tuple[str, ...]:
    """Return all actions of buttons at a board of so many lanes, in panel order.

    >>> all_actions(1)
    ('1.plus_one', '1.plus_five', '1.enter', '1.undo', 'deal', 'mode')
    """
    keys = (*POINTS, "enter", "undo")
    sides = (f"{team}.{key}" for team in range(1, lanes + 1) for key in keys)
    return (*sides, "deal", "mode")


class PanelRequest(StrEnum):
    """PanelRequest of a press that is no command of the game."""

    BRIGHTNESS = "brightness"
    SHOW = "show"
    LET_IN = "let in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """Something for the lights to say; `text` is the same in words, for the page."""

    kind: FlashKind
    team: int | None
    text: str


Answer: TypeAlias = Command | PanelRequest | Hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A count being entered: its presses in order, and the time of the last."""

    presses: tuple[int, ...]
    last: float

    @property
    def points(self) -> int:
        """Holes that the count would move."""
        return sum(self.presses)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignUp:
    """A new game being set up since `since`; `joined` sides, rising; `joining`: more may."""

    since: float
    joined: tuple[int, ...] = ()
    joining: bool = True
