"""Results of presses, and the sides that may count dealt cards or must confirm a win.

A hint usually says why a press had no effect. The commentary has the words for each hint.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

from companion.errors import RuleError
from companion.lights.scene.view import FlashKind
from companion.rules.game import Command


class HintKind(StrEnum):
    """Reasons for hints. Each has a phrase, except `REFUSED`, which shows a `RuleError`."""

    REFUSED = "refused"
    NOT_PLAYING = "not-playing"
    GAME_OVER = "game-over"
    BOXED = "boxed"
    FOLDED = "folded"
    COUNT_LIMIT = "count-limit"
    MACHINE_COUNTS = "machine-counts"
    NOT_TO_COUNT = "not-to-count"
    NOTHING_PENDING = "nothing-pending"
    BOX_ENTERED = "box-entered"
    BOX_MOVED = "box-moved"
    BOX_SERVED = "box-served"
    DEAL_FORGOTTEN = "deal-forgotten"
    COUNT_PENDING = "count-pending"
    NOBODY_COUNTED = "nobody-counted"
    HOLD_UNDO = "hold-undo"
    SIGN_UP = "sign-up"
    SIGN_UP_CLOSED = "sign-up-closed"
    TOO_FEW_SIDES = "too-few-sides"
    UNEQUAL_SIDES = "unequal-sides"
    SIDE_FULL = "side-full"
    ONE_PRESET = "one-preset"
    BOX_FORGOTTEN = "box-forgotten"
    RESULT_AWAITED = "result-awaited"
    STUCK = "stuck"
    AWAKE = "awake"
    GAME_SHOWN = "game-shown"
    LET_IN = "let-in"
    NEW_RULES = "new-rules"

    @property
    def flash(self) -> FlashKind:
        """Flash of the lamps that shows the hint."""
        return _FLASHES.get(self, FlashKind.REFUSED)

    @property
    def swallows(self) -> bool:
        """True if the press only woke the board, or only ended the demo or a tour."""
        return self in {HintKind.AWAKE, HintKind.GAME_SHOWN}  # not all: others are about the game


_FLASHES = {  # not all: other hints are shown as refused
    HintKind.DEAL_FORGOTTEN: FlashKind.DEAL_HINT,
    HintKind.COUNT_PENDING: FlashKind.DEAL_HELD,
    HintKind.NOBODY_COUNTED: FlashKind.DEAL_HELD,
    HintKind.RESULT_AWAITED: FlashKind.DEAL_HELD,
    HintKind.TOO_FEW_SIDES: FlashKind.DEAL_HELD,
    HintKind.UNEQUAL_SIDES: FlashKind.DEAL_HELD,
    HintKind.STUCK: FlashKind.STUCK,
    HintKind.AWAKE: FlashKind.WAKE,
    HintKind.GAME_SHOWN: FlashKind.WAKE,
    HintKind.LET_IN: FlashKind.WAKE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """Notice to people, usually the reason why a press had no effect.

    Attributes:
        side: the side concerned, or None.
        button: the button concerned, or "".
        error: the error with which the rules refused a command.
        number: grows with each hint, so that pages notice a repeated one; `Display.give` sets it.
    """

    kind: HintKind
    side: int | None = None
    button: str = ""
    error: RuleError | None = None
    number: int = field(default=0, compare=False)


PAD = "pad "  # prefix of names of buttons on a score pad, which is a page on a phone


class BrightnessStep:
    """Step of the lights to the next brightness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentGiven:
    """Consent to the request with this number, by a hold of the request's button."""

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
