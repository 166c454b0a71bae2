"""Commands and events of a deal, as frozen values.

`deal.decide` returns the events of a command or raises `RuleError`. The code that moves the pegs
sends `ConfirmCount`, `Fold` and `Stop`; the players choose all other commands. A `Count` is due
until it is pegged; then the deal goes on. A side that folds is out of the deal (rule Z5).
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from companion.rules.cards import Card, Part, Show
from companion.rules.game import CountKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard:
    """A discard into the crib; with six players the dealer's side discards under the deck (T3)."""

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
    """The due count is pegged. The sides in `folded` fold because of its landing (Z5)."""

    folded: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """A side folds for a reason other than the due count, such as points from a penalty."""

    side: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The game is won: all play stops at once (G2, Z12)."""


Command: TypeAlias = Discard | CutStarter | PlayCard | ConfirmCount | Fold | Stop
"""A command that `decide` takes."""


class Phase(StrEnum):
    """Phase of a deal, in the usual order."""

    DISCARD = "discard"
    STARTER = "starter"
    PLAY = "play"
    SHOW = "show"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded:
    """A seat discarded into the crib, or under the deck (rule T3)."""

    seat: int
    cards: tuple[Card, ...]
    under_deck: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """The starter `card` was turned up from place `at` in the deck; 0 is the top (T6)."""

    card: Card
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A seat played a card, which brought the running count to `count` (P1)."""

    seat: int
    card: Card
    count: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidGo:
    """A seat holds no card that fits, and is assumed to have said go (P2)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """One count to peg; when it is pegged, the caller sends the command `ConfirmCount` (P7).

    All points that playing a card makes are one count; a point for go or last card is another.
    """

    seat: int
    points: int
    why: CountKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Pegged:
    """The count that was due has been pegged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset:
    """The running count starts again at 0, and the seat `lead` plays the first card (P4)."""

    lead: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A seat showed its hand, or the dealer showed the crib (S1)."""

    seat: int
    show: Show


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """A side's hands, and the crib if it deals, are out of the play and the show (Z5)."""

    side: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseBegan:
    """The next phase began."""

    phase: Phase


Event: TypeAlias = (
    Discarded | Turned | Played | SaidGo | Count | Pegged | Reset | Shown | Folded | PhaseBegan
)
"""An event that `decide` gives and `apply` takes."""
