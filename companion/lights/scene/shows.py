"""Shows and signs besides the pegs: sleep, sign-up, match score, Mode, the demo and the win."""

from __future__ import annotations

import numpy as np

from companion.lights.compositor import over
from companion.lights.scene.canvas import FIVE_LEVEL, Canvas
from companion.lights.scene.effects import Steps, Window
from companion.lights.scene.pegs import BACK_PEG_LEVEL
from companion.rules.game import State

JOINED_LEVEL = 0.08
"""Part of full light of a lane that joined the next game, or won the last one."""

ASLEEP_LEVEL = 0.04
"""Part of full light of the front pegs of a sleeping board."""

WIN_SHOW_S = 8.0
"""Seconds that light runs along the winner's lane."""

MODE_STEPS_S = (0.0, 2.0, 5.0, 8.0)
"""Seconds that Mode is held for the brightness, the demo, a new game and the tour."""

_MODE_HOLES = 5


def paint_sleep(canvas: Canvas, state: State) -> None:
    """Paint the front pegs dimly and nothing else."""
    canvas.light[:] = 0
    for team in reversed(last_first(state)):
        point = canvas.points.index(team, state.side(team).front)
        over(canvas.light, point, canvas.palette.team(team) * np.float32(ASLEEP_LEVEL))


def paint_sign_up(canvas: Canvas, people: dict[int, int]) -> None:
    """Light the lanes that have joined, with a hole and a dealer's lamp for each person.

    The start lamps of the other lanes are dim.
    """
    canvas.light[:] = 0
    for lane in canvas.points.lanes:
        if lane in people:
            canvas.lane(lane, JOINED_LEVEL)
            canvas.first_holes(lane, people[lane], 1.0)
        level = 1.0 if lane in people else BACK_PEG_LEVEL
        canvas.first_holes(lane, 0, level)
    for seat in range(1, sum(people.values()) + 1):
        canvas.dealer(seat)


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
    for n, after in enumerate(MODE_STEPS_S):
        last = min((n + 1) * _MODE_HOLES, canvas.points.board.track.finish)
        holes = range(n * _MODE_HOLES + 1, last + 1)
        steps.append((since + after, canvas.points.across(holes)))
    canvas.effects.append(Steps(steps=tuple(steps), colour=canvas.palette.plain))


def paint_match(canvas: Canvas, state: State) -> None:
    """Between games, light a hole of each lane for each point of a match, and its goal."""
    goal = state.setup.rules.match_to
    if goal is None or goal > state.setup.track.finish:
        return
    for lane in state.setup.lanes:
        over(
            canvas.light,
            canvas.points.of(lane, (goal,)),
            canvas.palette.team(lane) * np.float32(JOINED_LEVEL),
        )
        if won := state.match.won(lane):
            canvas.first_holes(lane, min(won, goal), FIVE_LEVEL)


def last_first(state: State) -> tuple[int, ...]:
    """Return the teams in play, the one that counted last before the others."""
    last = state.last_count.team if state.last_count else None
    return tuple(sorted(state.setup.lanes, key=lambda team: (team != last, team)))
