"""The limits of light, and the compositor."""

from datetime import datetime, time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.board.load import load_board
from companion.lights import Flash, FlashKind, FlashLimiter, Light, Per, Points, Scene, View
from companion.lights.compositor import composed, dark, over
from companion.lights.limits import NightLimit, parse_hours
from companion.lights.scene.view import FLASH_DURATIONS_S
from companion.rules.game import HouseRules, Peg, Setup
from tests.companion.lights.games import (
    CROWDED_BOARD,
    SMALL,
    Press,
    Session,
    after,
    most_flashes,
    presses,
    setups,
)
from tests.companion.lights.views import PALETTE, boards, views

FRAMES = 64
"""Frames a second; floats hold their times exactly."""

THREE = Setup.make(CROWDED_BOARD.track, HouseRules(), sides=(1, 2, 3))
DEEP = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
"""Fresh examples in each run; a failing one becomes a test of its own."""

DEEP_TIMEOUT_S = 3600
"""Timeout of a deep search, shrinking included."""


def light(*levels: float) -> Light:
    """Return points of amber with these levels."""
    return np.outer(levels, [1.0, 0.5, 0.0]).astype(np.float32)


def blinking(half: int, seconds: int = 4) -> list[Light]:
    """Return one blinking point with this many frames a phase, and a steady one."""
    return [light(1.0 - n // half % 2, 0.5) for n in range(seconds * FRAMES)]


def limited(frames: list[Light]) -> list[Light]:
    """Return these frames after a limiter."""
    limiter = FlashLimiter(len(frames[0]))
    return [limiter.limit(frame, n / FRAMES)[0] for n, frame in enumerate(frames)]


def flashes(frames: list[Light]) -> int:
    """Return the most flashes of any point within one second."""
    return most_flashes(lambda t: frames[min(int(t * FRAMES), len(frames) - 1)], 0.0, 4.0)


def flashes_of(view: View, points: Points, *, calm: bool) -> int:
    """Return the most flashes within one second of any LED in this view."""
    scene = Scene(CROWDED_BOARD, PALETTE, points=points, calm=calm)
    limiter = FlashLimiter(points.size)
    return most_flashes(lambda t: limiter.limit(scene.compose(view, t)[0], t)[0], 9.5, 6.0)


def every_index(points: Points) -> list[int]:
    """Return the points of all holes of all lanes and of all lamps."""
    track = SMALL.track
    holes = [*range(track.finish + 1), *(hole for zone in track.zones for hole in zone.path)]
    found = [points.index(lane, hole) for lane in points.lanes for hole in holes]
    return found + [points.lamps[lamp.id] for lamp in SMALL.lamps if "dealer" in lamp.id]


# The limits pass allowed light, hold down what flashes too often, and may pass midnight


def test_what_blinks_too_fast_is_held_down() -> None:
    """After three flashes within a second it is dark until the first is a second old."""
    for half in (1, 3, 6, 10):
        frames = blinking(half)
        assert 3 < flashes(frames)
        assert 3 == flashes(limited(frames))


def test_what_blinks_slowly_is_left_alone() -> None:
    """Up to three flashes a second the same light object is returned."""
    for half in (11, 16, 32):
        frames = blinking(half)
        assert all(one is other for one, other in zip(frames, limited(frames), strict=True))


def test_a_held_point_keeps_its_colour_and_others_their_light() -> None:
    """Only the flash is dimmed, to a tenth of full light above its low."""
    frames = blinking(1)
    for given_, shown in zip(frames, limited(frames), strict=True):
        assert given_[1].tolist() == shown[1].tolist()
        assert shown[0, 1] == pytest.approx(shown[0, 0] / 2)
        assert shown[0, 0] == given_[0, 0] or shown[0, 0] < 0.1


def test_a_held_point_rises_when_it_may() -> None:
    """The limiter gives the time, at which a steady light comes up."""
    limiter = FlashLimiter(1)
    until = None
    for n in range(8):
        shown, until = limiter.limit(light(1.0 - n % 2), n / 16)
        if until is not None:
            break
        last = n
    assert 7 == last
    bright = light(1.0)
    shown, until = limiter.limit(bright, 0.5)
    assert (2 / 16 + 1.0, True) == (until, shown[0, 0] < 0.1)
    shown, until = limiter.limit(bright, 2 / 16 + 1.0)
    assert (None, 1.0) == (until, shown[0, 0])


@settings(max_examples=25, derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1, width=32), st.integers(1, 20)), max_size=60))
def test_no_light_whatever_flashes_too_often(levels: list[tuple[float, int]]) -> None:
    """This holds for any levels and any numbers of frames."""
    frames = [light(level) for level, count in levels for _ in range(count)][: 4 * FRAMES]
    assert 3 >= flashes(limited([light(0.0), *frames]))


def test_the_hours() -> None:
    """They last from the first minute to before the last, also over midnight."""
    is_night = {
        "22:00-07:00": {"21:59": 0, "22:00": 1, "00:00": 1, "06:59": 1, "07:00": 0},
        "1:30-5:00": {"01:29": 0, "01:30": 1, "05:00": 0},
    }
    for hours, clocks in is_night.items():
        night = NightLimit.make(hours, 0.02)
        assert night
        for clock, within in clocks.items():
            now = datetime.combine(datetime(2026, 1, 1), time.fromisoformat(clock))  # noqa: DTZ001  # the clock on the wall
            assert (0.02 if within else 1) == night.at(now)


def test_hours_that_are_none() -> None:
    """Valid ones are two times of a day with a hyphen between them."""
    for text in ("22-7", "24:00-07:00", "22:00", "22:60-07:00", "night"):
        with pytest.raises(ValueError, match=r"22:00-07:00"):
            parse_hours(text)


# No light flashes more than three times a second, whatever happens


@settings(max_examples=10, derandomize=True, deadline=None)
@given(views(), boards, st.booleans())
def test_nothing_flashes_more_than_three_times_a_second(
    view: View, points: Points, calm: bool
) -> None:
    """No LED in any view lights up more often (WCAG 2.3.1)."""
    assert 3 >= flashes_of(view, points, calm=calm)


@pytest.mark.deep
@pytest.mark.timeout(DEEP_TIMEOUT_S)
@settings(DEEP)
@given(views(), boards, st.booleans())
def test_no_view_of_many_flashes(view: View, points: Points, calm: bool) -> None:
    """The same holds for many views."""
    assert 3 >= flashes_of(view, points, calm=calm)


REFUSED_S = FLASH_DURATIONS_S[FlashKind.REFUSED]


@pytest.mark.parametrize(
    ("counts", "begin"),
    [
        pytest.param((29, 2, 29), 11.12456122257574, id="back peg on 31"),
        pytest.param((4, 29), 11.12456122257574, id="back peg on 4"),
        pytest.param((3,), 10.125, id="front peg on 3"),
        pytest.param((29, 1), 10.5, id="both pegs"),
    ],
)
def test_a_signal_does_not_add_to_the_lights_that_wander(
    counts: tuple[int, ...], begin: float
) -> None:
    """Wandering lights and a signal on one LED make three flashes in all."""
    state = after(THREE, *(Peg(side=2, points=points) for points in counts))
    signals = tuple(
        Flash(kind=FlashKind.REFUSED, side=2, t0=begin + n * REFUSED_S) for n in range(3)
    )
    for some in (signals[:1], signals):
        view = View(state=state, ahead=state, attract=True, flashes=some)
        assert 3 >= flashes_of(view, Points(CROWDED_BOARD, Per.HOLE), calm=False)


@settings(max_examples=10, derandomize=True, deadline=None)
@given(setups(), presses(at_most=40), boards, st.booleans())
def test_no_session_flashes_too_often(
    setup: Setup, pressed: list[Press], points: Points, calm: bool
) -> None:
    """Players may press, undo and enter at any speed."""
    scene = Scene(CROWDED_BOARD, PALETTE, points=points, calm=calm)
    assert 3 >= Session(setup=setup, calm=calm).play(pressed).most_flashes(scene)


@pytest.mark.deep
@pytest.mark.timeout(DEEP_TIMEOUT_S)
@settings(DEEP)
@given(setups(), presses(at_most=120), boards, st.booleans())
def test_no_longer_session_flashes_too_often(
    setup: Setup, pressed: list[Press], points: Points, calm: bool
) -> None:
    """The same holds for many longer sessions."""
    scene = Scene(CROWDED_BOARD, PALETTE, points=points, calm=calm)
    assert 3 >= Session(setup=setup, calm=calm).play(pressed).most_flashes(scene)


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(("one", "back"), id="a press and its undo"),
        pytest.param(("enter", "undo"), id="a count and its undo"),
        pytest.param(("mode", "mode"), id="Mode down and up"),
        pytest.param(("attract", "attract"), id="the demo on and off"),
        pytest.param(("sleep", "sleep"), id="asleep and awake"),
    ],
)
@pytest.mark.parametrize("per", list(Per))
def test_two_presses_in_turn_flash_only_as_often_as_allowed(
    pair: tuple[str, str], per: Per
) -> None:
    """Ten of each in two seconds would be five flashes a second; three are shown."""
    session = Session(setup=THREE).play([("enter", 2, 1.0)])
    session.play([(button, 1, 0.1) for _ in range(10) for button in pair])
    scene = Scene(CROWDED_BOARD, PALETTE, points=Points(CROWDED_BOARD, per))
    assert 4 <= session.most_flashes(scene, limited=False)
    assert 3 == session.most_flashes(scene)


# The compositor: light over light, compared with a slow twin for each point


SIZE = 12

levels = st.floats(0, 1, width=32)
colours = st.tuples(levels, levels, levels)
layers = st.lists(
    st.tuples(st.lists(st.integers(0, SIZE - 1), unique=True), colours, levels), max_size=6
)


def slow_over(
    light: list[list[float]], points: list[int], colour: tuple[float, ...], alpha: float
) -> None:
    """Compute alpha-over as in the textbook, one point and colour at a time."""
    for point in points:
        for part in range(3):
            light[point][part] = colour[part] * alpha + light[point][part] * (1 - alpha)


@settings(deadline=None)
@given(layers)
def test_layers_go_over_each_other_as_in_the_slow_twin(
    layers: list[tuple[list[int], tuple[float, float, float], float]],
) -> None:
    """Any layers in any order give alpha-over at each point."""
    light, slow = dark(SIZE), [[0.0] * 3 for _ in range(SIZE)]
    for points, colour, alpha in layers:
        over(light, np.array(points, dtype=np.intp), np.array(colour, dtype=np.float32), alpha)
        slow_over(slow, points, colour, alpha)
    assert pytest.approx(np.array(slow), abs=1e-5) == light


def test_each_point_may_have_its_own_colour_and_alpha() -> None:
    """A row of colours and a column of alphas apply by point."""
    light = dark(3) + np.float32(0.5)
    alphas = np.array([[0.0], [0.5], [1.0]], dtype=np.float32)
    over(light, np.arange(3), np.eye(3, dtype=np.float32), alphas)
    assert [[0.5, 0.5, 0.5], [0.25, 0.75, 0.25], [0.0, 0.0, 1.0]] == light.tolist()


class Steady:
    """An effect that adds a tenth and changes at a given time."""

    def __init__(self, until: float | None) -> None:
        self.until = until

    def show(self, light: Light, t: float) -> float | None:
        """Paint while its time lasts."""
        if self.until is None or t < self.until:
            light += np.float32(0.125)
        return self.until


def test_the_next_change_is_the_earliest() -> None:
    """A light changes when its first effect does; the ground never does."""
    rows: dict[tuple[float | None, ...], float | None] = {
        (None, None): None,
        (4.0, None): 4.0,
        (4.0, 3.0): 3.0,
        (): None,
    }
    ground = dark(2)
    for untils, expected in rows.items():
        light, until = composed(ground, [Steady(when) for when in untils], 1.0)
        assert expected == until
        assert [[0.125 * len(untils)] * 3] * 2 == light.tolist()
        assert [[0.0] * 3] * 2 == ground.tolist()


def test_every_hole_of_every_lane_and_every_lamp_has_a_point_of_its_own() -> None:
    """They fill the light without gaps and shared points."""
    points = Points(SMALL)
    assert list(range(points.size)) == sorted(every_index(points))


def test_lanes_share_points_with_one_led_a_hole() -> None:
    """All lanes have the same points, except for their start lamps."""
    points = Points(SMALL, Per.HOLE)
    assert 60 + 6 + 3 + 6 == points.size == len(set(every_index(points)))
    assert points.index(1, 7) == points.index(3, 7)
    assert points.index(1, 0) != points.index(3, 0)


@pytest.mark.parametrize(("per", "size"), [(Per.HOLE_AND_LANE, 1206), (Per.HOLE, 408)])
def test_the_default_board_has_its_known_number_of_points(per: Per, size: int) -> None:
    """It has 363 holes and 36 of side paths, in 3 lanes or shared, and 9 lamps."""
    assert size == Points(load_board("crib-wars"), per).size


def test_hole_0_is_the_start_lamp() -> None:
    """A peg at 0 is shown by its lane's start lamp."""
    points = Points(SMALL)
    assert points.lamps["start-2"] == points.index(2, 0)


def test_points_follow_the_rows_then_the_lamps() -> None:
    """The order is the board's, from the first row to the last lamp."""
    points = Points(SMALL)
    assert list(range(20)) == points.of(1, range(1, 21)).tolist()
    assert points.size - 1 == points.lamps["dealer-6"]
    assert "dealer-7" not in points.lamps
