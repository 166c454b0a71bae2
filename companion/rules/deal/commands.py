"""Commands of a deal: frozen values, answered with events or a `RuleError`.

Seats act with cards; the caller tells what the board made of a count, and who has won.
"""

from dataclasses import dataclass
from typing import TypeAlias

from companion.rules.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard:
    """A seat throws into the crib, or under the deck where T3 says so."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CutStarter:
    """A seat cuts and the starter is turned up (T6).

    `at` is the starter's place in what is left of the deck, 0 its top. `heels_barred` tells that
    the dealer's front peg stands where heels are not scored (T7).
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
    """The count that was due stands on the board; its landing has folded these sides (Z5)."""

    folded: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """A side folds its hands and, if it deals, the crib: not by the count that is due (Z5)."""

    side: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The game is won: all play stops at once (G2, Z12)."""


Command: TypeAlias = Discard | CutStarter | PlayCard | ConfirmCount | Fold | Stop
"""A command that `decide` takes."""
