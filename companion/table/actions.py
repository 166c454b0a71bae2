"""Actions of buttons, and results of presses: pending counts, requests, hints, commands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
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


class HintKind(StrEnum):
    """Reasons for a hint."""

    REFUSED = "refused"
    DEAL_FORGOTTEN = "deal-forgotten"
    HOLD_DEAL = "hold-to-deal"
    HOLD_UNDO = "hold-to-undo"
    SIGN_UP = "sign-up"
    STUCK = "stuck"
    WAKE = "wake"

    @property
    def flash(self) -> FlashKind:
        """Signal with which the lamps show it."""
        return _FLASHES[self]


_FLASHES = MappingProxyType(
    {
        HintKind.REFUSED: FlashKind.REFUSED,
        HintKind.DEAL_FORGOTTEN: FlashKind.DEAL_HINT,
        HintKind.HOLD_DEAL: FlashKind.DEAL_HELD,
        HintKind.HOLD_UNDO: FlashKind.REFUSED,
        HintKind.SIGN_UP: FlashKind.DEAL_HELD,
        HintKind.STUCK: FlashKind.STUCK,
        HintKind.WAKE: FlashKind.WAKE,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """Answer to a press that did not do what was asked; `text` says it to people."""

    kind: HintKind
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
