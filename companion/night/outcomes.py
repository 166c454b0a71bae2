"""Outcomes of the games of a night, and the entrants' score cards, which follow from them.

A game counts when both sides have confirmed it at the table, or when the organiser has entered the
result; an entered result replaces the result of the table. If the winner claims +17 and the loser
claims -16, the cards get +16 and -17, to the disadvantage of each side (American Cribbage Congress,
rule 12.2). The organiser can then correct each card without the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from companion.night.messages import EnteredResult, NightGame, NightPlan, SeatedPair, TableState
from companion.night.scoring import CardLine, Cards, GameResult, lines_of

SIDE_KEYS: Final = ("1", "2")
"""Keys of a pair's sides in JSON, in the order of its entrants."""

Seat = tuple[int, int]
"""Number of a round, and number of a table."""
TableStates = Mapping[tuple[int, str], TableState]
"""The newest state by table number and journal."""


class Status(Enum):
    """Status of a game of the night."""

    WAITING = "waiting"
    """No count has been made."""
    PLAYING = "playing"
    UNCONFIRMED = "unconfirmed"
    """The game is won, and a side has not confirmed it."""
    DISPUTED = "disputed"
    """Two journals of one table have different results."""
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedGame:
    """Game of a pair; `result` is None before a win, `missing` are entrants who must confirm."""

    round: int
    pair: SeatedPair
    status: Status = Status.WAITING
    result: GameResult | None = None
    missing: tuple[int, ...] = ()
    entered: bool = False

    @property
    def done(self) -> bool:
        return self.status is Status.DONE


def outcomes(plan: NightPlan, states: TableStates) -> dict[Seat, SeatedGame]:
    """Return the outcome of each game of a night by its seat, in order of rounds and pairs."""
    entered = {(each.round, each.table): each for each in plan.results}
    games = _games_by_seat(plan, states)
    found: dict[Seat, SeatedGame] = {}
    for number, pair in plan.seats():
        seat = (number, pair.table)
        if seat in entered:
            found[seat] = _entered(plan, pair, entered[seat])
        else:
            found[seat] = _played(plan, number, pair, games.get(seat, []))
    return found


def foreign_games(plan: NightPlan, states: TableStates) -> Iterator[tuple[int, NightGame]]:
    """Yield table and game of each pair that played where it was not seated in that round."""
    seated = {(number, pair.table): pair for number, pair in plan.seats()}
    for (table, _), state in states.items():
        for game in state.games:
            pair = seated.get((game.round, table))
            if state.night == plan.night and (pair is None or not _is_of(game, pair)):
                yield table, game


def cards(plan: NightPlan, games: Iterable[SeatedGame]) -> Cards:
    """Return the card of each entrant by name; an entrant without a game has an empty card."""
    names = {each.id: each.name for each in plan.entrants}
    drawn: dict[str, dict[int, CardLine]] = {name: {} for name in names.values()}
    for game in games:
        if game.done and game.result:
            for name, line in lines_of(game.result, plan.scoring).items():
                drawn[name][game.round] = line
    seats = {
        (number, each): (pair, other)
        for number, pair in plan.seats()
        for each, other in (pair.entrants, pair.entrants[::-1])
    }
    for correction in plan.corrections:
        if (seat := (correction.round, correction.entrant)) in seats:
            pair, other = seats[seat]
            drawn[names[correction.entrant]][correction.round] = CardLine(
                round=correction.round,
                table=pair.table,
                opponent=names[other],
                points=correction.points,
                plus=correction.plus,
                minus=correction.minus,
                corrected=correction.reason,
            )
    return {name: [lines[number] for number in sorted(lines)] for name, lines in drawn.items()}


def _games_by_seat(plan: NightPlan, states: TableStates) -> dict[Seat, list[NightGame]]:
    found: dict[Seat, list[NightGame]] = {}
    for (table, _), state in sorted(states.items(), key=lambda each: each[0]):
        if state.night != plan.night:
            continue
        for number in sorted({game.round for game in state.games}):
            games = [game for game in state.games if game.round == number]
            whole = (game for game in games if _is_confirmed(game))
            found.setdefault((number, table), []).append(next(whole, games[-1]))
    return found


def _is_of(game: NightGame, pair: SeatedPair) -> bool:
    return tuple(game.entrants[side] for side in _sides(game)) == pair.entrants


def _sides(game: NightGame) -> list[str]:
    """Return the lanes of a game, such as 1 and 3, in the order of the pair's entrants."""
    return sorted(game.entrants)


def _is_confirmed(game: NightGame) -> bool:
    return game.winner is not None and game.entrants.keys() <= set(game.confirmed)


def _played(plan: NightPlan, number: int, pair: SeatedPair, games: list[NightGame]) -> SeatedGame:
    """Return the outcome of a pair's game; `games` can come from two journals of the table."""
    games = [game for game in games if _is_of(game, pair)]
    outcome = SeatedGame(round=number, pair=pair)
    if not games:
        return outcome
    confirmed = [game for game in games if _is_confirmed(game)]
    if len({(game.winner, *game.progress.items()) for game in confirmed}) > 1:
        return replace(outcome, status=Status.DISPUTED)
    game = confirmed[0] if confirmed else games[-1]
    if game.winner is None:
        begun = any(game.progress.values())
        return replace(outcome, status=Status.PLAYING if begun else Status.WAITING)
    sides = _sides(game)
    (loser,) = set(sides) - {game.winner}
    spread = max(1, game.finish - game.progress[loser])
    winner = SIDE_KEYS[sides.index(game.winner)]
    result = EnteredResult(round=number, table=pair.table, winner=winner, plus=spread, minus=spread)
    missing = tuple(
        entrant
        for side, entrant in zip(sides, pair.entrants, strict=True)
        if side not in game.confirmed
    )
    return replace(
        outcome,
        status=Status.UNCONFIRMED if missing else Status.DONE,
        result=_result(plan, pair, result, game.finish),
        missing=missing,
    )


def _entered(plan: NightPlan, pair: SeatedPair, entered: EnteredResult) -> SeatedGame:
    result = _result(plan, pair, entered, plan.finish)
    return SeatedGame(
        round=entered.round, pair=pair, status=Status.DONE, result=result, entered=True
    )


def _result(plan: NightPlan, pair: SeatedPair, entered: EnteredResult, finish: int) -> GameResult:
    won, lost = pair.entrants if entered.winner == SIDE_KEYS[0] else pair.entrants[::-1]
    return GameResult(
        round=entered.round,
        table=pair.table,
        winner=plan.name_of(won),
        loser=plan.name_of(lost),
        spread=entered.plus,
        minus=entered.minus,
        finish=finish,
    )
