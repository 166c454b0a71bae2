"""The scene in time: its changes, their speed, and the stillness of an idle board."""

import dataclasses
from dataclasses import replace
from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from companion.lights import Motion, Points, Scene, View
from companion.rules.game import HouseRules, Match, Peg, Setup, Undo, new_game
from tests.companion.lights.games import CROWDED_BOARD, SMALL, Draw, draws, setups, steps
from tests.companion.lights.seen import PALETTE, greatest_jump, moved, still
from tests.companion.lights.views import boards, views
from tests.support.limits import share


@settings(deadline=None)
@given(setups(), draws(), st.booleans(), st.floats(0, 1e6))
def test_an_idle_table_stands_still(setup: Setup, tries: list[Draw], calm: bool, t: float) -> None:
    """Without counts, motion and signs no frame is ever sent."""
    state = reduce(lambda _, step: step[1].state, steps(setup, tries), new_game(setup))
    sides = tuple(structs.replace(pegs, folded=False, boxed=None) for pegs in state.all_pegs)
    plain = replace(state.setup, rules=HouseRules(heels_ban=0))
    state = structs.replace(state, all_pegs=sides, skunked=(), match=Match(), setup=plain)
    scene, view = Scene(CROWDED_BOARD, PALETTE, calm=calm), still(state)
    light, until = scene.compose(view, t)
    assert until is None
    assert light is scene.compose(view, t + 1e5)[0]


@settings(max_examples=share(1))
@given(views(), boards, st.floats(9, 20), st.booleans())
def test_nothing_changes_before_it_is_reported(
    view: View, points: Points, t: float, calm: bool
) -> None:
    """The light is the same until the time from `compose`; None means for ever."""
    scene = Scene(CROWDED_BOARD, PALETTE, points=points, calm=calm)
    light, until = scene.compose(view, t)
    end = until if until is not None else t + 100
    for part in (0.01, 0.5, 0.99):
        between = t + (end - t) * part
        if t < between < end:
            assert np.array_equal(light, scene.compose(view, between)[0])


@settings(max_examples=share(0.5))
@given(views(), views(), boards, st.lists(st.floats(9, 20), min_size=1, max_size=5))
def test_light_depends_on_view_and_time_alone(
    one: View, other: View, points: Points, times: list[float]
) -> None:
    """Earlier calls have no effect, as a scene has only caches."""
    used = Scene(CROWDED_BOARD, PALETTE, points=points)
    for t in times:
        used.compose(other, t)
        fresh = Scene(CROWDED_BOARD, PALETTE, points=points)
        assert np.array_equal(fresh.compose(one, t)[0], used.compose(one, t)[0])
        assert fresh.compose(one, t)[1] == used.compose(one, t)[1]


@settings(max_examples=share(0.5))
@given(views(), boards)
def test_light_is_light(view: View, points: Points) -> None:
    """Each point has three float32 values from 0 to 1."""
    light, _ = Scene(CROWDED_BOARD, PALETTE, points=points).compose(view, 10.4)
    assert (points.size, 3) == light.shape
    assert np.float32 == light.dtype
    assert 0 <= light.min()
    assert light.max() <= 1 + 1e-6


@settings(max_examples=share(0.5))
@given(views(), boards)
def test_calm_knows_no_jumps(view: View, points: Points) -> None:
    """No continuing light changes by a fifth of full light in 1/64 s."""
    view = dataclasses.replace(view, flashes=(), mode_since=None, motion=Motion())
    scene = Scene(CROWDED_BOARD, PALETTE, points=points, calm=True)
    assert 0.2 > greatest_jump(scene, view, 10.0, 4.0)


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param([Peg(side=1, points=20)], id="count"),
        pytest.param([Peg(side=1, points=6)], id="slide"),
        pytest.param([Peg(side=1, points=20), Peg(side=1, points=6)], id="trap"),
        pytest.param([Peg(side=1, points=20), Peg(side=1, points=20)], id="sent back, awarded"),
        pytest.param([Peg(side=1, points=20), Undo()], id="undo"),
        pytest.param([Peg(side=1, points=n) for n in (20, 19, 29)], id="win"),
    ],
)
def test_calm_motion_fades(commands: list[Peg | Undo]) -> None:
    """Moves, zones and the win come and go softly, too."""
    view = moved(*commands, calm=True)
    assert 0.2 > greatest_jump(Scene(SMALL, PALETTE, calm=True), view, 99.5, 16.0)
