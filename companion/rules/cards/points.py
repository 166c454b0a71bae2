"""Points of cards: of a played card (rules P5 to P7), and of a hand or crib (rules S2 to S5).

The points of a played card are without those for go and last card.

The points of a hand or a crib with the starter are looked up in a table, which is all that a
computer player needs. `Show.parts` names the cards that make them, and is computed when first read.
`count_shows` counts many hands at once.

The table has the points for fifteens, pairs and runs. Each rank has a key. The keys are chosen so
that different choices of five ranks never have the same sum of keys. So the sum of the keys of five
cards is the index of their points in the table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, groupby, product
from math import comb
from operator import attrgetter

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from companion.board.layout import MOST_POINTS
from companion.errors import RuleError
from companion.rules.cards.card import (
    DECK,
    FIFTEEN,
    HAND,
    JACK,
    PAIR_KINDS,
    PAIRS,
    RANKS,
    SHORTEST_RUN,
    SUITS,
    THIRTY_ONE,
    VALUES,
    Card,
    Part,
    PartKind,
)

FIVE = 5  # the cards that count together: a hand and the starter

# Chosen one by one: each key is the smallest with which all sums of five cards differ.
KEYS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""The key of each rank, ace first."""
_CARD_KEYS = tuple(key for key in KEYS for _ in SUITS)  # the key of each card number
_FIRST_JACK = len(SUITS) * (JACK - 1)  # the number of the jack of suit 0
_SUIT_BITS = len(SUITS) - 1  # the bits of a card number that hold its suit

_KINDS = {
    "fifteens": (PartKind.FIFTEEN,),
    "pairs": PAIR_KINDS,
    "runs": (PartKind.RUN,),
    "flush": (PartKind.FLUSH,),
    "nobs": (PartKind.NOBS,),
}

_RANK_BITS = tuple(1 << card.rank for card in DECK)


def _five_ranks() -> NDArray[np.int64]:
    """Return each set of ranks that five cards can have, shape (6175, 5); an ace is 0 here."""
    choices = combinations_with_replacement(range(len(RANKS)), FIVE)
    return np.array([ranks for ranks in choices if ranks[0] != ranks[-1]])


def _fifteen_points(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    values = np.array(VALUES)[ranks * len(SUITS)]
    chosen = np.array(list(product((0, 1), repeat=FIVE)))
    found: NDArray[np.int64] = np.count_nonzero(values @ chosen.T == FIFTEEN, axis=1)
    return 2 * found


def _pair_points(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    left, right = np.array(list(combinations(range(FIVE), 2))).T
    found: NDArray[np.int64] = np.count_nonzero(ranks[:, left] == ranks[:, right], axis=1)
    return 2 * found


def _run_points(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    # Only the longest runs count, so the points of a longer run replace those of shorter ones.
    alike = np.count_nonzero(ranks[:, :, None] == np.arange(len(RANKS)), axis=1)
    points = np.zeros(len(ranks), dtype=np.int64)
    for length in range(SHORTEST_RUN, FIVE + 1):
        ways = sliding_window_view(alike, length, axis=1).prod(axis=2).sum(axis=1)
        points = np.where(ways, length * ways, points)
    return points


def _table() -> bytes:
    ranks = _five_ranks()
    sums = np.array(KEYS)[ranks].sum(axis=1)
    table = np.zeros(sums.max() + 1, dtype=np.uint8)
    table[sums] = _fifteen_points(ranks) + _pair_points(ranks) + _run_points(ranks)
    return table.tobytes()


RANK_POINTS = _table()  # points of five cards for fifteens, pairs and runs, by the sum of the keys


def show_points(hand: Sequence[int], starter: int, *, crib: bool = False) -> int:
    """Return the points of a hand with a starter, given as card numbers; nothing is checked.

    >>> from companion.rules.cards.card import Card, cards
    >>> show_points(cards("5H 5S 5D JC"), Card.parse("5C"))
    29
    """
    a, b, c, d = hand
    keys = _CARD_KEYS
    points = RANK_POINTS[keys[a] + keys[b] + keys[c] + keys[d] + keys[starter]]
    if (_FIRST_JACK | starter & _SUIT_BITS) in hand:
        points += 1
    if (a ^ b | a ^ c | a ^ d) & _SUIT_BITS:
        return points
    if (a ^ starter) & _SUIT_BITS:
        return points if crib else points + 4
    return points + 5


@dataclass(frozen=True, kw_only=True)  # no slots, so that `parts` can be cached
class Show:
    """A hand or a crib with the starter; its points are pegged as one count (rule S5).

    >>> from companion.rules.cards.card import cards
    >>> count_show(cards("2H 4H 8H TH"), Card.parse("KS")).by_kind
    {'fifteens': 0, 'pairs': 0, 'runs': 0, 'flush': 4, 'nobs': 0}
    """

    hand: tuple[Card, ...]
    starter: Card
    crib: bool
    points: int

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the points: fifteens, pairs, runs, flush and nobs, in this order."""
        return tuple(_parts(self.hand, self.starter, crib=self.crib))

    @property
    def by_kind(self) -> dict[str, int]:
        return {
            name: sum(part.points for part in self.parts if part.kind in kinds)
            for name, kinds in _KINDS.items()
        }


def count_show(hand: Sequence[Card], starter: Card, *, crib: bool = False) -> Show:
    """Count the four cards of a hand or a crib; they and the starter must all be different.

    >>> from companion.rules.cards.card import cards
    >>> count_show(cards("4H 5S 6D 6C"), Card.parse("4D")).by_kind["runs"]
    12
    """
    points = show_points(hand, starter, crib=crib)
    return Show(hand=tuple(hand), starter=starter, crib=crib, points=points)


def _parts(hand: Sequence[Card], starter: Card, *, crib: bool) -> Iterator[Part]:
    five = tuple(sorted((*hand, starter)))
    alike = [tuple(same) for _, same in groupby(five, key=attrgetter("rank"))]
    yield from _fifteens(five)
    yield from _pairs(alike)
    yield from _runs(alike)
    yield from _flush(hand, starter, crib=crib)
    yield from _nobs(hand, starter)


def _fifteens(five: Sequence[Card]) -> Iterator[Part]:
    for size in range(2, len(five) + 1):
        for chosen in combinations(five, size):
            if sum(card.value for card in chosen) == FIFTEEN:
                yield Part(kind=PartKind.FIFTEEN, points=2, cards=chosen)


def _pairs(alike: Sequence[tuple[Card, ...]]) -> Iterator[Part]:
    for same in alike:
        if len(same) in PAIRS:
            kind, points = PAIRS[len(same)]
            yield Part(kind=kind, points=points, cards=same)


def _runs(alike: Sequence[tuple[Card, ...]]) -> Iterator[Part]:
    # A run takes one card of each neighbouring rank; each way to choose these cards is a run.
    for _, numbered in groupby(enumerate(alike), key=lambda pair: pair[1][0].rank - pair[0]):
        neighbours = [same for _, same in numbered]
        if len(neighbours) >= SHORTEST_RUN:
            for run in product(*neighbours):
                yield Part(kind=PartKind.RUN, points=len(run), cards=run)


def _flush(hand: Sequence[Card], starter: Card, *, crib: bool) -> Iterator[Part]:
    of_a_suit = len({card.suit for card in hand}) == 1
    if of_a_suit and starter.suit == hand[0].suit:
        yield Part(kind=PartKind.FLUSH, points=5, cards=(*hand, starter))
    elif of_a_suit and not crib:
        yield Part(kind=PartKind.FLUSH, points=4, cards=tuple(hand))


def _nobs(hand: Sequence[Card], starter: Card) -> Iterator[Part]:
    for card in hand:
        if card.rank == JACK and card.suit == starter.suit:
            yield Part(kind=PartKind.NOBS, points=1, cards=(card,))


_CHUNK = 1 << 15  # hands in a chunk; a chunk fits in the processor's cache

_FOUR = np.uint8(4)  # points of a flush; eight bits, so that the products have eight bits too
_KEYS = np.array(_CARD_KEYS, dtype=np.int32)
_POINTS = np.frombuffer(RANK_POINTS, dtype=np.uint8)


def count_shows(
    hands: NDArray[np.uint8], starters: NDArray[np.uint8], *, crib: bool = False
) -> NDArray[np.uint8]:
    """Return the points of hands with their starters, shape (n,).

    `hands`, shape (n, 4), and `starters`, shape (n,), have the numbers of the cards (see `Card`).
    """
    points = np.empty(len(hands), dtype=np.uint8)
    for start in range(0, len(hands), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        points[chunk] = _points(hands[chunk], starters[chunk], crib=crib)
    return points


def _points(
    hands: NDArray[np.uint8], starters: NDArray[np.uint8], *, crib: bool
) -> NDArray[np.uint8]:
    a, b, c, d = np.ascontiguousarray(hands.T)
    points = _POINTS[_KEYS[a] + _KEYS[b] + _KEYS[c] + _KEYS[d] + _KEYS[starters]]
    four = ((a ^ b) | (a ^ c) | (a ^ d)) & _SUIT_BITS == 0
    five = four & ((a ^ starters) & _SUIT_BITS == 0)
    jack = _FIRST_JACK | starters & _SUIT_BITS
    nobs = (a == jack) | (b == jack) | (c == jack) | (d == jack)
    made: NDArray[np.uint8] = points + nobs + five + _FOUR * (five if crib else four)
    return made


def distribution(*, crib: bool = False) -> NDArray[np.int64]:
    """Return the number of hands with each score from 0 to 29, shape (30,).

    Each hand is counted with every possible starter, so the sum is 12,994,800.
    """
    every = combinations(range(len(DECK)), HAND)
    hands = np.fromiter(every, np.dtype((np.uint8, HAND)), count=comb(len(DECK), HAND))
    made = np.zeros(MOST_POINTS + 1, dtype=np.int64)
    for starter in DECK:
        possible = hands[(hands != starter).all(axis=1)]
        starters = np.full(len(possible), starter, dtype=np.uint8)
        made += np.bincount(count_shows(possible, starters, crib=crib), minlength=len(made))
    return made


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
    parts = tuple(_play_parts(tuple(pile), count))
    return Play(count=count, points=sum(part.points for part in parts), parts=parts)


def _play_parts(pile: tuple[Card, ...], count: int) -> Iterator[Part]:
    if count == FIFTEEN:
        yield Part(kind=PartKind.FIFTEEN, points=2, cards=pile)
    if count == THIRTY_ONE:
        yield Part(kind=PartKind.THIRTY_ONE, points=2, cards=pile)
    alike = _alike(pile)
    if alike in PAIRS:
        kind, points = PAIRS[alike]
        yield Part(kind=kind, points=points, cards=pile[-alike:])
    if run := _play_run(pile):
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
    return points + (PAIRS[alike][1] if alike in PAIRS else _play_run(pile))


def _alike(pile: Sequence[int]) -> int:
    alike = 0
    for card in reversed(pile):
        if _RANK_BITS[card] != _RANK_BITS[pile[-1]]:
            break
        alike += 1
    return alike


def _play_run(pile: Sequence[int]) -> int:
    longest = ranks = 0
    for length, card in enumerate(reversed(pile), start=1):
        if ranks & _RANK_BITS[card]:
            break
        ranks |= _RANK_BITS[card]
        # Only if the ranks are neighbours, adding the lowest bit to their bits clears all bits.
        if not ranks & (ranks + (ranks & -ranks)):
            longest = length
    return longest if longest >= SHORTEST_RUN else 0
