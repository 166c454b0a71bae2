"""Choice of discards by the chance to win with the points of hand and crib.

The hand is counted with every starter; this gives the probability of each number of points. A table
has these probabilities for the crib, by the discarded ranks. Each probability is multiplied by the
chance to win after the points: 8 points that end in a penalty box can be worth less than 6. Six
cards give 15 choices with 46 starters each. Points in the play are ignored: cards kept for the play
gain less there than they lose in the show.

If the starter is turned up first (T6), the points of the hand are known. Each probability of the
crib's points is then multiplied by a ratio: the probability of these points with this starter,
divided by their probability with any starter. For the ratio all cards of the crib are random.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from companion.board.layout import MOST_POINTS
from companion.players.player import DiscardRequest
from companion.players.values.position import Position
from companion.players.values.tables import (
    CELLS,
    KEY_OF_RANK,
    POINTS,
    POINTS_OF_KEY,
    Floats,
    Tables,
    all_cribs,
    chances,
    ranks_of,
)
from companion.rules.cards import DECK, HAND, Card, count_shows
from companion.rules.cards.card import RANKS, SUITS

_WAYS = np.array(
    [[comb(left, drawn) for drawn in range(HAND + 2)] for left in range(len(SUITS) + 1)]
)
"""`_WAYS[left, drawn]` is the number of ways to draw this many of the cards left of one rank."""


def best_discard(request: DiscardRequest, position: Position, tables: Tables) -> tuple[Card, ...]:
    """Return the discards with the greatest chance to win."""
    discards, points = keep_four(request.hand, request.starter)
    hands = chances((points[:, :, None] == POINTS).sum(axis=1))  # (choices, 30)
    cribs = _crib_chances(request, discards, position, tables)
    if request.dealer:
        worth = ((hands @ _won_by_own(position, crib=True)) * cribs).sum(axis=1)
    else:
        worth = hands @ _won_by_own(position) + cribs @ _won_by_others_crib(position)
    return discards[int(worth.argmax())]


def _crib_chances(
    request: DiscardRequest,
    discarded: Sequence[tuple[Card, ...]],
    position: Position,
    tables: Tables,
) -> Floats:
    """Return the probability of the crib's points for each choice, shape (choices, 30)."""
    number, players, own = len(discarded[0]), position.deals.players, request.dealer
    # While one of three sides sits out, the others deal like two sides (Z11).
    players = 2 if number == 2 else max(players, 3)  # noqa: PLR2004  # two of six cards
    # Of six players the dealer's side discards under the deck: every choice has the same crib.
    if (players, own) not in tables.cribs:
        return np.tile(chances(all_cribs(tables, players)), (len(discarded), 1))
    ranks = np.sort(ranks_of(discarded) - 1, axis=1)
    cells = [CELLS[number].index(tuple(row)) for row in ranks.tolist()]
    average = chances(tables.cribs[players, own][cells])
    return average if request.starter is None else _with_starter(request, discarded, average)


def _with_starter(
    request: DiscardRequest, discarded: Sequence[tuple[Card, ...]], average: Floats
) -> Floats:
    """Return the probability of the crib's points with the starter that is turned up.

    `average` has the probabilities over all starters. Both arrays have the shape (choices, 30).
    """
    before = random_cribs(discarded, request.hand, None)
    after = random_cribs(discarded, request.hand, request.starter)
    # `random_cribs` ignores suits. Points that only suits can make keep their probability.
    changed = average * np.divide(after, before, out=np.ones_like(before), where=before > 0)
    parts: Floats = changed / changed.sum(axis=1, keepdims=True)
    return parts


def random_cribs(
    discarded: Sequence[Sequence[Card]], seen: Sequence[Card], starter: Card | None
) -> Floats:
    """Return the probability of a crib's points, shape (choices, 30), if it is filled by chance.

    Flushes and nobs do not count.

    Args:
        discarded: the discards of each choice, which are in the crib; all have equal length.
        seen: cards that cannot be among the other cards of the crib.
        starter: the starter, or None if it is unknown.
    """
    known = [starter] if starter is not None else []
    drawn, keys = _draws(HAND + 1 - len(discarded[0]) - len(known))
    left = len(SUITS) - np.bincount(
        [card.rank - 1 for card in {*seen, *known}], minlength=len(RANKS)
    )
    weights = _WAYS[left, drawn].prod(axis=1).astype(np.float64)
    own = KEY_OF_RANK[[[card.rank for card in (*cards, *known)] for cards in discarded]].sum(axis=1)
    # `POINTS_OF_KEY` does not have five cards of one rank; the weight of such a crib is 0.
    points = POINTS_OF_KEY[np.minimum(own[:, None] + keys, len(POINTS_OF_KEY) - 1)]
    found = [np.bincount(row, weights, minlength=MOST_POINTS + 1) for row in points]
    chances: Floats = np.array(found) / weights.sum()
    return chances


@cache
def _draws(cards: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return two arrays with a row for each draw of this many cards, by ranks.

    The first has the number of cards of each rank, shape (draws, 13); the second has the sum of the
    cards' keys in `KEY_OF_RANK`.
    """
    ranks = np.array(list(combinations_with_replacement(range(len(RANKS)), cards)))
    drawn = (ranks[:, :, None] == np.arange(len(RANKS))).sum(axis=1)
    return drawn, KEY_OF_RANK[ranks + 1].sum(axis=1)


def _won_by_own(position: Position, *, crib: bool = False) -> Floats:
    """Return the chance to win after each number of points of the own hand, shape (30,).

    With `crib`, the shape is (30, 30): the second index is the points of the own crib.
    """
    landing, deals = position.stances.landing, position.deals
    after = position.worth(0, deals.crib_counted if crib else deals.hands_counted, others=0)
    play = deals.at_stage(1, position.roles[0], position.at[0])
    there = np.flatnonzero(play)
    landed = landing[landing[there]] if crib else landing[there]
    return np.tensordot(play[there], after[landed], axes=1)


def _won_by_others_crib(position: Position) -> Floats:
    """Return the chance to win after each number of points of another side's crib, shape (30,)."""
    stances, deals = position.stances, position.deals
    role = len(position.roles) - 1
    dealer = position.roles.index(role)
    own = position.ahead[position.roles[0]][0][position.at[0]]
    first = own * position.behind(0, but=(0, dealer))
    # `won` equals `behind(ahead) @ first`, but is computed without the large array `behind(ahead)`.
    beaten = first[::-1].cumsum()[::-1] - first / 2
    won = first.sum() - position.ahead[role][deals.crib_counted] @ beaten
    won[stances.finish] = 0
    counted = deals.at_stage(deals.hands_counted, role, position.at[dealer])
    by_crib: Floats = counted @ won[stances.landing]
    return by_crib


def keep_four(
    dealt: Sequence[Card], starter: Card | None = None
) -> tuple[list[tuple[Card, ...]], NDArray[np.uint8]]:
    """Return the discards of each choice of four cards, and the points of the four.

    The points have the shape (choices, starters). The starters are the given starter alone, or all
    unseen cards. For example, six cards give 15 choices with 46 starters:

    >>> from companion.rules.cards import cards
    >>> keep_four(cards("5H 5S 5D JC KD 2S"))[1].shape
    (15, 46)
    """
    kept = tuple(combinations(dealt, HAND))
    discards = [tuple(card for card in dealt if card not in four) for four in kept]
    choices = np.array(kept, dtype=np.uint8)
    unseen = np.setdiff1d(DECK, dealt) if starter is None else [starter]
    starters = np.array(unseen, dtype=np.uint8)
    points = count_shows(
        np.repeat(choices, len(starters), axis=0), np.tile(starters, len(choices))
    ).reshape(len(choices), len(starters))
    return discards, points
