"""Totals of many games, by side and by the name that a side played under.

Only games that were won count: one that runs or was left behind would bend every average.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from companion.board import ZoneKind
from companion.journal.side_statistics import ByReason, GameFigures, SideFigures, Swing

_DOUBLE = 4
"""Games that a double skunk is worth (G4)."""

Named = tuple[int, dict[int, str], GameFigures]
"""A game: its number, the names of those of its sides that had one, and what it came to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feat:
    """Holes, and where they were made: the game, and the step in it if it was one step."""

    holes: int
    game: int
    step: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skunks:
    """Skunks of a kind, by who gave them and who took them."""

    given: int
    taken: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Averages:
    """Points a deal from hand and pegging, and from each crib of its own; None where unknown.

    Only games count in which the journal says what every count was for: `games` of them.
    """

    games: int
    hand: float | None
    crib: float | None
    pegging: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Totals of a side over all its games that were won, by whichever side.

    `won` are games, `worth` what these wins counted for. `holes` are a game's, `zones` landings a
    game. `counts`, `average_count` and `largest_count` are of cards. `longest_streak` are games
    won in a row, `streak` those up to now. `comeback`: the most that it lay behind in a game that
    it won. `best_swing` and `worst_swing`: what one count, anybody's, gained and cost it.
    """

    played: int
    won: int
    worth: int
    skunks: Skunks
    double_skunks: Skunks
    holes: float | None
    counts: int
    average_count: float | None
    largest_count: int
    penalty_points: int
    muggins_points: int
    awards: int
    zones: dict[ZoneKind, float]
    best_swing: Feat | None
    worst_swing: Feat | None
    comeback: Feat | None
    longest_streak: int
    streak: int
    averages: Averages


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Tallies of `games` games, by team and by the name that a side had in them."""

    games: int
    sides: dict[int, Tally]
    names: dict[str, Tally]


@dataclass(frozen=True, slots=True, kw_only=True)
class _GamePart:
    """A side's part in a game."""

    game: int
    team: int
    side: SideFigures
    told: GameFigures


def statistics(games: Iterable[Named]) -> Statistics:
    """Return the totals of these games, given in the order in which they were played."""
    won = [game for game in games if game[2].winner is not None]
    by_team: defaultdict[int, list[_GamePart]] = defaultdict(list)
    by_name: defaultdict[str, list[_GamePart]] = defaultdict(list)
    for number, names, told in won:
        for team, side in told.sides.items():
            part = _GamePart(game=number, team=team, side=side, told=told)
            by_team[team].append(part)
            if team in names:
                by_name[names[team]].append(part)
    return Statistics(
        games=len(won),
        sides={team: _tally(parts) for team, parts in sorted(by_team.items())},
        names={name: _tally(parts) for name, parts in sorted(by_name.items())},
    )


def _tally(parts: Sequence[_GamePart]) -> Tally:
    sides = [part.side for part in parts]
    wins = [part for part in parts if part.side.won]
    counts, points = _sum(sides, lambda s: s.counts), _sum(sides, lambda s: s.points)
    streaks = [len(list(run)) if won else 0 for won, run in groupby(sides, lambda s: s.won)]
    return Tally(
        played=len(parts),
        won=len(wins),
        worth=sum(part.told.worth or 1 for part in wins),
        skunks=_skunks(parts, double=False),
        double_skunks=_skunks(parts, double=True),
        holes=_ratio(_sum(sides, lambda s: s.holes), len(parts)),
        counts=counts,
        average_count=_ratio(points, counts),
        largest_count=max(side.largest for side in sides),
        penalty_points=_sum(sides, lambda s: s.penalty_points),
        muggins_points=_sum(sides, lambda s: s.muggins_points),
        awards=_sum(sides, lambda s: s.awards),
        zones=_zones(sides),
        best_swing=_feat(parts, lambda s: s.best_swing),
        worst_swing=_feat(parts, lambda s: s.worst_swing),
        comeback=_comeback(wins),
        longest_streak=max(streaks),
        streak=streaks[-1],
        averages=_averages(sides),
    )


def _sum(sides: Sequence[SideFigures], value: Callable[[SideFigures], int]) -> int:
    return sum(map(value, sides))


def _ratio(total: int, number: int) -> float | None:
    return total / number if number else None


def _skunks(parts: Sequence[_GamePart], *, double: bool) -> Skunks:
    """Count the skunks; a winner gives one to every side that is caught."""
    given = [side.caught for part in parts if part.side.won for side in part.told.sides.values()]
    taken = [part.side.caught for part in parts]
    return Skunks(given=_caught(given, double=double), taken=_caught(taken, double=double))


def _caught(games: Iterable[int], *, double: bool) -> int:
    return sum(bool(worth) and (worth == _DOUBLE) is double for worth in games)


def _zones(sides: Sequence[SideFigures]) -> dict[ZoneKind, float]:
    met: Counter[ZoneKind] = Counter()
    for side in sides:
        met.update(side.zones)
    return {kind: met[kind] / len(sides) for kind in ZoneKind}


def _feat(parts: Sequence[_GamePart], swing: Callable[[SideFigures], Swing | None]) -> Feat | None:
    """Return the largest swing of a kind, and of two alike the earlier one."""
    swings = ((part.game, swing(part.side)) for part in parts)
    feats = [Feat(holes=s.holes, game=game, step=s.step) for game, s in swings if s]
    return max(feats, key=lambda feat: abs(feat.holes), default=None)


def _comeback(wins: Sequence[_GamePart]) -> Feat | None:
    feats = [Feat(holes=part.side.behind, game=part.game) for part in wins if part.side.behind]
    return max(feats, key=lambda feat: feat.holes, default=None)


def _averages(sides: Sequence[SideFigures]) -> Averages:
    known: list[tuple[SideFigures, ByReason]] = [(s, s.by_reason) for s in sides if s.by_reason]
    deals, cribs = sum(side.deals for side, _ in known), sum(side.cribs for side, _ in known)
    return Averages(
        games=len(known),
        hand=_ratio(sum(points.hand for _, points in known), deals),
        crib=_ratio(sum(points.crib for _, points in known), cribs),
        pegging=_ratio(sum(points.pegging for _, points in known), deals),
    )
