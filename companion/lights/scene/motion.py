"""Events played out in time: which peg walks where, and when; after `end` all stand still."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field

from companion.board.track import Hole, Zone
from companion.lights.scene.path import straight, way
from companion.rules.game import LANDING_ZONES, Entry, Event, Kind, State, apply

STEP = 0.07
"""Seconds a hole of a walk takes."""

LONGEST_WALK = 1.6
"""Seconds a walk takes at most: a long one steps faster."""

PAUSE = 0.5
"""Seconds a peg rests where it landed before a zone acts on it."""

SLIDE = 0.5
"""Seconds a slide takes."""

RETREAT = 0.4
"""Seconds an undone move takes back."""

FADE = 0.6
"""Seconds a cross-fade takes, in place of any walk, when calm."""

CHASE = 1.5
"""Seconds a zone shows that somebody has landed in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One move of one front peg along `way`, whose first hole is where it stands at `start`.

    The team's back peg stands on `back_before`, and on `back` from `start` on. `fades`: the move
    is shown as a cross-fade from the first hole to the last.
    """

    team: int
    start: float
    end: float
    way: tuple[Hole, ...]
    back_before: Hole
    back: Hole
    fades: bool = False

    def place(self, t: float) -> int:
        """How far along `way` the peg is."""
        steps = len(self.way) - 1
        if t >= self.end:
            return steps
        share = (t - self.start) / (self.end - self.start)
        return min(steps, max(0, int(share * steps)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """A zone that shows from `start` to `end` that a team's peg has landed in it."""

    team: int
    zone: Zone
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """Segments in the order of the events, and the landings between them.

    `end`: the time when every peg has come to rest. `won`: the last move won the game.
    """

    segments: tuple[Segment, ...] = ()
    landings: tuple[Landing, ...] = ()
    end: float = -math.inf
    won: bool = False
    _of_team: dict[int, tuple[Segment, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        teams = {segment.team for segment in self.segments}
        of_team = {
            team: tuple(segment for segment in self.segments if segment.team == team)
            for team in sorted(teams)
        }
        object.__setattr__(self, "_of_team", of_team)

    @property
    def teams(self) -> Collection[int]:
        """The teams whose pegs this motion moves, rising."""
        return self._of_team.keys()

    def segment_at(self, team: int, t: float) -> Segment | None:
        """The segment that a moved team's peg began last; None before its first."""
        begun = None
        for segment in self._of_team[team]:
            if segment.start > t:
                break
            begun = segment
        return begun

    def front_at(self, team: int, t: float) -> Hole:
        """Where a moved team's front peg is: before its first segment, where it stood."""
        segment = self.segment_at(team, t)
        return segment.way[segment.place(t)] if segment else self._of_team[team][0].way[0]

    def back_at(self, team: int, t: float) -> Hole:
        """Where a moved team's back peg is."""
        segment = self.segment_at(team, t)
        return segment.back if segment else self._of_team[team][0].back_before

    def next_start(self, t: float) -> float | None:
        """When the next segment begins; None after the last."""
        return min((s.start for s in self.segments if s.start > t), default=None)

    def joined(self, newer: Motion) -> Motion:
        """Both at once, without what is over when the newer one begins.

        A team that the newer motion moves leaves the older one.
        """
        if not newer.segments:
            return self
        begin = min(segment.start for segment in newer.segments)

        def goes_on(part: Segment | Landing) -> bool:
            return part.end > begin and part.team not in newer.teams

        kept = tuple(filter(goes_on, self.segments))
        return Motion(
            segments=(*kept, *newer.segments),
            landings=(*filter(goes_on, self.landings), *newer.landings),
            end=max((newer.end, *(segment.end for segment in kept))),
            won=newer.won,
        )


def plan(before: State, entry: Entry, t0: float, *, calm: bool = False) -> Motion:
    """The motion of an accepted command's events, from `t0` (seconds) on.

    Pegs that stand elsewhere in the entry's state than its events have led them to (an undo, a
    new game) go there at last, all together.
    """
    course = _Course(before, t0, calm=calm)
    for event in entry.events:
        course.take(event)
    course.settle(entry.state)
    won = entry.state.winner is not None and before.winner is None
    return Motion(
        segments=tuple(course.segments),
        landings=tuple(course.landings),
        end=max((segment.end for segment in course.segments), default=-math.inf),
        won=won,
    )


class _Course:
    """A motion being planned: the state so far, and the time that it has reached."""

    def __init__(self, state: State, t: float, *, calm: bool) -> None:
        self.state = state
        self.t = t
        self.calm = calm
        self.segments: list[Segment] = []
        self.landings: list[Landing] = []

    def take(self, event: Event) -> None:
        if event.kind is Kind.UNDONE:
            return
        if event.kind in LANDING_ZONES:
            self.rest(event)
        after = apply(self.state, event)
        if event.kind is Kind.OVERPEGGED:
            self.settle(after)
        else:
            self.move(event, after)
        self.state = after

    def rest(self, event: Event) -> None:
        """Pause in the zone that is about to act."""
        zone = self.state.setup.track.zone_at(event.origin) if event.origin is not None else None
        if zone and event.team is not None:
            end = self.t + CHASE
            self.landings.append(Landing(team=event.team, zone=zone, start=self.t, end=end))
            self.t += PAUSE

    def move(self, event: Event, after: State) -> None:
        if event.team is None or event.team not in self.state.setup.lanes:
            return
        side = self.state.side(event.team)
        holes = way(self.state.setup.track, event, landed=side.landed)
        if holes:
            walk = min(LONGEST_WALK, STEP * len(holes))
            seconds = SLIDE if event.kind is Kind.SLID else walk
            self.t = self.go(event.team, holes, after, seconds)

    def settle(self, state: State) -> None:
        """Take all pegs at once to where they stand in that state."""
        ends = [self.t]
        for team in state.setup.lanes:
            if team not in self.state.setup.lanes:
                continue
            here, there = self.state.side(team), state.side(team)
            if (here.front, here.back) != (there.front, there.back):
                ends.append(self.go(team, straight(here.front, there.front), state, RETREAT))
        self.t = max(ends)

    def go(self, team: int, holes: tuple[Hole, ...], after: State, seconds: float) -> float:
        """Add one move, from now on; the time when it ends."""
        side = self.state.side(team)
        whole = (side.front, *holes)
        segment = Segment(
            team=team,
            start=self.t,
            end=self.t + (FADE if self.calm else seconds),
            way=(side.front, whole[-1]) if self.calm else whole,
            back_before=side.back,
            back=after.side(team).back,
            fades=self.calm,
        )
        self.segments.append(segment)
        return segment.end
