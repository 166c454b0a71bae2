"""Inference of the play so far: the seat of each card seen, and the goes between them.

A request tells the cards played in order, not who played them. The order of turns does, but for
goes that nobody remembers: a seat may have said go where it had nothing that fitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.players.player import PlayRequest
from companion.rules.cards import HAND, MOST_VALUE, THIRTY_ONE, VALUES, Card

MOST_WAYS = 32
"""Ways that are followed at once: where many seats play, nobody could tell more of them apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPlay:
    """A card with the pile before it, and the seat that played it, 0 being who asks."""

    seat: int
    pile: tuple[Card, ...]
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """The play so far: `plays` in order, the seat that led, and the goes that were said.

    `room[seat]` is the most that a count had left when the seat said go: whatever it held then is
    worth more.
    """

    leader: int
    plays: tuple[SeenPlay, ...]
    room: tuple[int, ...]

    def played(self, seat: int) -> tuple[Card, ...]:
        return tuple(play.card for play in self.plays if play.seat == seat)


def recall(request: PlayRequest) -> Recall | None:
    """Return a play that explains the cards seen; None if no order of turns does.

    Of several ways it is the one with the fewest goes. A side that folded in the middle of the
    play is explained by none: nobody knows what it still held.
    """
    ways = _different(_beginnings(request))
    for card in request.seen:
        ways = _different(after for way in ways for after in way.with_next(card))
    presents = (present for way in ways for present in way.at_present())
    found = (Recall(leader=way.leader, plays=way.plays, room=way.room) for way in presents)
    return next(found, None)


def _beginnings(request: PlayRequest) -> Iterator[_Way]:
    """Yield the possible starts of the play: all seats in it, or one side without cards."""
    seats, sides = len(request.cards_left), len(request.fronts)
    for absent in (None, *range(1, sides)):
        held = tuple(0 if seat % sides == absent else HAND for seat in range(seats))
        for dealer in range(seats):
            if (dealer % sides == 0) == request.dealer and held[dealer]:
                leader = _next_with_cards(held, dealer)
                yield _Way(
                    request=request, leader=leader, turn=leader, held=held, room=(0,) * seats
                )


def _different(ways: Iterable[_Way]) -> list[_Way]:
    """Return the ways that differ in what can follow; of equal ones the first."""
    found: dict[tuple[object, ...], _Way] = {}
    for way in ways:
        found.setdefault((way.leader, way.turn, way.held, way.room, way.went), way)
    return list(found.values())[:MOST_WAYS]


def _next_with_cards(held: tuple[int, ...], seat: int) -> int:
    """Return the first seat left of this one that has cards, the seat itself coming last."""
    around = ((seat + step) % len(held) for step in range(1, len(held) + 1))
    return next((other for other in around if held[other]), seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """One way the play can have gone so far.

    `held` are the cards that each seat has not played yet, `went` those who have said go in this
    count, `turn` the seat that has not, and is next.
    """

    request: PlayRequest
    leader: int
    turn: int
    held: tuple[int, ...]
    room: tuple[int, ...]
    plays: tuple[SeenPlay, ...] = ()
    pile: tuple[Card, ...] = ()
    went: frozenset[int] = frozenset()

    @property
    def free(self) -> int:
        """Points that the count has left to 31."""
        return THIRTY_ONE - sum(VALUES[card] for card in self.pile)

    def with_next(self, card: Card) -> Iterator[_Way]:
        """Yield the continuations with the next of the cards seen."""
        way = self if VALUES[card] <= self.free else self.next_count()
        for turn in way.turns():
            if turn.may_play(card):
                yield turn.after(card)

    def at_present(self) -> Iterator[_Way]:
        """Yield the way with its turn at the asking seat, if cards left and pile agree."""
        way = self.next_count() if self.pile and not self.request.pile else self
        if way.pile == self.request.pile and way.held[1:] == self.request.cards_left[1:]:
            yield from (turn for turn in way.turns() if turn.turn == 0)

    def next_count(self) -> _Way:
        """Return the way with the count at 0 again, the next in turn leading (P4)."""
        room = tuple(max(most, self.free) for most in self.room)
        turn = _next_with_cards(self.held, self.plays[-1].seat)
        return replace(self, turn=turn, room=room, pile=(), went=frozenset())

    def turns(self) -> Iterator[_Way]:
        """Yield the possible turns: the next seat to the left, then those who waited for its go."""
        way = self
        for _ in self.held:
            seat = way.turn
            if way.held[seat] and seat not in way.went:
                if way.own_cards_agree():
                    yield way
                if way.free >= MOST_VALUE:  # every card fits: nobody has to wait
                    return
                way = way.with_go(seat)
            way = replace(way, turn=(seat + 1) % len(self.held))

    def with_go(self, seat: int) -> _Way:
        """Return the way after a seat's go."""
        room = (*self.room[:seat], max(self.room[seat], self.free), *self.room[seat + 1 :])
        return replace(self, room=room, went=self.went | {seat})

    def own_cards_agree(self) -> bool:
        """Return True if none of the own cards fitted where the own seat is to have said go."""
        return all(VALUES[card] > self.room[0] for card in self.request.hand)

    def may_play(self, card: Card) -> bool:
        """Return True if the seat whose turn it is played more, and held this card at its goes."""
        seat = self.turn
        left = len(self.request.hand) if seat == 0 else self.request.cards_left[seat]
        return self.held[seat] > left and VALUES[card] > self.room[seat]

    def after(self, card: Card) -> _Way:
        """Return the way after the card of the seat whose turn it is."""
        seat = self.turn
        return replace(
            self,
            turn=(seat + 1) % len(self.held),
            held=(*self.held[:seat], self.held[seat] - 1, *self.held[seat + 1 :]),
            plays=(*self.plays, SeenPlay(seat=seat, pile=self.pile, card=card)),
            pile=(*self.pile, card),
        )
