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
from dataclasses import dataclass, field, replace

from companion.errors import RuleError
from companion.players.match.deal_record import DealRecord
from companion.players.match.observation import count_request_for, request_for
from companion.players.match.steps import (
    Announce,
    Answer,
    Apply,
    Cause,
    Challenge,
    CutForDeal,
    DealerSteps,
    Declare,
    Request,
)
from companion.players.player import CountRequest
from companion.rules import deal, game
from companion.rules.cards import DECK, Card
from companion.rules.deal import (
    ConfirmCount,
    Count,
    CutStarter,
    Discard,
    Discarded,
    Fold,
    Phase,
    PlayCard,
    Played,
    SayGo,
    Shown,
    Stop,
    apply_all,
    cut_for_deal,
    decide,
    heels_barred,
)
from companion.rules.deal.declared_count import DECLARED_KINDS, DeclaredCount, declare
from companion.rules.deal.state import HAND
from companion.rules.game import Deal, Match, MoveInBox, Peg, Setup, State, muggins_applies


def run_game(
    state: State,
    rng: random.Random,
    *,
    cut: bool = True,
    declares: bool = False,
    record: DealRecord | None = None,
) -> DealerSteps:
    """Run a game to its win: from the cut for deal, or from the next hand if it has begun.

    Without a `cut` the dealer that the state names deals the first hand. With `declares`, sides
    count for themselves as far as the house rule muggins reaches (M1, M3); else, or beyond it,
    every count is what the cards make. A `record` of the hand in which the game stands is played
    on; a count declared before it is no longer open to calls.
    """
    declares = declares and state.setup.rules.muggins != "off"
    dealer = _Dealer(
        setup=state.setup,
        match=state.match,
        state=state,
        rng=rng,
        declares=declares,
        record=record,
    )
    yield from dealer.run(cut=cut)


@dataclass(slots=True, kw_only=True)
class _Declared:
    """Count declared last, and the game and the cards as they stood before it.

    `state` is None for one that was declared before a restart. `confirmed` are the cards once they
    have gone on from it, if they have.
    """

    due: Count
    count: DeclaredCount
    request: CountRequest
    state: State | None
    hand: deal.State
    record: DealRecord
    confirmed: deal.State | None = None
    is_closed: bool = False


@dataclass(slots=True, kw_only=True)
class _Dealer:
    """Dealer of one game: the pegs, the cards, and the cards that the seats have seen.

    `record` is that of the hand dealt last, None once the game has left it. `declared` is the last
    declared count of the hand, `retracted` one that was taken back after more cards.
    """

    setup: Setup
    match: Match
    state: State
    rng: random.Random
    declares: bool
    record: DealRecord | None
    hand: deal.State = field(init=False)
    cause: Cause | None = None
    declared: _Declared | None = None
    retracted: _Declared | None = None
    seen: list[Card] = field(default_factory=list)
    discarded: dict[int, tuple[Card, ...]] = field(default_factory=dict)

    def run(self, *, cut: bool) -> DealerSteps:
        """Deal hand after hand, as long as the game goes on."""
        if self.record:
            yield from self.restore_cards(self.record)
        elif cut and not self.state.counts:
            yield from self.cut_for_deal()
        while self.goes_on:
            command = self.before_cards()
            if command:
                yield from self.do(command)
            else:
                self.deal_cards()
                yield from self.run_hand()

    @property
    def goes_on(self) -> bool:
        """True while nobody has won and the sides are those that the game began with.

        The next game of a match, which may come at once, has another score than this one.
        """
        same = (self.state.setup, self.state.match) == (self.setup, self.match)
        return same and self.state.winner is None

    @property
    def is_spent(self) -> bool:
        """True if cards were dealt or counted in this hand, or a boxed side would deal (Z11)."""
        dealer = self.state.side(self.setup.team_of(self.state.dealer))
        return self.is_dealt or self.state.counts_in_hand > 0 or dealer.boxed is not None

    @property
    def is_dealt(self) -> bool:
        """True if the cards are those of the hand in which the game stands."""
        return self.record is not None and self.record.is_of(self.state)

    @property
    def dealt(self) -> DealRecord:
        """The record of the hand that is dealt."""
        assert self.record is not None  # noqa: S101  # asked for while there are cards
        return self.record

    def do(self, command: game.Command, count: Count | None = None) -> DealerSteps:
        """Have a command carried out."""
        by_cards = count and count.why in DECLARED_KINDS and not self.is_declared(count)
        cause = self.cause if by_cards else None
        record = self.record if self.is_dealt else None
        self.note((yield Apply(command=command, count=count, cause=cause, record=record)))

    def note(self, answer: Answer) -> None:
        """Go on from a game that has changed."""
        if not isinstance(answer, State):
            return
        self.state = answer
        declared = self.declared
        if declared and declared.count.declared and answer is declared.state:
            self.retract(declared)

    def retract(self, declared: _Declared) -> None:
        """Await a count again that was taken back; cards that were played since stay."""
        self.declared = None
        if declared.confirmed in (None, self.hand):
            self.hand, self.record = declared.hand, declared.record
        else:
            self.retracted = declared

    # Before the cards

    def cut_for_deal(self) -> DealerSteps:
        """Cut until one seat has the lowest card, which deals first (T2)."""
        seats = tuple(range(1, self.setup.players + 1))
        while len(seats) > 1:
            cuts = dict(zip(seats, self.rng.sample(DECK, len(seats)), strict=True))
            self.note((yield CutForDeal(cuts=cuts)))
            seats = cut_for_deal(cuts)
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
        record = DealRecord(
            hand=self.state.hand,
            dealer=self.state.dealer,
            boxed=self.state.boxed_team(),
            deck=tuple(self.rng.sample(DECK, len(DECK))),
            zero_counts=self.declares,
        )
        self.begin_hand(record)

    def begin_hand(self, record: DealRecord) -> None:
        """Take the cards as they were dealt."""
        self.record, self.hand = record, record.start(self.setup)
        self.cause = self.declared = self.retracted = None
        self.seen.clear()
        self.discarded.clear()

    def restore_cards(self, record: DealRecord) -> DealerSteps:
        """Play a hand on from its record, unless the game has left it."""
        self.begin_hand(replace(record, commands=()))
        for command in record.commands:
            self.apply(command, decide(self.hand, command))
        self.record = record
        yield from self.run_hand()

    # One hand

    def run_hand(self) -> DealerSteps:
        """Run the hand that is dealt to its end, or until the game leaves it."""
        if self.is_dealt:
            yield from self.announce(())
        while self.goes_on and self.is_dealt and self.hand.phase is not Phase.OVER:
            folded = self.folded()
            if folded:
                yield from self.take(Fold(team=folded[0]))
            elif self.retracted:
                yield from self.declare(self.retracted.due, self.retracted.request)
            elif self.hand.due:
                yield from self.count(self.hand.due)
            elif self.hand.phase is Phase.STARTER:
                yield from self.take(self.cut())
            else:
                yield from self.choose()
        if not self.is_dealt:
            self.record = None  # if the game comes back to this hand, it has to be dealt again
        if self.record and self.state.winner is not None and self.hand.phase is not Phase.OVER:
            yield from self.take(Stop())

    def take(self, command: deal.Command) -> DealerSteps:
        """Carry out a command that no seat chooses."""
        events = decide(self.hand, command)
        self.apply(command, events)
        yield from self.announce(events)

    def apply(self, command: deal.Command, events: tuple[deal.Event, ...]) -> None:
        """Apply a command's events to the cards, and record it."""
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
        self.record = self.dealt.then(command)

    def announce(self, events: tuple[deal.Event, ...]) -> DealerSteps:
        """Yield events of the cards, which have been applied."""
        due = self.hand.due
        hidden = due is not None and self.is_declared(due)
        step = Announce(events=events, hand=self.hand, record=self.dealt, points_hidden=hidden)
        self.note((yield step))

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

    def count(self, due: Count) -> DealerSteps:
        """Have a count that is due declared or pegged, once that before it is closed."""
        if self.dealt.pegged:
            yield from self.go_on_from_pegged(due)
        elif self.is_declared(due):
            yield from self.declare(due, count_request_for(self.hand, due))
        elif self.declared and not self.declared.is_closed:
            yield from self.challenge(self.declared, closes=True)
        else:
            self.record = replace(self.dealt, pegged=True)
            yield from self.peg(due)
            yield from self.confirm(due)

    def confirm(self, due: Count) -> DealerSteps:
        """Have the cards go on from a count that they wait for."""
        if self.is_to_confirm(due):
            yield from self.take(ConfirmCount(folded=self.folded()))

    def go_on_from_pegged(self, due: Count) -> DealerSteps:
        """Go on, after a restart, from a count that stands on the board already."""
        points, record = self.dealt.declared, replace(self.dealt, pegged=False, declared=None)
        if points is None:
            yield from self.confirm(due)
        else:
            request = count_request_for(self.hand, due)
            yield from self.close(self.note_declared(due, request, points, None, record))

    def peg(self, count: Count) -> DealerSteps:
        """Have a count pegged (P7), unless it is of no points."""
        if count.points:
            team = self.setup.team_of(count.seat)
            yield from self.do(Peg(team=team, points=count.points, why=count.why), count)

    def is_to_confirm(self, due: Count) -> bool:
        """Return True if the cards wait for this count to be confirmed."""
        return self.goes_on and self.is_dealt and self.hand.due is due

    # Counts that sides declare

    def is_declared(self, count: Count) -> bool:
        """Return True if a side makes this count itself (M3, M4)."""
        team = self.setup.team_of(count.seat)
        return self.declares and count.why in DECLARED_KINDS and muggins_applies(self.state, team)

    def declare(self, due: Count, request: CountRequest) -> DealerSteps:
        """Have a side declare a count and peg it; then others may call muggins (M1)."""
        count = self.awaited(due)
        record = self.dealt
        previous = self.declared.count if self.declared and not self.declared.is_closed else None
        points = yield Declare(
            count=count, request=request, hand=self.hand, record=record, previous=previous
        )
        if not isinstance(points, int):
            self.note(points)
            return
        self.retracted = None
        declared = self.note_declared(due, request, points, self.state, record)
        if self.hand.due is due:
            self.record = replace(record, pegged=True, declared=points)
        yield from self.peg(replace(due, points=points))
        yield from self.close(declared)

    def awaited(self, due: Count) -> DeclaredCount:
        """Return a count that its side is to declare."""
        team = self.setup.team_of(due.seat)
        return DeclaredCount(team=team, seat=due.seat, why=due.why, actual=due.points)

    def note_declared(
        self,
        due: Count,
        request: CountRequest,
        points: int,
        state: State | None,
        record: DealRecord,
    ) -> _Declared:
        """Note a declared count, with the game and the cards before it."""
        count = self.awaited(due)
        self.declared = _Declared(
            due=due,
            count=declare(count, count.team, points),
            request=request,
            state=state,
            hand=self.hand,
            record=record,
        )
        return self.declared

    def close(self, declared: _Declared) -> DealerSteps:
        """Offer a declared count to the others, then have the cards go on from it."""
        due = declared.due
        yield from self.challenge(declared, closes=self.is_to_confirm(due) and self.moves_on())
        if self.declared is declared and self.is_to_confirm(due):
            yield from self.confirm(due)
            declared.confirmed = self.hand

    def challenge(self, declared: _Declared, *, closes: bool) -> DealerSteps:
        """Let the other sides call muggins, as long as calls change the game."""
        while self.goes_on and self.is_dealt and self.declared is declared:
            answer = yield Challenge(count=declared.count, request=declared.request, closes=closes)
            self.note(answer)
            if not isinstance(answer, State):
                declared.is_closed = closes
                return

    def moves_on(self) -> bool:
        """Return True if the cards go on by themselves, or turn over, once this count is made."""
        confirmed = decide(self.hand, ConfirmCount(folded=self.folded()))
        after = apply_all(self.hand, confirmed)
        return after.due is not None or (after.phase, after.pile) != (
            self.hand.phase,
            self.hand.pile,
        )

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
                yield from self.take(_choice(seat, answer))
            except RuleError as error:
                refused = error
            else:
                return

    def seat_to_choose(self) -> int:
        """Return the seat whose turn it is, or the next that holds more than a hand (T3)."""
        if self.hand.turn is not None:
            return self.hand.turn
        return next(hand.seat for hand in self.hand.hands if len(hand.cards) > HAND)


def _choice(seat: int, answer: Answer) -> deal.Command:
    """Return the command that a seat's answer stands for."""
    if isinstance(answer, tuple):
        return Discard(seat=seat, cards=answer)
    return PlayCard(seat=seat, card=answer) if isinstance(answer, Card) else SayGo(seat=seat)
