"""Motion: timed moves of pegs, which show the events of a command.

`plan` turns the events into segments; each segment moves one front peg along holes between two
times. In a zone the peg rests for a moment before the zone moves it. `front_at` returns a peg's
hole at any time, so a late or lost frame delays nothing.

For example, a peg walks 22 holes from the start of the crib-wars board for 1.54 s, and rests in the
penalty box until 3.04 s. The peg is back on hole 2 at 4.44 s; then a peg of the other side walks 20
holes until 5.84 s.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import assert_never

from companion.board import Hole, Track, Zone
from companion.rules.game import Correct, Entry, Event, Movement, State, Undo, apply

STEP_S = 0.07  # duration of a walk per hole
LONGEST_WALK_S = 1.6  # longest duration of a walk; a walk over more holes steps faster
RETREAT_S = 0.4  # duration of the way back after an undo
FADE_S = 0.6  # duration of the cross-fade that replaces any walk if `calm` is True


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """Move of one front peg along `route`, whose first hole is the peg's hole at `start`.

    The side's back peg moves from `back_before` to `back` at `start`. With `fades` the move is
    a cross-fade from the first hole to the last; with `gathers_speed` the peg begins slowly.
    """

    side: int
    start: float
    end: float
    route: tuple[Hole, ...]
    back_before: Hole
    back: Hole
    fades: bool = False
    gathers_speed: bool = False

    def index_at(self, t: float) -> int:
        steps = len(self.route) - 1
        if t >= self.end:
            return steps
        share = max(0.0, t - self.start) / (self.end - self.start)
        if self.gathers_speed:
            share *= share
        return min(steps, max(0, int(share * steps)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """Effect of a zone, from `start` to `end`, after a side's peg has landed on `hole`."""

    side: int
    zone: Zone
    hole: Hole
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """Segments in the order of the events, and the landings between them.

    All pegs are at rest from `end` on. `won` is True if the last move won the game.
    """

    segments: tuple[Segment, ...] = ()
    landings: tuple[Landing, ...] = ()
    end: float = -math.inf
    won: bool = False

    @property
    def sides(self) -> list[int]:
        return sorted({segment.side for segment in self.segments})

    def segment_at(self, side: int, t: float) -> Segment:
        """Return the last segment of a side that has begun at `t`, or else its first segment."""
        own = [segment for segment in self.segments if segment.side == side]
        return next((segment for segment in reversed(own) if segment.start <= t), own[0])

    def front_at(self, side: int, t: float) -> Hole:
        segment = self.segment_at(side, t)
        return segment.route[segment.index_at(t)]

    def back_at(self, side: int, t: float) -> Hole:
        segment = self.segment_at(side, t)
        return segment.back if t >= segment.start else segment.back_before

    def next_start(self, t: float) -> float | None:
        return min((s.start for s in self.segments if s.start > t), default=None)

    def joined(self, newer: Motion) -> Motion:
        """Return both motions together, without the parts that end before `newer` begins.

        Parts of this motion are dropped too if `newer` moves their side.
        """
        if not newer.segments:
            return self
        begin = min(segment.start for segment in newer.segments)

        def goes_on(part: Segment | Landing) -> bool:
            return part.end > begin and part.side not in newer.sides

        unfinished = tuple(filter(goes_on, self.segments))
        return Motion(
            segments=(*unfinished, *newer.segments),
            landings=(*filter(goes_on, self.landings), *newer.landings),
            end=max((newer.end, *(segment.end for segment in unfinished))),
            won=newer.won,
        )

    def skipped(self, t: float) -> Motion:
        """Return the motion cut short, so that it has ended at `t`."""
        if t >= max((self.end, *(landing.end for landing in self.landings))):
            return self
        return Motion(end=min(self.end, t), won=self.won)


def plan(
    before: State, entry: Entry, t0: float, *, calm: bool = False, speed: float = 1.0
) -> Motion:
    """Return the motion of an accepted command's events.

    After an undo, a correction or a new game, all pegs move together to their holes in the entry's
    state.

    Args:
        before: the game before the command.
        entry: the command with its events and the game after them.
        t0: seconds at which the motion begins.
        calm: True for cross-fades instead of walks.
        speed: factor on the pace; with 2.0 everything takes half the time.
    """
    planner = _Planner(before, t0, calm=calm, speed=speed)
    for event in () if isinstance(entry.command, Correct | Undo) else entry.events:
        planner.add(event)
    planner.move_all(entry.state)
    won = entry.state.winner is not None and before.winner is None
    return Motion(
        segments=tuple(planner.segments),
        landings=tuple(planner.landings),
        end=max((segment.end for segment in planner.segments), default=-math.inf),
        won=won,
    )


class _Planner:
    def __init__(self, state: State, t: float, *, calm: bool, speed: float) -> None:
        self.state = state
        self.t = t
        self.calm = calm
        self.speed = speed
        self.segments: list[Segment] = []
        self.landings: list[Landing] = []

    def add(self, event: Event) -> None:
        if event.kind.facts.zone:
            self.rest(event)
        after = apply(self.state, event)
        if event.kind.facts.movement is Movement.AT_ONCE:
            self.move_all(after)
        else:
            self.move(event, after)
        self.state = after

    def rest(self, event: Event) -> None:
        if event.origin is None or event.side is None:
            return
        zone = self.state.setup.track.zone_at(event.origin)
        if zone:
            end = self.t + zone.kind.facts.effect_s / self.speed
            self.landings.append(
                Landing(side=event.side, zone=zone, hole=event.origin, start=self.t, end=end)
            )
            self.t += zone.kind.facts.rest_s / self.speed

    def move(self, event: Event, after: State) -> None:
        if event.side is None or event.side not in self.state.setup.sides:
            return
        pegs, zone = self.state.pegs(event.side), event.kind.facts.zone
        holes = route_after(self.state.setup.track, event, landed=pegs.landed)
        if holes:
            walk = min(LONGEST_WALK_S, STEP_S * len(holes))
            seconds = zone.facts.effect_s - zone.facts.rest_s if zone else walk
            self.t = self.go(event.side, holes, after, seconds, gathers_speed=zone is not None)

    def move_all(self, state: State) -> None:
        ends = [self.t]
        for side in state.setup.sides:
            if side not in self.state.setup.sides:
                continue
            here, there = self.state.pegs(side), state.pegs(side)
            if (here.front, here.back) != (there.front, there.back):
                ends.append(self.go(side, straight(here.front, there.front), state, RETREAT_S))
        self.t = max(ends)

    def go(
        self,
        side: int,
        holes: tuple[Hole, ...],
        after: State,
        seconds: float,
        *,
        gathers_speed: bool = False,
    ) -> float:
        pegs = self.state.pegs(side)
        whole = (pegs.front, *holes)
        segment = Segment(
            side=side,
            start=self.t,
            end=self.t + (FADE_S if self.calm else seconds) / self.speed,
            route=(pegs.front, whole[-1]) if self.calm else whole,
            back_before=pegs.back,
            back=after.pegs(side).back,
            fades=self.calm,
            gathers_speed=gathers_speed,
        )
        self.segments.append(segment)
        return segment.end


def route_after(track: Track, event: Event, *, landed: bool) -> tuple[Hole, ...]:
    """Return the holes of a front peg's route after `event.origin`, up to `event.to`.

    The route is empty if the event moves no peg along holes. `landed` is True if the side's
    previous count ended on the origin, so that this count takes the side path of a zone there.
    """
    if event.origin is None or event.to is None:
        return ()
    match event.kind.facts.movement:
        case Movement.WALKS:
            return track.walk(event.origin, event.points or 0, landed=landed)
        case Movement.STRAIGHT:
            return straight(event.origin, event.to)
        case Movement.AT_ONCE | None:
            return ()
        case _ as unexpected:
            assert_never(unexpected)


def straight(origin: Hole, to: Hole) -> tuple[Hole, ...]:
    """Return the holes after `origin` up to `to`, or only `to` if either is on a side path.

    >>> straight(5, 2)
    (4, 3, 2)
    """
    if isinstance(origin, str) or isinstance(to, str):
        return (to,) if origin != to else ()
    step = 1 if to > origin else -1
    return tuple(range(origin + step, to + step, step)) if origin != to else ()
