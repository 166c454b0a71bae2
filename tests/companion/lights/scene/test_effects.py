"""Effects: light painted over time, fades as strips with fine steps show them, and landings."""

import itertools
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.board import Hole, ZoneKind
from companion.lights import Light, Scene, View
from companion.lights.compositor import Effect, dark
from companion.lights.scene.canvas import DOOR_HOLES
from companion.lights.scene.effects import (
    Beat,
    Chase,
    Pulse,
    Rhythm,
    Rise,
    Runners,
    Steps,
    Swell,
    Window,
)
from companion.lights.scene.motion import STEP_S
from companion.rules.game import Peg, SetPegs
from hardware.output import Output
from hardware.strips import StripSpec
from hardware.strips.scale import CurrentScale
from tests.companion.lights.games import SMALL, most_flashes
from tests.companion.lights.views import GROUND, PALETTE, POINTS, moved

RED, GREEN, WHITE = (np.array(rgb, dtype=np.float32) for rgb in ([1, 0, 0], [0, 1, 0], [1, 1, 1]))
FIRST = np.array([0])
FPS = 60
AMBER = np.array([1, 0.434, 0], np.float32)
MAGENTA = np.array([1, 0.117, 0.631], np.float32)
TO_XYZ = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])
JUST_VISIBLE_L, JUST_VISIBLE_UV = 2.3, 0.004  # Mahy, Van Eycken and Oosterlinck 1994
SCALE = CurrentScale()


def seen(effect: Effect, t: float, *, size: int = 200) -> Light:
    """Return an effect painted on darkness."""
    light = dark(size)
    effect.show(light, t)
    return light


def red_level(effect: Effect, t: float, point: int = 0) -> float:
    """Return the red level of a point."""
    return float(seen(effect, t)[point, 0])


def led_light(effect: Effect, seconds: float) -> NDArray[np.float64]:
    """Return the light of an LED in each frame, as an APA102 gives it."""
    output = Output(StripSpec(leds=(1,), type="apa102", order="BGR"), 1e6, SCALE)
    frames = []
    for n in range(int(seconds * FPS)):
        light = dark(1)
        effect.show(light, n / FPS)
        frames.append(SCALE.light(output.render(light)[0])[0])
    return np.array(frames)


def landing_in(hole: int, *, calm: bool = False) -> View:
    """Return the view in which a peg walks four holes, the last of them in a zone."""
    return moved(SetPegs(side=1, front=hole - 4, back=0), Peg(side=1, points=4), calm=calm)


def lit(hole: int, share: float, *, lane: int = 1, calm: bool = False) -> list[Hole]:
    """Return the holes in the zone's colour at a share of the landing's time."""
    view = landing_in(hole, calm=calm)
    (landing,) = view.motion.landings
    colour = PALETTE.zone(landing.zone.kind)
    t = landing.start + share * (landing.end - landing.start)
    light = Scene(SMALL, PALETTE, calm=calm).compose(view, t)[0]
    paths = [hole for zone in SMALL.track.zones for hole in zone.path]
    found: list[Hole] = []
    for each in (*range(1, SMALL.track.finish + 1), *paths):
        point = POINTS.index(lane, each)
        brighter = light[point].max() > GROUND[point].max() + 0.1
        if brighter and np.allclose(light[point] / light[point].max(), colour / colour.max()):
            found.append(each)
    return found


def test_a_beat_takes_turns() -> None:
    """Each colour shows for one period, and the time of the change is known."""
    beat = Beat(points=FIRST, colours=np.stack([RED, GREEN]), period=0.5)
    assert [1.0, 0.0, 1.0] == [red_level(beat, t) for t in (10.0, 10.5, 11.4)]
    assert 10.5 == beat.show(dark(1), 10.2)


def test_a_calm_beat_fades() -> None:
    """One colour changes into the other without a jump."""
    beat = Beat(points=FIRST, colours=np.stack([RED, GREEN]), period=1.0, calm=True)
    levels = [red_level(beat, 10 + n / 64) for n in range(256)]
    assert 1.0 == pytest.approx(max(levels))
    assert 0.0 == pytest.approx(min(levels), abs=0.02)
    assert 0.11 > max(abs(a - b) for a, b in itertools.pairwise(levels))


def test_a_pulse_swells_between_low_and_full() -> None:
    """It begins low, is full half-way and never dark."""
    pulse = Pulse(points=FIRST, colour=RED, period=2.0, low=0.25)
    assert [0.25, 1.0] == [red_level(pulse, t) for t in (4.0, 5.0)]


def test_a_chase_lights_one_ring_after_the_other() -> None:
    """The order is outer ring, inner ring, nothing, and again."""
    rings = (np.array([0, 2]), np.array([1]))
    chase = Chase(rings=rings, colour=RED, step=0.25)
    lit = [np.flatnonzero(seen(chase, n / 4)[:, 0]).tolist() for n in range(4)]
    assert [[0, 2], [1], [], [0, 2]] == lit


def test_a_swell_rises_and_falls_once() -> None:
    """There is one rise and one fall in its seconds."""
    swell = Swell(points=FIRST, colour=RED, seconds=1.0)
    levels = [red_level(swell, n / 64) for n in range(64)]
    assert levels[:33] == sorted(levels[:33])
    assert levels[32:] == sorted(levels[32:], reverse=True)
    assert [0.0, 1.0] == pytest.approx([levels[0], levels[32]])


def test_stages_stay() -> None:
    """Each is added at its time, and the last one stays."""
    steps = Steps(steps=((1.0, FIRST), (3.0, np.array([1]))), colour=RED)
    assert [0, 1, 2] == [int(seen(steps, t)[:, 0].sum()) for t in (0.0, 2.0, 9.0)]
    assert [1.0, 3.0, None] == [steps.show(dark(2), t) for t in (0.0, 2.0, 9.0)]


def test_a_rise_comes_up_from_dark() -> None:
    """Lightness grows in proportion to time."""
    rise = Window(effect=Rise(seconds=2.0), start=2.0, end=4.0)
    light = dark(1) + np.float32(0.8)
    rise.show(light, 3.0)
    assert pytest.approx(0.1) == light[0, 0]
    assert rise.show(light, 4.0) is None
    assert pytest.approx(0.1) == light[0, 0]


@settings(deadline=None)
@given(st.floats(0, 1e7), st.integers(61, 400))
def test_runners_move_one_way_and_keep_their_distance(t: float, holes: int) -> None:
    """Each gap has one head, and all move equally far."""
    runners = Runners(np.arange(holes), RED, gap=60, speed=30.0)
    heads = np.flatnonzero(seen(runners, t, size=holes)[:, 0] == 1.0)
    assert set(np.diff(heads)) <= {60}
    assert heads[0] == int(t * 30 % 60)


def test_no_effect_flashes_more_than_three_times_a_second() -> None:
    """At the scene's highest speed each effect keeps the limit."""
    effects: list[Effect] = [
        Beat(points=FIRST, colours=np.stack([WHITE, WHITE * 0]), period=0.5),
        Pulse(points=FIRST, colour=WHITE, period=1.25),
        Chase(rings=(FIRST, np.array([1])), colour=WHITE, step=1 / 4),
        Chase(rings=(FIRST,), colour=WHITE, step=1 / 4),
        Beat(points=FIRST, colours=np.stack([WHITE, WHITE * 0]), period=3 / 16),
        Runners(np.arange(200), WHITE, gap=60, speed=90.0),
    ]
    flashes = [most_flashes(partial(seen, effect), 0.0, 6.0) for effect in effects]
    assert all(1 <= count <= 3 for count in flashes), flashes


# Fades on a strip of fine steps have no visible step, and keep the hue


class Dimmed:
    """A board that comes up from the dark."""

    def show(self, light: NDArray[np.float32], t: float) -> float | None:
        """Paint a peg, and dim it."""
        light[FIRST] = MAGENTA
        return Window(effect=Rise(seconds=2.0), start=0.0, end=2.0).show(light, t)


def lightness(light: NDArray[np.float64]) -> float:
    """Return L* of CIE 1976."""
    y = float(TO_XYZ[1] @ light)
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


@pytest.mark.parametrize("colour", [AMBER, MAGENTA, np.ones(3, np.float32)])
def test_no_fade_of_two_seconds_has_a_visible_step(colour: NDArray[np.float32]) -> None:
    """Above 0.5 % of full light two frames differ by less than half of the visible."""
    effects: list[Effect] = [
        Pulse(points=FIRST, colour=colour, period=4.0),
        Swell(points=FIRST, colour=colour, seconds=4.0),
        Beat(points=FIRST, colours=np.stack([colour, colour * 0]), period=2.0, calm=True),
        Dimmed(),
        Rhythm(points=FIRST, colour=colour, slots=frozenset(range(8)), calm=True),
    ]
    for effect in effects:
        steps = [
            abs(lightness(other) - lightness(one))
            for one, other in pairwise(led_light(effect, 4.0))
            if max(one.max(), other.max()) > 0.005
        ]
        assert 0.3 < max(steps) < JUST_VISIBLE_L / 2, effect


def chromaticity(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return u'v' of CIE 1976."""
    x, y, z = TO_XYZ @ light
    return np.array([4 * x, 9 * y], np.float64) / float(x + 15 * y + 3 * z)


@pytest.mark.parametrize("colour", [AMBER, MAGENTA])
def test_a_fade_holds_its_hue(colour: NDArray[np.float32]) -> None:
    """From 1 % of full light on the eye sees the palette's colour."""
    apart = [
        float(np.hypot(*(chromaticity(light) - chromaticity(colour.astype(float)))))
        for light in led_light(Pulse(points=FIRST, colour=colour, period=4.0), 4.0)
        if light.max() >= 0.01
    ]
    assert len(apart) > 100
    assert max(apart) < JUST_VISIBLE_UV


# Landings: each zone acts in its own way, in the lane of its side, without a flicker


def lit_on(hole: int, path: list[Hole], share: float, *, lane: int = 1) -> list[Hole]:
    """Return the lit holes of a path."""
    return [each for each in lit(hole, share, lane=lane) if each in path]


@pytest.mark.parametrize(
    ("hole", "path"),
    [
        pytest.param(26, ["trap-26:1", "trap-26:2", "trap-26:3", 15], id="a trap drags back"),
        pytest.param(34, ["green-34:1", "green-34:2", "green-34:3", 46], id="an advance speeds on"),
    ],
)
def test_the_side_path_lights_up_hole_by_hole(hole: int, path: list[Hole]) -> None:
    """It does so from the box to its end, only in the landing side's lane."""
    lengths = [len(lit_on(hole, path, share)) for share in (0.0, 0.3, 0.5, 0.99)]
    assert sorted(lengths) == lengths
    assert (1, len(path)) == (lengths[0], lengths[-1])
    assert not lit_on(hole, path, 0.99, lane=2)


def test_a_trap_drags_slowly_first_and_an_advance_quickly() -> None:
    """Half-way in time a trap has lit less of its path than an advance."""
    trap = [hole for hole in lit(26, 0.3) if isinstance(hole, str)]
    advance = [hole for hole in lit(34, 0.3) if isinstance(hole, str)]
    assert len(trap) < len(advance)


def doors(hole: int, share: float) -> list[Hole]:
    """Return the lit holes beside a box hole."""
    return [each for each in lit(hole, share) if isinstance(each, int) and each != hole]


def test_a_box_shuts_on_its_peg() -> None:
    """Doors of light close from both sides before the peg is sent back."""
    hole = next(z.box[0] for z in SMALL.track.zones if z.kind is ZoneKind.PENALTY_BOX)
    assert {hole - DOOR_HOLES, hole + DOOR_HOLES} == set(doors(hole, 0.0))
    shut = set(range(hole - DOOR_HOLES, hole + DOOR_HOLES + 1)) - {hole, hole - 4}  # the back peg
    assert shut == set(doors(hole, 0.59))


def test_a_slide_lights_its_way() -> None:
    """The holes to the second box glow red before the peg is there."""
    assert set(range(7, 16)) <= set(lit(6, 0.4))


BEGIN = 100.0


def test_no_hole_of_a_landing_lights_up_twice() -> None:
    """Each point gets brighter at most once, so nothing flickers."""
    begin, seconds = BEGIN + STEP_S * 4, max(kind.facts.effect_s for kind in ZoneKind) + 1
    times = begin + np.arange(int(seconds * 64)) / 64
    scene = Scene(SMALL, PALETTE)
    for view in map(landing_in, (6, 26, 34, 40)):
        frames = np.array([scene.compose(view, float(t))[0] for t in times])
        levels = np.diff(frames.max(axis=2), axis=0)
        rises = ((levels[1:] > 0.1) & (levels[:-1] <= 0.1)).sum(axis=0)
        assert rises.max() <= 2  # a hole of a landing, and the peg on it


def test_a_landing_is_a_fade_when_calm() -> None:
    """All holes rise and fall slowly together."""
    path = {"trap-26:1", "trap-26:2", "trap-26:3"}
    assert path <= set(lit(26, 0.5, calm=True))
    assert not path & set(lit(26, 0.01, calm=True))
