"""Commands of the organiser of a game night: each changes the night's plan, or is refused.

A command is a struct that the organiser's page sends as JSON, such as `{"command": "seat-round",
"round": 2}`. From the plan (entrants, rounds, entered results) and the outcomes of the games it
makes the next plan. ACC is the American Cribbage Congress, whose tournament rules are used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import asdict, replace

from companion.errors import BadInputError
from companion.night.messages import (
    ENTRANT_LIMIT,
    MESSAGE_LENGTH_LIMIT,
    PLAN_LIMIT_BYTES,
    ROUND_LIMIT,
    Correction,
    EnteredResult,
    Entrant,
    Finish,
    Id,
    Name,
    NightId,
    NightMessage,
    NightPlan,
    ScoringName,
    SideKey,
    Spread,
    Tables,
    Title,
    serialize,
)
from companion.night.outcomes import Seat, SeatedGame, Status
from companion.night.seating import next_round

Games = Mapping[Seat, SeatedGame]
"""The outcomes of the games so far, by numbers of round and table (`Seat`)."""


class PlanCommand(NightMessage, frozen=True, kw_only=True, tag_field="command"):
    """Base of all commands; `command` in its JSON is its name."""

    def carry_out(self, plan: NightPlan, games: Games) -> NightPlan:
        """Return the plan after this command, with the next revision.

        Raises:
            BadInputError: the command does not fit the plan; the text says what to do.
        """
        changed = replace(self._change(plan, games), revision=plan.revision + 1)
        if len(serialize(changed)) > PLAN_LIMIT_BYTES:
            text = "the plan cannot become larger: begin a new night for the next games"
            raise BadInputError(text)
        return changed

    def _change(self, plan: NightPlan, games: Games, /) -> NightPlan:
        raise NotImplementedError


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
    """Seat the next round. Its number `round` is checked, so that no round is seated twice."""

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
    """Move a pair of the newest round to table `to`; a pair at `to` moves to `table`."""

    table: Id
    to: Id

    def _change(self, plan: NightPlan, games: Games, /) -> NightPlan:
        if plan.pair_at(self.table) is None:
            raise BadInputError("no pair sits at table {table}", table=self.table)
        *rounds, newest = plan.rounds
        other = {self.table: self.to, self.to: self.table}
        seats = {(len(plan.rounds), table) for table in other}
        if any(game.done for seat, game in games.items() if seat in seats):
            raise BadInputError("this game is over: a pair can move only before its result is in")
        moved = tuple(replace(p, table=other.get(p.table, p.table)) for p in newest.pairs)
        return replace(plan, rounds=(*rounds, replace(newest, pairs=moved)))


class SetMessage(PlanCommand, frozen=True, kw_only=True, tag="set-message"):
    """Set the line on the hall screen; an empty one removes it."""

    text: Annotated[str, Meta(max_length=MESSAGE_LENGTH_LIMIT)]

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        return replace(plan, message=" ".join(self.text.split()))


class BeginAnew(PlanCommand, frozen=True, kw_only=True, tag="begin-anew"):
    """Begin a new night with the id `night` and the entrants who have not left, without rounds."""

    night: NightId

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        staying = tuple(each for each in plan.entrants if each.playing)
        begun = replace(plan, night=self.night, entrants=staying, message="")
        return replace(begun, rounds=(), results=(), corrections=())


class EnterResult(PlanCommand, frozen=True, kw_only=True, tag="enter-result"):
    """Enter a result: the winner claims a win by `plus`, and the loser claims a loss by `minus`."""

    round: Id
    table: Id
    winner: SideKey
    plus: Spread
    minus: Spread

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        """Give the winner the smaller claim, and the loser the larger claim (ACC rule 12.2)."""
        others = _other_results(plan, self.round, self.table)
        if self.plus > plan.finish or self.minus > plan.finish:
            text = "a side loses by at most {finish} holes: correct the spread"
            raise BadInputError(text, finish=plan.finish)
        plus, minus = sorted((self.plus, self.minus))
        entered = EnteredResult(
            round=self.round, table=self.table, winner=self.winner, plus=plus, minus=minus
        )
        return replace(plan, results=(*others, entered))


class WithdrawResult(PlanCommand, frozen=True, kw_only=True, tag="withdraw-result"):
    """Take back an entered result. If the table has sent a result, that result counts again."""

    round: Id
    table: Id

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        return replace(plan, results=_other_results(plan, self.round, self.table))


class CorrectCard(PlanCommand, frozen=True, kw_only=True, tag="correct-card"):
    """Replace one line of an entrant's score card (a game) by what the judges have decided."""

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
    """Take a correction back."""

    round: Id
    entrant: Id

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        return replace(plan, corrections=_other_corrections(plan, self.round, self.entrant))


def _other_results(plan: NightPlan, number: int, table: int) -> tuple[EnteredResult, ...]:
    """Return all other entered results; refuse a table where no pair sat in this round."""
    seat = (number, table)
    if seat not in {(each, pair.table) for each, pair in plan.seats()}:
        text = "no pair sat at table {table} in round {n}: see the seating"
        raise BadInputError(text, table=table, n=number)
    return tuple(each for each in plan.results if (each.round, each.table) != seat)


def _other_corrections(plan: NightPlan, number: int, entrant: int) -> tuple[Correction, ...]:
    line = (number, entrant)
    return tuple(each for each in plan.corrections if (each.round, each.entrant) != line)


NAME_LENGTH_LIMIT: Final = 60
PLAYER_LIMIT: Final = 3


class AddEntrants(PlanCommand, frozen=True, kw_only=True, tag="add-entrants"):
    """Add entrants, one on each line, with `&` between the players of a side."""

    lines: Annotated[str, Meta(max_length=20_000)]

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        sides = [_players(line) for line in self.lines.splitlines() if line.strip()]
        first = max((each.id for each in plan.entrants), default=0) + 1
        added = [Entrant(id=at, players=players) for at, players in enumerate(sides, start=first)]
        return _with_entrants(plan, (*plan.entrants, *added))


class SetEntrant(PlanCommand, frozen=True, kw_only=True, tag="set-entrant"):
    """Rename an entrant, or note that it has left or come back."""

    id: Id
    name: Annotated[str, Meta(max_length=200)]
    playing: bool

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        _check_entrant(plan, self.id)
        changed = Entrant(id=self.id, players=_players(self.name), playing=self.playing)
        entrants = tuple(changed if each.id == self.id else each for each in plan.entrants)
        return _with_entrants(plan, entrants)


class RemoveEntrant(PlanCommand, frozen=True, kw_only=True, tag="remove-entrant"):
    """Remove an entrant who is in no round so far."""

    id: Id

    def _change(self, plan: NightPlan, _games: Games, /) -> NightPlan:
        _check_entrant(plan, self.id)
        if self.id in plan.seated_entrants:
            text = "{name} has had a seat: mark the side as gone, its games stay on the cards"
            raise BadInputError(text, name=plan.name_of(self.id))
        return replace(plan, entrants=tuple(e for e in plan.entrants if e.id != self.id))


def _with_entrants(plan: NightPlan, entrants: tuple[Entrant, ...]) -> NightPlan:
    names = Counter(each.name.casefold() for each in entrants)
    twice = next((each.name for each in entrants if names[each.name.casefold()] > 1), None)
    if twice:
        text = "{name} is on the list twice: add a word that tells the two apart"
        raise BadInputError(text, name=twice)
    if len(entrants) > ENTRANT_LIMIT:
        text = "{n} sides are too many: a night takes at most {limit}"
        raise BadInputError(text, n=len(entrants), limit=ENTRANT_LIMIT)
    return replace(plan, entrants=entrants)


def _players(line: str) -> tuple[Name, ...]:
    printable = "".join(each if each.isprintable() else " " for each in line)
    players = tuple(filter(None, (" ".join(each.split()) for each in printable.split("&"))))
    if not 1 <= len(players) <= PLAYER_LIMIT:
        text = "a side has one to three players, with & between them: {line}"
        raise BadInputError(text, line=printable[:NAME_LENGTH_LIMIT])
    if any(len(each) > NAME_LENGTH_LIMIT for each in players):
        text = "a name has at most {limit} letters: {line}"
        raise BadInputError(
            text, limit=NAME_LENGTH_LIMIT, line=f"{printable[:NAME_LENGTH_LIMIT]}..."
        )
    return players


def _check_entrant(plan: NightPlan, entrant: int) -> None:
    if all(each.id != entrant for each in plan.entrants):
        raise BadInputError("this side is not on the list: load the page again")


AnyCommand = (
    AddEntrants
    | SetEntrant
    | RemoveEntrant
    | SetFormat
    | SeatRound
    | WithdrawRound
    | MovePair
    | EnterResult
    | WithdrawResult
    | CorrectCard
    | WithdrawCorrection
    | SetMessage
    | BeginAnew
)
