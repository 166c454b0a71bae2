"""Inference from the play so far: who played each card and said go, and who may hold which cards.

A player is given the cards played in order, but not the seats that played them. Seats take turns,
but a seat may have said go. So there are several possible courses of the play, called ways here.
All ways are followed together, card by card. A way is dropped if a seat has too few cards, or if a
seat said go although it held a card that fitted.

Example: two seats played K 7 9 5. The count was 26 before the 5. Either the next seat played the 5,
or the next seat said go, and the seat of the 9 played again. The way with fewer goes comes first;
this way is the result if it agrees with the number of cards left.

`Worlds` are the cards that the other players may hold: all cases if few cards are left, or else a
sample. A holding is a guess of the unknown cards at all other seats. Its weight is 0 if a seat
would have said go although a card fitted, and small if players seldom keep such four cards. The
weight is quartered for each card that its seat should have played earlier, because it was the
better play.

For example, two other seats hold four unknown cards each, 8 in all. The same random numbers draw
1,024 holdings every time. Of these, 160 are chosen by weight and played out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from companion.players.player import PlayRequest
from companion.players.values.rollout import VALUE
from companion.players.values.tables import (
    MEAN_POINTS,
    Floats,
    Ranks,
    Tables,
    place_of_four,
    ranks_of,
)
from companion.rules.cards import DECK, HAND, MOST_VALUE, THIRTY_ONE, VALUES, Card, play_points
from companion.rules.cards.card import RANKS, SUITS

MOST_WAYS = 32  # most ways that are followed; with six seats there can be more
EXHAUSTIVE_CARDS = 2  # with at most this many unknown cards, every holding is used
SAMPLED_CARDS = 8_192  # cards in the sample: the number of holdings times the unknown cards
MAX_HANDS = 480  # hands (holdings times seats) that remain if there were more than twice as many
HELD_BACK_CHANCE = 0.25  # factor of the weight for each better card that a seat held back


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPlay:
    """Card that `seat` played onto `pile`; seat 0 is the player who must now play."""

    seat: int
    pile: tuple[Card, ...]
    card: Card


def recall(request: PlayRequest) -> Recall | None:
    """Return the possible way of the play with the fewest goes, or None if there is none.

    The result is None if a side folded during the play, because the request then says that the side
    has no cards left to play.
    """
    ways = _different(_beginnings(request))
    for card in request.seen:
        ways = _different(after for way in ways for after in way.with_next(card))
    return next((present for way in ways for present in way.at_present()), None)


def _beginnings(request: PlayRequest) -> Iterator[Recall]:
    """Yield the first turn for each dealer: with all sides, then with another side sitting out."""
    seats, sides = len(request.cards_left), len(request.fronts)
    for absent in (None, *range(1, sides)):
        held = tuple(0 if seat % sides == absent else HAND for seat in range(seats))
        for dealer in range(seats):
            if (dealer % sides == 0) == request.dealer and held[dealer]:
                leader = _next_with_cards(held, dealer)
                yield Recall(
                    request=request, leader=leader, turn=leader, held=held, room=(0,) * seats
                )


def _different(ways: Iterable[Recall]) -> list[Recall]:
    """Return at most `MOST_WAYS` ways. Of ways that differ only in `plays`, keep the first."""
    found: dict[tuple[object, ...], Recall] = {}
    for way in ways:
        found.setdefault((way.leader, way.turn, way.held, way.room, way.went), way)
    return list(found.values())[:MOST_WAYS]


def _next_with_cards(held: tuple[int, ...], seat: int) -> int:
    """Return the next seat to the left that has cards, or `seat` if no other seat has cards."""
    around = ((seat + step) % len(held) for step in range(1, len(held) + 1))
    return next((other for other in around if held[other]), seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Possible way of the play so far.

    Attributes:
        request: the request of seat 0.
        leader: the seat that played the first card.
        turn: the seat whose turn is next.
        held: the number of cards that each seat still holds.
        room: for each seat, 31 minus the lowest count at which the seat has said go, or 0 if it has
            not. All cards that it held when it said go have greater values.
        plays: the cards played, in order.
        pile: the cards played since the count was 0.
        went: the seats that have said go since the count was 0.
    """

    request: PlayRequest
    leader: int
    turn: int
    held: tuple[int, ...]
    room: tuple[int, ...]
    plays: tuple[SeenPlay, ...] = ()
    pile: tuple[Card, ...] = ()
    went: frozenset[int] = frozenset()

    def played(self, seat: int) -> tuple[Card, ...]:
        return tuple(play.card for play in self.plays if play.seat == seat)

    @property
    def free(self) -> int:
        return THIRTY_ONE - sum(VALUES[card] for card in self.pile)

    def with_next(self, card: Card) -> Iterator[Recall]:
        way = self if VALUES[card] <= self.free else self.next_count()
        for turn in way.turns():
            if turn.may_play(card):
                yield turn.after(card)

    def at_present(self) -> Iterator[Recall]:
        """Yield this way at the turn of seat 0, if the way agrees with the request."""
        way = self.next_count() if self.pile and not self.request.pile else self
        if way.pile == self.request.pile and way.held[1:] == self.request.cards_left[1:]:
            yield from (turn for turn in way.turns() if turn.turn == 0)

    def next_count(self) -> Recall:
        room = tuple(max(most, self.free) for most in self.room)
        turn = _next_with_cards(self.held, self.plays[-1].seat)
        return replace(self, turn=turn, room=room, pile=(), went=frozenset())

    def turns(self) -> Iterator[Recall]:
        """Yield this way with each seat that can be next: after no go, one go, two goes, ..."""
        way = self
        for _ in self.held:
            seat = way.turn
            if way.held[seat] and seat not in way.went:
                if way.own_cards_agree():
                    yield way
                if way.free >= MOST_VALUE:  # every card fits, so no seat says go
                    return
                way = way.with_go(seat)
            way = replace(way, turn=(seat + 1) % len(self.held))

    def with_go(self, seat: int) -> Recall:
        room = (*self.room[:seat], max(self.room[seat], self.free), *self.room[seat + 1 :])
        return replace(self, room=room, went=self.went | {seat})

    def own_cards_agree(self) -> bool:
        """Return True if none of the cards of seat 0 fitted when seat 0 said go in this way."""
        return all(VALUES[card] > self.room[0] for card in self.request.hand)

    def may_play(self, card: Card) -> bool:
        """Return True if the next seat can have played this card.

        The seat must hold more cards before this play than at the time of the request. If the seat
        has said go before, the card must have been too high then.
        """
        seat = self.turn
        left = len(self.request.hand) if seat == 0 else self.request.cards_left[seat]
        return self.held[seat] > left and VALUES[card] > self.room[seat]

    def after(self, card: Card) -> Recall:
        seat = self.turn
        return replace(
            self,
            turn=(seat + 1) % len(self.held),
            held=(*self.held[:seat], self.held[seat] - 1, *self.held[seat + 1 :]),
            plays=(*self.plays, SeenPlay(seat=seat, pile=self.pile, card=card)),
            pile=(*self.pile, card),
        )


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
