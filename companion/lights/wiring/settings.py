"""Reader of the `[wiring]` table; it reports all faults at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

from companion.board.layout import Board
from companion.errors import Fault, SettingsError, suggest
from companion.lights.pixels import Per, Points
from companion.lights.wiring.default import Run, halves, runs, serpentine

Spot: TypeAlias = tuple[int, int]
"""Channel and LED on it, both from 0."""

CHANNELS = 2
"""Most channels of a strip driver."""

_KEYS = ("per", "channels", "chains", "skipped", "dead")
_CHAIN_KEYS = ("channel", "rows", "reversed")
_MOST_SPOTS = 2000
_NO_LED = "take it out, or name another LED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Runs of each channel in the order of the wire, and its skipped and dead LEDs."""

    points: Points
    channels: tuple[tuple[Run, ...], ...]
    skipped: frozenset[Spot]
    dead: frozenset[Spot]


def read_plan(board: Board, settings: Mapping[str, object]) -> Plan:
    """Return the plan that a `[wiring]` table describes; a `SettingsError` has all its faults."""
    reader = _Reader(settings)
    plan = reader.plan(board)
    if reader.faults:
        raise SettingsError(*reader.faults)
    return plan


class _Reader:
    """Reader of one table; on a fault it takes a substitute value and goes on."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self.settings = settings
        self.faults: list[Fault] = []

    def fault(self, key: str, problem: str, remedy: str) -> None:
        self.faults.append(Fault(key=f"wiring.{key}", problem=problem, remedy=remedy))

    def plan(self, board: Board) -> Plan:
        self.known_keys("", self.settings, _KEYS)
        points = Points(board, self.per())
        channels = self.chained(points) if "chains" in self.settings else self.soldered(points)
        skipped, dead = self.spots("skipped"), self.spots("dead")
        lengths = [
            sum(len(run.points) for run in chain) + sum(spot[0] == n for spot in skipped)
            for n, chain in enumerate(channels)
        ]
        self.beyond("skipped", skipped, lengths)
        self.beyond("dead", dead, lengths)
        for spot in sorted(skipped & dead):
            self.fault("dead", f"{list(spot)} is skipped too", "name it once")
        return Plan(points=points, channels=channels, skipped=skipped, dead=dead)

    def known_keys(self, where: str, table: Mapping[str, object], known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                self.fault(f"{where}{key}", "no such key", suggest(key, known))

    def per(self) -> Per:
        value = self.settings.get("per", Per.HOLE_AND_LANE)
        if value in tuple(Per):
            return Per(str(value))
        self.fault("per", f"{value!r} is unknown", f'write "{Per.HOLE_AND_LANE}" or "{Per.HOLE}"')
        return Per.HOLE_AND_LANE

    def soldered(self, points: Points) -> tuple[tuple[Run, ...], ...]:
        """Return the soldering order, on one channel or cut in two."""
        chain = serpentine(points)
        channels = self.settings.get("channels", 1)
        if not _is_whole(channels, 1, CHANNELS):
            self.fault(
                "channels", f"{channels!r} is no number of channels", f"write 1 or {CHANNELS}"
            )
        return (tuple(chain),) if channels != CHANNELS else tuple(map(tuple, halves(chain)))

    # Chains

    def chained(self, points: Points) -> tuple[tuple[Run, ...], ...]:
        if "channels" in self.settings:
            self.fault("channels", "is for boards without chains", "each chain names its channel")
        by_name = runs(points)
        wired: tuple[list[Run], ...] = tuple([] for _ in range(CHANNELS))
        for n, table in enumerate(self.chains(), start=1):
            where = f"chains[{n}]."
            self.known_keys(where, table, _CHAIN_KEYS)
            wired[self.channel(where, table)].extend(self.chain(where, table, by_name))
        if any(wired):
            self.each_once(wired, by_name)
        if wired[1] and not wired[0]:
            self.fault("chains", "channel 0 has no chain", "begin with channel 0")
        return tuple(map(tuple, wired if wired[1] else wired[:1]))

    def chains(self) -> list[Mapping[str, object]]:
        value = self.settings["chains"]
        if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            return value
        problem = f"{value!r} is no list of chains"
        remedy = "write one or more tables, [[wiring.chains]], with channel and rows"
        self.fault("chains", problem, remedy)
        return []

    def channel(self, where: str, table: Mapping[str, object]) -> int:
        value = table.get("channel", 0)
        if _is_whole(value, 0, CHANNELS - 1):
            return value
        self.fault(f"{where}channel", f"{value!r} is no channel", f"write 0 or {CHANNELS - 1}")
        return 0

    def chain(
        self, where: str, table: Mapping[str, object], by_name: Mapping[str, Run]
    ) -> list[Run]:
        names = self.names(f"{where}rows", table.get("rows"))
        turned = self.names(f"{where}reversed", table.get("reversed", []))
        for name in turned:
            if name not in names:
                problem = f"{name!r} is not among the rows of this chain"
                self.fault(f"{where}reversed", problem, "name it there, or take it out here")
        found = []
        for name in names:
            if name in by_name:
                found.append(by_name[name].reversed() if name in turned else by_name[name])
            else:
                self.fault(f"{where}rows", f"no row {name!r}", suggest(name, by_name))
        return found

    def names(self, key: str, value: object) -> list[str]:
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return value
        self.fault(key, f"{value!r} is no list of rows", "write names in quotes, in brackets")
        return []

    def each_once(self, wired: Iterable[list[Run]], by_name: Mapping[str, Run]) -> None:
        """Refuse rows that are not on exactly one chain, and lamps on more than one."""
        times = Counter(run.name for chain in wired for run in chain)
        for name, run in by_name.items():
            if times[name] > 1:
                self.fault("chains", f"{name!r} comes {times[name]} times", "name it once")
            if not times[name] and not run.is_lamp:
                self.fault("chains", f"row {name!r} is on no chain", "add it where it is soldered")

    # Skipped and dead LEDs

    def spots(self, key: str) -> frozenset[Spot]:
        value = self.settings.get(key, [])
        if not isinstance(value, list):
            self.fault(key, f"{value!r} is no list", "write pairs of channel and LED, [[0, 17]]")
            return frozenset()
        found: list[Spot] = []
        for item in value:
            match item:
                case [channel, led] if _is_spot(channel, led):
                    found.append((channel, led))
                case _:
                    self.fault(key, f"{item!r} is no LED", "write channel and LED, such as [0, 17]")
        for spot, times in Counter(found).items():
            if times > 1:
                self.fault(key, f"{list(spot)} comes {times} times", "name it once")
        return frozenset(found)

    def beyond(self, key: str, spots: Iterable[Spot], lengths: list[int]) -> None:
        """Refuse LEDs beyond the end of their channel."""
        for channel, led in sorted(spots):
            if channel >= len(lengths):
                self.fault(key, f"{[channel, led]}: nothing is wired to channel {channel}", _NO_LED)
            elif led >= lengths[channel]:
                last = lengths[channel] - 1
                self.fault(
                    key, f"{[channel, led]} lies beyond the channel's last LED, {last}", _NO_LED
                )


def _is_whole(value: object, low: int, high: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_spot(channel: object, led: object) -> bool:
    return _is_whole(channel, 0, CHANNELS - 1) and _is_whole(led, 0, _MOST_SPOTS)
