"""A player that looks ahead in a simple way: the oracle of the shark, and its opponent.

It keeps the cards with the greatest mean of the hand over all starters, counted one by one, plus or
minus the mean of the crib. To choose a card it deals the unseen cards at random and plays them out;
every player takes the most points at once. It plays with two on a plain board. From the package
under test it uses only the requests and the means of the cribs, which have an oracle of their own.
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
    """Player that goes by expected points, card by card and deal by deal."""

    def __init__(self, rng: random.Random, deals: int = DEALS) -> None:
        self.rng = rng
        self.deals = deals
        self.cribs = {own: crib_means(load_tables().cribs[2, own]) for own in (True, False)}

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        """Return the two cards that leave the most points."""
        return max(
            combinations(request.hand, 2), key=lambda discarded: self.worth(request, discarded)
        )

    def worth(self, request: DiscardRequest, discarded: tuple[Card, ...]) -> float:
        """Return the hand's mean, plus the own crib's or minus the other's."""
        kept = [card for card in request.hand if card not in discarded]
        starters = [card for card in DECK if card not in request.hand]
        hand = sum(show_points(kept, starter) for starter in starters) / len(starters)
        crib = self.cribs[request.dealer][discarded[0].rank - 1, discarded[1].rank - 1]
        return float(hand + crib if request.dealer else hand - crib)

    def play(self, request: PlayRequest) -> Card | None:
        """Return the card that gains most over all deals of the unseen cards."""
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
        """Return all points."""
        return sum(part.points for part in request.parts)


def balance(request: PlayRequest, first: Card, other: list[Card]) -> int:
    """Return the lead that a card gains if all cards after it are played greedily (P2 to P4).

    The other player is assumed to have played the card before.
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
    """Return the card that makes most at once, the highest of equal ones."""
    ranks = tuple(card.rank for card in pile)
    return max(playable, key=lambda card: (points((*ranks, card.rank)), card))


@cache
def points(ranks: tuple[int, ...]) -> int:
    """Return the points that the last of these ranks makes."""
    return play_points([DECK[4 * (rank - 1)] for rank in ranks])
