"""Hints: reasons why a press had no effect. The commentary has the words for each hint."""

from dataclasses import dataclass, field
from enum import StrEnum

from companion.errors import RuleError
from companion.lights.scene.view import FlashKind


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
        """True if the press only woke the board and had no effect in the game."""
        return self in {HintKind.AWAKE, HintKind.GAME_SHOWN}  # partial: others are keys of a game


_FLASHES = {  # partial: the others are shown as refused
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
    """Reason why a press had no effect.

    Attributes:
        side: the side concerned, or None.
        button: the button concerned, or "".
        error: the error with which the rules refused a command.
        number: number that makes equal hints different; set when the hint is shown.
    """

    kind: HintKind
    side: int | None = None
    button: str = ""
    error: RuleError | None = None
    number: int = field(default=0, compare=False)
