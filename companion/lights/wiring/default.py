"""Default wiring: the order in which strips are soldered, back and forth along the track.

A row of holes lies in one lane, and the rows that lie side by side in all lanes are a column. The
wire goes through the columns in the order of the track, then through the side paths; in each, it
goes on at the nearest end of a row. Last come the lamps beside the track, in the board's order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TypeAlias

from companion.board.layout import Row
from companion.lights.compositor import Per, Points

Place: TypeAlias = tuple[float, float]  # x and y on the sheet, in millimetres


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Piece of strip for a row of holes or one lamp: the indexes and places of its LEDs."""

    name: str
    points: tuple[int, ...]
    places: tuple[Place, ...]
    is_lamp: bool = False

    def reversed(self) -> Run:
        return replace(self, points=self.points[::-1], places=self.places[::-1])


def runs(points: Points) -> dict[str, Run]:
    """Return all runs by name: `1:41-81` in lane 1, `1:trap-130:1-6` on a side path, `start-1`.

    `start-1` is a lamp. If the lanes share LEDs, the names lack the lane: `41-81`.
    """
    found = [_row_run(points, row) for row in points.rows]
    for lamp in points.board.lamps:
        place = (lamp.x_mm, lamp.y_mm)
        lit = (points.lamps[lamp.id],)
        found.append(Run(name=lamp.id, points=lit, places=(place,), is_lamp=True))
    return {run.name: run for run in found}


def serpentine(points: Points) -> list[Run]:
    """Return all runs in soldering order, each in the direction of the wire."""
    by_name = runs(points)
    chain: list[Run] = []
    for group in _groups(points):
        _append_nearest([by_name[_name(points, row)] for row in group], chain)
    return chain + [run for run in by_name.values() if run.is_lamp]


def halves(chain: list[Run]) -> tuple[list[Run], list[Run]]:
    """Cut a chain between two runs, as near to its middle as possible."""
    ends = list(accumulate((len(run.points) for run in chain), initial=0))
    cut = min(range(len(ends)), key=lambda n: abs(ends[-1] - 2 * ends[n]))
    return chain[:cut], chain[cut:]


def _row_run(points: Points, row: Row) -> Run:
    return Run(
        name=_name(points, row),
        points=tuple(points.index(row.lane, hole) for hole in row.holes),
        places=tuple((x, y) for _, x, y in row.places()),
    )


def _name(points: Points, row: Row) -> str:
    first, last = str(row.holes[0]), str(row.holes[-1])
    name = f"{first}-{last.rpartition(':')[2]}"
    return name if points.per is Per.HOLE else f"{row.lane}:{name}"


def _groups(points: Points) -> Iterator[list[Row]]:
    """Yield groups of rows that lie side by side: columns along the track, then side paths."""
    beside: dict[object, list[Row]] = {}
    for row in sorted(points.rows, key=_along_the_track):
        beside.setdefault(row.holes[0], []).append(row)
    yield from beside.values()


def _along_the_track(row: Row) -> tuple[bool, int]:
    first = row.holes[0]
    return (False, first) if isinstance(first, int) else (True, 0)


def _append_nearest(group: Iterable[Run], chain: list[Run]) -> None:
    left = [way for run in group for way in (run, run.reversed())]
    while left:
        at = chain[-1].places[-1] if chain else left[0].places[0]
        nearest = min(left, key=lambda run: math.dist(at, run.places[0]))
        chain.append(nearest)
        left = [run for run in left if run.name != nearest.name]
