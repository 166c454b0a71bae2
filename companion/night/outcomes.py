"""Results of a game night: the outcome of each game, the score cards, and the standings.

In each round of a night, entrants play in pairs, each pair at a table. A game counts when both have
confirmed it there, or when the organiser enters a result, which replaces the table's result. If
the winner claims +17 and the loser claims -16, their score cards get +16 and -17: both get the
worse value (ACC rule 12.2). The organiser can later correct one of these cards and leave the other.

The source is the tournament rules 2025 of the American Cribbage Congress (ACC; 12.1, 12.2, 13.2). A
win is worth 2 game points, a win by 31 or more is worth 3, and a loss is worth 0. The spread of a
game is the number of holes that the loser still had to go. Our scoring for Crib Wars gives 3 points
if the loser is still in the first third of the track.

The standings are sorted by game points, games won, net spread (spreads of the wins minus spreads of
the losses) and plus points (spreads of the wins). Entrants who are still equal are sorted by the
game points that they made against each other (Cross-Checking Guidelines, item 20). If these are
equal too, the entrants share a place, and are listed by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from typing import Final

from companion.night.messages import (
    EnteredResult,
    NightGame,
    NightPlan,
    ScoringName,
    SeatedPair,
    TableState,
)

ACC_SKUNK_SPREAD: Final = 31
WIN_POINTS: Final = 2
SKUNK_POINTS: Final = 3
QUALIFYING_SHARE: Final = 4
"""One entrant in four qualifies, and the number is rounded up (13.2)."""
SIDE_KEYS: Final = ("1", "2")
"""Names in JSON of the first and the second entrant of a pair."""

Seat = tuple[int, int]
"""Place of a pair: the number of the round and the number of the table."""
TableStates = Mapping[tuple[int, str], TableState]
"""The newest state from each table and journal, by the table's number and the journal's id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """Result of a game; the winner's card gets `spread`, and the loser's card gets `minus`."""

    round: int
    table: int
    winner: str
    loser: str
    spread: int
    minus: int
    finish: int


def is_skunk(result: GameResult, scoring: ScoringName) -> bool:
    """Return True if the loser had 31 or more holes to go (ACC), or was in the first third."""
    if scoring == "acc":
        return result.spread >= ACC_SKUNK_SPREAD
    return 3 * (result.finish - result.spread) <= result.finish


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """Game on an entrant's score card: `plus` is the spread of a win, `minus` the spread of a loss.

    `corrected` is the reason of a correction, or None without a correction.
    """

    round: int
    table: int
    opponent: str
    points: int
    plus: int = 0
    minus: int = 0
    corrected: str | None = None

    @property
    def won(self) -> bool:
        return self.plus > 0


def lines_of(result: GameResult, scoring: ScoringName) -> dict[str, CardLine]:
    """Return the lines of a game on the score cards of winner and loser, by entrant."""
    lost = CardLine(
        round=result.round, table=result.table, opponent=result.winner, points=0, minus=result.minus
    )
    points = SKUNK_POINTS if is_skunk(result, scoring) else WIN_POINTS
    won = replace(lost, opponent=result.loser, points=points, plus=result.spread, minus=0)
    return {result.winner: won, result.loser: lost}


Cards = Mapping[str, Sequence[CardLine]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Place of an entrant in the standings; equal entrants share a `rank`."""

    rank: int
    name: str
    points: int
    won: int
    lost: int
    net: int
    plus: int
    qualifies: bool


def standings(by_entrant: Cards) -> list[Place]:
    """Return the entrants from the first place to the last."""
    places: list[Place] = []
    qualifying = -(-len(by_entrant) // QUALIFYING_SHARE)
    for group in _ranked(by_entrant):
        rank = len(places) + 1
        for entrant in sorted(group):
            lines = by_entrant[entrant]
            points, won, net, plus = _totals(lines)
            places.append(
                Place(
                    rank=rank,
                    name=entrant,
                    points=points,
                    won=won,
                    lost=len(lines) - won,
                    net=net,
                    plus=plus,
                    qualifies=rank <= qualifying,
                )
            )
    return places


def _totals(lines: Sequence[CardLine]) -> tuple[int, int, int, int]:
    """Return game points, games won, net spread and plus points of a card."""
    plus = sum(line.plus for line in lines)
    minus = sum(line.minus for line in lines)
    return sum(line.points for line in lines), sum(line.won for line in lines), plus - minus, plus


def _ranked(by_entrant: Cards) -> list[list[str]]:
    """Return groups of entrants who share a place, in the order of the places."""
    totals = {entrant: _totals(lines) for entrant, lines in by_entrant.items()}
    ordered = sorted(by_entrant, key=lambda entrant: totals[entrant], reverse=True)
    ranked: list[list[str]] = []
    for _, equal in groupby(ordered, key=lambda entrant: totals[entrant]):
        ranked += _by_games_among(list(equal), by_entrant)
    return ranked


def _by_games_among(equal: list[str], by_entrant: Cards) -> list[list[str]]:
    """Split entrants by their game points against each other, most points first."""
    among = {
        entrant: sum(line.points for line in by_entrant[entrant] if line.opponent in equal)
        for entrant in equal
    }
    ordered = sorted(equal, key=lambda entrant: among[entrant], reverse=True)
    return [list(group) for _, group in groupby(ordered, key=lambda entrant: among[entrant])]


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
    """Game of a pair; `missing` entrants must confirm it, unless a result was `entered` by hand."""

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
    """Return each entrant's score card by name; an entrant without a game has an empty one."""
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
    """Return the sides of a game, such as "1" and "3", in the order of the pair's entrants."""
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
