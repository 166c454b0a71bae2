"""Kinds of combination in the show and in the play, and the parts of a count."""

from dataclasses import dataclass
from enum import StrEnum

from companion.rules.cards.card import Card


class PartKind(StrEnum):
    """Kind of a part of a count, in the order in which parts are listed."""

    FIFTEEN = "fifteen"
    THIRTY_ONE = "thirty-one"
    PAIR = "pair"
    PAIR_ROYAL = "pair-royal"
    DOUBLE_PAIR_ROYAL = "double-pair-royal"
    RUN = "run"
    FLUSH = "flush"
    NOBS = "nobs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a count: its kind, its points, and the cards that make these points."""

    kind: PartKind
    points: int
    cards: tuple[Card, ...]


FIFTEEN = 15
THIRTY_ONE = 31  # the highest count in the play (rule P1)
PAIRS = {2: (PartKind.PAIR, 2), 3: (PartKind.PAIR_ROYAL, 6), 4: (PartKind.DOUBLE_PAIR_ROYAL, 12)}
"""Kind and points of cards of equal rank, by the number of cards (rules P5 and S2)."""
PAIR_KINDS = tuple(kind for kind, _ in PAIRS.values())
SHORTEST_RUN = 3  # fewest cards of a run (rules P6 and S2)
