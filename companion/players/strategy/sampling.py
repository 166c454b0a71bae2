"""Cards that the other players may hold: all cases if few cards are left, or else a sample.

A holding is a guess of the unknown cards at all other seats. Its weight is 0 if a seat would have
said go although a card fitted, and small if players seldom keep such four cards. The weight is
quartered for each card that its seat should have played earlier, because it was the better play.

For example, two other seats hold four unknown cards each, 8 in all. The same random numbers draw
1,024 holdings every time. Of these, 160 are chosen by weight and played out.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from companion.players.player import PlayRequest
from companion.players.strategy.inference import Recall
from companion.players.values.rollout import VALUE
from companion.players.values.tables import (
    MEAN_POINTS,
    Floats,
    Ranks,
    Tables,
    place_of_four,
    ranks_of,
)
from companion.rules.cards import DECK, HAND, THIRTY_ONE, VALUES, Card, play_points
from companion.rules.cards.card import RANKS, SUITS

EXHAUSTIVE_CARDS = 2  # with at most this many unknown cards, every holding is used
SAMPLED_CARDS = 8_192  # cards in the sample: the number of holdings times the unknown cards
MAX_HANDS = 480  # hands (holdings times seats) that remain if there were more than twice as many
HELD_BACK_CHANCE = 0.25  # factor of the weight for each better card that a seat held back


@dataclass(frozen=True, slots=True, kw_only=True)
class Worlds:
    """Holdings of the other seats, as ranks; seat 0 is the player and has no cards here.

    Attributes:
        left: the cards left to play, shape (holdings, seats, 4); 0 fills the empty places.
        kept: the four cards that each seat kept, in the same shape; None if it is unknown which
            seat played which card.
        weights: the weight of each holding, shape (holdings,); the sum is 1.
    """

    left: Ranks
    kept: Ranks | None
    weights: Floats


def worlds(request: PlayRequest, past: Recall | None, tables: Tables) -> Worlds:
    """Return the hands that the others may hold; `past` is the play so far, None if unknown."""
    seen = (*request.hand, *request.discarded, *request.seen, request.starter)
    unseen, cards = ranks_of(np.setdiff1d(DECK, seen)), sum(request.cards_left[1:])
    holdings, ways = (_every if cards <= EXHAUSTIVE_CARDS else _sample)(unseen, cards)
    left = np.zeros((len(ways), len(request.cards_left), HAND), dtype=np.uint8)
    start = 0
    for seat, number in enumerate(request.cards_left[1:], start=1):
        left[:, seat, HAND - number :] = holdings[:, start : start + number]
        start += number
    if past is None:
        return _fewer(Worlds(left=left, kept=None, weights=ways / ways.sum()))
    kept = left.copy()
    for seat in range(1, len(request.cards_left)):
        played = ranks_of(past.played(seat))
        kept[:, seat, : len(played)] = played
    weights = ways * _plausible(request, past, left, kept, tables)
    if not weights.any():
        weights = ways
    return _fewer(Worlds(left=left, kept=kept, weights=weights / weights.sum()))


def _every(unseen: Ranks, cards: int) -> tuple[Ranks, Floats]:
    """Return every holding of ranks, with the number of ways to draw it from the unseen cards."""
    number = np.bincount(unseen, minlength=len(RANKS) + 1)
    ranks = np.array(list(product(np.flatnonzero(number), repeat=cards)), dtype=np.uint8)
    ways = number[ranks].prod(axis=1).astype(np.float64)
    if cards == EXHAUSTIVE_CARDS:
        ways -= (ranks[:, 0] == ranks[:, 1]) * number[ranks[:, 0]]
    there = ways > 0
    return ranks[there], ways[there]


def _sample(unseen: Ranks, cards: int) -> tuple[Ranks, Floats]:
    """Return a sample of holdings, each with the weight 1; equal arguments give the same sample."""
    number = SAMPLED_CARDS // cards
    decks = np.tile(unseen, (number, 1))
    row = np.arange(number)
    for place, chance in enumerate(_chances()[:cards, :number]):
        drawn = place + (chance * (len(unseen) - place)).astype(np.int64)
        decks[row, drawn], decks[:, place] = decks[:, place], decks[row, drawn]
    return decks[:, :cards], np.ones(number)


@cache
def _chances() -> Floats:
    return np.random.default_rng(SAMPLED_CARDS).random(
        (len(DECK), SAMPLED_CARDS // EXHAUSTIVE_CARDS)
    )


def _plausible(
    request: PlayRequest, past: Recall, left: Ranks, kept: Ranks, tables: Tables
) -> Floats:
    """Return the weight of each holding, shape (holdings,), by what the seats kept and played."""
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
    """Return an array by rank: True if a card of this rank would have been a better play.

    A better play makes more points than `card`, or as many with a higher rank. If `card` was a
    lead, no rank is better, because a low lead is often the best.
    """
    made = play_points((*pile, card)), card.rank
    room = THIRTY_ONE - sum(VALUES[played] for played in pile) if pile else 0
    better = np.zeros(len(RANKS) + 1, dtype=np.bool_)
    for other in DECK[:: len(SUITS)]:
        fits = other.value <= room
        better[other.rank] = fits and (play_points((*pile, other)), other.rank) > made
    return better


def _fewer(found: Worlds) -> Worlds:
    """Return all holdings, or some chosen by weight if there are too many (see `MAX_HANDS`)."""
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
