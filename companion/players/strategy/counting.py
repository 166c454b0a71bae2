"""Counts of computer players: each kind finds all points, or overlooks some of them (M1).

None of them ever counts too many.
"""

import random
from typing import Final

from companion.players.player import CountRequest
from companion.rules.cards import PartKind

FOUND_BY_A_CHILD: Final = 0.8
"""Probability with which a child finds a combination."""

_LONGEST_FIFTEEN: Final = 3
"""Cards of the longest fifteen that a regular finds in a hand."""


def count_all(request: CountRequest) -> int:
    """Return all points of the cards."""
    return sum(part.points for part in request.parts)


def count_without_long_fifteens(request: CountRequest) -> int:
    """Return the points of the cards without the fifteens of four and five cards of a hand.

    >>> from companion.rules.cards import Card, cards
    >>> hand, starter = cards("AS 2H 4D 8C"), Card.parse("8S")
    >>> count_without_long_fifteens(CountRequest(cards=hand, starter=starter))
    2
    """
    return sum(
        part.points
        for part in request.parts
        if request.starter is None
        or part.kind is not PartKind.FIFTEEN
        or len(part.cards) <= _LONGEST_FIFTEEN
    )


def count_some(request: CountRequest, rng: random.Random) -> int:
    """Return the points of the combinations that a child finds, each by chance."""
    return sum(part.points for part in request.parts if rng.random() < FOUND_BY_A_CHILD)
