"""Wiring: the LED that shows each light point (a hole of a lane, or a lamp) of a board.

The order of the LEDs is worked out once, when the settings are read. `spread` then gives each LED
the light of its point. Skipped and dead LEDs stay dark. With `Per.HOLE` all lanes share one LED and
one light point at each hole. If LED 2 is skipped (the first LED is 0), LED 3 shows the third point:

>>> from companion.board import load_board
>>> wiring = Wiring.make(load_board("classic"), {"skipped": [[0, 2]]})
>>> light = np.repeat(np.arange(wiring.points.size, dtype=np.float32), 3).reshape(-1, 3)
>>> wiring.spread(light)[:5, 0].tolist()
[0.0, 1.0, 0.0, 2.0, 3.0]
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, count
from typing import NamedTuple, Self, TypeAlias

import numpy as np

from companion.board.layout import Board, Row
from companion.errors import SettingsError, Text, suggest
from companion.lights.compositor import Light, Per, Points
from companion.toml import Check, TableReader, Value, ValueKind, choice, number

Place: TypeAlias = tuple[float, float]  # x and y on the sheet, in millimetres
Spot: TypeAlias = tuple[int, int]  # channel and LED on it, both from 0
CHANNELS = 2  # largest number of channels of a strip driver
_MAX_LED = 2000
_NO_LED = Text("take it out, or name another LED")

# Runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Piece of strip for a row of holes or a lamp: the light points and places of its LEDs."""

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
    """Return all runs in the default order of soldering, each in the direction of the wire.

    A row of holes lies in one lane, and the rows that lie side by side in all lanes are a column.
    The wire goes back and forth through the columns in the order of the track, then through the
    side paths; of the rows left in a column, the one with the nearest end is next. Last come the
    lamps beside the track, in the board's order.
    """
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


# The table of settings


@dataclass(frozen=True, slots=True, kw_only=True)
class WiringPlan:
    """Runs (pieces of strip) of each channel in the order of the wire; skipped and dead LEDs."""

    points: Points
    channels: tuple[tuple[Run, ...], ...]
    skipped: frozenset[Spot]
    dead: frozenset[Spot]


def read_plan(board: Board, settings: Mapping[str, object]) -> WiringPlan:
    """Return the plan of a `[wiring]` table; a `SettingsError` lists all faults of the table."""
    table = TableReader(settings, file="", where="wiring", faults=[])
    points = Points(board, Per(table.optional("per", choice(*Per), Per.HOLE_AND_LANE)))
    channels = _chained(table, points) if "chains" in table else _soldered(table, points)
    skipped, dead = _read_spots(table, "skipped"), _read_spots(table, "dead")
    table.close()
    lengths = [
        sum(len(run.points) for run in chain) + sum(spot[0] == n for spot in skipped)
        for n, chain in enumerate(channels)
    ]
    _check_lengths(table, "skipped", skipped, lengths)
    _check_lengths(table, "dead", dead, lengths)
    for spot in sorted(skipped & dead):
        table.fault("dead", Text("{spot} is skipped too", spot=list(spot)), Text("name it once"))
    if table.faults:
        raise SettingsError(*table.faults)
    return WiringPlan(points=points, channels=channels, skipped=skipped, dead=dead)


def _soldered(table: TableReader, points: Points) -> tuple[tuple[Run, ...], ...]:
    chain = serpentine(points)
    table.allow("chains")
    channels = table.optional("channels", number(1, CHANNELS, whole=True), 1)
    return (tuple(chain),) if channels != CHANNELS else tuple(map(tuple, halves(chain)))


def _chained(table: TableReader, points: Points) -> tuple[tuple[Run, ...], ...]:
    table.refuse(
        "channels", Text("is for boards without chains"), Text("each chain names its channel")
    )
    by_name = runs(points)
    wired: tuple[list[Run], ...] = tuple([] for _ in range(CHANNELS))
    chains = table.tables("chains")
    if not chains and table.good("chains"):
        table.fault("chains", Text("there is no chain"), Text("write one below [[wiring.chains]]"))
    for chain in chains:
        channel = chain.optional("channel", number(0, CHANNELS - 1, whole=True), 0)
        wired[channel].extend(_chain(chain, by_name))
        chain.close()
    if any(wired):
        _check_each_once(table, wired, by_name)
    if wired[1] and not wired[0]:
        table.fault("chains", Text("channel 0 has no chain"), Text("begin with channel 0"))
    return tuple(map(tuple, wired if wired[1] else wired[:1]))


def _check_each_once(
    table: TableReader, wired: Iterable[list[Run]], by_name: Mapping[str, Run]
) -> None:
    times = Counter(run.name for chain in wired for run in chain)
    for name, run in by_name.items():
        if times[name] > 1:
            problem = Text("{name} comes {times} times", name=repr(name), times=times[name])
            table.fault("chains", problem, Text("name it once"))
        if not times[name] and not run.is_lamp:
            problem = Text("row {name} is on no chain", name=repr(name))
            table.fault("chains", problem, Text("add it to the chain where it is soldered"))


def _chain(table: TableReader, by_name: Mapping[str, Run]) -> list[Run]:
    names: list[str] = table.required("rows", _ROWS, [])
    turned: list[str] = table.optional("reversed", _ROWS, [])
    for name in turned:
        if name not in names:
            problem = Text("{name} is not among the rows of this chain", name=repr(name))
            table.fault("reversed", problem, Text("add it to rows, or take it out of reversed"))
    found = []
    for name in names:
        if name in by_name:
            found.append(by_name[name].reversed() if name in turned else by_name[name])
        else:
            table.fault("rows", Text("no row {name}", name=repr(name)), suggest(name, by_name))
    return found


def _read_spots(table: TableReader, key: str) -> frozenset[Spot]:
    pairs: list[Spot] = table.optional(key, _SPOTS, [])
    found = [(channel, led) for channel, led in pairs]
    for spot, times in Counter(found).items():
        if times > 1:
            problem = Text("{spot} comes {times} times", spot=list(spot), times=times)
            table.fault(key, problem, Text("name it once"))
    return frozenset(found)


def _check_lengths(table: TableReader, key: str, spots: Iterable[Spot], lengths: list[int]) -> None:
    for channel, led in sorted(spots):
        if channel >= len(lengths):
            text = "{spot}: nothing is wired to channel {channel}"
            table.fault(key, Text(text, spot=[channel, led], channel=channel), _NO_LED)
        elif led >= lengths[channel]:
            text, last = "{spot} lies beyond the channel's last LED, {last}", lengths[channel] - 1
            table.fault(key, Text(text, spot=[channel, led], last=last), _NO_LED)


def _is_spot(value: Value) -> bool:
    match value:
        case [int(channel), int(led)]:
            whole = not isinstance(channel, bool) and not isinstance(led, bool)
            return whole and 0 <= channel < CHANNELS and 0 <= led <= _MAX_LED
        case _:
            return False


_ROWS = Check(
    kind=ValueKind.TEXTS,
    takes=Text('a list of rows in quotes, such as ["1:1-40"]'),
    accepts=lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
)
_SPOTS = Check(
    kind=ValueKind.ANY,
    takes=Text("a list of pairs of channel and LED, such as [[0, 17]]"),
    accepts=lambda value: isinstance(value, list) and all(map(_is_spot, value)),
)


# LEDs in the order of the wire


class _Led(NamedTuple):
    """LED with the light point that it shows and its place; both are None if the LED is skipped."""

    point: int | None
    place: Place | None
    is_dead: bool = False


class Wiring:
    """LEDs of each channel in the order of the wire; `points` are the light points they show."""

    def __init__(self, plan: WiringPlan) -> None:
        channels = [list(_leds(plan, channel)) for channel in range(len(plan.channels))]
        leds = [led for channel in channels for led in channel]
        self.points = plan.points
        self.leds = tuple(map(len, channels))
        self._source = np.array([led.point or 0 for led in leds], dtype=np.intp)
        self._dark = np.flatnonzero([led.point is None or led.is_dead for led in leds])
        self.places = [led.place for led in leds]

    @classmethod
    def make(cls, board: Board, settings: Mapping[str, object] | None = None) -> Self:
        """Return the wiring of a `[wiring]` table; without `chains`, in the order of `serpentine`.

        Keys: `per` ("hole-and-lane" or "hole"), `channels` (1 or 2, if there are no chains),
        `chains` (tables with `channel`, `rows`, `reversed`, in the order of the wire), `skipped`
        and `dead` (pairs of channel and LED, both from 0).

        Raises:
            SettingsError: the table has faults; the error lists all of them.
        """
        return cls(read_plan(board, settings or {}))

    def spread(self, light: Light) -> Light:
        """Convert light by point to light by LED, shape (LEDs, 3), channel after channel."""
        spread = light.take(self._source, axis=0)
        if self._dark.size:
            spread[self._dark] = 0
        return spread


def _leds(plan: WiringPlan, channel: int) -> Iterator[_Led]:
    """Yield the LEDs of a channel: the LEDs of its runs, with skipped LEDs between them."""
    chain = plan.channels[channel]
    shown = (pair for run in chain for pair in zip(run.points, run.places, strict=True))
    for led in count():
        if (channel, led) in plan.skipped:
            yield _Led(point=None, place=None)
        elif pair := next(shown, None):
            yield _Led(*pair, is_dead=(channel, led) in plan.dead)
        else:
            return
