"""Commands that change the format of a night and its rounds.

A round is drawn from the entrants who play and from the earlier rounds. No pair meets twice while
that can be avoided. The same plan always gives the same draw, so the page can show the next round
before the organiser seats it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated

from msgspec import Meta
from msgspec.structs import asdict, replace

from companion.errors import BadInputError
from companion.night.messages import SIDES, NightId, NightMessage, serialize
from companion.night.outcomes import Seat, SeatedGame, Status
from companion.night.plan import (
    MESSAGE_LENGTH_LIMIT,
    PLAN_LIMIT_BYTES,
    ROUND_LIMIT,
    Finish,
    Id,
    NightPlan,
    NightRound,
    SeatedPair,
    Tables,
    Title,
)
from companion.night.scoring import ScoringName
from companion.night.seating import Round, draw_rounds

Games = Mapping[Seat, SeatedGame]
"""The outcomes so far."""


class PlanCommand(NightMessage, frozen=True, kw_only=True, tag_field="command"):
    """Base of all commands; `command` in its JSON is its name."""

    def carry_out(self, plan: NightPlan, games: Games) -> NightPlan:
        """Return the plan after this command, with the next revision.

        Raises:
            BadInputError: the command does not fit the plan; the text says what to do.
        """
        changed = replace(self._change(plan, games), revision=plan.revision + 1)
        if len(serialize(changed)) > PLAN_LIMIT_BYTES:
            text = "the night is as large as it can be: begin a new one for what follows"
            raise BadInputError(text)
        return changed

    def _change(self, plan: NightPlan, games: Games, /) -> NightPlan:
        raise NotImplementedError


def next_round(plan: NightPlan) -> NightRound | None:
    """Return the round that would be seated next; None if fewer than two entrants play.

    Raises:
        BadInputError: the format has too few tables.
    """
    playing = [each.id for each in plan.entrants if each.playing]
    if len(playing) < SIDES:
        return None
    drawn = _draw(tuple(playing), plan.rounds)
    tables = plan.tables or range(1, len(drawn.pairs) + 1)
    seated = zip(tables, drawn.pairs, strict=False)
    pairs = tuple(SeatedPair(table=table, entrants=pair) for table, pair in seated)
    if len(pairs) < len(drawn.pairs):
        text = "{pairs} pairs need as many tables, and there are {tables}: add tables to the format"
        raise BadInputError(text, pairs=len(drawn.pairs), tables=len(pairs))
    return NightRound(pairs=pairs, bye=drawn.bye)


@lru_cache(maxsize=2)
def _draw(playing: tuple[int, ...], rounds: tuple[NightRound, ...]) -> Round:
    """Draw the next round. It is cached: every view asks for it, and a search may take 0.1 s."""
    played = [Round(pairs=tuple(p.entrants for p in each.pairs), bye=each.bye) for each in rounds]
    (drawn,) = draw_rounds(playing, 1, played)
    return drawn


class SetFormat(PlanCommand, frozen=True, kw_only=True, tag="set-format"):
    """Set the format of the night."""

    title: Title
    finish: Finish
    scoring: ScoringName
    planned_rounds: Annotated[int, Meta(ge=1, le=ROUND_LIMIT)]
    tables: Tables

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        if len(set(self.tables)) < len(self.tables):
            raise BadInputError("a table is in the list of tables twice: remove one")
        return replace(plan, **asdict(self))


class SeatRound(PlanCommand, frozen=True, kw_only=True, tag="seat-round"):
    """Seat the next round; a round that is seated already is refused by its number."""

    round: Id

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        if self.round != len(plan.rounds) + 1:
            raise BadInputError("round {n} is seated already", n=self.round)
        if len(plan.rounds) == ROUND_LIMIT:
            text = "a night has at most {limit} rounds: begin a new night"
            raise BadInputError(text, limit=ROUND_LIMIT)
        seated = next_round(plan)
        if seated is None:
            raise BadInputError("a round needs two sides: add them to the list first")
        return replace(plan, rounds=(*plan.rounds, seated))


class WithdrawRound(PlanCommand, frozen=True, kw_only=True, tag="withdraw-round"):
    """Take the newest round back before its first count."""

    round: Id

    def _change(self, plan: NightPlan, games: Games, /) -> NightPlan:
        if not plan.rounds or self.round != len(plan.rounds):
            raise BadInputError("round {n} is not the newest one", n=self.round)
        own = [game for (number, _), game in games.items() if number == self.round]
        if any(game.status is not Status.WAITING for game in own):
            text = "round {n} has begun and stays: enter or correct its results instead"
            raise BadInputError(text, n=self.round)
        return replace(plan, rounds=plan.rounds[:-1])


class MovePair(PlanCommand, frozen=True, kw_only=True, tag="move-pair"):
    """Move a pair of the newest round to another table; a pair there comes back in exchange."""

    table: Id
    to: Id

    def _change(self, plan: NightPlan, games: Games, /) -> NightPlan:
        if plan.pair_at(self.table) is None:
            raise BadInputError("no pair sits at table {table}", table=self.table)
        *rounds, newest = plan.rounds
        other = {self.table: self.to, self.to: self.table}
        seats = {(len(plan.rounds), table) for table in other}
        if any(game.done for seat, game in games.items() if seat in seats):
            raise BadInputError("this game is over: a pair moves before its result is in")
        moved = tuple(replace(p, table=other.get(p.table, p.table)) for p in newest.pairs)
        return replace(plan, rounds=(*rounds, replace(newest, pairs=moved)))


class SetMessage(PlanCommand, frozen=True, kw_only=True, tag="set-message"):
    """Set the line on the hall screen; an empty one removes it."""

    text: Annotated[str, Meta(max_length=MESSAGE_LENGTH_LIMIT)]

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        return replace(plan, message=" ".join(self.text.split()))


class BeginAnew(PlanCommand, frozen=True, kw_only=True, tag="begin-anew"):
    """Begin a new night with the id `night` and the same entrants, without rounds and results."""

    night: NightId

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        staying = tuple(each for each in plan.entrants if each.playing)
        begun = replace(plan, night=self.night, entrants=staying, message="")
        return replace(begun, rounds=(), results=(), corrections=())
