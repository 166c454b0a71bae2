"""The board plays game after game by itself for a whole night, and leaves nothing behind."""

import asyncio
import gc
import threading
from bisect import bisect_right
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from companion.board import load_board
from companion.lights import Light, Palette, Scene
from companion.rules.game import State
from companion.table.demo import LIGHT_SHOW_S, LINE_LIMIT, PATH_STEP_S, WIN_PAUSE_S, Stage
from tests.companion.lights.games import CONTRAST, most_flashes
from tests.support.card_games import Night, open_files

FRAMES = 128
"""Looks at the light a second."""


def test_games_follow_each_other_with_path_and_show_between() -> None:
    """Each game is played from the start to its win; its path and a light show follow."""
    night = Night()
    night.play(3)
    assert [Stage.PLAY, Stage.PATH, Stage.SHOW] * 2 + [Stage.PLAY] == [s for _, s in night.stages]
    won = [state for state in night.states() if state.winner]
    assert 3 == len({id(state) for state in won})
    assert 3 == sum("wins" in line for line in night.lines)
    start, end = night.window(Stage.SHOW)
    (show,) = night.between(start, end)
    assert show.attract
    assert pytest.approx(LIGHT_SHOW_S) == end - start


@pytest.mark.parametrize("calm", [False, True])
def test_the_path_goes_through_the_last_game_hand_by_hand(calm: bool) -> None:
    """Each step begins where the one before ended, from start to win; calm pegs fade."""
    night = Night(calm=calm)
    night.play(2)
    start, end = night.window(Stage.PATH)
    path = night.between(start, end)
    hands: dict[int, State] = {}
    for view in night.between(0.0, start):
        hands[view.state.hand] = view.state
    begun, *after = [view.state for view in path]
    assert (0, list(hands.values())) == (begun.counts, after)
    assert after[-1].winner
    assert pytest.approx(PATH_STEP_S * len(path)) == end - start
    moves = [segment for view in path for segment in view.motion.segments]
    assert moves
    assert {calm} == {segment.fades for segment in moves}
    for one, other in pairwise(path):
        for segment in other.motion.segments:
            assert one.state.pegs(segment.side).front == segment.route[0]
            assert other.state.pegs(segment.side).front == segment.route[-1]


@pytest.mark.parametrize("calm", [False, True])
@pytest.mark.parametrize("stage", list(Stage))
def test_no_light_of_the_demo_flashes(stage: Stage, calm: bool) -> None:
    """No point lights up more than three times a second, calm or not (WCAG 2.3.1)."""
    night = Night(calm=calm)
    night.play(2)
    start, end = night.window(stage)
    seconds = min(12.0, end - start)
    assert most_flashes(light_of(night, start, seconds, calm=calm), start, seconds) <= 3


def light_of(night: Night, start: float, seconds: float, *, calm: bool) -> Callable[[float], Light]:
    """Return the light in these seconds of all points that ever change."""
    scene = Scene(load_board("crib-wars"), Palette.make(), calm=calm)
    times = [t for t, _ in night.lights.shown]
    looks = start + np.arange(int(seconds * FRAMES)) / FRAMES
    views = [night.lights.shown[bisect_right(times, t) - 1][1] for t in looks]
    frames = [scene.compose(view, float(t))[0] for view, t in zip(views, looks, strict=True)]
    levels = np.array([frame.max(axis=1) for frame in frames])
    changing = np.flatnonzero(np.ptp(levels, axis=0) >= CONTRAST)
    assert len(changing)
    return lambda t: frames[round((t - start) * FRAMES)][changing]


def test_a_game_begins_near_a_zone_now_and_then() -> None:
    """All pegs begin where a first count can land in the zone; other games begin at 0."""
    night = Night()
    night.play(4)
    track = night.setup.track
    boxes = {zone.box[0] for zone in track.zones if zone.box[0] < track.finish}
    counts = [
        [pegs.front for pegs in state.all_pegs] for state in night.states() if not state.counts
    ]
    near = [fronts for fronts in counts if all(fronts)]
    assert near
    assert [0, 0] in counts
    for fronts in near:
        assert any(all(2 <= box - int(front) <= 7 for front in fronts) for box in boxes)


def test_a_win_is_shown_before_the_path() -> None:
    """The show of the win is not cut short."""
    night = Night()
    night.play(2)
    start, _ = night.window(Stage.PATH)
    won = next(t for t, view in night.lights.shown if view.state.winner)
    assert start - won >= WIN_PAUSE_S


def test_the_lines_that_are_kept_are_the_last() -> None:
    """A page that opens later gets the newest lines, and no more than the limit."""
    night = Night()
    night.play(1)
    assert night.lines[-LINE_LIMIT:] == [line.text for line in night.demo.lines]
    assert len(night.lines) > LINE_LIMIT


def test_players_are_called_as_the_commentary_calls_them() -> None:
    """T1: partners of one side are told apart by their seat."""
    names = Night(players=4).demo.names
    assert {1, 2, 3, 4} == set(names)
    assert names[1] != names[3]
    assert names[1].startswith("Amber")


@pytest.mark.parametrize("players", [2, 3])
def test_a_long_demo_does_not_grow(players: int) -> None:
    """After eight games there are no more threads, open files and objects than after three."""
    night = Night(players=players, keep=False)

    async def play(games: int) -> tuple[int, int, int]:
        await night.demo.run(games)
        gc.collect()
        return threading.active_count(), open_files(), len(gc.get_objects())

    async def play_on() -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        return await play(3), await play(5)

    few, many = asyncio.run(play_on())
    assert night.deals > 50
    assert many[0] <= few[0]
    assert many[1] <= few[1]
    # The objects of the last game, which depend on its number of counts, come and go.
    assert many[2] - few[2] < 3000


@pytest.mark.parametrize("sleeps", [1, 2, 5, 40, 150, 600, 900])
def test_a_demo_that_is_cancelled_leaves_nothing(sleeps: int) -> None:
    """At any moment, in a game or between two, no task and no thread is left."""
    before = set(threading.enumerate())

    async def scene() -> None:
        night = Night()
        left = iter(range(sleeps))
        playing = asyncio.create_task(night.demo.run())

        def cancel() -> None:
            if next(left, None) is None:
                playing.cancel()

        night.time.on_sleep = cancel
        with pytest.raises(asyncio.CancelledError):
            await playing
        assert {asyncio.current_task()} == asyncio.all_tasks()

    asyncio.run(scene())
    assert set(threading.enumerate()) <= before
