"""Progress of a game of cards: the pegs, the current hand (one deal), and the hand's counts.

A count has the points that the cards make, or the points that a side declares. If a side declares
its count, the other sides can claim points that it missed (muggins, M1).
"""

from collections.abc import Callable, Sequence
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
from companion.rules.game import Deal, Match, NewGame, Peg, Setup, State, muggins_applies


@dataclass(slots=True, kw_only=True, eq=False)
class _Declaration:
    """Declaration of a count by a side.

    Attributes:
        due: the count to declare, with the points that the cards make.
        count: the count with the declared points, without points before they are declared.
        request: the cards that make the points.
        hand: the hand before the count.
        record: the record of the hand before the count.
        peg: the command that pegs the declared points; None if these are 0.
        confirmed: the hand as the command `ConfirmCount` left it; None before that command.
        is_closed: True if no side can claim missed points of the count any more (M1).
    """

    due: Count
    count: DeclaredCount
    request: CountRequest
    hand: deal.State
    record: DealRecord
    peg: Peg | None = None
    confirmed: deal.State | None = None
    is_closed: bool = False

    @property
    def is_made(self) -> bool:
        return self.count.declared is not None


@dataclass(slots=True, kw_only=True)
class GameProgress:
    """Progress of one game: the pegs, the current hand, and the cards that the seats have seen.

    Attributes:
        setup: the set-up (track, rules, sides) of the game when the dealer began to run it.
        match: the games won in the match when the dealer began.
        state: the game on the board.
        declares: True if sides declare their counts where muggins applies (M3).
        record: the record of the current hand; None between two hands.
        commands: returns the commands that were not undone, in order; None if nothing is undone.
        cause: the last card played or hand shown, which caused the latest counts.
        declared: the declared counts of the hand, in order. One without points was undone after
            further cards were played, and its side must declare it again.
        seen: the cards played in the hand, in order.
        discarded: the discards by seat.
    """

    setup: Setup
    match: Match
    state: State
    declares: bool
    record: DealRecord | None
    commands: Callable[[], Sequence[game.Command]] | None
    hand: deal.State = field(init=False)
    cause: Cause | None = None
    declared: list[_Declaration] = field(default_factory=list)
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
        """The record of the hand, with the declared counts before the count that is due."""
        assert self.record is not None  # noqa: S101  # only read during a hand
        if not self.declared:
            return self.record
        made = {len(each.record.commands): each.count.declared for each in self.declared}
        made.pop(len(self.record.commands), None)
        return replace(self.record, declarations=tuple(made.items()))

    @property
    def newest(self) -> _Declaration | None:
        """The newest declared count that was not undone."""
        return next((each for each in reversed(self.declared) if each.is_made), None)

    @property
    def retracted(self) -> _Declaration | None:
        """The oldest undone count that its side must declare again."""
        waiting = (each for each in self.declared if not each.is_made)
        return next((each for each in waiting if not self.is_out(each.count.side)), None)

    def do(self, command: game.Command, count: Count | None = None) -> DealerSteps:
        by_cards = count and count.why in DECLARED_KINDS and not self.is_declared(count)
        cause = self.cause if by_cards else None
        record = self.dealt if self.is_dealt else None
        self.note((yield Apply(command=command, count=count, cause=cause, record=record)))

    def note(self, answer: Answer) -> None:
        if not isinstance(answer, State):
            return
        self.state = answer
        self.retract_undone()

    def retract_undone(self) -> None:
        """Have sides declare counts again: the first undone count and all counts after it.

        The cards played after a count stay played.
        """
        stand = {id(command) for command in self.commands()} if self.commands else set()
        pegs = [id(each.peg) if each.peg else None for each in self.declared]
        undone = [at for at, peg in enumerate(pegs) if self.commands and peg and peg not in stand]
        for each in reversed(self.declared[undone[0] :] if undone else ()):
            each.count, each.peg = replace(each.count, declared=None), None
            if each.confirmed in (None, self.hand):
                self.hand, self.record = each.hand, each.record
                self.declared.remove(each)

    def begin_hand(self, record: DealRecord) -> None:
        self.record, self.hand = record, record.start(self.setup)
        self.cause = None
        self.declared.clear()
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
        return tuple(filter(self.is_out, sorted(playing)))

    def is_out(self, side: int) -> bool:
        pegs = self.state.pegs(side)
        return pegs.folded or pegs.boxed is not None

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
        newest = self.game.newest
        if self.game.dealt.pegged:
            yield from self.go_on_from_pegged(due)
        elif self.game.is_declared(due):
            yield from self.declare(self.to_declare(due))
        elif newest and not newest.is_closed:
            yield from self.challenge(newest, closes=True)
        else:
            self.game.record = replace(self.game.dealt, pegged=True)
            yield from self.peg(due)
            yield from self.confirm(due)

    def confirm(self, due: Count) -> DealerSteps:
        if self.is_to_confirm(due):
            yield from self.game.take(ConfirmCount(folded=self.game.folded()))

    def go_on_from_pegged(self, due: Count) -> DealerSteps:
        """Go on after a restart of the program; the count `due` was pegged before the restart."""
        newest = self.game.newest
        if newest and newest.due is due:
            yield from self.close(newest)
        else:
            yield from self.confirm(due)

    def peg(self, count: Count) -> DealerSteps:
        peg = _peg_of(self.game.setup.side_of(count.seat), count)
        if peg:
            yield from self.game.do(peg, count)

    def is_to_confirm(self, due: Count) -> bool:
        return self.game.goes_on and self.game.is_dealt and self.game.hand.due is due

    def declare(self, declared: _Declaration) -> DealerSteps:
        """Let a side declare a count, peg the count, and let the other sides call muggins (M1)."""
        record, newest, due = self.game.dealt, self.game.newest, declared.due
        points = yield Declare(
            count=declared.count,
            request=declared.request,
            hand=self.game.hand,
            record=record,
            previous=newest.count if newest and not newest.is_closed else None,
            plays_on=self.game.hand.due is due,
        )
        if not isinstance(points, int):
            self.game.note(points)
            return
        self.note_declared(declared, points)
        if self.game.hand.due is due:
            self.game.record = replace(record, pegged=True, declared=points)
        if declared.peg:
            yield from self.game.do(declared.peg, replace(due, points=points))
        yield from self.close(declared)

    def to_declare(self, due: Count) -> _Declaration:
        side = self.game.setup.side_of(due.seat)
        return _Declaration(
            due=due,
            count=DeclaredCount(side=side, seat=due.seat, why=due.why, actual=due.points),
            request=_request_for(self.game.hand, due),
            hand=self.game.hand,
            record=self.game.dealt,
        )

    def note_declared(self, declared: _Declaration, points: int) -> None:
        """Note a declared count; the one before it can no longer be called."""
        if self.game.newest:
            self.game.newest.is_closed = True
        declared.count = declare(declared.count, declared.count.side, points)
        declared.peg = _peg_of(declared.count.side, replace(declared.due, points=points))
        declared.is_closed = False
        if declared not in self.game.declared:
            self.game.declared.append(declared)

    def restore(self, record: DealRecord) -> None:
        """Bring a hand and its declared counts to where they were before a restart of the program.

        A count whose peg is not among the commands was undone just before the restart.
        """
        game, made = self.game, dict(record.declarations)
        game.begin_hand(replace(record, commands=(), pegged=False, declared=None, declarations=()))
        for at, command in enumerate(record.commands):
            if game.hand.due and at in made:
                self.restore_count(game.hand.due, made[at])
            game.apply(command, decide(game.hand, command))
            if at in made:
                game.declared[-1].confirmed, game.declared[-1].is_closed = game.hand, True
        if record.declared is not None and game.hand.due:
            self.restore_count(game.hand.due, record.declared)
        game.record = replace(game.dealt, pegged=record.pegged, declared=record.declared)
        commands = game.commands() if game.commands else ()
        deals = [at for at, each in enumerate(commands, 1) if isinstance(each, Deal | NewGame)]
        in_hand = iter(commands[deals[-1] :] if deals else commands)
        for each in game.declared:
            if each.peg:
                each.peg = next((done for done in in_hand if done == each.peg), each.peg)
        game.retract_undone()

    def restore_count(self, due: Count, points: int | None) -> None:
        declared = self.to_declare(due)
        if points is None:
            self.game.declared.append(declared)
        else:
            self.note_declared(declared, points)

    def close(self, declared: _Declaration) -> DealerSteps:
        """Let the other sides claim missed points of a declared count; then let the hand go on."""
        due = declared.due
        yield from self.challenge(declared, closes=self.moves_on(due))
        if declared.is_made and self.is_to_confirm(due):
            yield from self.confirm(due)
            declared.confirmed = self.game.hand

    def challenge(self, declared: _Declaration, *, closes: bool) -> DealerSteps:
        due = self.game.hand.due
        waits = self.game.retracted or (
            due and due is not declared.due and self.game.is_declared(due)
        )
        while self.game.goes_on and self.game.is_dealt and declared.is_made:
            answer = yield Challenge(
                count=declared.count,
                request=declared.request,
                closes=closes,
                plays_on=closes and not waits,
            )
            self.game.note(answer)
            if not isinstance(answer, State):
                declared.is_closed = closes
                return

    def moves_on(self, due: Count) -> bool:
        """Return True if another count, a new phase or a count from 0 follows the count `due`.

        If False, a turn on the same pile follows, during which other sides can still call muggins.
        """
        hand = self.game.hand
        if hand.due is not due:  # the count was declared again
            return bool(self.game.retracted or hand.due)
        after = apply_all(hand, decide(hand, ConfirmCount(folded=self.game.folded())))
        return after.due is not None or (after.phase, after.pile) != (hand.phase, hand.pile)


def _peg_of(side: int, count: Count) -> Peg | None:
    return Peg(side=side, points=count.points, why=count.why) if count.points else None


def _request_for(hand: deal.State, count: Count) -> CountRequest:
    if count.why is CountKind.PLAY:  # without HEELS, GO, LAST, HAND
        return CountRequest(cards=hand.pile)
    crib = count.why is CountKind.CRIB
    cards = hand.crib if crib else hand.hand(count.seat).cards
    return CountRequest(cards=cards, starter=hand.starter, crib=crib)
