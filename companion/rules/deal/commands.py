"""Commands of a deal: frozen values, answered with events or a `RuleError`.

Seats act with cards; the caller says which sides a count has folded, and when the game is won.
"""

from dataclasses import dataclass
from typing import TypeAlias

from companion.rules.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard:
    """A seat discards into the crib, or under the deck where T3 says so."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CutStarter:
    """A seat cuts and the starter is turned up (T6).

    `at` is the starter's place in the rest of the deck, 0 its top. `heels_barred` is True if heels
    are not scored with the dealer's front peg where it is (T7).
    """

    seat: int
    at: int = 0
    heels_barred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayCard:
    """A seat plays a card (P1)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmCount:
    """The count that was due is pegged; its landing has folded these sides (Z5)."""

    folded: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """A side folds its hands and, if it deals, the crib, for another reason than a count (Z5)."""

    side: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The game is won: all play stops at once (G2, Z12)."""


Command: TypeAlias = Discard | CutStarter | PlayCard | ConfirmCount | Fold | Stop
"""A command that `decide` takes."""
