"""Standings of a night, computed from its tables' journals alone, and the verdict on others."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from companion.records.records import Records
from tests.campaign.figures import Verdicts


def folded(folders: dict[int, Path], seats: list[list[dict[str, Any]]]) -> list[tuple[object, ...]]:
    """Return the standings of the journals, in which the n-th won game of a table is round n."""
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for table, folder in folders.items():
        with Records(folder) as records:
            games = [(game, game.winner) for game in records.games() if game.winner is not None]
        assert len(games) == len(seats), (table, len(games))
        for (game, winner), pairs in zip(games, seats, strict=True):
            names = next(pair["names"] for pair in pairs if pair["table"] == table)
            (loser,) = game.sides.keys() - {winner}
            finish, progress = (game.sides[side].progress for side in (winner, loser))
            spread, points = finish - progress, 3 if progress * 3 <= finish else 2
            gains = {winner: (points, 1, spread, spread), loser: (0, 0, -spread, 0)}
            for side, gain in gains.items():
                total = totals[names[side - 1]]
                total[:] = map(sum, zip(total, gain, strict=True))
    return sorted(((*total, name) for name, total in totals.items()), key=repr)


def judge_standings(
    shown: list[dict[str, Any]], expected: list[tuple[object, ...]], rounds: int, found: Verdicts
) -> None:
    """Judge standings: each game is on both cards once, with the sums of the journals."""
    for each in shown:
        is_whole = each["won"] + each["lost"] == rounds
        found.add(None if is_whole else "lost or doubled", str(each))
    keys = ("points", "won", "net", "plus", "name")
    lines = sorted((tuple(each[key] for key in keys) for each in shown), key=repr)
    for mine, theirs in zip(expected, lines, strict=True):
        found.add(None if mine == theirs else "wrong standing", f"{mine} by the journals, {theirs}")
