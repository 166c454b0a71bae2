"""The track: its holes, its zones, and the holes that a peg passes when it walks."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from companion.board.zone_kinds import ZoneKind

MOST_POINTS: Final = 29  # the greatest count (rule S5)

Hole: TypeAlias = int | str
"""0 is the start, 1 to `finish` are on the track, `"<zone id>:<n>"` is hole n of a side path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A zone: a box of consecutive holes in every lane, which acts on a count that ends there (Z1).

    Attributes:
        id: the name of the zone in the board file, such as `box-22`.
        to: the hole to which a red slide moves a peg, for each hole of the box.
        path: the holes of the side path of a time trap or green advance.
        rejoin: the hole where this side path ends on the track.
    """

    id: str
    kind: ZoneKind
    box: tuple[int, ...]
    to: tuple[int, ...] = ()
    path: tuple[str, ...] = ()
    rejoin: int = 0

    @property
    def diverts(self) -> bool:
        """True if a peg that landed here leaves by a side path (rules Z3 and Z4)."""
        return bool(self.path)

    def after(self, hole: int, finish: int) -> int:
        """Return the hole to which the zone moves a peg at once from `hole`.

        Only a red slide and, if two sides play, a penalty box move a peg at once (rules Z2 and Z6).
        """
        to = self.to[self.box.index(hole)] if self.to else hole + self.kind.facts.moves
        return min(max(0, to), finish)


@dataclass(frozen=True, kw_only=True)  # no slots, so that lookup tables can be cached
class Track:
    """A track with holes 1 to `finish` in each of `lanes` lanes, and its zones."""

    finish: int
    lanes: int
    zones: tuple[Zone, ...] = ()

    @cached_property
    def _zone_of(self) -> dict[int, Zone]:
        return {hole: zone for zone in self.zones for hole in zone.box}

    @cached_property
    def _path_zone(self) -> dict[str, tuple[Zone, int]]:
        """The zone of each side path's hole, and the hole's index in the path."""
        return {hole: (zone, n) for zone in self.zones for n, hole in enumerate(zone.path)}

    def has(self, hole: Hole) -> bool:
        """Return True for the start and the holes of the track and its side paths."""
        if isinstance(hole, int):
            return 0 <= hole <= self.finish
        return hole in self._path_zone and self._path_zone[hole][0].box[0] < self.finish

    def zone_at(self, hole: Hole) -> Zone | None:
        """Return the zone whose box has this hole, or None."""
        return self._zone_of.get(hole) if isinstance(hole, int) else None

    def step(self, hole: Hole, *, landed: bool = False) -> Hole:
        """Return the next hole; a peg that `landed` on a trap or advance enters its side path."""
        if isinstance(hole, str):
            diversion, index = self._path_zone[hole]
            onward: tuple[Hole, ...] = (*diversion.path, diversion.rejoin)
            return onward[index + 1]
        zone = self._zone_of.get(hole) if landed else None
        return zone.path[0] if zone and zone.diverts else hole + 1

    def walk(self, start: Hole, steps: int, *, landed: bool = False) -> tuple[Hole, ...]:
        """Return the holes that a peg touches, in order; the peg lands on the last one.

        The walk ends at the finish, so it can have fewer holes than `steps` (rule G2). `landed` is
        as in `step`.

        >>> Track(finish=121, lanes=2).walk(118, 5)
        (119, 120, 121)
        """
        way: list[Hole] = []
        hole = start
        for _ in range(steps):
            hole = self.step(hole, landed=landed)
            landed = False
            if isinstance(hole, int) and hole >= self.finish:
                return (*way, self.finish)
            way.append(hole)
        return tuple(way)

    def progress(self, hole: Hole, *, landed: bool = False) -> int:
        """Return a peg's progress: the finish minus the holes that the peg still has to walk."""
        if landed and (zone := self.zone_at(hole)) and zone.diverts:
            return self.progress(zone.path[0]) - 1
        if isinstance(hole, str):
            zone, index = self._path_zone[hole]
            return min(zone.rejoin, self.finish) - (len(zone.path) - index)
        return hole
