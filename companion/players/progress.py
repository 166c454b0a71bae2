"""Progress of a game of cards: the pegs, the current hand, and its counts, one step after another.

A count has the points that the cards make, or the points that a side declares. If a side declares
its count, the other sides can claim points that it missed (muggins, M1).
"""

from dataclasses import dataclass, field, replace

from companion.players.player import CountRequest
from companion.players.steps import (
    Announce,
    Answer,
    Apply,
    Cause,
    Challenge,
    DealerSteps,
    DealRecord,
    Declare,
)
from companion.rules import deal, game
from companion.rules.cards import Card
from companion.rules.deal import (
    ConfirmCount,
    Count,
    CountKind,
    Discarded,
    Phase,
    Played,
    Shown,
    apply_all,
    decide,
)
from companion.rules.deal.declared_count import DECLARED_KINDS, DeclaredCount, declare
from companion.rules.game import Match, Peg, Setup, State, muggins_applies


@dataclass(slots=True, kw_only=True)
class _Declaration:
    """Declaration of a count by a side.

    Attributes:
        due: the count that was due, with the points of the cards.
        count: the count with the declared points.
        request: the cards that make the points.
        state: the game before the count; None if the count was declared before a restart of the
            program.
        hand: the hand before the count.
        record: the record of the hand before the count.
        confirmed: the hand directly after the `ConfirmCount` of this count; None before it.
        is_closed: True if no side can claim missed points of the count any more (M1).
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
class GameProgress:
    """Progress of one game: the pegs, the current hand, and the cards that the seats have seen.

    Attributes:
        setup: the set-up (track, rules, sides) of the game when `run_game` began.
        match: the games won in the match when `run_game` began.
        state: the game on the board.
        declares: True if sides declare their counts where muggins applies (M3).
        record: the record of the current hand; None between two hands.
        cause: the last card played or hand shown, which caused the latest counts.
        declared: the last declared count of the hand.
        retracted: a declared count that was undone after further cards were played. Its side must
            declare it again.
        seen: the cards played in the hand, in order.
        discarded: the discards by seat.
    """

    setup: Setup
    match: Match
    state: State
    declares: bool
    record: DealRecord | None
    hand: deal.State = field(init=False)
    cause: Cause | None = None
    declared: _Declaration | None = None
    retracted: _Declaration | None = None
    seen: list[Card] = field(default_factory=list)
    discarded: dict[int, tuple[Card, ...]] = field(default_factory=dict)

    @property
    def goes_on(self) -> bool:
        """False after a win, in the game that follows a win, and in a game with another set-up."""
        same = (self.state.setup, self.state.match) == (self.setup, self.match)
        return same and self.state.winner is None

    @property
    def is_dealt(self) -> bool:
        return self.record is not None and self.record.is_of(self.state)

    @property
    def hand_goes_on(self) -> bool:
        return self.goes_on and self.is_dealt and self.hand.phase is not Phase.OVER

    @property
    def dealt(self) -> DealRecord:
        assert self.record is not None  # noqa: S101  # only read while cards are dealt
        return self.record

    def do(self, command: game.Command, count: Count | None = None) -> DealerSteps:
        by_cards = count and count.why in DECLARED_KINDS and not self.is_declared(count)
        cause = self.cause if by_cards else None
        record = self.record if self.is_dealt else None
        self.note((yield Apply(command=command, count=count, cause=cause, record=record)))

    def note(self, answer: Answer) -> None:
        if not isinstance(answer, State):
            return
        self.state = answer
        declared = self.declared
        if declared and declared.count.declared and answer is declared.state:
            self.retract(declared)

    def retract(self, declared: _Declaration) -> None:
        """Have a side declare an undone count again; cards played after the count stay played."""
        self.declared = None
        if declared.confirmed in (None, self.hand):
            self.hand, self.record = declared.hand, declared.record
        else:
            self.retracted = declared

    def begin_hand(self, record: DealRecord) -> None:
        self.record, self.hand = record, record.start(self.setup)
        self.cause = self.declared = self.retracted = None
        self.seen.clear()
        self.discarded.clear()

    def take(self, command: deal.Command) -> DealerSteps:
        events = decide(self.hand, command)
        self.apply(command, events)
        yield from self.announce(events)

    def apply(self, command: deal.Command, events: tuple[deal.Event, ...]) -> None:
        for event in events:
            match event:
                case Discarded():
                    self.discarded[event.seat] = event.cards
                case Played():
                    self.seen.append(event.card)
                    self.cause = event
                case Shown():
                    self.cause = event
                case _:
                    pass
        self.hand = apply_all(self.hand, events)
        self.record = self.dealt.then(command)

    def announce(self, events: tuple[deal.Event, ...]) -> DealerSteps:
        due = self.hand.due
        hidden = due is not None and self.is_declared(due)
        step = Announce(events=events, hand=self.hand, record=self.dealt, points_hidden=hidden)
        self.note((yield step))

    def folded(self) -> tuple[int, ...]:
        """Return the sides that must fold their cards because they are out of play (Z5, Z7)."""
        playing = {self.setup.side_of(hand.seat) for hand in self.hand.hands if not hand.folded}
        sides = ((side, self.state.pegs(side)) for side in sorted(playing))
        return tuple(side for side, pegs in sides if pegs.folded or pegs.boxed)

    def is_declared(self, count: Count) -> bool:
        """Return True if a side must declare this count for muggins (M3, M4)."""
        side = self.setup.side_of(count.seat)
        is_lead = count.why is CountKind.PLAY and len(self.hand.pile) == 1 and not count.points
        declares = self.declares and count.why in DECLARED_KINDS and not is_lead
        return declares and muggins_applies(self.state, side)


@dataclass(frozen=True, slots=True)
class Counting:
    """Counting of the cards of a game in progress."""

    game: GameProgress

    def count(self, due: Count) -> DealerSteps:
        """Take the next step for a count that is due.

        If a side must declare the count, ask it for the points. Before any other count is pegged,
        offer a last chance to claim missed points of the last declared count.
        """
        if self.game.dealt.pegged:
            yield from self.go_on_from_pegged(due)
        elif self.game.is_declared(due):
            yield from self.declare(due, _request_for(self.game.hand, due))
        elif self.game.declared and not self.game.declared.is_closed:
            yield from self.challenge(self.game.declared, closes=True)
        else:
            self.game.record = replace(self.game.dealt, pegged=True)
            yield from self.peg(due)
            yield from self.confirm(due)

    def confirm(self, due: Count) -> DealerSteps:
        if self.is_to_confirm(due):
            yield from self.game.take(ConfirmCount(folded=self.game.folded()))

    def go_on_from_pegged(self, due: Count) -> DealerSteps:
        """Go on after a restart of the program; the count `due` was pegged before the restart."""
        points = self.game.dealt.declared
        record = replace(self.game.dealt, pegged=False, declared=None)
        if points is None:
            yield from self.confirm(due)
        else:
            request = _request_for(self.game.hand, due)
            yield from self.close(self.note_declared(due, request, points, None, record))

    def peg(self, count: Count) -> DealerSteps:
        if count.points:
            side = self.game.setup.side_of(count.seat)
            yield from self.game.do(Peg(side=side, points=count.points, why=count.why), count)

    def is_to_confirm(self, due: Count) -> bool:
        return self.game.goes_on and self.game.is_dealt and self.game.hand.due is due

    def declare(self, due: Count, request: CountRequest) -> DealerSteps:
        """Let a side declare a count, peg the count, and let the other sides call muggins (M1)."""
        record, declared = self.game.dealt, self.game.declared
        points = yield Declare(
            count=self.awaited(due),
            request=request,
            hand=self.game.hand,
            record=record,
            previous=declared.count if declared and not declared.is_closed else None,
        )
        if not isinstance(points, int):
            self.game.note(points)
            return
        self.game.retracted = None
        declared = self.note_declared(due, request, points, self.game.state, record)
        if self.game.hand.due is due:
            self.game.record = replace(record, pegged=True, declared=points)
        yield from self.peg(replace(due, points=points))
        yield from self.close(declared)

    def awaited(self, due: Count) -> DeclaredCount:
        side = self.game.setup.side_of(due.seat)
        return DeclaredCount(side=side, seat=due.seat, why=due.why, actual=due.points)

    def note_declared(
        self,
        due: Count,
        request: CountRequest,
        points: int,
        state: State | None,
        record: DealRecord,
    ) -> _Declaration:
        count = self.awaited(due)
        self.game.declared = _Declaration(
            due=due,
            count=declare(count, count.side, points),
            request=request,
            state=state,
            hand=self.game.hand,
            record=record,
        )
        return self.game.declared

    def close(self, declared: _Declaration) -> DealerSteps:
        """Let the other sides claim missed points of a declared count; then let the hand go on."""
        due = declared.due
        yield from self.challenge(declared, closes=self.is_to_confirm(due) and self.moves_on())
        if self.game.declared is declared and self.is_to_confirm(due):
            yield from self.confirm(due)
            declared.confirmed = self.game.hand

    def challenge(self, declared: _Declaration, *, closes: bool) -> DealerSteps:
        while self.game.goes_on and self.game.is_dealt and self.game.declared is declared:
            answer = yield Challenge(count=declared.count, request=declared.request, closes=closes)
            self.game.note(answer)
            if not isinstance(answer, State):
                declared.is_closed = closes
                return

    def moves_on(self) -> bool:
        """Return True if a count, a new phase or a new pile follows directly after the due count.

        False means that a player's turn follows, during which others can still call muggins.
        """
        hand = self.game.hand
        after = apply_all(hand, decide(hand, ConfirmCount(folded=self.game.folded())))
        return after.due is not None or (after.phase, after.pile) != (hand.phase, hand.pile)


def _request_for(hand: deal.State, count: Count) -> CountRequest:
    if count.why is CountKind.PLAY:  # without HEELS, GO, LAST, HAND
        return CountRequest(cards=hand.pile)
    crib = count.why is CountKind.CRIB
    cards = hand.crib if crib else hand.hand(count.seat).cards
    return CountRequest(cards=cards, starter=hand.starter, crib=crib)
