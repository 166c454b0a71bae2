"""Series of games (G6): each goes on until it is won, or a start with other settings. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.records.games import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A series of games.

    `games` are their numbers, `score` the games won by team, a skunk counting 2 and a double skunk
    4, `to` how many win it (None: it has no end), `names` what the sides were called last.
    """

    number: int
    games: list[int]
    begun: float
    ended: float | None
    to: int | None
    score: dict[int, int]
    names: dict[int, str]
    winner: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InSeries:
    """A game with its place in a series: `opens` one, `to` so many games, `won` with this one."""

    game: Game
    opens: bool
    to: int | None
    won: bool
    score: dict[int, int]


def matches(games: Iterable[InSeries]) -> list[Match]:
    """The series that games make, both in the order in which they were played."""
    series: list[list[InSeries]] = []
    for game in games:
        if game.opens or not series or series[-1][-1].won:
            series.append([])
        series[-1].append(game)
    return [_match(number, found) for number, found in enumerate(series, start=1)]


def _match(number: int, series: list[InSeries]) -> Match:
    last = series[-1]
    score = {team: games for each in series for team, games in each.score.items()}
    sides = {team: side for each in series for team, side in each.game.sides.items()}
    return Match(
        number=number,
        games=[each.game.number for each in series],
        begun=series[0].game.begun,
        ended=last.game.ended if last.won else None,
        to=last.to,
        score=score,
        names={team: side.name for team, side in sides.items() if side.name},
        winner=last.game.winner if last.won else None,
    )
