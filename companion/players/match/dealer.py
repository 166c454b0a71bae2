"""Dealer of a game of cards on the board: deals, asks the seats to choose, has every count pegged.

A dealer yields a `DealerStep` and goes on with the answer that it is sent. Its caller brings the
players, the board and the time: so a thousand games in a row and a game with people at a table run
by the same code.

The pegs are not the dealer's alone: at a table a referee calls, a count is taken back, Deal is
pressed. Cards are never taken back for it. A count that was taken back is not made again; a side
that has folded or been boxed meanwhile folds its cards; a game that has been won is over. If the
table has gone to another hand, the cards are put away and that hand is dealt, or the next one if
counts were made in it. A game with other sides ends the dealer's work.
"""

from __future__ import annotations

import random
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from companion.errors import RuleError
from companion.players.match.observation import request_for
from companion.players.player import DiscardRequest, PlayRequest
from companion.rules import deal, game
from companion.rules.cards import DECK, Card
from companion.rules.deal import (
    ConfirmCount,
    Count,
    CountKind,
    CutStarter,
    Discard,
    Discarded,
    Fold,
    Phase,
    PlayCard,
    Played,
    SayGo,
    Seating,
    Shown,
    Stop,
    apply_all,
    cut_for_deal,
    decide,
    heels_barred,
    new_deal,
)
from companion.rules.deal.state import HAND, Starter
from companion.rules.game import Deal, MoveInBox, Peg, Setup, State

Cause: TypeAlias = Played | Shown

_MADE_BY_CARDS = (CountKind.PLAY, CountKind.HAND, CountKind.CRIB)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Request to a seat; the answer is that of a `Player`.

    `refused` is the error of the answer before, if the rules refused it.
    """

    seat: int
    request: DiscardRequest | PlayRequest
    refused: RuleError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Apply:
    """Command that the table must carry out; the answer is the game's state after it.

    A `Peg` is for `count`; `cause` is the card or hand that made it, if one did.
    """

    command: game.Command
    count: Count | None = None
    cause: Cause | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce:
    """Events of the cards, which led to `hand`; the answer is None.

    `events` is empty when the cards have just been dealt.
    """

    events: tuple[deal.Event, ...]
    hand: deal.State


DealerStep: TypeAlias = Request | Apply | Announce

Answer: TypeAlias = State | tuple[Card, ...] | Card | None
"""The answer to a step; a `State` answers any step if the game was changed from outside."""

DealerSteps: TypeAlias = Generator[DealerStep, Answer]


def run_game(state: State, rng: random.Random, *, cut: bool = True) -> DealerSteps:
    """Run a game to its win: from the cut for deal, or from the next hand if it has begun.

    Without a `cut` the dealer that the state names deals the first hand.
    """
    yield from _Dealer(setup=state.setup, state=state, rng=rng).run(cut=cut)


@dataclass(slots=True, kw_only=True)
class _Dealer:
    """Dealer of one game: the pegs, the cards, and the cards that the seats have seen.

    `dealt` is the hand of the game for which the cards were dealt, and its dealer.
    """

    setup: Setup
    state: State
    rng: random.Random
    hand: deal.State = field(init=False)
    dealt: tuple[int, int] | None = None
    cause: Cause | None = None
    seen: list[Card] = field(default_factory=list)
    discarded: dict[int, tuple[Card, ...]] = field(default_factory=dict)

    def run(self, *, cut: bool) -> DealerSteps:
        """Deal hand after hand, as long as the game goes on."""
        if cut and not self.state.counts:
            yield from self.cut_for_deal()
        while self.goes_on:
            command = self.before_cards()
            yield from self.do(command) if command else self.run_hand()

    @property
    def goes_on(self) -> bool:
        """True while nobody has won and the sides are those that the game began with."""
        return self.state.winner is None and self.state.setup == self.setup

    @property
    def is_spent(self) -> bool:
        """True if cards were dealt or counted in this hand, or a boxed side would deal (Z11)."""
        dealer = self.state.side(self.setup.team_of(self.state.dealer))
        return self.is_dealt or self.state.counts_in_hand > 0 or dealer.boxed is not None

    @property
    def is_dealt(self) -> bool:
        """True if the cards are those of the hand in which the game stands."""
        return self.dealt == (self.state.hand, self.state.dealer)

    def do(self, command: game.Command, count: Count | None = None) -> DealerSteps:
        """Have a command carried out."""
        cause = self.cause if count and count.why in _MADE_BY_CARDS else None
        self.note((yield Apply(command=command, count=count, cause=cause)))

    def note(self, answer: Answer) -> None:
        """Go on from a game that has changed."""
        if isinstance(answer, State):
            self.state = answer

    # Before the cards

    def cut_for_deal(self) -> DealerSteps:
        """Cut until one seat has the lowest card (T2)."""
        seats = tuple(range(1, self.setup.players + 1))
        while len(seats) > 1:
            cards = self.rng.sample(DECK, len(seats))
            seats = cut_for_deal(dict(zip(seats, cards, strict=True)))
        if seats != (self.state.dealer,):
            yield from self.do(Deal(dealer=seats[0]))

    def before_cards(self) -> game.Command | None:
        """Return the command due before cards are dealt: Deal, or a boxed side's own move (Z7)."""
        if self.is_spent:
            return Deal()
        team = self.state.boxed_team()
        boxed = team and self.state.side(team).boxed
        owes = team and boxed and boxed.hands and boxed.may_move
        return MoveInBox(team=team) if team and owes else None

    def deal_cards(self) -> None:
        """Deal to all but a boxed side (Z11)."""
        seating = Seating.make(
            players=self.setup.players,
            dealer=self.state.dealer,
            lanes=self.setup.lanes,
            boxed=self.state.boxed_team(),
        )
        deck = self.rng.sample(DECK, len(DECK))
        starter = cast("Starter", self.setup.rules.starter)
        self.hand = new_deal(seating, deck, starter=starter, goes_inferred=True)
        self.dealt = self.state.hand, self.state.dealer
        self.cause = None
        self.seen.clear()
        self.discarded.clear()

    # One hand

    def run_hand(self) -> DealerSteps:
        """Deal, and run the hand to its end, or until the game leaves it."""
        self.deal_cards()
        yield from self.notify(())
        while self.goes_on and self.is_dealt and self.hand.phase is not Phase.OVER:
            folded = self.folded()
            if folded:
                yield from self.take(Fold(team=folded[0]))
            elif self.hand.due:
                yield from self.peg(self.hand.due)
            elif self.hand.phase is Phase.STARTER:
                yield from self.take(self.cut())
            else:
                yield from self.choose()
        if not self.is_dealt:
            self.dealt = None  # if the game comes back to this hand, it has to be dealt again
        if self.state.winner is not None and self.hand.phase is not Phase.OVER:
            yield from self.take(Stop())

    def take(self, command: deal.Command) -> DealerSteps:
        """Carry out a command that no seat chooses."""
        yield from self.notify(decide(self.hand, command))

    def notify(self, events: tuple[deal.Event, ...]) -> DealerSteps:
        """Apply these events of the cards, and yield them."""
        for event in events:
            match event:
                case Discarded():
                    self.discarded[event.seat] = event.cards
                case Played():
                    self.seen.append(event.card)
                    self.cause = event
                case Shown():
                    self.cause = event
        self.hand = apply_all(self.hand, events)
        self.note((yield Announce(events=events, hand=self.hand)))

    def cut(self) -> deal.Command:
        """Turn up the starter; near the finish a jack is no heels (T6, T7)."""
        seating, track = self.hand.seating, self.setup.track
        front = self.state.side(seating.team_of(seating.dealer)).front
        ban = self.setup.rules.heels_ban
        return CutStarter(
            seat=seating.cutter,
            at=self.rng.randrange(len(self.hand.deck)),
            heels_barred=heels_barred(front, finish=track.finish, ban=ban),
        )

    def peg(self, count: Count) -> DealerSteps:
        """Have a count pegged, then fold the sides that its landing folds (P7, Z5)."""
        team = self.setup.team_of(count.seat)
        yield from self.do(Peg(team=team, points=count.points, why=count.why), count)
        if self.goes_on and self.is_dealt:
            yield from self.take(ConfirmCount(folded=self.folded()))

    def folded(self) -> tuple[int, ...]:
        """Return the sides out of this hand by their pegs, but not by their cards (Z5, Z7)."""
        playing = {self.setup.team_of(hand.seat) for hand in self.hand.hands if not hand.folded}
        sides = ((team, self.state.side(team)) for team in sorted(playing))
        return tuple(team for team, side in sides if side.folded or side.boxed)

    # Choices

    def choose(self) -> DealerSteps:
        """Ask the seat in turn, until the rules accept its answer or the game has changed."""
        seat, refused = self.seat_to_choose(), None
        discarded = self.discarded.get(seat, ())
        request = request_for(self.state, self.hand, seat, discarded=discarded, seen=self.seen)
        while True:
            answer = yield Request(seat=seat, request=request, refused=refused)
            if isinstance(answer, State):
                self.note(answer)
                return
            try:
                events = decide(self.hand, _choice(seat, answer))
            except RuleError as error:
                refused = error
            else:
                yield from self.notify(events)
                return

    def seat_to_choose(self) -> int:
        """Return the seat whose turn it is, or the next that holds more than a hand (T3)."""
        if self.hand.turn is not None:
            return self.hand.turn
        return next(hand.seat for hand in self.hand.hands if len(hand.cards) > HAND)


def _choice(seat: int, answer: tuple[Card, ...] | Card | None) -> deal.Command:
    """Return the command that a seat's answer stands for."""
    if isinstance(answer, tuple):
        return Discard(seat=seat, cards=answer)
    return SayGo(seat=seat) if answer is None else PlayCard(seat=seat, card=answer)
