"""Random deals with their discards, many at once: the basis of all self-play."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.players.values.tables import (
    CELLS,
    MEAN_POINTS,
    SHAPE,
    Cards,
    Choice,
    Counts,
    Floats,
    Foresight,
    Numbers,
    mean,
    place_of_four,
    ranks_of,
)
from companion.rules.cards import DECK, HAND
from companion.rules.cards.card import RANKS, SUITS
from companion.rules.deal.seats import SIDES

FLUSH = 4 + 9 / 48
"""A hand of one suit, and how often the starter makes it five."""
CribWorth = Mapping[tuple[int, bool], Floats]
"""Worth of discards by their ranks from 0, for the number of players and an own crib or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deals:
    """Deals after the discards: hands (n, seats, 4) from the dealer's left on, crib and starter."""

    hands: Cards
    crib: Cards
    starter: Cards


def crib_means(cribs: Counts) -> Floats:
    """Return the mean of the crib by the discarded ranks, from 0, with an axis for each card."""
    number = 1 if len(cribs) == len(RANKS) else 2
    found = np.zeros((len(RANKS),) * number)
    for ranks, points in zip(CELLS[number], mean(cribs), strict=True):
        found[ranks] = found[ranks[::-1]] = points
    return found


def crib_worth(cribs: Mapping[tuple[int, bool], Counts]) -> CribWorth:
    """Return the worth of discards by the cribs known so far: 0 without a known crib.

    The points of another side's crib are a loss, shared by the sides that do not own it.
    """
    worth: dict[tuple[int, bool], Floats] = {}
    for players, sides in SIDES.items():
        for own in (True, False):
            share = 1 if own else -1 / (sides - 1)
            known = cribs.get((players, own))
            nothing = np.zeros((len(RANKS),) * (hand_size(players) - HAND))
            worth[players, own] = nothing if known is None else share * crib_means(known)
    return worth


def hand_size(players: int) -> int:
    """Return the number of cards that each player is dealt (T3)."""
    return 6 if players == 2 else 5  # two players, six cards


def owns(players: int) -> tuple[bool, ...]:
    """Return for each seat from the dealer's left whether its side owns the crib."""
    sides = SIDES[players]
    return tuple(seat % sides == sides - 1 for seat in range(players))


def draw(rng: Generator, number: int, cards: int) -> Cards:
    """Return the first `cards` cards of `number` shuffled decks."""
    deck = np.tile(np.array(DECK, dtype=np.uint8), (number, 1))
    return rng.permuted(deck, axis=1)[:, :cards]


def flush_worth(cards: Cards) -> Floats:
    """Return the mean points of a flush in hands of four card numbers."""
    suits = cards % len(SUITS)
    worth: Floats = FLUSH * (suits == suits[..., :1]).all(axis=-1)
    return worth


def choices(dealt: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indexes of the cards kept and discarded in each way to keep four of `dealt`."""
    kept = list(combinations(range(dealt), HAND))
    discarded = [[place for place in range(dealt) if place not in four] for four in kept]
    return np.array(kept), np.array(discarded)


def split_hands(dealt: Cards, crib: Floats) -> tuple[Cards, Cards]:
    """Split hands dealt, (n, 5 or 6), into the cards kept, (n, 4), and discarded, (n, 1 or 2).

    `crib` is the worth of the discards by their ranks from 0, one axis a card; negative if the crib
    is another's.
    """
    kept_places, thrown_places = choices(dealt.shape[1])
    kept, discarded = dealt[:, kept_places], dealt[:, thrown_places]
    worth = MEAN_POINTS[place_of_four(ranks_of(kept))] + flush_worth(kept)
    ranks = ranks_of(discarded) - 1
    worth += crib[tuple(np.moveaxis(ranks, -1, 0))]
    best = worth.argmax(axis=1)
    row = np.arange(len(dealt))
    return kept[row, best], discarded[row, best]


def deal_out(rng: Generator, number: int, players: int, worth: CribWorth) -> Deals:
    """Return deals to this number of players, who discard by the worth of these cribs (T3)."""
    size = hand_size(players)
    deck = draw(rng, number, players * size + 2)
    hands, crib = [], []
    for seat, own in enumerate(owns(players)):
        kept, discarded = split_hands(deck[:, seat * size : (seat + 1) * size], worth[players, own])
        hands.append(kept)
        if not (own and players == 6):  # then they go under the deck
            crib.append(discarded)
    if players == 3:  # three throw three cards: the deck gives one
        crib.append(deck[:, -2:-1])
    return Deals(
        hands=np.stack(hands, axis=1), crib=np.concatenate(crib, axis=1), starter=deck[:, -1]
    )


def cribs_with(
    rng: Generator, number: int, cell: tuple[int, ...], crib: tuple[int, bool], worth: CribWorth
) -> tuple[Cards, Cards]:
    """Return cribs (n, 4) with discards of these ranks, from 0, and their starters.

    `crib` is the number of players, and True for a crib of the player's own side.
    """
    players, own = crib
    size = hand_size(players)
    throwers = list(owns(players))
    throwers.remove(own)
    if players == 6:  # the dealer's side throws under the deck
        throwers = [theirs for theirs in throwers if not theirs]
    deck = _after(rng, number, cell, len(throwers) * size + 2)
    parts = [deck[:, : len(cell)]]
    for place, theirs in enumerate(throwers):
        first = len(cell) + place * size
        parts.append(split_hands(deck[:, first : first + size], worth[players, theirs])[1])
    if players == 3:  # as above
        parts.append(deck[:, -2:-1])
    return np.concatenate(parts, axis=1), deck[:, -1]


def _after(rng: Generator, number: int, cell: tuple[int, ...], more: int) -> Cards:
    """Return `number` rows of cards of these ranks, then others from the rest of the deck."""
    found: list[Cards] = []
    while sum(map(len, found)) < number:
        rows = rng.integers(0, len(DECK), (3 * number, len(cell) + more), dtype=np.uint8)
        suits = rng.integers(0, len(SUITS), (len(rows), len(cell)), dtype=np.uint8)
        rows[:, : len(cell)] = np.array(cell, dtype=np.uint8) * len(SUITS) + suits
        rising = np.sort(rows, axis=1)
        found.append(rows[(rising[:, 1:] != rising[:, :-1]).all(axis=1)])
    return np.concatenate(found)[:number]


# Points and counts of hands that are played out without a board


NO_FORESIGHT = Foresight(left=np.zeros(SHAPE), kept=np.zeros(SHAPE))
"""Foresight of a player that considers only the points of the card."""


class PointsLedger:
    """Ledger without a board: the points of each side, and the number and sizes of its counts.

    The score of a card is its points plus its later balance.
    """

    def __init__(self, rows: int, sides: int, foresight: Foresight) -> None:
        self.foresight = foresight
        self.points = np.zeros((rows, sides), dtype=np.int64)
        self.counts = np.zeros((rows, sides), dtype=np.int64)
        self.sizes = np.zeros((sides, 30), dtype=np.int64)

    def scores(self, seat: int, points: Numbers, choice: Choice) -> Floats:
        """Return the points plus the later balance of each card."""
        del seat
        return points + self.foresight.of(choice)

    def peg(self, seat: int, points: Numbers) -> None:
        """Add the points to the total of the seat's side."""
        side = seat % self.points.shape[1]
        self.points[:, side] += points
        self.counts[:, side] += points > 0
        self.sizes[side] += np.bincount(points[points > 0], minlength=30)
