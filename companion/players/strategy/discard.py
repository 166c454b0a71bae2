"""Choice of discards: hand and crib together, each count judged by its landing.

Each choice has chances of the points of its hand, over all starters, and of the crib, by the ranks
discarded. They are multiplied with the chance to win after each number of points: 8 points that end
in a penalty box may be worth less than 6. Six cards give 15 choices with 46 starters each. Points
in the play are left out: players that kept cards for them lost more in the show.

A starter that is turned up first (T6) settles the hand. The chances of the crib change as they
would if the others discarded at random.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from companion.board.track import MOST_POINTS
from companion.players.player import DiscardRequest
from companion.players.strategy.keep_four import KeptHands, kept_hands
from companion.players.values.hands import KEY_OF_RANK, POINTS_OF_KEY, Cards, Floats, ranks_of
from companion.players.values.position import Position
from companion.players.values.tables import CELLS, POINTS, Tables, all_cribs, chances
from companion.rules.cards import HAND, Card
from companion.rules.cards.card import RANKS, SUITS

_WAYS = np.array(
    [[comb(left, drawn) for drawn in range(HAND + 2)] for left in range(len(SUITS) + 1)]
)
"""Ways to draw cards of a rank, by the number left and the number drawn."""


def best_discard(request: DiscardRequest, position: Position, tables: Tables) -> tuple[Card, ...]:
    """Return the discard with the greatest chance to win."""
    kept = kept_hands(request.hand, request.starter)
    hands = _hand_chances(kept)
    cribs = _crib_chances(request, kept.discarded, position, tables)
    if request.dealer:
        worth = ((hands @ _won_by_hand_and_crib(position)) * cribs).sum(axis=1)
    else:
        worth = hands @ _won_by_hand(position) + cribs @ _won_by_others_crib(position)
    return kept.discarded[int(worth.argmax())]


def _hand_chances(kept: KeptHands) -> Floats:
    """Return the chances of each choice's points over the starters, (choices, 30)."""
    counts = (kept.points[:, :, None] == POINTS).sum(axis=1)
    return chances(counts)


def _crib_chances(
    request: DiscardRequest,
    discarded: tuple[tuple[Card, ...], ...],
    position: Position,
    tables: Tables,
) -> Floats:
    """Return the chances of the crib's points for each choice, (choices, 30)."""
    number, players, own = len(discarded[0]), position.deals.players, request.dealer
    # While one of three sits out, the others deal as two sides do (Z11).
    players = 2 if number == 2 else max(players, 3)  # noqa: PLR2004  # two of six cards
    if (players, own) not in tables.cribs:  # under the deck, whatever they are
        return np.tile(chances(all_cribs(tables, players)), (len(discarded), 1))
    ranks = np.sort(ranks_of(_numbers(discarded)) - 1, axis=1)
    cells = [CELLS[number].index(tuple(row)) for row in ranks.tolist()]
    average = chances(tables.cribs[players, own][cells])
    return average if request.starter is None else _with_starter(request, discarded, average)


def _with_starter(
    request: DiscardRequest, discarded: tuple[tuple[Card, ...], ...], average: Floats
) -> Floats:
    """Return the chances of a crib with the starter shown, from those with any, (choices, 30)."""
    before = random_cribs(discarded, request.hand, None)
    after = random_cribs(discarded, request.hand, request.starter)
    # Points that only suits make are as likely as before.
    changed = average * np.divide(after, before, out=np.ones_like(before), where=before > 0)
    parts: Floats = changed / changed.sum(axis=1, keepdims=True)
    return parts


def random_cribs(
    discarded: Sequence[Sequence[Card]], seen: Sequence[Card], starter: Card | None
) -> Floats:
    """Return the chances of the points of a crib for each choice of discards, (choices, 30).

    Args:
        discarded: discards in the crib, the same number in each choice.
        seen: cards that cannot be among the unknown ones of the crib.
        starter: the starter, None if it is unknown too.
    """
    known = [starter] if starter is not None else []
    drawn, keys = _draws(HAND + 1 - len(discarded[0]) - len(known))
    left = len(SUITS) - np.bincount(
        [card.rank - 1 for card in {*seen, *known}], minlength=len(RANKS)
    )
    weights = _WAYS[left, drawn].prod(axis=1).astype(np.float64)
    own = KEY_OF_RANK[[[card.rank for card in (*cards, *known)] for cards in discarded]].sum(axis=1)
    # Five of a rank have no entry, and no weight.
    points = POINTS_OF_KEY[np.minimum(own[:, None] + keys, len(POINTS_OF_KEY) - 1)]
    found = [np.bincount(row, weights, minlength=MOST_POINTS + 1) for row in points]
    chances: Floats = np.array(found) / weights.sum()
    return chances


@cache
def _draws(cards: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return every choice of ranks: the number of each, (choices, 13), and the sum of the keys."""
    ranks = np.array(list(combinations_with_replacement(range(len(RANKS)), cards)))
    drawn = (ranks[:, :, None] == np.arange(len(RANKS))).sum(axis=1)
    return drawn, KEY_OF_RANK[ranks + 1].sum(axis=1)


def _numbers(choices: tuple[tuple[Card, ...], ...]) -> Cards:
    return np.array(choices, dtype=np.uint8)


def _won_by_hand(position: Position) -> Floats:
    stances, deals = position.stances, position.deals
    after = position.worth(0, deals.hands_counted, others=0)
    play = deals.after_play(position.roles[0], position.at[0])
    there = np.flatnonzero(play)
    won: Floats = play[there] @ after[stances.landing[there]]
    return won


def _won_by_hand_and_crib(position: Position) -> Floats:
    """Return the chance to win by the points of the own hand and those of the crib, (30, 30)."""
    stances, deals = position.stances, position.deals
    after = position.worth(0, deals.crib_counted, others=0)
    play = deals.after_play(position.roles[0], position.at[0])
    there = np.flatnonzero(play)
    won: Floats = np.tensordot(play[there], after[stances.landing[stances.landing[there]]], axes=1)
    return won


def _won_by_others_crib(position: Position) -> Floats:
    """Return the chance to win by the points of the crib that another side counts, (30,)."""
    stances, deals = position.stances, position.deals
    role = len(position.roles) - 1
    dealer = position.roles.index(role)
    own = position.ahead[position.roles[0]][0][position.at[0]]
    first = own * position.behind(0, but=(0, dealer))
    # `behind` of every stance, multiplied by `first` without making the whole array.
    beaten = first[::-1].cumsum()[::-1] - first / 2
    won = first.sum() - position.ahead[role][deals.crib_counted] @ beaten
    won[stances.finish] = 0
    counted = deals.after_hand(role, position.at[dealer])
    by_crib: Floats = counted @ won[stances.landing]
    return by_crib
