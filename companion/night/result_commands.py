"""Commands that enter and correct results."""

from __future__ import annotations

from msgspec.structs import replace

from companion.errors import BadInputError
from companion.night.messages import SideKey
from companion.night.plan import Correction, EnteredResult, Id, NightPlan, Spread
from companion.night.plan_command import Games, PlanCommand


class EnterResult(PlanCommand, frozen=True, kw_only=True, tag="enter-result"):
    """Result as the two sides claim it: the winner `plus`, the loser `minus`."""

    round: Id
    table: Id
    winner: SideKey
    plus: Spread
    minus: Spread

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        """Enter each claim to the disadvantage of the side that makes it (ACC 12.2)."""
        others = _other_results(plan, self.round, self.table)
        if self.plus > plan.finish or self.minus > plan.finish:
            text = "a side loses by at most {finish} holes: see the spread"
            raise BadInputError(text, finish=plan.finish)
        plus, minus = sorted((self.plus, self.minus))
        entered = EnteredResult(
            round=self.round, table=self.table, winner=self.winner, plus=plus, minus=minus
        )
        return replace(plan, results=(*others, entered))


class WithdrawResult(PlanCommand, frozen=True, kw_only=True, tag="withdraw-result"):
    """Entered result to be taken back; the table's own holds then, if there is one."""

    round: Id
    table: Id

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        return replace(plan, results=_other_results(plan, self.round, self.table))


class CorrectCard(PlanCommand, frozen=True, kw_only=True, tag="correct-card"):
    """Line of one card as the judges have it."""

    correction: Correction

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        wanted = self.correction
        seats = {(number, each) for number, pair in plan.seats() for each in pair.entrants}
        if (wanted.round, wanted.entrant) not in seats:
            raise BadInputError("this side had no game in round {n}", n=wanted.round)
        if bool(wanted.plus) == bool(wanted.minus):
            raise BadInputError("a line of a card has a plus or a minus: enter one of them")
        others = _other_corrections(plan, wanted.round, wanted.entrant)
        return replace(plan, corrections=(*others, wanted))


class WithdrawCorrection(PlanCommand, frozen=True, kw_only=True, tag="withdraw-correction"):
    """Correction to be taken back."""

    round: Id
    entrant: Id

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        return replace(plan, corrections=_other_corrections(plan, self.round, self.entrant))


def _other_results(plan: NightPlan, number: int, table: int) -> tuple[EnteredResult, ...]:
    """Return the results of all other seats; refuse a seat that no pair had."""
    seat = (number, table)
    if seat not in {(each, pair.table) for each, pair in plan.seats()}:
        text = "no pair sat at table {table} in round {n}: see the seating"
        raise BadInputError(text, table=table, n=number)
    return tuple(each for each in plan.results if (each.round, each.table) != seat)


def _other_corrections(plan: NightPlan, number: int, entrant: int) -> tuple[Correction, ...]:
    line = (number, entrant)
    return tuple(each for each in plan.corrections if (each.round, each.entrant) != line)
