"""Commands of a deal, as frozen values. `decide` returns the events of each or raises `RuleError`.

`ConfirmCount`, `Fold` and `Stop` come from the code that moves the pegs; the players choose all
other commands.
"""

from dataclasses import dataclass
from typing import TypeAlias

from companion.rules.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard:
    """A seat discards into the crib; with six seats, the dealer's side under the deck (T3)."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CutStarter:
    """A seat cuts the deck, and the starter is turned up (rule T6).

    `at` is the starter's place in the rest of the deck; 0 is the top. `heels_barred` is True if the
    dealer's front peg is on a hole where heels do not score (T7).
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
    """The due count is pegged, and its landing made the sides in `folded` fold (rule Z5)."""

    folded: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """A side folds its hands, and the crib if it deals, for a reason other than a count."""

    side: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The game is won: all play stops at once (G2, Z12)."""


Command: TypeAlias = Discard | CutStarter | PlayCard | ConfirmCount | Fold | Stop
"""A command that `decide` takes."""
