"""Declared counts of a card game at a table: who counts now, and who may call muggins.

People enter points on their side's buttons or page. While the side must count, the points are its
count. Otherwise the points call muggins on the last declared count (the open count), and say by how
much it is wrong; 0 points pass. Example: side 1 declares 6 for a hand of 8. Side 2 enters 2, which
calls muggins and takes the 2 points.

In the play, the next card of another side can end the wait for a count or for calls: an awaited
count becomes 0, and an open count stays as it is. A side's own next card is refused until the side
has counted, so that one tap cannot give away its points. Time alone ends neither wait. Once the
side that must count has pressed points, the card of another side is refused until Enter, or until
the points are cleared. So, at each card and after each undo or restart, each earlier card has been
counted by its side or as 0, or a side has been asked to count it and no opponent has acted since.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from companion.errors import RuleError
from companion.players.player import CountRequest
from companion.rules import game
from companion.rules.cards import Card, Part
from companion.rules.deal.declared_count import (
    DeclaredCount,
    corrections,
    declare,
    may_call,
    refuse_call,
)
from companion.rules.game import Command, Entry, MoveInBox, Muggins, Overpeg, Peg
from companion.table.panel.actions import CountEntry
from companion.table.table import Table


class DeclaredCounts:
    """Declared counts at a table.

    Args:
        table: the table; its panel, which handles the buttons, takes the points.
        people: the side of each seat with a person.
        tell: called with a wrong count that can no longer be called, and with the parts of its
            cards; None tells nothing.

    Attributes:
        people: the sides with a person at one of their seats.
        awaited: the count that a person must enter, or None.
        pile: the cards played up to the one that the awaited count is for; empty in the show.
        entered: the points that were entered for the awaited count, or None.
        open: the count on which muggins may be called, or None.
    """

    def __init__(
        self,
        table: Table,
        people: Mapping[int, int],
        tell: Callable[[DeclaredCount, Sequence[Part]], None] | None = None,
    ) -> None:
        self._table, self.people, self._tell = table, frozenset(people.values()), tell
        self._parts: Sequence[Part] = ()
        self._passed: set[int] = set()
        self._offered: DeclaredCount | None = None
        self._restored: DeclaredCount | None = None
        self._counts_restored = 0
        self._corrected: tuple[DeclaredCount, Muggins | Overpeg] | None = None
        self.awaited: DeclaredCount | None = None
        self.pile: Sequence[Card] = ()
        self.entered: int | None = None
        self.open: DeclaredCount | None = None
        self._correction: Muggins | Overpeg | None = None

    @property
    def callers(self) -> frozenset[int]:
        """The sides of people that may call muggins now."""
        return frozenset(filter(self.may_call, self.people))

    @property
    def box_movers(self) -> frozenset[int]:
        """The sides of people that may still move their boxed peg in this hand (rule Z7)."""
        state = self._table.state
        return frozenset(filter(state.is_to_move_in_box, () if state.winner else self.people))

    @property
    def undecided(self) -> frozenset[int]:
        """The sides of people that may call and have neither called nor passed."""
        return self.callers - self._passed

    @property
    def enders(self) -> frozenset[int]:
        """The sides of people that may let the awaited count be 0."""
        count = self.awaited and declare(self.awaited, self.awaited.side, 0)
        return frozenset(side for side in self.people if count and self._may_call(count, side))

    def may_call(self, side: int) -> bool:
        """Return True if a side may call muggins now; a side that must count may not."""
        if self.open is None or (self.awaited and self.awaited.side == side):
            return False
        return self._may_call(self.open, side)

    def _may_call(self, count: DeclaredCount, side: int) -> bool:
        pegs = self._table.state.pegs(side)
        return may_call(count, side) and not pegs.boxed and not pegs.folded

    def restore(self, count: DeclaredCount) -> None:
        """Open a count that was open before a restart, and note if a call has corrected it."""
        last = self._table.queue.accepted[-1].entry.command if self._table.queue.accepted else None
        corrected = count.corrected or isinstance(last, Muggins | Overpeg)
        self.open = self._restored = replace(count, corrected=corrected)
        self._counts_restored = self._table.state.counts

    def offer(self, count: DeclaredCount, parts: Sequence[Part] = ()) -> bool:
        """Open a count to calls, and note its parts; return False if it was offered before."""
        if count is self._offered:
            return False
        self._offered, restored = count, self._restored
        if restored is None:
            self.let_stand()
        self._parts = parts
        same = restored and replace(count, refused=restored.refused, corrected=restored.corrected)
        self.open = restored if restored and restored == same else count
        self._restored = None
        self._passed.clear()
        return True

    def let_stand(self) -> None:
        """Close the open count, which can no longer be called; tell what it was worth if wrong."""
        count, self.open = self.open, None
        if self._tell and count and not count.corrected and count.declared != count.actual:
            self._tell(count, self._parts)

    def close_before(self) -> None:
        """Close the open count before the next declaration, unless `restore` has opened it."""
        if self._restored is None:
            self.open = None

    def await_points(self, count: DeclaredCount, request: CountRequest) -> None:
        self.awaited, self.entered = count, None
        self.pile = request.cards if request.starter is None else ()

    def close(self) -> None:
        """Take no more points and calls; the button Enter then pegs as in a game without cards."""
        self.awaited = self.open = self._offered = self._restored = self._corrected = None
        self._table.panel.count_entry = None

    def show(self) -> None:
        """Let the panel take points from the sides that must count or may call."""
        awaited = self.awaited.side if self.awaited else None
        self._table.panel.count_entry = CountEntry(
            enter=self.enter, awaited=awaited, callers=self.callers
        )

    def enter(
        self, side: int, points: int, *, given_back: bool = False, seat: int | None = None
    ) -> Command | None:
        """Take points that a side enters; return the command to carry out, or None.

        Args:
            side: the side that enters the points.
            points: the points of its count or of its call; 0 to pass, or to let a count be 0.
            given_back: True if the caller of muggins gives the points to the side that erred (M3).
            seat: the seat whose count is meant; None means the count that waits for the side.

        Raises:
            RuleError: the side has nothing to enter, the count that it means waits no longer, or
                its call is wrong.
        """
        awaited = self.awaited
        if awaited and awaited.side == side and seat in (None, awaited.seat):
            self._declare(points)
            self._table.announce(Peg(side=side, points=points) if points else None)
            return None
        if awaited and awaited.seat == seat and side in self.enders and not points:
            self.refuse_hurry()
            self.pass_over(side)
            return None
        if seat and (self.open is None or self.open.seat != seat):
            raise RuleError("that count waits no longer", rule="M1")
        if points:
            return self.call(side, points, given_back=given_back)
        if side in self.box_movers:
            return MoveInBox(side=side)
        if side not in self.callers:
            raise RuleError("{side} has nothing to count now", rule="M1", side=side)
        self._passed.add(side)
        return None

    def pass_over(self, side: int) -> None:
        """Let the awaited count be 0, or else let the open count stand, because a side acts."""
        if self.awaited:
            self._declare(0)
        else:
            self._passed.add(side)

    def refuse_hurry(self) -> None:
        """Raise a `RuleError` if the side that must count has begun to press its points."""
        if self.awaited and self.awaited.side in self._table.panel.counts.by_side:
            raise RuleError("{side} is entering its count", rule="M1", side=self.awaited.side)

    def _declare(self, points: int) -> None:
        if self.awaited:
            declare(self.awaited, self.awaited.side, points)
        self.let_stand()
        self.entered, self._restored, self.awaited = points, None, None

    def call(self, by: int, points: int, *, given_back: bool = False) -> Command:
        """Take a call of muggins; return the command that corrects the count, to execute at once.

        Raises:
            RuleError: the side may not call, or its only call of this count is wrong.
        """
        count = self.open
        if count is None or not self.may_call(by):
            raise RuleError(
                "there is no count on which {side} can call muggins", rule="M1", side=by
            )
        try:
            options = self.options(count, by, points)
        except RuleError:
            self.open = refuse_call(count, by)
            raise
        command = options[-1] if given_back else options[0]
        game.decide(self._table.state, command)
        self._settle(count, command)
        return command

    def options(self, count: DeclaredCount, by: int, points: int) -> tuple[Muggins | Overpeg, ...]:
        """Return the corrections of an open count; side `by`, which calls muggins, may choose one.

        Raises:
            RuleError: the side may not call, or the call is wrong.
        """
        scores = self._table.state.setup.rules.muggins_counts == "missed-and-overcalled"
        return corrections(count, by, points, overcalls_score=scores)

    def check(self, command: Muggins) -> None:
        """Take a referee's call of muggins; raise a `RuleError` if the cards do not prove it."""
        count = self.open
        game.decide(self._table.state, command)
        if count is None:
            raise RuleError("there is no count on which to call muggins", rule="M1")
        if command not in corrections(count, command.by, command.points, overcalls_score=True):
            raise RuleError("the cards do not prove this call of muggins", rule="M1")
        self._settle(count, command)

    def _settle(self, count: DeclaredCount, command: Muggins | Overpeg) -> None:
        self._corrected, self._correction = (count, command), command
        self.open = replace(count, corrected=True)

    def _stands(self, command: Muggins | Overpeg) -> bool:
        """Return True if a command of the running game has not been undone.

        The state does not show this: a correction that gives nobody points leaves the state as is.
        """
        _, entries = self._table.queue.history.game
        return any(entry.command is command for entry in reversed(entries))

    def follow(self) -> Entry | None:
        """Reopen a count whose correction was undone; close a restored count that was undone.

        When the table has saved a correction, return its entry, but only once; else return None.
        """
        if self._corrected and not self._stands(self._corrected[1]):
            self.open, self._corrected = self._corrected[0], None
        if self._restored and self._table.state.counts < self._counts_restored:
            self.open = self._restored = None
        accepted = self._table.queue.accepted
        if not accepted or accepted[-1].entry.command is not self._correction:
            return None
        self._correction = None
        return accepted[-1].entry
