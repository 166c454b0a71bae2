"""Lights for moving pegs, sleep, sign-up, match, button Mode, demo, win, flashes, tests, starts.

Each `paint_` function paints still light on a canvas at once, and adds moving light as an effect.
Lanes may share LEDs, so they show match points and numbers of players in turn: in a match at
3 to 1, lane 1 lights holes 1 to 3 in the first second of four, and lane 2 hole 1 in the third.

No flash lights up more than three times a second. If several flashes meet on one point, the flash
limiter holds some of them back.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from companion.board import Hole, ZoneKind
from companion.buttons import MODE, SIDE_ACTIONS, TABLE_ACTIONS
from companion.lights.compositor import Effect, Indices, Light, Points, fade, over
from companion.lights.palette import Colour, Palette
from companion.lights.scene.canvas import FIVE_LEVEL, Canvas, free
from companion.lights.scene.effects import Beat, Chase, Pulse, Rhythm, Rise, Steps, Swell, Window
from companion.lights.scene.motion import Motion, Segment
from companion.lights.scene.quiet_lights import SLOTS
from companion.lights.scene.view import (
    FLASH_DURATIONS_S,
    START_STEPS,
    ButtonTestView,
    Flash,
    FlashKind,
    MachineFault,
    SignUpView,
    StartReport,
    View,
)
from companion.network import JoinFailure, NetworkStage
from companion.rules.game import State

BACK_PEG_LEVEL = 0.3
_TAIL = (0.08, 0.2, 0.45)


class PegsInMotion:
    """Effect of all pegs that a motion moves, also while they rest between two segments."""

    def __init__(self, motion: Motion, points: Points, palette: Palette) -> None:
        self._motion = motion
        self._points = points
        self._palette = palette

    def show(self, light: Light, t: float) -> float | None:
        segments = [self._motion.segment_at(side, t) for side in self._motion.sides]
        for segment in segments:
            if segment.fades:
                self._fade(light, segment, t)
            else:
                self._back_peg(light, segment.side, self._motion.back_at(segment.side, t), 1.0)
                self._head_and_tail(light, segment, t)
        if any(segment.start <= t < segment.end for segment in segments):
            return t
        return self._motion.next_start(t)

    def _fade(self, light: Light, segment: Segment, t: float) -> None:
        colour = self._palette.side(segment.side)
        share = min(1.0, max(0.0, t - segment.start) / (segment.end - segment.start))
        self._back_peg(light, segment.side, segment.back_before, 1 - share)
        self._back_peg(light, segment.side, segment.back, share)
        for hole, level in ((segment.route[0], 1 - share), (segment.route[-1], share)):
            fade(light, self._points.index(segment.side, hole), colour, level)

    def _back_peg(self, light: Light, side: int, hole: Hole, share: float) -> None:
        colour = self._palette.side(side) * np.float32(BACK_PEG_LEVEL)
        fade(light, self._points.index(side, hole), colour, share)

    def _head_and_tail(self, light: Light, segment: Segment, t: float) -> None:
        colour, head = self._palette.side(segment.side), segment.index_at(t)
        if t < segment.end:
            tail = segment.route[max(0, head - len(_TAIL)) : head]
            for hole, level in zip(reversed(tail), reversed(_TAIL), strict=False):
                over(light, self._points.index(segment.side, hole), colour, level)
        over(light, self._points.index(segment.side, segment.route[head]), colour)


# Parts of full light.
JOINED_LEVEL = 0.08  # a lane whose side has joined the next game, or has won the last one
ASLEEP_LEVEL = 0.04  # the front pegs of a sleeping board
MATCH_LEVEL = 0.5  # the holes that show the match score

PRESET_STEP = 5  # holes between two choices of house rules; the button +5 chooses the next one
WIN_SHOW_S = 8.0
_MODE_HOLES = 5


def paint_sleep(canvas: Canvas, state: State) -> None:
    """Paint the front pegs dimly and nothing else."""
    canvas.light[:] = 0
    for side in reversed(last_first(state)):
        point = canvas.points.index(side, state.pegs(side).front)
        over(canvas.light, point, canvas.palette.side(side) * np.float32(ASLEEP_LEVEL))


def paint_sign_up(canvas: Canvas, sign_up: SignUpView) -> None:
    """Light the lanes of sides that have joined, with a hole and a dealer's lamp for each person.

    The start lamps of the other lanes are dim. Hole 5 stands for the first choice of house rules,
    hole 10 for the second, and so on; the hole of the chosen rules is bright.
    """
    canvas.light[:] = 0
    people = dict(sign_up.people)
    for lane in canvas.points.lanes:
        if lane in people:
            canvas.lane(lane, JOINED_LEVEL)
        level = 1.0 if lane in people else BACK_PEG_LEVEL
        canvas.first_holes(lane, 0, level)
    lane_by_lane(canvas, people, 1.0)
    for seat in range(1, sum(people.values()) + 1):
        canvas.dealer(seat)
    for choice in range(1, sign_up.choices + 1) if sign_up.choices > 1 else ():
        level = 1.0 if choice == sign_up.chosen else BACK_PEG_LEVEL
        holes = canvas.points.across([choice * PRESET_STEP])
        over(canvas.light, holes, canvas.palette.plain * np.float32(level))


def lane_by_lane(canvas: Canvas, counts: dict[int, int], level: float) -> None:
    """Light the first `counts[lane]` holes of each lane for one second in four.

    Each lane has a different second, because lanes may share their LEDs. No lane has the second in
    which the front peg of a skunked side goes dark.
    """
    turn = SLOTS // 4
    for n, lane in zip((0, 2, 3), (lane for lane in sorted(counts) if counts[lane]), strict=False):
        canvas.effects.append(
            Rhythm(
                points=canvas.points.track(lane)[: counts[lane]],
                colour=canvas.palette.side(lane) * np.float32(level),
                slots=frozenset(range(n * turn, n * turn + turn)),
                calm=canvas.calm,
            )
        )


def paint_attract(canvas: Canvas) -> None:
    """Run lights along all lanes, at a different speed in each."""
    for lane in canvas.points.lanes:
        track, speed = canvas.points.track(lane), 33.0 - 3 * lane
        canvas.effects.append(canvas.running(lane, track, speed=speed, rest=8.0))


def paint_win(canvas: Canvas, winner: int, start: float, pegs: set[int]) -> None:
    """Run lights along the winner's lane for `WIN_SHOW_S` seconds."""
    lane = free(pegs, canvas.points.track(winner))
    effect = canvas.running(winner, lane, speed=90.0, rest=2.0)
    canvas.effects.append(Window(effect=effect, start=start, end=start + WIN_SHOW_S))


def paint_mode(canvas: Canvas, since: float) -> None:
    """Light five more holes whenever Mode has been held long enough for another action."""
    steps = []
    for n, gesture in enumerate(each for each in MODE.gestures if not each.power_on):
        last = min((n + 1) * _MODE_HOLES, canvas.points.board.track.finish)
        holes = range(n * _MODE_HOLES + 1, last + 1)
        steps.append((since + gesture.seconds, canvas.points.across(holes)))
    canvas.effects.append(Steps(steps=tuple(steps), colour=canvas.palette.plain))


def paint_match(canvas: Canvas, state: State) -> None:
    """Light a hole of a lane for each match point of a side; hole `match_to`, the goal, is dim."""
    goal = state.setup.rules.match_to
    if goal is not None and goal <= state.setup.track.finish:
        for lane in state.setup.sides:
            colour = canvas.palette.side(lane) * np.float32(JOINED_LEVEL)
            over(canvas.light, canvas.points.index(lane, goal), colour)
    lane_by_lane(canvas, {lane: state.match.won(lane) for lane in state.setup.sides}, MATCH_LEVEL)


def last_first(state: State) -> tuple[int, ...]:
    """Return the sides in play; the side that counted last comes first."""
    last = state.last_count.side if state.last_count else None
    return tuple(sorted(state.setup.sides, key=lambda side: (side != last, side)))


# Flashes

_HALF_PERIODS_S = {  # without WAKE
    FlashKind.REFUSED: 3 / 16,
    FlashKind.DEAL_HINT: 1 / 4,
    FlashKind.DEAL_HELD: 1 / 4,
    FlashKind.STUCK: 1 / 2,
}
"""Seconds for which a flash of each blinking kind is lit, and then dark."""

ALERT_PERIOD_S = 2.0


def paint_flashes(canvas: Canvas, view: View) -> None:
    """Add a slow pulse while something is not saved, then the effects of all flashes."""
    points, palette = canvas.points, canvas.palette
    if view.alert:
        lamps = points.dealer_lamp(view.state.dealer)
        canvas.effects.append(Pulse(points=lamps, colour=palette.warning, period=ALERT_PERIOD_S))
    for flash in view.flashes:
        seconds = FLASH_DURATIONS_S[flash.kind]
        lamps, colour = _lamps(flash, view, points), _colour(flash, palette)
        effect: Effect
        if flash.kind is FlashKind.WAKE:
            effect = Rise(seconds=seconds)
        elif canvas.calm:
            effect = Swell(points=lamps, colour=colour, seconds=seconds)
        else:
            colours, period = np.stack([colour, 0 * colour]), _HALF_PERIODS_S[flash.kind]
            effect = Beat(points=lamps, colours=colours, period=period)
        canvas.effects.append(Window(effect=effect, start=flash.t0, end=flash.end))


def _colour(flash: Flash, palette: Palette) -> Colour:
    if flash.kind is FlashKind.STUCK:
        return palette.zone(ZoneKind.RED_SLIDE)
    return palette.plain if flash.lane is None else palette.side(flash.lane)


def _lamps(flash: Flash, view: View, points: Points) -> Indices:
    """Return the points of a flash: dealer's lamp, or start lamp of a side, perhaps with pegs."""
    if flash.lane is None:
        return points.dealer_lamp(view.state.dealer)
    holes: set[Hole] = {0} if flash.lane in points.lanes else set()
    if flash.kind is FlashKind.REFUSED and flash.lane in view.state.setup.sides:
        pegs = view.state.pegs(flash.lane)
        holes |= {pegs.front, pegs.back}
    return np.unique(points.of(flash.lane, holes))


# The test of buttons

LAMP_S = 0.5  # seconds of each lamp's turn


def paint_button_test(canvas: Canvas, test: ButtonTestView) -> None:
    """Light a part of the board for each button: brightly while it is down, dimly after that.

    The parts of a side's buttons are on its lane. Light runs along parts of untried buttons.
    """
    canvas.light[:] = 0
    for lane in canvas.points.lanes:
        untried = []
        parts = np.array_split(canvas.points.track(lane), len(SIDE_ACTIONS))
        for action, part in zip(SIDE_ACTIONS, parts, strict=True):
            level = _level(test, f"{lane}.{action.key}")
            over(canvas.light, part, canvas.palette.side(lane) * np.float32(level))
            untried += [] if level else [part]
        if untried:
            points = np.concatenate(untried)
            canvas.effects.append(canvas.running(lane, points, speed=33.0, rest=8.0))
    lamps = [np.array([point]) for point in canvas.points.lamps.values()]
    buttons = [action for action in TABLE_ACTIONS if action is not MODE]  # Mode ends the test
    parts = np.array_split(np.concatenate(lamps), len(buttons))
    for action, part in zip(buttons, parts, strict=True):
        over(canvas.light, part, canvas.palette.plain * np.float32(_level(test, action.key)))
    canvas.effects.append(Chase(rings=tuple(lamps), colour=canvas.palette.plain, step=LAMP_S))


def _level(test: ButtonTestView, action: str) -> float:
    if action in test.down:
        return 1.0
    return FIVE_LEVEL if action in test.pressed else 0.0


# The report of a start

STEP_HOLES = 10  # holes of a lane that are lit for each step
FAULT_HOLES = 5
FAULT_BEAT_S = 1.0  # seconds that a fault's holes are lit, and then dark


def fault_holes(fault: MachineFault) -> range:
    """Return the holes that blink for a fault.

    >>> list(fault_holes(MachineFault.DISK_FULL))
    [11, 12, 13, 14, 15]
    """
    first = 2 * FAULT_HOLES * list(MachineFault).index(fault) + 1
    return range(first, first + FAULT_HOLES)


class NetworkLight(NamedTuple):
    """Holes from 36 on that show the board's way into a network; a `failure` has another colour."""

    holes: int
    blinks: bool = True
    failure: bool = False


NETWORK_LIGHTS: Final[
    Mapping[NetworkStage | JoinFailure, NetworkLight]
] = {  # without SEARCHING, JOINED
    NetworkStage.HOTSPOT: NetworkLight(FAULT_HOLES, blinks=False),
    NetworkStage.JOINING: NetworkLight(FAULT_HOLES),
    JoinFailure.WRONG_PASSWORD: NetworkLight(1, failure=True),
    JoinFailure.NOT_FOUND: NetworkLight(2, failure=True),
    JoinFailure.NO_ADDRESS: NetworkLight(3, failure=True),
    JoinFailure.TIMED_OUT: NetworkLight(4, failure=True),
    JoinFailure.OTHER: NetworkLight(4, failure=True),
}
"""Light of each stage on the way, and of each failure; the address shows that it has ended."""


def network_holes(light: NetworkLight) -> range:
    """Return the holes of a light; they follow those of the missing network.

    >>> list(network_holes(NETWORK_LIGHTS[JoinFailure.NOT_FOUND]))
    [36, 37]
    """
    first = fault_holes(MachineFault.NO_NETWORK)[-1] + 1
    return range(first, first + light.holes)


def address_holes(address: int, finish: int) -> list[int]:
    """Return the fewest holes whose numbers add up to `address`, the highest number first.

    >>> address_holes(57, 363), address_holes(200, 121), address_holes(254, 61)
    ([57], [121, 79], [61, 60, 59, 58, 16])
    """
    holes = []
    while address > finish:
        holes.append(finish)
        address, finish = address - finish, finish - 1
    return [*holes, address]


def paint_start_report(canvas: Canvas, report: StartReport) -> None:
    """Light ten holes of each lane for each step of the start; then faults, network and address."""
    canvas.light[:] = 0
    finish = canvas.points.board.track.finish
    if report.step < START_STEPS:
        for lane in canvas.points.lanes:
            canvas.first_holes(lane, STEP_HOLES * report.step, FIVE_LEVEL)
        return
    address = [] if report.address is None else address_holes(report.address, finish)
    warning, plain = canvas.palette.warning, canvas.palette.plain
    for fault in sorted(report.faults, key=list(MachineFault).index):
        points = canvas.points.across([hole for hole in fault_holes(fault) if hole not in address])
        canvas.beat(points, np.stack([warning, np.zeros_like(warning)]), FAULT_BEAT_S)
    if light := report.network and NETWORK_LIGHTS.get(report.network):
        points = canvas.points.across(
            [each for each in network_holes(light) if each not in address]
        )
        colour = warning if light.failure else plain
        if not light.blinks:
            over(canvas.light, points, colour)
        else:
            canvas.beat(points, np.stack([colour, np.zeros_like(colour)]), FAULT_BEAT_S)
    over(canvas.light, canvas.points.across(address), canvas.palette.plain)
