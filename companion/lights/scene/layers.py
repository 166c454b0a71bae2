"""Layers of a view: still ones are painted once, moving ones become effects.

From the bottom: zones and marks, back pegs, front pegs, pending trails with their ghosts, pegs in
motion, alerts, shows. A point that teams share shows the team that counted last, and one of the
others every second beat.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import numpy as np

from companion.board.track import Zone, ZoneKind
from companion.lights.colour.palette import Colour, Palette
from companion.lights.compositor import Effect, Light, over
from companion.lights.pixels import Indices, Points
from companion.lights.scene.canvas import FIVE_LEVEL, Canvas
from companion.lights.scene.effects import Chase, Pulse, Steps
from companion.lights.scene.flashes import signals
from companion.lights.scene.ghost import Ghost, ghost
from companion.lights.scene.landing import landing_effect
from companion.lights.scene.motion import Motion
from companion.lights.scene.pegs import BACK_PEG_LEVEL, PegsInMotion
from companion.lights.scene.shows import (
    JOINED_LEVEL,
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

START_LEVEL = 0.4
"""Part of full light of the start lamp of a side that is out, or that is to move in its box."""

TRAIL_LEVEL = 0.08
"""Part of full light of a pending trail's holes."""

GHOST_LEVEL = 0.6
"""Part of full light of a ghost on a hole without a zone."""

ROUTE_LEVEL = 0.2
"""Part of full light of the route along which a zone would send the peg."""

WARNED_SHARE = 0.25
"""Part of its light that a trail about to expire has every second beat."""

GHOST_BEAT_S = 0.5
"""Seconds that a ghost shows its own colour, then the zone's."""

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
        if view.asleep:
            paint_sleep(self, view.state)
        elif view.sign_up is not None:
            paint_sign_up(self, dict(view.sign_up))
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
        if not moving and (state.winner is not None or not state.counts):
            paint_match(self, state)
        moved = set(view.motion.teams) if moving else set()
        standing = [team for team in last_first(state) if team not in moved]
        self.boxes(state)
        self.pegs(state, standing)
        for team, count in view.pending:
            self.pending(view, team, count)
        fronts = set(self.fronts(state))
        self.landings(view.motion, fronts)
        if moving:
            self.effects.append(PegsInMotion(view.motion, self.points, self.palette))
        self.start_lamps(state, moving=moving)
        if view.motion.won and state.winner is not None:
            paint_win(self, state.winner, view.motion.end, fronts)

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
        colour, boxed = self.palette.team(team), state.side(team).boxed
        if boxed is None:
            return colour
        if not boxed.hands:
            return colour / np.float32(2)
        return (colour + self.palette.zone(ZoneKind.PENALTY_BOX)) / np.float32(4)

    def boxes(self, state: State) -> None:
        """Light as many of a boxed side's own box holes as it has hands to sit, the last ones."""
        for team in state.setup.lanes:
            side = state.side(team)
            zone = state.setup.track.zone_at(side.front)
            if side.boxed is None or zone is None:
                continue
            colour = self.palette.zone(zone.kind) * np.float32(FIVE_LEVEL)
            served = max(0, len(zone.box) - side.boxed.hands)
            self.light[self.points.of(team, zone.box[:served])] = 0
            self.light[self.points.of(team, zone.box[served:])] = colour

    def start_lamps(self, state: State, *, moving: bool) -> None:
        """Light the start lamp of a side that has folded, or that is to move in its box.

        Over pegs in motion, so that it stands still under them; not over a front peg.
        """
        for team in state.setup.lanes:
            side = state.side(team)
            to_move = side.boxed and side.boxed.may_move and side.boxed.hands
            if side.front == 0 or not (to_move or (side.folded and not side.boxed)):
                continue
            if moving:
                colour = self.palette.team(team) * np.float32(START_LEVEL)
                steps = ((-inf, self.points.of(team, (0,))),)
                self.effects.append(Steps(steps=steps, colour=colour))
            else:
                self.first_holes(team, 0, START_LEVEL)

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
        points, dimmed = self.without(pegs, zone.box), colour * np.float32(FIVE_LEVEL)
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
