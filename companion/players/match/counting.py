"""Counts of a game of cards: the points that the cards make, or the points that a side declares.

If a side declares its count, the other sides can claim points that it missed (muggins, M1).
"""

from dataclasses import dataclass, replace

from companion.players.match.progress import Declaration, GameProgress
from companion.players.match.steps import Challenge, DealerSteps, DealRecord, Declare
from companion.players.player import CountRequest
from companion.rules import deal
from companion.rules.deal import ConfirmCount, Count, CountKind, apply_all, decide
from companion.rules.deal.declared_count import DeclaredCount, declare
from companion.rules.game import Peg, State


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
    ) -> Declaration:
        count = self.awaited(due)
        self.game.declared = Declaration(
            due=due,
            count=declare(count, count.side, points),
            request=request,
            state=state,
            hand=self.game.hand,
            record=record,
        )
        return self.game.declared

    def close(self, declared: Declaration) -> DealerSteps:
        """Let the other sides claim missed points of a declared count; then let the hand go on."""
        due = declared.due
        yield from self.challenge(declared, closes=self.is_to_confirm(due) and self.moves_on())
        if self.game.declared is declared and self.is_to_confirm(due):
            yield from self.confirm(due)
            declared.confirmed = self.game.hand

    def challenge(self, declared: Declaration, *, closes: bool) -> DealerSteps:
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
