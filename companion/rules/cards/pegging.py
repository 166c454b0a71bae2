"""Points of a played card (rules P5 to P7), without the points for go and last card."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.errors import RuleError
from companion.rules.cards.card import (
    DECK,
    FIFTEEN,
    PAIRS,
    SHORTEST_RUN,
    THIRTY_ONE,
    VALUES,
    Card,
    Part,
    PartKind,
)

_RANK_BITS = tuple(1 << card.rank for card in DECK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """A card played: the running count with it, and all its points, pegged as one (rule P7)."""

    count: int
    points: int
    parts: tuple[Part, ...]


def count_play(pile: Sequence[Card]) -> Play:
    """Return the count and the points that the last card of `pile` makes.

    `pile` has the cards played since the count was 0; a count over 31 is a `RuleError` (rule P1).
    The part for fifteen or thirty-one comes before that for a pair or run. No cards have no parts.

    >>> from companion.rules.cards.card import cards
    >>> count_play(cards("AS 2H 5D 4C 3S")).points
    7
    """
    count = sum(card.value for card in pile)
    if count > THIRTY_ONE:
        raise RuleError(
            "{card} makes {count}: the count may not pass 31", card=pile[-1], count=count, rule="P1"
        )
    parts = tuple(_parts(tuple(pile), count))
    return Play(count=count, points=sum(part.points for part in parts), parts=parts)


def _parts(pile: tuple[Card, ...], count: int) -> Iterator[Part]:
    if count == FIFTEEN:
        yield Part(kind=PartKind.FIFTEEN, points=2, cards=pile)
    if count == THIRTY_ONE:
        yield Part(kind=PartKind.THIRTY_ONE, points=2, cards=pile)
    alike = _alike(pile)
    if alike in PAIRS:
        kind, points = PAIRS[alike]
        yield Part(kind=kind, points=points, cards=pile[-alike:])
    if run := _run(pile):
        yield Part(kind=PartKind.RUN, points=run, cards=pile[-run:])


def play_points(pile: Sequence[int]) -> int:
    """Return the points that the last card of a pile makes; the pile is not checked.

    >>> from companion.rules.cards.card import cards
    >>> play_points(cards("5H 5S 5D"))
    8
    """
    count = sum([VALUES[card] for card in pile])
    alike = _alike(pile)
    points = 2 if count in (FIFTEEN, THIRTY_ONE) else 0
    return points + (PAIRS[alike][1] if alike in PAIRS else _run(pile))


def _alike(pile: Sequence[int]) -> int:
    alike = 0
    for card in reversed(pile):
        if _RANK_BITS[card] != _RANK_BITS[pile[-1]]:
            break
        alike += 1
    return alike


def _run(pile: Sequence[int]) -> int:
    longest = ranks = 0
    for length, card in enumerate(reversed(pile), start=1):
        if ranks & _RANK_BITS[card]:
            break
        ranks |= _RANK_BITS[card]
        # Only if the ranks are neighbours, adding the lowest bit to their bits clears all bits.
        if not ranks & (ranks + (ranks & -ranks)):
            longest = length
    return longest if longest >= SHORTEST_RUN else 0
