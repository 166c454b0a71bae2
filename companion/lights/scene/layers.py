"""Layers of a view: still ones are painted once, moving ones become effects.

From the bottom: zones and marks, back pegs, front pegs, pending trails with their ghosts, pegs in
motion, alerts, shows. A point that teams share shows the team that counted last, and one of the
others every second beat.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from companion.board.track import Zone, ZoneKind
from companion.lights.colour.palette import Colour, Palette
from companion.lights.compositor import Effect, Light, over
from companion.lights.pixels import Indices, Points
from companion.lights.scene.effects import Beat, Chase, Pulse, Runners, Steps, Window
from companion.lights.scene.flashes import signals
from companion.lights.scene.ghost import Ghost, ghost
from companion.lights.scene.motion import CHASE_S, Motion
from companion.lights.scene.pegs import BACK_PEG_LEVEL, PegsInMotion
from companion.lights.scene.view import View
from companion.rules.game import State

TRAIL_LEVEL = 0.08
"""Part of full light of a pending trail's holes."""

FIVE_LEVEL = 0.35
"""Part of full light of every fifth of them."""

GHOST_LEVEL = 0.6
"""Part of full light of a ghost on a hole without a zone."""

ROUTE_LEVEL = 0.2
"""Part of full light of the route along which a zone would send the peg."""

WARNED_SHARE = 0.25
"""Part of its light that a trail about to expire has every second beat."""

DEALER_LEVEL = 0.4
"""Part of full light of the dealer's lamp."""

JOINED_LEVEL = 0.08
"""Part of full light of a lane that joined the next game, or won the last one."""

ASLEEP_LEVEL = 0.04
"""Part of full light of the front pegs of a sleeping board."""

GHOST_BEAT_S = 0.5
"""Seconds that a ghost shows its own colour, then the zone's."""

SHARE_BEAT_S = 1.0
"""Seconds that each team shows on a point that it shares."""

WIN_SHOW_S = 8.0
"""Seconds that light runs along the winner's lane."""

_MODE_STEPS_S = (0.0, 2.0, 5.0)
_FIVE = 5


class Painter:
    """Painter of one view: `light` stands still, `effects` go over it in their order."""

    def __init__(self, points: Points, palette: Palette, ground: Light, *, calm: bool) -> None:
        self.points = points
        self.palette = palette
        self.calm = calm
        self.light = ground.copy()
        self.effects: list[Effect] = []
        self.met: set[str] = set()

    def paint(self, view: View, *, moving: bool) -> None:
        """Paint all layers; pegs that move are left to their effect while `moving`."""
        if view.asleep:
            self.sleep(view.state)
        elif view.sign_up is not None:
            self.sign_up(dict(view.sign_up))
        elif view.attract:
            self.attract()
        else:
            self.table(view, moving=moving)
        self.effects += signals(view, self.points, self.palette, calm=self.calm)
        if view.mode_since is not None:
            self.mode(view.mode_since)

    def table(self, view: View, *, moving: bool) -> None:
        """Paint the game: pegs, pending counts, motion and the winner's show."""
        state = view.state
        self.dealer(state.dealer)
        if state.winner is not None and not moving:
            self.lane(state.winner, JOINED_LEVEL)
        if not moving and (state.winner is not None or not state.counts):
            self.match(state)
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

    def match(self, state: State) -> None:
        """Between games, light a hole of each lane for each point of a match, and its goal."""
        goal = state.setup.rules.match_to
        if goal is None or goal > state.setup.track.finish:
            return
        for lane in state.setup.lanes:
            over(
                self.light,
                self.points.of(lane, (goal,)),
                self.palette.team(lane) * np.float32(JOINED_LEVEL),
            )
            if won := state.match.won(lane):
                self.first_holes(lane, min(won, goal), FIVE_LEVEL)

    # Pegs

    def fronts(self, state: State) -> list[int]:
        """Return the points where front pegs stand."""
        return [self.points.index(team, state.side(team).front) for team in state.setup.lanes]

    def pegs(self, state: State, teams: list[int]) -> None:
        """Paint back pegs, then front pegs; of `teams` on one point the first shows first."""
        stands: dict[int, list[Colour]] = {}
        for team in teams:
            side = state.side(team)
            colour = self.palette.team(team)
            over(
                self.light, self.points.index(team, side.back), colour * np.float32(BACK_PEG_LEVEL)
            )
            point = self.points.index(team, side.front)
            stands.setdefault(point, []).append(self.front(state, team))
        for point, colours in stands.items():
            over(self.light, point, colours[0])
            if len(colours) > 1:
                self.share(point, colours[0], colours[1:])

    def front(self, state: State, team: int) -> Colour:
        """Return the colour of a front peg; in a penalty box it is dim, half the box's."""
        colour = self.palette.team(team)
        if state.side(team).boxed is None:
            return colour
        return (colour + self.palette.zone(ZoneKind.PENALTY_BOX)) / np.float32(4)

    def share(self, point: int, first: Colour, others: Iterable[Colour]) -> None:
        """Alternate the first colour with each of the others in turn."""
        turns = np.stack([colour for other in others for colour in (first, other)])
        self.beat(np.array([point]), turns, SHARE_BEAT_S)

    def beat(self, points: Indices, colours: Light, period: float) -> None:
        """Alternate colours on these points, at half the speed when calm."""
        period *= 2 if self.calm else 1
        self.effects.append(Beat(points=points, colours=colours, period=period, calm=self.calm))

    # Previews of pending counts

    def pending(self, view: View, team: int, count: int) -> None:
        """Paint a trail in fives, the ghost on its end, and the route of the zone there."""
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
                self.palette.zone(found.kind) * np.float32(ROUTE_LEVEL),
            )
            if zone.id not in self.met:
                self.met.add(zone.id)
                self.effects.append(self.zone(zone, {*others, point}))
            self.beat(
                np.array([point]), np.stack([colour, self.palette.zone(found.kind)]), GHOST_BEAT_S
            )
        elif point in others:
            self.share(point, self.light[point].copy(), [colour * np.float32(GHOST_LEVEL)])
        else:
            over(self.light, point, colour * np.float32(GHOST_LEVEL))

    def trail(self, team: int, found: Ghost, others: set[int], *, warned: bool) -> None:
        """Paint the holes that a count would pass, except under front pegs."""
        levels = [FIVE_LEVEL if n % _FIVE == 0 else TRAIL_LEVEL for n in range(1, len(found.way))]
        points = self.points.of(team, found.way[:-1])
        free = [n for n, point in enumerate(points) if point not in others]
        colours = np.outer(levels, self.palette.team(team)).astype(np.float32)[free]
        over(self.light, points[free], colours)
        if warned:
            self.beat(
                points[free], np.stack([colours, colours * np.float32(WARNED_SHARE)]), GHOST_BEAT_S
            )

    def landings(self, motion: Motion, pegs: set[int]) -> None:
        """Animate the zones that pegs have landed in; each once, as two rhythms would flicker."""
        windows: dict[str, tuple[Zone, float, float]] = {}
        for landing in motion.landings:
            zone = landing.zone
            _, start, end = windows.get(zone.id, (zone, landing.start, landing.end))
            windows[zone.id] = zone, min(start, landing.start), max(end, landing.end)
        for zone, start, end in windows.values():
            if zone.id not in self.met:
                self.effects.append(Window(effect=self.zone(zone, pegs), start=start, end=end))

    def zone(self, zone: Zone, pegs: set[int]) -> Effect:
        """Return the effect of a zone landed in: a trap chases inward, others pulse around pegs."""
        colour = self.palette.zone(zone.kind)
        if zone.kind is ZoneKind.TIME_TRAP and not self.calm:
            rings = tuple(self.without(pegs, holes) for holes in _inward(zone.box))
            return Chase(rings=rings, colour=colour, step=1 / 4)
        points = self.without(pegs, zone.box)
        return Pulse(points=points, colour=colour * np.float32(FIVE_LEVEL), period=CHASE_S, low=0.1)

    def without(self, pegs: set[int], holes: Iterable[int]) -> Indices:
        """Return these holes in all lanes except where pegs stand."""
        points = self.points.across(holes)
        return points[[point not in pegs for point in points]]

    # Lamps and shows

    def dealer(self, seat: int) -> None:
        """Light the lamp of the seat that deals."""
        name = f"dealer-{seat}"
        if name in self.points.lamps:
            over(self.light, self.points.lamps[name], self.palette.plain * np.float32(DEALER_LEVEL))

    def lane(self, lane: int, level: float) -> None:
        """Paint a whole lane in its team's colour."""
        over(self.light, self.points.track(lane), self.palette.team(lane) * np.float32(level))

    def sleep(self, state: State) -> None:
        """Paint the front pegs dimly and nothing else."""
        self.light[:] = 0
        for team in reversed(_last_first(state)):
            point = self.points.index(team, state.side(team).front)
            over(self.light, point, self.palette.team(team) * np.float32(ASLEEP_LEVEL))

    def sign_up(self, people: dict[int, int]) -> None:
        """Light the lanes that have joined, with a hole and a dealer's lamp for each person.

        The start lamps of the other lanes are dim.
        """
        self.light[:] = 0
        for lane in self.points.lanes:
            if lane in people:
                self.lane(lane, JOINED_LEVEL)
                self.first_holes(lane, people[lane], 1.0)
            level = 1.0 if lane in people else BACK_PEG_LEVEL
            self.first_holes(lane, 0, level)
        for seat in range(1, sum(people.values()) + 1):
            self.dealer(seat)

    def first_holes(self, lane: int, count: int, level: float) -> None:
        """Light this number of holes of a lane after its start; with 0 its start lamp."""
        holes = range(1, count + 1) if count else (0,)
        colour = self.palette.team(lane) * np.float32(level)
        over(self.light, self.points.of(lane, holes), colour)

    def attract(self) -> None:
        """Run lights along all lanes, at a different speed in each."""
        for lane in self.points.lanes:
            track, speed = self.points.track(lane), 33.0 - 3 * lane
            self.effects.append(self.running(lane, track, speed=speed, rest=8.0))

    def win(self, winner: int, start: float, pegs: set[int]) -> None:
        """Run lights along the winner's lane for `WIN_SHOW_S` seconds."""
        lane = self.points.track(winner)
        free = lane[[point not in pegs for point in lane]]
        effect = self.running(winner, free, speed=90.0, rest=2.0)
        self.effects.append(Window(effect=effect, start=start, end=start + WIN_SHOW_S))

    def running(self, team: int, points: Indices, *, speed: float, rest: float) -> Effect:
        """Return lights at `speed` holes a second; when calm, a pulse of `rest` seconds."""
        colour = self.palette.team(team)
        if self.calm:
            return Pulse(
                points=points, colour=colour * np.float32(FIVE_LEVEL), period=rest, low=0.1
            )
        return Runners(points, colour, gap=60, speed=speed)

    def mode(self, since: float) -> None:
        """Light five more holes for each next action of Mode while it is held down."""
        steps = []
        for n, after in enumerate(_MODE_STEPS_S):
            holes = range(n * _FIVE + 1, min((n + 1) * _FIVE, self.points.board.track.finish) + 1)
            steps.append((since + after, self.points.across(holes)))
        self.effects.append(Steps(steps=tuple(steps), colour=self.palette.plain))


def _last_first(state: State) -> tuple[int, ...]:
    """Return the teams in play, the one that counted last before the others."""
    last = state.last_count.team if state.last_count else None
    return tuple(sorted(state.setup.lanes, key=lambda team: (team != last, team)))


def _inward(box: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the holes of a box two by two, from both ends to the middle."""
    half = (len(box) + 1) // 2
    return [tuple({box[n], box[-1 - n]}) for n in range(half)]
