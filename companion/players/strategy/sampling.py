"""Hands that the others may hold: all of them where few cards are left, else a fixed sample.

A holding weighs what the rules and good sense give it: cards unseen, none that would have fitted
where its seat said go, hands that somebody keeps rather than throws, and cards seldom held back
where they would have made more, or as much and leave the smaller one for later.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from companion.players.player import PlayRequest
from companion.players.strategy.inference import Recall
from companion.players.values.hands import MEAN_POINTS, Floats, place_of_four, ranks_of
from companion.players.values.pegging_values import Ranks
from companion.players.values.rollout import VALUE
from companion.players.values.tables import Tables
from companion.rules.cards import DECK, HAND, THIRTY_ONE, VALUES, Card, play_points
from companion.rules.cards.card import RANKS, SUITS

EXHAUSTIVE_CARDS = 2
"""With this many unknown cards or fewer every holding is looked at."""
SAMPLED_CARDS = 8_192
"""Cards in the sample: the more are unknown the fewer holdings."""
MAX_HANDS = 480
"""Most hands in all holdings together, the own ones included."""
HELD_BACK_CHANCE = 0.25
"""Frequency with which a player holds back a better card, see `_better`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worlds:
    """Ways the other seats' cards may lie, by rank.

    `left` (worlds, seats, 4) are the cards to play, 0 where there is none, oneself being seat 0
    without any; `kept` (worlds, seats, 4) are the whole hands, if it is known who played what.
    The weights (worlds,) add up to 1.
    """

    left: Ranks
    kept: Ranks | None
    weights: Floats


def worlds(request: PlayRequest, past: Recall | None, tables: Tables) -> Worlds:
    """Return what the others may hold, by all that the request says."""
    holdings = _Holdings(request)
    left, ways = holdings.every() if holdings.unknown <= EXHAUSTIVE_CARDS else holdings.sample()
    if past is None:
        return _fewer(Worlds(left=left, kept=None, weights=ways / ways.sum()))
    kept = left.copy()
    for seat in range(1, len(request.cards_left)):
        played = ranks_of(np.array(past.played(seat), dtype=np.uint8))
        kept[:, seat, : len(played)] = played
    weights = ways * _plausible(request, past, left, kept, tables)
    if not weights.any():
        weights = ways
    return _fewer(Worlds(left=left, kept=kept, weights=weights / weights.sum()))


@dataclass(frozen=True, slots=True)
class _Holdings:
    """The cards that nobody has shown, and the seats that hold some of them."""

    request: PlayRequest

    @property
    def unknown(self) -> int:
        """Cards in the others' hands."""
        return sum(self.request.cards_left[1:])

    def unseen(self) -> NDArray[np.bool_]:
        """By card number, whether nobody has shown it to who asks."""
        request = self.request
        unseen = np.ones(len(DECK), dtype=np.bool_)
        unseen[[*request.hand, *request.discarded, *request.seen, request.starter]] = False
        return unseen

    def every(self) -> tuple[Ranks, Floats]:
        """Every holding, and in how many ways it can come about."""
        number = np.bincount(ranks_of(_DECK[self.unseen()]), minlength=len(RANKS) + 1)
        some = np.flatnonzero(number)
        ranks = np.array(list(product(some, repeat=self.unknown)), dtype=np.uint8)
        ways = number[ranks].prod(axis=1).astype(np.float64)
        if self.unknown == EXHAUSTIVE_CARDS:
            ways -= (ranks[:, 0] == ranks[:, 1]) * number[ranks[:, 0]]
        there = ways > 0
        return self.placed(ranks[there]), ways[there]

    def sample(self) -> tuple[Ranks, Floats]:
        """Return a fixed sample: cards drawn one by one, by the same numbers every time."""
        number = SAMPLED_CARDS // self.unknown
        unseen = ranks_of(_DECK[self.unseen()])
        decks = np.tile(unseen, (number, 1))
        row = np.arange(number)
        for place, chance in enumerate(_chances()[: self.unknown, :number]):
            drawn = place + (chance * (len(unseen) - place)).astype(np.int64)
            decks[row, drawn], decks[:, place] = decks[:, place], decks[row, drawn]
        return self.placed(decks[:, : self.unknown]), np.ones(number)

    def placed(self, ranks: Ranks) -> Ranks:
        """Return the ranks at the end of their seats' hands, (worlds, seats, 4)."""
        left = np.zeros((len(ranks), len(self.request.cards_left), HAND), dtype=np.uint8)
        start = 0
        for seat, number in enumerate(self.request.cards_left[1:], start=1):
            left[:, seat, HAND - number :] = ranks[:, start : start + number]
            start += number
        return left


_DECK = np.array(DECK, dtype=np.uint8)


@cache
def _chances() -> Floats:
    return np.random.default_rng(SAMPLED_CARDS).random(
        (len(DECK), SAMPLED_CARDS // EXHAUSTIVE_CARDS)
    )


def _plausible(
    request: PlayRequest, past: Recall, left: Ranks, kept: Ranks, tables: Tables
) -> Floats:
    """Return how well each holding agrees with its seats' discards, plays and goes, (worlds,)."""
    keeps = tables.keeps[0 if len(request.discarded) == 2 else 1]  # noqa: PLR2004  # two of six
    weights = np.ones(len(left))
    for seat in range(1, len(request.cards_left)):
        if not request.cards_left[seat]:
            continue
        held = left[:, seat, HAND - request.cards_left[seat] :]
        means = MEAN_POINTS[place_of_four(kept[:, seat])]
        weights *= np.interp(means, np.arange(len(keeps)), keeps)
        weights *= (VALUE[held] > past.room[seat]).all(axis=1)
        for play in past.plays:
            if play.seat == seat:
                better = _better(play.pile, play.card)
                weights *= HELD_BACK_CHANCE ** better[held].sum(axis=1)
    return weights


def _better(pile: tuple[Card, ...], card: Card) -> NDArray[np.bool_]:
    """By rank, from 1 on, whether it would have made more than the card, or as much and is higher.

    Of a lead nothing follows: a low one is often the best.
    """
    made = play_points((*pile, card)), card.rank
    room = THIRTY_ONE - sum(VALUES[played] for played in pile) if pile else 0
    better = np.zeros(len(RANKS) + 1, dtype=np.bool_)
    for other in DECK[:: len(SUITS)]:
        fits = other.value <= room
        better[other.rank] = fits and (play_points((*pile, other)), other.rank) > made
    return better


def _fewer(found: Worlds) -> Worlds:
    """Return at most about `MAX_HANDS` hands: each world as often as its weight says."""
    limit = MAX_HANDS // found.left.shape[1]
    if len(found.weights) <= 2 * limit:
        return found
    marks = (np.arange(limit) + 1 / 2) / limit
    chosen = np.minimum(found.weights.cumsum().searchsorted(marks), len(found.weights) - 1)
    return Worlds(
        left=found.left[chosen],
        kept=None if found.kept is None else found.kept[chosen],
        weights=np.full(limit, 1 / limit),
    )
