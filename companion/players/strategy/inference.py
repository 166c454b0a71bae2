"""Inference of the play so far: the seat that played each card, and the seats that said go.

A player is given the cards played in order, but not the seats that played them. Seats take turns,
but a seat may have said go. So there are several possible courses of the play, called ways here.
All ways are followed together, card by card. A way is dropped if a seat has too few cards, or if a
seat said go although it held a card that fitted.

Example: two seats played K 7 9 5. The count was 26 before the 5. Either the next seat played the 5,
or the next seat said go, and the seat of the 9 played again. The way with fewer goes comes first;
this way is the result if it agrees with the number of cards left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.players.player import PlayRequest
from companion.rules.cards import HAND, MOST_VALUE, THIRTY_ONE, VALUES, Card

MOST_WAYS = 32  # most ways that are followed; with six seats there can be more


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
