"""The layers of a view, from the bottom: what stands still is painted once, the rest are effects.

Zones and marks, back pegs, front pegs, pending trails with their ghosts, pegs in motion, alerts,
shows. On a point that two teams share, the team that counted last shows and the others take every
second beat.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from companion.board.track import Zone, ZoneKind
from companion.lights.colour.palette import Colour, Palette
from companion.lights.compositor import Effect, Light, over
from companion.lights.pixels import Indices, Points
from companion.lights.scene.effects import Beat, Between, Chase, Pulse, Runners, Stages
from companion.lights.scene.flashes import alert, signals
from companion.lights.scene.ghost import Ghost, ghost
from companion.lights.scene.motion import CHASE, Motion
from companion.lights.scene.pegs import BACK, PegsInMotion
from companion.lights.scene.view import View
from companion.rules.game import State

TRAIL = 0.08
"""Part of full light of a pending trail's holes."""

FIVE = 0.35
"""The same of every fifth of them."""

GHOST = 0.6
"""The same of a ghost that no zone would send on."""

ROUTE = 0.2
"""The same of the way that a zone would send it."""

WARNED = 0.25
"""What is left, every second beat, of a trail about to expire."""

DEALER = 0.4
"""Part of full light of the dealer's lamp."""

JOINED = 0.08
"""The same of a lane that takes part in the game being set up, or has won the last one."""

ASLEEP = 0.04
"""The same of the front pegs of a sleeping board."""

GHOST_BEAT = 0.5
"""Seconds that a ghost shows its own colour, then the zone's."""

SHARE_BEAT = 1.0
"""Seconds that each team shows on a point that it shares."""

WIN_SHOW = 8.0
"""Seconds that light runs along the winner's lane."""

_MODE_STAGES = (0.0, 2.0, 5.0)
_FIVE = 5


class Picture:
    """One view being painted: `light` stands still, `effects` go over it in their order."""

    def __init__(self, points: Points, palette: Palette, ground: Light, *, calm: bool) -> None:
        self.points = points
        self.palette = palette
        self.calm = calm
        self.light = ground.copy()
        self.effects: list[Effect] = []
        self.met: set[str] = set()

    def paint(self, view: View, *, moving: bool) -> None:
        """Paint all layers; `moving`: some pegs are under way, and are left to their effect."""
        if view.asleep:
            self.sleep(view.state)
        elif view.sign_up is not None:
            self.sign_up(view.sign_up)
        elif view.attract:
            self.attract()
        else:
            self.table(view, moving=moving)
        self.effects += alert(view, self.points, self.palette)
        still = self.light if self.effects else None
        self.effects += signals(view, still, self.points, self.palette, calm=self.calm)
        if view.mode_since is not None:
            self.mode(view.mode_since)

    def table(self, view: View, *, moving: bool) -> None:
        """The game: pegs, pending counts, motion and the winner's show."""
        state = view.state
        self.dealer(state.dealer)
        if state.winner is not None and not moving:
            self.lane(state.winner, JOINED)
        moved = set(view.motion.teams) if moving else set()
        self.pegs(state, [team for team in _last_first(state) if team not in moved])
        for team, count in view.pending:
            self.pending(view, team, count)
        fronts = set(self.fronts(state))
        self.landings(view.motion, fronts)
        if moving:
            self.effects.append(PegsInMotion(view.motion, self.points, self.palette))
        if view.motion.won and state.winner is not None:
            self.win(state.winner, view.motion.end, fronts)

    # Pegs

    def fronts(self, state: State) -> list[int]:
        """The points where front pegs stand."""
        return [self.points.index(team, state.side(team).front) for team in state.setup.lanes]

    def pegs(self, state: State, teams: list[int]) -> None:
        """Back pegs, and front pegs over them; `teams` in the order in which they show."""
        stands: dict[int, list[Colour]] = {}
        for team in teams:
            side = state.side(team)
            colour = self.palette.team(team)
            over(self.light, self.points.index(team, side.back), colour * np.float32(BACK))
            point = self.points.index(team, side.front)
            stands.setdefault(point, []).append(self.front(state, team))
        for point, colours in stands.items():
            over(self.light, point, colours[0])
            if len(colours) > 1:
                self.share(point, colours[0], colours[1:])

    def front(self, state: State, team: int) -> Colour:
        """The colour of a front peg; in a penalty box it is dim, and half the box's own."""
        colour = self.palette.team(team)
        if state.side(team).boxed is None:
            return colour
        return (colour + self.palette.zone(ZoneKind.PENALTY_BOX)) / np.float32(4)

    def share(self, point: int, first: Colour, others: Iterable[Colour]) -> None:
        """Let the others take every second beat from the first."""
        turns = np.stack([colour for other in others for colour in (first, other)])
        self.beat(np.array([point]), turns, SHARE_BEAT)

    def beat(self, points: Indices, colours: Light, period: float) -> None:
        """Let colours take turns on these points, at half the pace when calm."""
        period *= 2 if self.calm else 1
        self.effects.append(Beat(points=points, colours=colours, period=period, calm=self.calm))

    # What a pending count would do

    def pending(self, view: View, team: int, count: int) -> None:
        """A trail in fives, the ghost on its end, and what the zone there would do to it."""
        found = ghost(view.ahead, team, count)
        if found is None or not found.way:
            return
        others = set(self.fronts(view.state))
        self.trail(team, found, others, warned=team in view.warned)
        point = self.points.index(team, found.landing)
        colour = self.palette.team(team)
        zone = view.ahead.setup.track.zone_at(found.landing)
        if found.kind is not None and zone is not None:
            over(
                self.light,
                self.points.of(team, found.route),
                self.palette.zone(found.kind) * np.float32(ROUTE),
            )
            if zone.id not in self.met:
                self.met.add(zone.id)
                self.effects.append(self.zone(zone, {*others, point}))
            self.beat(
                np.array([point]), np.stack([colour, self.palette.zone(found.kind)]), GHOST_BEAT
            )
        elif point in others:
            self.share(point, self.light[point].copy(), [colour * np.float32(GHOST)])
        else:
            over(self.light, point, colour * np.float32(GHOST))

    def trail(self, team: int, found: Ghost, others: set[int], *, warned: bool) -> None:
        """The holes that a count would pass, where no front peg stands."""
        levels = [FIVE if n % _FIVE == 0 else TRAIL for n in range(1, len(found.way))]
        points = self.points.of(team, found.way[:-1])
        free = [n for n, point in enumerate(points) if point not in others]
        colours = np.outer(levels, self.palette.team(team)).astype(np.float32)[free]
        over(self.light, points[free], colours)
        if warned:
            self.beat(points[free], np.stack([colours, colours * np.float32(WARNED)]), GHOST_BEAT)

    def landings(self, motion: Motion, pegs: set[int]) -> None:
        """The zones that pegs have landed in, each once: two rhythms in one zone would flicker."""
        windows: dict[str, tuple[Zone, float, float]] = {}
        for landing in motion.landings:
            zone = landing.zone
            _, start, end = windows.get(zone.id, (zone, landing.start, landing.end))
            windows[zone.id] = zone, min(start, landing.start), max(end, landing.end)
        for zone, start, end in windows.values():
            if zone.id not in self.met:
                self.effects.append(Between(effect=self.zone(zone, pegs), start=start, end=end))

    def zone(self, zone: Zone, pegs: set[int]) -> Effect:
        """A zone that somebody meets: a trap chases inward, others pulse; pegs stay in sight."""
        colour = self.palette.zone(zone.kind)
        if zone.kind is ZoneKind.TIME_TRAP and not self.calm:
            rings = tuple(self.without(pegs, holes) for holes in _inward(zone.box))
            return Chase(rings=rings, colour=colour, step=1 / 4)
        points = self.without(pegs, zone.box)
        return Pulse(points=points, colour=colour * np.float32(FIVE), period=CHASE, low=0.1)

    def without(self, pegs: set[int], holes: Iterable[int]) -> Indices:
        """These holes in all lanes except where pegs stand."""
        points = self.points.across(holes)
        return points[[point not in pegs for point in points]]

    # Lamps and shows

    def dealer(self, seat: int) -> None:
        """The lamp of the seat that deals."""
        name = f"dealer-{seat}"
        if self.points.has_lamp(name):
            over(self.light, self.points.lamp(name), self.palette.plain * np.float32(DEALER))

    def lane(self, lane: int, level: float) -> None:
        """A whole lane in its team's colour."""
        over(self.light, self.points.track(lane), self.palette.team(lane) * np.float32(level))

    def sleep(self, state: State) -> None:
        """Nothing but the front pegs, dim: a sleeping board forgets nobody."""
        self.light[:] = 0
        for team in reversed(_last_first(state)):
            point = self.points.index(team, state.side(team).front)
            over(self.light, point, self.palette.team(team) * np.float32(ASLEEP))

    def sign_up(self, joined: tuple[int, ...]) -> None:
        """The lanes that have joined shine; the start lamps of all wait for them."""
        self.light[:] = 0
        for lane in self.points.lanes:
            level = 1.0 if lane in joined else BACK
            start = self.points.index(lane, 0)
            over(self.light, start, self.palette.team(lane) * np.float32(level))
            if lane in joined:
                self.lane(lane, JOINED)

    def attract(self) -> None:
        """Lights wander along all lanes, at a pace of its own in each."""
        for lane in self.points.lanes:
            track, speed = self.points.track(lane), 33.0 - 3 * lane
            self.effects.append(self.running(lane, track, speed=speed, rest=8.0))

    def win(self, winner: int, start: float, pegs: set[int]) -> None:
        """Light runs along the winner's lane for a while."""
        lane = self.points.track(winner)
        free = lane[[point not in pegs for point in lane]]
        effect = self.running(winner, free, speed=90.0, rest=2.0)
        self.effects.append(Between(effect=effect, start=start, end=start + WIN_SHOW))

    def running(self, team: int, points: Indices, *, speed: float, rest: float) -> Effect:
        """Light along these points, `speed` holes a second; calm, it swells in `rest` seconds."""
        colour = self.palette.team(team)
        if self.calm:
            return Pulse(points=points, colour=colour * np.float32(FIVE), period=rest, low=0.1)
        return Runners(points, colour, gap=60, speed=speed)

    def mode(self, since: float) -> None:
        """Five more holes light up with each thing that Mode would do if it were let go."""
        stages = []
        for n, after in enumerate(_MODE_STAGES):
            holes = range(n * _FIVE + 1, min((n + 1) * _FIVE, self.points.board.track.finish) + 1)
            stages.append((since + after, self.points.across(holes)))
        self.effects.append(Stages(stages=tuple(stages), colour=self.palette.plain))


def _last_first(state: State) -> tuple[int, ...]:
    """The teams that take part, the one that counted last before the others."""
    last = state.last_count.team if state.last_count else None
    return tuple(sorted(state.setup.lanes, key=lambda team: (team != last, team)))


def _inward(box: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The holes of a box two by two, from both ends to the middle."""
    half = (len(box) + 1) // 2
    return [tuple({box[n], box[-1 - n]}) for n in range(half)]
