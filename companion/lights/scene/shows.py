"""Shows and signs besides the pegs: sleep, sign-up, match score, Mode, the demo and the win.

Each function paints one of them on a canvas: still light at once, moving light as an effect. Lanes
may share their LEDs, so their numbers are shown in turn: in a match at 3 to 1, lane 1 lights its
holes 1 to 3 in the first second of four, and lane 2 lights its hole 1 in the third second.
"""

import numpy as np

from companion.board.track import Hole
from companion.buttons import MODE
from companion.lights.colour.palette import Palette
from companion.lights.compositor import Light, fade, over
from companion.lights.pixels import Points
from companion.lights.scene.canvas import Canvas
from companion.lights.scene.effects import Rhythm, Steps, Window
from companion.lights.scene.motion import Motion, Segment
from companion.lights.scene.quiet_lights import SLOTS
from companion.lights.scene.view import SignUpView
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
        segments = {side: self._motion.segment_at(side, t) for side in self._motion.sides}
        for side, segment in segments.items():
            if segment and segment.fades:
                self._fade(light, segment, t)
            else:
                self._back_peg(light, side, self._motion.back_at(side, t), 1.0)
                self._head_and_tail(light, side, segment, t)
        if any(segment and t < segment.end for segment in segments.values()):
            return t
        return self._motion.next_start(t)

    def _fade(self, light: Light, segment: Segment, t: float) -> None:
        colour = self._palette.side(segment.side)
        share = min(1.0, (t - segment.start) / (segment.end - segment.start))
        self._back_peg(light, segment.side, segment.back_before, 1 - share)
        self._back_peg(light, segment.side, segment.back, share)
        for hole, level in ((segment.route[0], 1 - share), (segment.route[-1], share)):
            fade(light, self._points.index(segment.side, hole), colour, level)

    def _back_peg(self, light: Light, side: int, hole: Hole, share: float) -> None:
        colour = self._palette.side(side) * np.float32(BACK_PEG_LEVEL)
        fade(light, self._points.index(side, hole), colour, share)

    def _head_and_tail(self, light: Light, side: int, segment: Segment | None, t: float) -> None:
        colour = self._palette.side(side)
        if segment and t < segment.end:
            head = segment.index_at(t)
            tail = segment.route[max(0, head - len(_TAIL)) : head]
            for hole, level in zip(reversed(tail), reversed(_TAIL), strict=False):
                over(light, self._points.index(side, hole), colour, level)
        over(light, self._points.index(side, self._motion.front_at(side, t)), colour)


# Parts of full light.
JOINED_LEVEL = 0.08  # a lane that joined the next game, or won the last one
ASLEEP_LEVEL = 0.04  # the front pegs of a sleeping board
MATCH_LEVEL = 0.5  # the holes that show the match score

PRESET_STEP = 5  # holes from one choice of house rules to the next, which +5 chooses
WIN_SHOW_S = 8.0
_MODE_HOLES = 5


def paint_sleep(canvas: Canvas, state: State) -> None:
    """Paint the front pegs dimly and nothing else."""
    canvas.light[:] = 0
    for side in reversed(last_first(state)):
        point = canvas.points.index(side, state.pegs(side).front)
        over(canvas.light, point, canvas.palette.side(side) * np.float32(ASLEEP_LEVEL))


def paint_sign_up(canvas: Canvas, sign_up: SignUpView) -> None:
    """Light the lanes that have joined, with a hole and a dealer's lamp for each person.

    The start lamps of the other lanes are dim. Every fifth hole shows a choice of house rules,
    brightly if it is chosen.
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
    """Light holes of each lane from the first on, as many as its count, for one second in four.

    Each lane has a different second, because lanes may share their LEDs. No lane has the second in
    which a skunked peg goes dark.
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
    lane = canvas.points.track(winner)
    free = lane[[point not in pegs for point in lane]]
    effect = canvas.running(winner, free, speed=90.0, rest=2.0)
    canvas.effects.append(Window(effect=effect, start=start, end=start + WIN_SHOW_S))


def paint_mode(canvas: Canvas, since: float) -> None:
    """Light five more holes for each next action of Mode while it is held down."""
    steps = []
    for n, gesture in enumerate(each for each in MODE.gestures if not each.power_on):
        last = min((n + 1) * _MODE_HOLES, canvas.points.board.track.finish)
        holes = range(n * _MODE_HOLES + 1, last + 1)
        steps.append((since + gesture.seconds, canvas.points.across(holes)))
    canvas.effects.append(Steps(steps=tuple(steps), colour=canvas.palette.plain))


def paint_match(canvas: Canvas, state: State) -> None:
    """Light a hole of each lane for each point of its side in the match, and the goal dimly."""
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
