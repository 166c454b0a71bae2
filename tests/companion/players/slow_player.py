"""A player that looks ahead in the plainest way: the oracle of the shark, and its opponent.

Cards are kept by the mean of the hand over all starters, counted one by one, and of the crib; a
card is played by dealing what is unseen at random and playing it out, everybody taking the most
points at once. It plays two-handed on a plain board. Of the package under test it takes what it is
asked, and the means of the crib, whose table has an oracle of its own.
"""

import random
from functools import cache
from itertools import combinations

from companion.players import CountRequest, DiscardRequest, PlayRequest
from companion.players.values.tables import load_tables
from companion.rules.cards import DECK, VALUES, Card, play_points, show_points
from tests.training.random_deals import crib_means

DEALS = 60
"""Deals of the unseen cards that each card is played out in."""


class SlowPlayer:
    """Expected points, card by card and deal by deal."""

    def __init__(self, rng: random.Random, deals: int = DEALS) -> None:
        self.rng = rng
        self.deals = deals
        self.cribs = {own: crib_means(load_tables().cribs[2, own]) for own in (True, False)}

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        """The two cards that leave most."""
        return max(
            combinations(request.hand, 2), key=lambda discarded: self.worth(request, discarded)
        )

    def worth(self, request: DiscardRequest, discarded: tuple[Card, ...]) -> float:
        """The hand's mean, and the crib's for or against it."""
        kept = [card for card in request.hand if card not in discarded]
        starters = [card for card in DECK if card not in request.hand]
        hand = sum(show_points(kept, starter) for starter in starters) / len(starters)
        crib = self.cribs[request.dealer][discarded[0].rank - 1, discarded[1].rank - 1]
        return float(hand + crib if request.dealer else hand - crib)

    def play(self, request: PlayRequest) -> Card | None:
        """The card that gains most over all deals of the unseen cards."""
        if len(request.playable) <= 1:
            return next(iter(request.playable), None)
        known = {*request.hand, *request.discarded, *request.seen, request.starter}
        unseen = [card for card in DECK if card not in known]
        gained = dict.fromkeys(request.playable, 0)
        for _ in range(self.deals):
            other = self.rng.sample(unseen, request.cards_left[1])
            for card in request.playable:
                gained[card] += balance(request, card, other)
        return max(request.playable, key=lambda card: (gained[card], card))

    def count(self, request: CountRequest) -> int:
        """All points."""
        return sum(part.points for part in request.parts)


def balance(request: PlayRequest, first: Card, other: list[Card]) -> int:
    """Return the lead gained by a card when everybody is greedy after it (P2 to P4).

    Who played the card before is taken to have been the other.
    """
    hands = [list(request.hand), list(other)]
    pile, seat, last, gained = list(request.pile), 0, 1 if request.pile else None, [0, 0]
    while hands[0] or hands[1]:
        room = 31 - sum(VALUES[card] for card in pile)
        playable = [card for card in hands[seat] if VALUES[card] <= room]
        if playable:
            card = first if first in playable else greediest(pile, playable)
            hands[seat].remove(card)
            pile.append(card)
            last = seat
            gained[seat] += points(tuple(played.rank for played in pile))
            if VALUES[card] == room:
                pile, last = [], None
            elif not (hands[0] or hands[1]):
                gained[seat] += 1
        elif last == seat:
            gained[seat] += 1
            pile, last = [], None
        seat = 1 - seat
    return gained[0] - gained[1]


def greediest(pile: list[Card], playable: list[Card]) -> Card:
    """The card that makes most at once, the highest of several."""
    ranks = tuple(card.rank for card in pile)
    return max(playable, key=lambda card: (points((*ranks, card.rank)), card))


@cache
def points(ranks: tuple[int, ...]) -> int:
    """Return the points that the last of these ranks makes."""
    return play_points([DECK[4 * (rank - 1)] for rank in ranks])
