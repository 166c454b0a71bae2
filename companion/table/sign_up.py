"""Sign-up for a new game: sides join with Enter, Deal starts it, Undo calls it off."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from companion.table.hints import HintKind

SIGN_UP_S: Final = 10.0
"""Seconds in which sides join a new game; as long again and more waits for Deal."""

SIGN_UP_LIMIT_S: Final = 60.0
"""Seconds after which a new game that nobody has dealt is forgotten."""

_FEWEST_SIDES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SignUp:
    """A new game being set up since `since`.

    Attributes:
        joined: the sides that take part, rising.
        joining: more may join.
    """

    since: float
    joined: tuple[int, ...] = ()
    joining: bool = True

    @property
    def has_enough(self) -> bool:
        """True if a game can be played by those that have joined."""
        return len(self.joined) >= _FEWEST_SIDES

    def press(self, team: int, key: str, *, t: float, lanes: int) -> SignUp | HintKind:
        """Return the sign-up after a side's press of a key other than Undo, or why it is refused.

        Args:
            team: the side.
            key: the last part of its button's action.
            t: the time of the press.
            lanes: the number of lanes of the board.
        """
        if not self.joining:
            return HintKind.SIGN_UP_CLOSED
        if key != "enter" or t >= self.since + SIGN_UP_S or team > lanes:
            return HintKind.SIGN_UP
        return replace(self, joined=tuple(sorted({*self.joined, team})))

    def at(self, now: float) -> SignUp | None:
        """Return the sign-up as it stands at a time; None when it has ended without a game."""
        joining = now < self.since + SIGN_UP_S
        if now >= self.since + SIGN_UP_LIMIT_S or not (joining or self.has_enough):
            return None
        return self if joining == self.joining else replace(self, joining=joining)

    def deadlines(self) -> tuple[float, float]:
        """Return the times at which it changes by itself."""
        return self.since + SIGN_UP_S, self.since + SIGN_UP_LIMIT_S
