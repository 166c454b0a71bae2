"""Cards as numbers from 0 to 51, their texts such as 5H, and the combinations that score.

The number of a card is 4 * (rank - 1) + suit; the rank of an ace is 1. So a card is an index into
tables and arrays, and cards sort by rank. Rule numbers such as P1 are those of tests/rules.md.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from companion.errors import BadInputError

RANKS = "A23456789TJQK"  # letters of the ranks 1 to 13, in order
JACK = RANKS.index("J") + 1
SUITS = "SHDC"  # letters of the suits 0 to 3, in order
VALUES = tuple(min(number // len(SUITS) + 1, 10) for number in range(len(RANKS) * len(SUITS)))
"""Value of each card, by its number: ace 1, court cards 10 (rule P1)."""
MOST_VALUE = max(VALUES)
HAND = 4  # cards in a hand and in a crib after the discards (rule T3)


class Card(int):
    """One of the 52 cards, as its number; `DECK` has all cards.

    >>> jack = Card.parse("JC")
    >>> str(jack), jack.rank, jack.suit, jack.value
    ('JC', 11, 'C', 10)
    """

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Card:
        """Parse a rank and a suit; any other text is a `BadInputError`.

        >>> Card.parse("10H")
        Card.parse('TH')
        """
        try:
            return _CARDS[text]
        except KeyError:
            raise BadInputError(
                "{text} is no card: write a rank, A 2 to 9 T J Q K,"
                " then a suit, S H D C, such as TH",
                text=reprlib.repr(text),
            ) from None

    @property
    def rank(self) -> int:
        return self // len(SUITS) + 1

    @property
    def suit(self) -> str:
        return SUITS[self % len(SUITS)]

    @property
    def value(self) -> int:
        return VALUES[self]

    def __bool__(self) -> bool:
        return True  # also for card 0

    def __str__(self) -> str:
        return RANKS[self.rank - 1] + self.suit

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


DECK = tuple(map(Card, range(len(VALUES))))  # every card, by its number
_TENS = {f"10{card.suit}": card for card in DECK if RANKS[card.rank - 1] == "T"}
_CARDS = {str(card): card for card in DECK} | _TENS


def cards(text: str | Iterable[str], *, number: int | None = None) -> tuple[Card, ...]:
    """Parse cards from one text with spaces between the cards, or from a text for each card.

    Raises:
        BadInputError: a text is no card, a card is given twice, or there are not `number` cards.

    >>> " ".join(map(str, cards("5H 5S 5D JC")))
    '5H 5S 5D JC'
    """
    texts = text.split() if isinstance(text, str) else text
    found = tuple(map(Card.parse, texts))
    for place, card in enumerate(found):
        if card in found[:place]:
            raise BadInputError("{card} is given twice: a deck holds each card once", card=card)
    if number is not None and number != len(found):
        text = "{number} cards are needed, {given} are given"
        raise BadInputError(text, number=number, given=len(found))
    return found


class PartKind(StrEnum):
    """Kind of a combination that scores, in the order in which `Show` and `Play` list the parts.

    >>> PartKind.PAIR_ROYAL == "pair-royal"
    True
    """

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
    """A combination that scores: its kind, its points, and the cards that make these points.

    >>> pair = Part(kind=PartKind.PAIR, points=2, cards=cards("6D 6C"))
    >>> print(pair.kind, pair.points, *pair.cards)
    pair 2 6D 6C
    """

    kind: PartKind
    points: int
    cards: tuple[Card, ...]


FIFTEEN = 15
THIRTY_ONE = 31  # the highest running total of the values in the play (rule P1)
PAIRS = {2: (PartKind.PAIR, 2), 3: (PartKind.PAIR_ROYAL, 6), 4: (PartKind.DOUBLE_PAIR_ROYAL, 12)}
"""Kind and points of cards of equal rank, by the number of cards (rules P5 and S2)."""
PAIR_KINDS = tuple(kind for kind, _ in PAIRS.values())
SHORTEST_RUN = 3  # fewest cards of a run (rules P6 and S2)
