"""Changes of a plan: each command makes a new plan of the last, or is refused with the remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from msgspec.structs import replace

from companion.errors import BadInputError, Message
from companion.night.commands import (
    AddEntrants,
    AnyCommand,
    BeginAnew,
    CorrectCard,
    EnterResult,
    MovePair,
    PlanCommand,
    RemoveEntrant,
    SeatRound,
    SetEntrant,
    SetFormat,
    SetMessage,
    WithdrawCorrection,
    WithdrawResult,
    WithdrawRound,
)
from companion.night.messages import SIDES, Name, serialize
from companion.night.outcomes import Seat, SeatedGame, Status
from companion.night.plan import (
    ENTRANT_LIMIT,
    PLAN_LIMIT_BYTES,
    ROUND_LIMIT,
    Correction,
    EnteredResult,
    Entrant,
    NightPlan,
    NightRound,
    SeatedPair,
)
from companion.night.seating import Round, draw_rounds

NAME_LENGTH_LIMIT: Final = 60
PLAYER_LIMIT: Final = 3


def carry_out(
    plan: NightPlan, command: AnyCommand, games: Mapping[Seat, SeatedGame] | None = None
) -> NightPlan:
    """Return the plan after a command, with the next revision.

    Args:
        plan: the plan before.
        command: the change.
        games: the outcomes so far.

    Raises:
        BadInputError: the command does not fit the plan; the text says what to do.
    """
    change = _CHANGES[type(command)]
    changed = replace(change(plan, command, games or {}), revision=plan.revision + 1)
    if len(serialize(changed)) > PLAN_LIMIT_BYTES:
        raise BadInputError("the night is as large as it can be: begin a new one for what follows")
    return changed


def next_round(plan: NightPlan) -> NightRound | None:
    """Return the round that would be seated next; None without two entrants."""
    playing = [each.id for each in plan.entrants if each.playing]
    if len(playing) < SIDES:
        return None
    drawn = _draw(tuple(playing), plan.rounds)
    tables = plan.tables or range(1, len(drawn.pairs) + 1)
    seated = zip(tables, drawn.pairs, strict=False)
    pairs = tuple(SeatedPair(table=table, entrants=pair) for table, pair in seated)
    if len(pairs) < len(drawn.pairs):
        text = "{pairs} pairs need as many tables, and there are {tables}: add tables to the format"
        raise BadInputError(Message(text, len(drawn.pairs), len(pairs)))
    return NightRound(pairs=pairs, bye=drawn.bye)


@lru_cache(maxsize=2)
def _draw(playing: tuple[int, ...], rounds: tuple[NightRound, ...]) -> Round:
    """Draw the next round: a search of 0.1 s once sides have come or gone, asked for each view."""
    (drawn,) = draw_rounds(playing, 1, [_as_drawn(each) for each in rounds])
    return drawn


def _as_drawn(seated: NightRound) -> Round:
    return Round(pairs=tuple(each.entrants for each in seated.pairs), bye=seated.bye)


# Entrants


def _add_entrants(plan: NightPlan, command: AddEntrants, _: object) -> NightPlan:
    sides = [_players(line) for line in command.lines.splitlines() if line.strip()]
    first = max((each.id for each in plan.entrants), default=0) + 1
    added = [Entrant(id=at, players=players) for at, players in enumerate(sides, start=first)]
    return _with_entrants(plan, (*plan.entrants, *added))


def _set_entrant(plan: NightPlan, command: SetEntrant, _: object) -> NightPlan:
    _check_entrant(plan, command.id)
    changed = Entrant(id=command.id, players=_players(command.name), playing=command.playing)
    return _with_entrants(
        plan, tuple(changed if each.id == command.id else each for each in plan.entrants)
    )


def _remove_entrant(plan: NightPlan, command: RemoveEntrant, _: object) -> NightPlan:
    _check_entrant(plan, command.id)
    if any(command.id in {*_seated(each), each.bye} for each in plan.rounds):
        text = "{name} has had a seat: mark the side as gone, its games stay on the cards"
        raise BadInputError(Message(text, plan.name_of(command.id)))
    left = tuple(each for each in plan.entrants if each.id != command.id)
    return replace(plan, entrants=left)


def _with_entrants(plan: NightPlan, entrants: tuple[Entrant, ...]) -> NightPlan:
    names = Counter(each.name.casefold() for each in entrants)
    twice = next((each.name for each in entrants if names[each.name.casefold()] > 1), None)
    if twice:
        text = "{name} is on the list twice: add a word that tells the two apart"
        raise BadInputError(Message(text, twice))
    if len(entrants) > ENTRANT_LIMIT:
        text = "{n} sides are too many: a night has at most {limit}"
        raise BadInputError(Message(text, len(entrants), ENTRANT_LIMIT))
    return replace(plan, entrants=entrants)


def _players(line: str) -> tuple[Name, ...]:
    """Return the players of a side from a line such as `Ann & Bob`."""
    printable = "".join(each if each.isprintable() else " " for each in line)
    players = tuple(filter(None, (" ".join(each.split()) for each in printable.split("&"))))
    if not 1 <= len(players) <= PLAYER_LIMIT:
        text = "a side has one to three players, with & between them: {line}"
        raise BadInputError(Message(text, printable[:NAME_LENGTH_LIMIT]))
    if any(len(each) > NAME_LENGTH_LIMIT for each in players):
        text = "a name has at most {limit} letters: {line}"
        line = f"{printable[:NAME_LENGTH_LIMIT]}..."
        raise BadInputError(Message(text, NAME_LENGTH_LIMIT, line))
    return players


def _check_entrant(plan: NightPlan, entrant: int) -> None:
    if all(each.id != entrant for each in plan.entrants):
        raise BadInputError("this side is not on the list: load the page again")


# Format and rounds


def _set_format(plan: NightPlan, command: SetFormat, _: object) -> NightPlan:
    if len(set(command.tables)) < len(command.tables):
        raise BadInputError("a table stands twice in the list of tables: take one out")
    changed = {each: getattr(command, each) for each in command.__struct_fields__}
    return replace(plan, **changed)


def _seat_round(plan: NightPlan, command: SeatRound, _: object) -> NightPlan:
    if command.round != len(plan.rounds) + 1:
        raise BadInputError(Message("round {n} is seated already", command.round))
    if len(plan.rounds) == ROUND_LIMIT:
        text = "a night has at most {limit} rounds: begin a new night"
        raise BadInputError(Message(text, ROUND_LIMIT))
    seated = next_round(plan)
    if seated is None:
        raise BadInputError("a round needs two sides: add them to the list first")
    return replace(plan, rounds=(*plan.rounds, seated))


def _withdraw_round(
    plan: NightPlan, command: WithdrawRound, games: Mapping[Seat, SeatedGame]
) -> NightPlan:
    _check_newest(plan, command.round)
    own = [game for (number, _), game in games.items() if number == command.round]
    if any(game.status is not Status.WAITING for game in own):
        text = "round {n} has begun and stays: enter or correct its results instead"
        raise BadInputError(Message(text, command.round))
    return replace(plan, rounds=plan.rounds[:-1])


def _move_pair(plan: NightPlan, command: MovePair, games: Mapping[Seat, SeatedGame]) -> NightPlan:
    if plan.pair_at(command.table) is None:
        raise BadInputError(Message("no pair sits at table {table}", command.table))
    number, newest = len(plan.rounds), plan.rounds[-1]
    other = {command.table: command.to, command.to: command.table}
    if any(
        number == each and table in other and game.done for (each, table), game in games.items()
    ):
        raise BadInputError("this game is over: a pair moves before its result is in")
    moved = tuple(replace(pair, table=other.get(pair.table, pair.table)) for pair in newest.pairs)
    return replace(plan, rounds=(*plan.rounds[:-1], replace(newest, pairs=moved)))


def _begin_anew(plan: NightPlan, command: BeginAnew, _: object) -> NightPlan:
    staying = tuple(each for each in plan.entrants if each.playing)
    return replace(
        plan,
        night=command.night,
        entrants=staying,
        rounds=(),
        results=(),
        corrections=(),
        message="",
    )


def _check_newest(plan: NightPlan, number: int) -> None:
    if not plan.rounds or number != len(plan.rounds):
        raise BadInputError(Message("round {n} is not the newest one", number))


def _seated(seated: NightRound) -> Iterable[int]:
    return (entrant for pair in seated.pairs for entrant in pair.entrants)


# Results


def _enter_result(plan: NightPlan, command: EnterResult, _: object) -> NightPlan:
    """Enter each claim to the disadvantage of the side that makes it (ACC 12.2)."""
    _check_seat(plan, command.round, command.table)
    if command.plus > plan.finish or command.minus > plan.finish:
        text = "a side loses by at most {finish} holes: see the spread"
        raise BadInputError(Message(text, plan.finish))
    entered = EnteredResult(
        round=command.round,
        table=command.table,
        winner=command.winner,
        plus=min(command.plus, command.minus),
        minus=max(command.plus, command.minus),
    )
    return replace(plan, results=(*_other_results(plan, command), entered))


def _withdraw_result(plan: NightPlan, command: WithdrawResult, _: object) -> NightPlan:
    _check_seat(plan, command.round, command.table)
    return replace(plan, results=_other_results(plan, command))


def _other_results(
    plan: NightPlan, command: EnterResult | WithdrawResult
) -> tuple[EnteredResult, ...]:
    seat = (command.round, command.table)
    return tuple(each for each in plan.results if (each.round, each.table) != seat)


def _check_seat(plan: NightPlan, number: int, table: int) -> None:
    if (number, table) not in {(each, pair.table) for each, pair in plan.seats()}:
        text = "no pair sat at table {table} in round {n}: see the seating"
        raise BadInputError(Message(text, table, number))


def _correct_card(plan: NightPlan, command: CorrectCard, _: object) -> NightPlan:
    wanted = command.correction
    if not any(
        number == wanted.round and wanted.entrant in pair.entrants for number, pair in plan.seats()
    ):
        raise BadInputError(Message("this side had no game in round {n}", wanted.round))
    if bool(wanted.plus) == bool(wanted.minus):
        raise BadInputError("a line of a card has a plus or a minus: enter one of them")
    others = _other_corrections(plan, wanted.round, wanted.entrant)
    return replace(plan, corrections=(*others, wanted))


def _withdraw_correction(plan: NightPlan, command: WithdrawCorrection, _: object) -> NightPlan:
    return replace(plan, corrections=_other_corrections(plan, command.round, command.entrant))


def _other_corrections(plan: NightPlan, number: int, entrant: int) -> tuple[Correction, ...]:
    line = (number, entrant)
    return tuple(each for each in plan.corrections if (each.round, each.entrant) != line)


def _set_message(plan: NightPlan, command: SetMessage, _: object) -> NightPlan:
    return replace(plan, message=" ".join(command.text.split()))


_CHANGES: Final[dict[type[PlanCommand], Callable[[NightPlan, Any, Any], NightPlan]]] = {
    AddEntrants: _add_entrants,
    SetEntrant: _set_entrant,
    RemoveEntrant: _remove_entrant,
    SetFormat: _set_format,
    SeatRound: _seat_round,
    WithdrawRound: _withdraw_round,
    MovePair: _move_pair,
    EnterResult: _enter_result,
    WithdrawResult: _withdraw_result,
    CorrectCard: _correct_card,
    WithdrawCorrection: _withdraw_correction,
    SetMessage: _set_message,
    BeginAnew: _begin_anew,
}
