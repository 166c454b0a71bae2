"""Leads a game of cards on the board: deals, asks the seats, has every count pegged.

A croupier yields what is next (a `Moment`) and goes on with the answer that it is sent. Whoever
runs it brings the players, the board and the time: so a thousand games in a row and one at a
table with people are led alike.

The pegs are not the croupier's alone: at a table a referee calls, somebody takes back a count or
presses Deal. Cards are never taken back for it. A count that was taken back is not made again; a
side that has folded or been boxed meanwhile folds its cards; a game that has been won is over.
Where the table has gone to another hand, the cards on it are put away and that hand is dealt, or
the next one if it has been counted in. A game with other sides is none of this croupier's: it
leaves.
"""

from __future__ import annotations

import random
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from companion.errors import RuleError
from companion.players.match.observation import question
from companion.players.player import DiscardAsk, PlayAsk
from companion.rules.cards import DECK, Card
from companion.rules.deal import (
    Command,
    Count,
    CutStarter,
    Discard,
    Discarded,
    Event,
    Fold,
    GoOn,
    Phase,
    PlayCard,
    Played,
    SayGo,
    Seating,
    Shown,
    Stop,
    Why,
    cut_for_deal,
    decide,
    fold,
    heels_barred,
    new_deal,
)
from companion.rules.deal import State as Hand
from companion.rules.deal.state import HAND, Starter
from companion.rules.game import Command as TableCommand
from companion.rules.game import Deal, MoveInBox, Peg, Setup, State

Cause: TypeAlias = Played | Shown

_MADE_BY_CARDS = (Why.PLAY, Why.HAND, Why.CRIB)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A seat must choose; the answer is what a `Player` answers.

    `refused` is what the rules said to the answer before, if there was one.
    """

    seat: int
    ask: DiscardAsk | PlayAsk
    refused: RuleError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Do:
    """The table must carry out a command; the answer is the game's state after it.

    `count` is what a `Peg` is for, `cause` the card or hand that made it, if one did.
    """

    command: TableCommand
    count: Count | None = None
    cause: Cause | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Something happened with the cards; `hand` is how they stand now. None is the answer.

    `events` is empty when the cards have just been dealt.
    """

    events: tuple[Event, ...]
    hand: Hand


Moment: TypeAlias = Ask | Do | Told

Answer: TypeAlias = State | tuple[Card, ...] | Card | None
"""The answer to a step; a `State` answers any step if the game was changed from outside."""

Leading: TypeAlias = Generator[Moment, Answer]


def lead_game(state: State, dice: random.Random) -> Leading:
    """Lead a game to its win: from the cut for deal, or from the next hand if it has begun."""
    yield from _Croupier(setup=state.setup, state=state, dice=dice).lead()


@dataclass(slots=True, kw_only=True)
class _Croupier:
    """One game being led: the pegs, the cards, and what the seats have seen of them.

    `dealt` is the hand of the game for which the cards were dealt, and its dealer.
    """

    setup: Setup
    state: State
    dice: random.Random
    hand: Hand = field(init=False)
    dealt: tuple[int, int] | None = None
    cause: Cause | None = None
    seen: list[Card] = field(default_factory=list)
    thrown: dict[int, tuple[Card, ...]] = field(default_factory=dict)

    def lead(self) -> Leading:
        """Deal hand after hand, as long as the game goes on."""
        if not self.state.counts:
            yield from self.cut_for_deal()
        while self.goes_on:
            command = self.before_cards()
            yield from self.do(command) if command else self.lead_hand()

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

    def do(self, command: TableCommand, count: Count | None = None) -> Leading:
        """Have a command carried out."""
        cause = self.cause if count and count.why in _MADE_BY_CARDS else None
        self.note((yield Do(command=command, count=count, cause=cause)))

    def note(self, answer: Answer) -> None:
        """Go on from a game that has changed."""
        if isinstance(answer, State):
            self.state = answer

    # Before the cards

    def cut_for_deal(self) -> Leading:
        """Cut until one seat has the lowest card (T2)."""
        seats = tuple(range(1, self.setup.players + 1))
        while len(seats) > 1:
            cards = self.dice.sample(DECK, len(seats))
            seats = cut_for_deal(dict(zip(seats, cards, strict=True)))
        if seats != (self.state.dealer,):
            yield from self.do(Deal(dealer=seats[0]))

    def before_cards(self) -> TableCommand | None:
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
        deck = self.dice.sample(DECK, len(DECK))
        starter = cast("Starter", self.setup.rules.starter)
        self.hand = new_deal(seating, deck, starter=starter, goes_inferred=True)
        self.dealt = self.state.hand, self.state.dealer
        self.cause = None
        self.seen.clear()
        self.thrown.clear()

    # One hand

    def lead_hand(self) -> Leading:
        """Deal, and lead the hand to its end, or to where the game leaves it."""
        self.deal_cards()
        yield from self.tell(())
        while self.goes_on and self.is_dealt and self.hand.phase is not Phase.OVER:
            folded = self.folded()
            if folded:
                yield from self.take(Fold(team=folded[0]))
            elif self.hand.due:
                yield from self.peg(self.hand.due)
            elif self.hand.phase is Phase.STARTER:
                yield from self.take(self.cut())
            else:
                yield from self.ask()
        if not self.is_dealt:
            self.dealt = None  # if the game comes back to this hand, it has to be dealt again
        if self.state.winner is not None and self.hand.phase is not Phase.OVER:
            yield from self.take(Stop())

    def take(self, command: Command) -> Leading:
        """Carry out what nobody chooses."""
        yield from self.tell(decide(self.hand, command))

    def tell(self, events: tuple[Event, ...]) -> Leading:
        """Go on to how the cards stand after these events, and tell it."""
        for event in events:
            match event:
                case Discarded():
                    self.thrown[event.seat] = event.cards
                case Played():
                    self.seen.append(event.card)
                    self.cause = event
                case Shown():
                    self.cause = event
        self.hand = fold(self.hand, events)
        self.note((yield Told(events=events, hand=self.hand)))

    def cut(self) -> Command:
        """Turn up the starter; near the finish a jack is no heels (T6, T7)."""
        seating, track = self.hand.seating, self.setup.track
        front = self.state.side(seating.team_of(seating.dealer)).front
        ban = self.setup.rules.heels_ban
        return CutStarter(
            seat=seating.cutter,
            at=self.dice.randrange(len(self.hand.deck)),
            heels_barred=heels_barred(front, finish=track.finish, ban=ban),
        )

    def peg(self, count: Count) -> Leading:
        """Have a count pegged, and tell the deal what its landing brought (P7, Z5)."""
        team = self.setup.team_of(count.seat)
        yield from self.do(Peg(team=team, points=count.points, why=count.why), count)
        if self.goes_on and self.is_dealt:
            yield from self.take(GoOn(folded=self.folded()))

    def folded(self) -> tuple[int, ...]:
        """Return the sides out of this hand by their pegs, but not by their cards (Z5, Z7)."""
        playing = {self.setup.team_of(hand.seat) for hand in self.hand.hands if not hand.folded}
        sides = ((team, self.state.side(team)) for team in sorted(playing))
        return tuple(team for team, side in sides if side.folded or side.boxed)

    # Asking

    def ask(self) -> Leading:
        """Ask whose turn it is, until the rules take the answer or the game has changed."""
        seat, refused = self.seat_to_ask(), None
        thrown = self.thrown.get(seat, ())
        asked = question(self.state, self.hand, seat, thrown=thrown, seen=self.seen)
        while True:
            answer = yield Ask(seat=seat, ask=asked, refused=refused)
            if isinstance(answer, State):
                self.note(answer)
                return
            try:
                events = decide(self.hand, _choice(seat, answer))
            except RuleError as error:
                refused = error
            else:
                yield from self.tell(events)
                return

    def seat_to_ask(self) -> int:
        """Return the seat whose turn it is, or the next that holds more than a hand (T3)."""
        if self.hand.turn is not None:
            return self.hand.turn
        return next(hand.seat for hand in self.hand.hands if len(hand.cards) > HAND)


def _choice(seat: int, answer: tuple[Card, ...] | Card | None) -> Command:
    """Return the command that a seat's answer stands for."""
    if isinstance(answer, tuple):
        return Discard(seat=seat, cards=answer)
    return SayGo(seat=seat) if answer is None else PlayCard(seat=seat, card=answer)
