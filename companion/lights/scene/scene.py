"""Scene: a board's light, from a view (all facts to show) and a time.

Still layers are painted once and cached, moving ones become effects. The layers from the bottom are
zones and printed marks, back pegs, front pegs, trails of pending counts with their ghosts (landing
holes), pegs in motion, alerts, shows. An LED with pegs or ghosts of several sides shows the side
that counted last every other second, and the other sides in turn in the seconds between. Trails and
zones are not painted over pegs and ghosts.

A side on hole 26 with 8 points pending has a ghost at 60 % of full light on hole 34. Its trail, on
holes 27 to 33, has 8 % of full light, but 50 % on the fifth hole.
"""

from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np

from companion.board import Zone
from companion.board.layout import Board, Hole, Track
from companion.board.zone_kinds import LandingEffect
from companion.lights.compositor import Effect, Indices, Light, Points, composed, dark, over
from companion.lights.palette import Colour, Palette
from companion.lights.scene.canvas import FIVE_LEVEL, Canvas, Marks, free, landing_effect, mark
from companion.lights.scene.effects import Chase, Pulse, Rhythm
from companion.lights.scene.motion import Motion
from companion.lights.scene.quiet_lights import (
    SLOTS,
    LightArea,
    QuietLight,
    Sign,
    first_shown,
    front_peg_lights,
    is_heels_banned,
    start_lamp_light,
)
from companion.lights.scene.shows import (
    BACK_PEG_LEVEL,
    JOINED_LEVEL,
    MATCH_LEVEL,
    PegsInMotion,
    last_first,
    paint_attract,
    paint_button_test,
    paint_flashes,
    paint_match,
    paint_mode,
    paint_sign_up,
    paint_sleep,
    paint_start_report,
    paint_win,
)
from companion.lights.scene.view import Ghost, View, ghost
from companion.rules.game import State

# Parts of full light.
ZONE_LEVEL = 0.05  # a zone at rest
_DESTINATION_LEVEL = 0.025  # side paths, and the holes to which slides lead
_MARK_LEVEL = 0.03  # the printed lines and the finish
_START_LEVEL = np.float32(0.6)  # a start lamp that signals something
TRAIL_LEVEL = 0.08  # the holes of a pending trail
GHOST_LEVEL = 0.6  # a ghost on a hole without a zone
ROUTE_LEVEL = 0.1  # the route along which a zone would send the peg
_ZONE_PULSE_LEVEL = 0.2  # a landing zone; dimmer than a ghost, whatever their colours

_WARNED_SHARE = 0.25  # part of its light that an expiring trail keeps in every second beat
_WARNED_BEAT_S = 0.5
_ZONE_PERIOD_S = 1.5
_FIVE = 5

_ODD_HALVES = frozenset(slot for slot in range(SLOTS) if slot // 2 % 2)
"""Slots (quarters of a second) in which a ghost shows its zone's colour, not its side's."""

_FRONT_PEG_LEVELS = {  # not all: only signs that `front_peg_lights` yields
    Sign.BOXED: FIVE_LEVEL,
    Sign.FREE_NEXT: MATCH_LEVEL,
    Sign.SKUNK: 0.0,
    Sign.DOUBLE_SKUNK: 0.0,
}
"""Part of full light of a front peg in the slots that show a sign."""


class _Painter(Canvas):
    """Painter of the layers of one view."""

    def paint(self, view: View, *, moving: bool) -> None:
        """Paint all layers; while `moving`, an effect shows the pegs that move."""
        if view.start_report:
            paint_start_report(self, view.start_report)
        elif view.button_test:
            paint_button_test(self, view.button_test)
        elif view.asleep:
            paint_sleep(self, view.state)
        elif view.sign_up is not None:
            paint_sign_up(self, view.sign_up)
        elif view.attract:
            paint_attract(self)
        else:
            self.table(view, moving=moving)
        paint_flashes(self, view)
        if view.mode_since is not None:
            paint_mode(self, view.mode_since)

    def table(self, view: View, *, moving: bool) -> None:
        state = view.state
        self.dealer(state.dealer)
        if state.winner is not None and not moving:
            self.lane(state.winner, JOINED_LEVEL)
        moved = view.motion.sides if moving else ()
        marks = Marks()
        for side in state.setup.sides:
            self.box(marks, state, side)
            if side not in moved:
                self.pegs(marks, state, side)
        found = [(side, ghost(view.ahead, side, points)) for side, points in view.pending]
        ghosts = [(side, each) for side, each in found if each and each.trail]
        for side, each in ghosts:
            self.ghost(marks, side, each)
        taken = marks.points | self.standing(state)
        aimed_at: set[str] = set()
        for side, each in ghosts:
            self.trail(side, each, taken, warned=side in view.warned)
            self.route(view, side, each, taken, aimed_at)
        self.landings(view.motion, taken, aimed_at)
        marks.paint(self, last_first(state))
        between_games = state.winner is not None or not state.counts
        if between_games and not moving and not view.pending:
            paint_match(self, state)
        if moving:
            self.effects.append(PegsInMotion(view.motion, self.points, self.palette))
        self.lamps(view)
        if view.motion.won and state.winner is not None:
            paint_win(self, state.winner, view.motion.end, taken)

    # Pegs

    def standing(self, state: State) -> set[int]:
        sides = [(side, state.pegs(side)) for side in state.setup.sides]
        return {
            self.points.index(side, hole)
            for side, pegs in sides
            for hole in (pegs.front, pegs.back)
        }

    def pegs(self, marks: Marks, state: State, side: int) -> None:
        pegs, colour = state.pegs(side), self.palette.side(side)
        back = mark(colour * np.float32(BACK_PEG_LEVEL))
        marks.put(side, self.points.index(side, pegs.back), back)
        lights = [
            (quiet.slots, colour * np.float32(_FRONT_PEG_LEVELS[quiet.sign]))
            for quiet in front_peg_lights(state, side)
        ]
        marks.put(side, self.points.index(side, pegs.front), mark(colour, lights))

    def box(self, marks: Marks, state: State, side: int) -> None:
        """Mark the last holes of a boxed side's box, one for each hand that it must sit out."""
        pegs = state.pegs(side)
        zone = state.setup.track.zone_at(pegs.front)
        if pegs.boxed is None or zone is None:
            return
        hand = mark(self.palette.side(side) * np.float32(MATCH_LEVEL))
        served = max(0, len(zone.box) - pegs.boxed.hands)
        self.light[self.points.of(side, zone.box[:served])] = 0
        for point in self.points.of(side, zone.box[served:]).tolist():
            marks.put(side, point, hand)

    def lamps(self, view: View) -> None:
        """Show the quiet lights (see `quiet_lights`) of start lamps and of the dealer's lamp."""
        state = view.state
        for side in state.setup.sides:
            quiet = start_lamp_light(state, side, is_awaited=side in view.awaited)
            if quiet:
                lamp = self.points.of(side, [0])
                self.rhythm(quiet, lamp, self.palette.side(side) * _START_LEVEL)
        dealer_lamp = self.points.dealer_lamp(state.dealer)
        due = {  # not all: this lamp's other signs are painted elsewhere
            Sign.DEAL_HELD: view.is_deal_awaited,
            Sign.HEELS_BAN: is_heels_banned(state),
        }
        quiet = first_shown(LightArea.DEALER_LAMP, due)
        if dealer_lamp.size and quiet:
            self.rhythm(quiet, dealer_lamp, self.palette.plain * np.float32(0))

    def rhythm(self, quiet: QuietLight, lamp: Indices, colour: Colour) -> None:
        """Show a quiet light at a lamp; a start lamp that is lit goes dark instead."""
        self.effects.append(
            Rhythm(
                points=lamp,
                colour=colour,
                slots=quiet.slots,
                inverts=quiet.area is LightArea.START_LAMP,
                calm=self.calm,
            )
        )

    # Previews of pending counts

    def ghost(self, marks: Marks, side: int, found: Ghost) -> None:
        """Mark the landing hole of a count, and the hole with the number of points left over."""
        colour = self.palette.side(side)
        plain = acting = mark(colour * np.float32(GHOST_LEVEL))
        if found.kind is not None:
            of_zone = self.palette.zone(found.kind) * np.float32(FIVE_LEVEL)
            acting = mark(colour, [(_ODD_HALVES, of_zone)])
        if found.walked[-1] == found.landing:
            marks.add(side, self.points.index(side, found.landing), acting)
        if found.beyond:
            marks.add(side, self.points.index(side, found.beyond[-1]), plain)

    def route(
        self, view: View, side: int, found: Ghost, taken: set[int], aimed_at: set[str]
    ) -> None:
        """Paint the route along which a zone would send the peg, and animate each zone once."""
        zone = view.ahead.setup.track.zone_at(found.landing)
        if found.kind is None or zone is None:
            return
        route = free(taken, self.points.of(side, found.route))
        over(self.light, route, self.palette.zone(found.kind) * np.float32(ROUTE_LEVEL))
        if zone.id not in aimed_at:
            aimed_at.add(zone.id)
            self.effects.append(self.zone(zone, taken))

    def trail(self, side: int, found: Ghost, taken: set[int], *, warned: bool) -> None:
        levels = [FIVE_LEVEL if n % _FIVE == 0 else TRAIL_LEVEL for n in range(1, len(found.trail))]
        points = self.points.of(side, found.trail[:-1])
        shown = [n for n, point in enumerate(points) if point not in taken]
        colours = np.outer(levels, self.palette.side(side)).astype(np.float32)[shown]
        over(self.light, points[shown], colours)
        if warned:
            dimmed = colours * np.float32(_WARNED_SHARE)
            self.beat(points[shown], np.stack([colours, dimmed]), _WARNED_BEAT_S)

    def landings(self, motion: Motion, taken: set[int], aimed_at: set[str]) -> None:
        """Animate the zones that pegs have landed in, each for its latest landing."""
        latest = {landing.zone.id: landing for landing in motion.landings}
        self.effects += [
            landing_effect(landing, self.points, self.palette, taken, calm=self.calm)
            for zone_id, landing in latest.items()
            if zone_id not in aimed_at
        ]

    def zone(self, zone: Zone, taken: set[int]) -> Effect:
        """Return the effect of a zone where a count would land: an inward chase or a pulse."""
        colour = self.palette.zone(zone.kind)
        if zone.kind.facts.effect is LandingEffect.DRAGS and not self.calm:
            rings = tuple(free(taken, self.points.across(holes)) for holes in _inward(zone.box))
            return Chase(rings=rings, colour=colour, step=1 / 4)
        points = free(taken, self.points.across(zone.box))
        dimmed = colour * np.float32(_ZONE_PULSE_LEVEL)
        return Pulse(points=points, colour=dimmed, period=_ZONE_PERIOD_S, low=0.1)


def _inward(box: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the holes of a box two by two, from both ends to the middle."""
    half = (len(box) + 1) // 2
    return [tuple({box[n], box[-1 - n]}) for n in range(half)]


def ground(points: Points, palette: Palette, track: Track) -> Light:
    """Return the read-only light of a board without pegs, dark beyond the finish of the game."""
    light = dark(points.size)
    marked = (each.hole for each in points.board.marks if each.hole < track.finish)
    for hole in (*marked, track.finish):
        over(light, points.across([hole]), palette.plain * _MARK_LEVEL)
    played = [zone for zone in track.zones if zone.box[-1] <= track.finish]
    for zone in played:
        to = tuple(hole for hole in zone.to if hole <= track.finish)
        far: tuple[Hole, ...] = (*to, *zone.path)
        over(light, points.across(far), palette.zone(zone.kind) * _DESTINATION_LEVEL)
    for zone in played:
        over(light, points.across(zone.box), palette.zone(zone.kind) * ZONE_LEVEL)
    light.flags.writeable = False
    return light


class Scene:
    """Light of one board; `points` are its light points, by default one for each hole and lane."""

    def __init__(
        self, board: Board, palette: Palette, *, points: Points | None = None, calm: bool = False
    ) -> None:
        self.points = points or Points(board)
        self._palette = palette
        self._calm = calm
        self._ground = lru_cache(maxsize=1)(partial(ground, self.points, palette))
        self._view: View | None = None
        self._moving = False
        self._still = dark(self.points.size)
        self._effects: Sequence[Effect] = ()

    def compose(self, view: View, t: float) -> tuple[Light, float | None]:
        """Return the light at `t` seconds, shape (points, 3), and the time when it next changes.

        The returned time is None if only a new view changes the light. While something moves, each
        frame differs, and the time is `t` or earlier, which means at once. The caller must not
        write to the light, which the scene may return again.
        """
        moving = t < view.motion.end
        if view is not self._view or moving != self._moving:
            self._paint(view, moving=moving)
        return composed(self._still, self._effects, t)

    def _paint(self, view: View, *, moving: bool) -> None:
        below = self._ground(view.state.setup.track)
        painter = _Painter(self.points, self._palette, below, calm=self._calm)
        painter.paint(view, moving=moving)
        painter.light.flags.writeable = False
        self._view, self._moving = view, moving
        self._still, self._effects = painter.light, tuple(painter.effects)
