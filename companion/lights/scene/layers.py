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
from companion.lights.scene.button_test import paint_button_test
from companion.lights.scene.canvas import FIVE_LEVEL, Canvas
from companion.lights.scene.effects import Chase, Pulse, Rhythm
from companion.lights.scene.flashes import signals
from companion.lights.scene.ghost import Ghost, ghost
from companion.lights.scene.landing import landing_effect
from companion.lights.scene.motion import Motion
from companion.lights.scene.pegs import BACK_PEG_LEVEL, PegsInMotion
from companion.lights.scene.quiet_lights import (
    LightArea,
    LightKind,
    QuietLight,
    front_peg_lights,
    is_heels_banned,
    light_of,
    start_lamp_light,
)
from companion.lights.scene.shows import (
    JOINED_LEVEL,
    MATCH_LEVEL,
    last_first,
    paint_attract,
    paint_match,
    paint_mode,
    paint_sign_up,
    paint_sleep,
    paint_win,
)
from companion.lights.scene.view import View
from companion.rules.game import State

START_LEVEL = np.float32(0.6)
"""Part of full light of a start lamp that tells something."""

TRAIL_LEVEL = 0.08
"""Part of full light of a pending trail's holes."""

GHOST_LEVEL = 0.6
"""Part of full light of a ghost on a hole without a zone."""

ROUTE_LEVEL = 0.1
"""Part of full light of the route along which a zone would send the peg."""

WARNED_SHARE = 0.25
"""Part of its light that a trail about to expire has every second beat."""

GHOST_BEAT_S = 0.5
"""Seconds that a ghost shows its own colour, then the zone's."""

ZONE_PULSE_LEVEL = 0.2
"""Part of full light of that pulse: in any lane and to any eye less than a ghost."""

ZONE_PERIOD_S = 1.5
"""Period of the pulse of a zone that a count would land in."""

_FIVE = 5


class Painter(Canvas):
    """Painter of the layers of one view."""

    def __init__(self, points: Points, palette: Palette, ground: Light, *, calm: bool) -> None:
        super().__init__(points, palette, ground, calm=calm)
        self.met: set[str] = set()

    def paint(self, view: View, *, moving: bool) -> None:
        """Paint all layers; pegs that move are left to their effect while `moving`."""
        if view.button_test:
            paint_button_test(self, view.button_test)
        elif view.asleep:
            paint_sleep(self, view.state)
        elif view.sign_up is not None:
            paint_sign_up(self, view.sign_up)
        elif view.attract:
            paint_attract(self)
        else:
            self.table(view, moving=moving)
        self.effects += signals(view, self.points, self.palette, calm=self.calm)
        if view.mode_since is not None:
            paint_mode(self, view.mode_since)

    def table(self, view: View, *, moving: bool) -> None:
        """Paint the game: pegs, pending counts, motion and the winner's show."""
        state = view.state
        self.dealer(state.dealer)
        if state.winner is not None and not moving:
            self.lane(state.winner, JOINED_LEVEL)
        moved = set(view.motion.teams) if moving else set()
        standing = [team for team in last_first(state) if team not in moved]
        self.boxes(state)
        self.pegs(state, standing)
        between_games = state.winner is not None or not state.counts
        if between_games and not moving and not view.pending:
            paint_match(self, state)
        for team, count in view.pending:
            self.pending(view, team, count)
        pegs = self.standing(state)
        self.landings(view.motion, pegs)
        if moving:
            self.effects.append(PegsInMotion(view.motion, self.points, self.palette))
        self.quiet_lights(view, standing)
        if view.motion.won and state.winner is not None:
            paint_win(self, state.winner, view.motion.end, pegs)

    # Pegs

    def standing(self, state: State) -> set[int]:
        """Return the points where pegs stand."""
        sides = [(team, state.side(team)) for team in state.setup.lanes]
        return {
            self.points.index(team, hole)
            for team, side in sides
            for hole in (side.front, side.back)
        }

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
        """Return the colour of a front peg; half of it if the next deal frees it from its box."""
        colour, boxed = self.palette.team(team), state.side(team).boxed
        return colour / np.float32(2) if boxed and not boxed.hands else colour

    def boxes(self, state: State) -> None:
        """Light as many of a boxed side's own box holes as it has hands to sit, the last ones."""
        for team in state.setup.lanes:
            side = state.side(team)
            zone = state.setup.track.zone_at(side.front)
            if side.boxed is None or zone is None:
                continue
            colour = self.palette.team(team) * np.float32(MATCH_LEVEL)
            served = max(0, len(zone.box) - side.boxed.hands)
            self.light[self.points.of(team, zone.box[:served])] = 0
            self.light[self.points.of(team, zone.box[served:])] = colour

    def quiet_lights(self, view: View, standing: list[int]) -> None:
        """Show the lights of start lamps, over pegs in motion too, and of pegs that stand."""
        state = view.state
        for team in state.setup.lanes:
            quiet = start_lamp_light(state, team, view.awaited)
            if quiet:
                self.rhythm(
                    quiet, self.points.index(team, 0), self.palette.team(team) * START_LEVEL
                )
        for team in standing:
            point = self.points.index(team, state.side(team).front)
            for quiet in front_peg_lights(state, team):
                level = FIVE_LEVEL if quiet.kind is LightKind.SITTING else 0
                self.rhythm(quiet, point, self.palette.team(team) * np.float32(level))
        lamp = self.points.lamps.get(f"dealer-{state.dealer}")
        if lamp is not None and is_heels_banned(state):
            self.rhythm(light_of(LightKind.HEELS_BAN), lamp, self.palette.plain * np.float32(0))

    def rhythm(self, quiet: QuietLight, point: int, colour: Colour) -> None:
        """Show a quiet light at a point; a start lamp that is lit goes dark instead."""
        self.effects.append(
            Rhythm(
                points=np.array([point]),
                colour=colour,
                slots=quiet.slots,
                inverts=quiet.area is LightArea.START_LAMP,
                calm=self.calm,
            )
        )

    # Previews of pending counts

    def pending(self, view: View, team: int, count: int) -> None:
        """Paint a trail in fives, the ghost on its end, and the route of the zone there."""
        found = ghost(view.ahead, team, count)
        if found is None or not found.way:
            return
        pegs = self.standing(view.state)
        self.trail(team, found, pegs, warned=team in view.warned)
        point = self.points.index(team, found.landing)
        colour = self.palette.team(team)
        zone = view.ahead.setup.track.zone_at(found.landing)
        if found.kind is not None and zone is not None:
            side = view.state.side(team)
            own = {side.front, side.back}
            over(
                self.light,
                self.points.of(team, (hole for hole in found.route if hole not in own)),
                self.palette.zone(found.kind) * np.float32(ROUTE_LEVEL),
            )
            if zone.id not in self.met:
                self.met.add(zone.id)
                self.effects.append(self.zone(zone, {*pegs, point}))
            acting = self.palette.zone(found.kind) * np.float32(FIVE_LEVEL)
            self.beat(np.array([point]), np.stack([colour, acting]), GHOST_BEAT_S)
        elif point in pegs:
            self.share(point, self.light[point].copy(), [colour * np.float32(GHOST_LEVEL)])
        else:
            over(self.light, point, colour * np.float32(GHOST_LEVEL))

    def trail(self, team: int, found: Ghost, pegs: set[int], *, warned: bool) -> None:
        """Paint the holes that a count would pass, except under pegs."""
        levels = [FIVE_LEVEL if n % _FIVE == 0 else TRAIL_LEVEL for n in range(1, len(found.way))]
        points = self.points.of(team, found.way[:-1])
        free = [n for n, point in enumerate(points) if point not in pegs]
        colours = np.outer(levels, self.palette.team(team)).astype(np.float32)[free]
        over(self.light, points[free], colours)
        if warned:
            self.beat(
                points[free], np.stack([colours, colours * np.float32(WARNED_SHARE)]), GHOST_BEAT_S
            )

    def landings(self, motion: Motion, pegs: set[int]) -> None:
        """Animate the zones that pegs have landed in; of two landings in one the later."""
        latest = {landing.zone.id: landing for landing in motion.landings}
        self.effects += [
            landing_effect(
                landing,
                self.points,
                self.palette,
                free=lambda points: self.free(pegs, points),
                calm=self.calm,
            )
            for landing in latest.values()
            if landing.zone.id not in self.met
        ]

    def zone(self, zone: Zone, pegs: set[int]) -> Effect:
        """Return the effect of a zone aimed at: a trap chases inward, others pulse around pegs."""
        colour = self.palette.zone(zone.kind)
        if zone.kind is ZoneKind.TIME_TRAP and not self.calm:
            rings = tuple(self.without(pegs, holes) for holes in _inward(zone.box))
            return Chase(rings=rings, colour=colour, step=1 / 4)
        points, dimmed = self.without(pegs, zone.box), colour * np.float32(ZONE_PULSE_LEVEL)
        return Pulse(points=points, colour=dimmed, period=ZONE_PERIOD_S, low=0.1)

    def without(self, pegs: set[int], holes: Iterable[int]) -> Indices:
        """Return these holes in all lanes except where pegs stand."""
        return self.free(pegs, self.points.across(holes))

    @staticmethod
    def free(pegs: set[int], points: Indices) -> Indices:
        """Return these points except where pegs stand."""
        return points[[point not in pegs for point in points]]


def _inward(box: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the holes of a box two by two, from both ends to the middle."""
    half = (len(box) + 1) // 2
    return [tuple({box[n], box[-1 - n]}) for n in range(half)]
