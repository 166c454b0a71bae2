"""Progress of a game of cards: the pegs, the current hand, and the steps that change them."""

from dataclasses import dataclass, field

from companion.players.match.steps import Announce, Answer, Apply, Cause, DealerSteps, DealRecord
from companion.players.player import CountRequest
from companion.rules import deal, game
from companion.rules.cards import Card
from companion.rules.deal import Count, Discarded, Phase, Played, Shown, apply_all, decide
from companion.rules.deal.declared_count import DECLARED_KINDS, DeclaredCount
from companion.rules.game import CountKind, Match, Setup, State, muggins_applies


@dataclass(slots=True, kw_only=True)
class Declaration:
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
    declared: Declaration | None = None
    retracted: Declaration | None = None
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

    def retract(self, declared: Declaration) -> None:
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
