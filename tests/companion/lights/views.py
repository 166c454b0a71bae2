"""Views for the lights: of a small board, and any possible one."""

import dataclasses

import numpy as np
import pytest
from hypothesis import strategies as st

from companion.board.layout import Hole
from companion.lights import (
    Flash,
    FlashKind,
    Light,
    Motion,
    Palette,
    Per,
    Points,
    Scene,
    SignUpView,
    View,
    flashing,
    plan,
)
from companion.lights.palette import Colour
from companion.lights.scene.scene import ground
from companion.rules.game import Command, History, State, new_game
from tests.companion.lights.games import CROWDED_BOARD, SMALL, draws, setups, small_setup, steps

# A small board, and the light of single holes


PALETTE = Palette.make()

POINTS = Points(SMALL)
GROUND = ground(POINTS, PALETTE, SMALL.track)


def still(state: State) -> View:
    """Return a view in which nothing happens."""
    return View(state=state, ahead=state)


def light_of(view: View, t: float = 50.0, *, calm: bool = False) -> Light:
    """Return the light of the small board."""
    return Scene(SMALL, PALETTE, calm=calm).compose(view, t)[0]


def at(light: Light, side: int, hole: Hole) -> list[float]:
    """Return the light of one hole."""
    return [float(part) for part in light[POINTS.index(side, hole)]]


def part(colour: Colour, level: float) -> object:
    """Return a part of a full colour as a light value."""
    return pytest.approx((colour * level).tolist(), abs=1e-6)


def moved(*commands: Command, calm: bool = False) -> View:
    """Return the view in which the last command is played, from 100 s on."""
    history = History(new_game(small_setup((1, 2))))
    for command in commands[:-1]:
        history.do(command)
    before = history.state
    entry = history.do(commands[-1])
    return dataclasses.replace(still(entry.state), motion=plan(before, entry, 100.0, calm=calm))


def greatest_jump(scene: Scene, view: View, start: float, seconds: float) -> float:
    """Return the greatest change of any point's light in 1/64 s."""
    frames = [scene.compose(view, start + n / 64)[0] for n in range(int(seconds * 64))]
    return float(np.abs(np.diff(np.array(frames), axis=0)).max())


# Any possible view, for rules that always hold


signs = st.lists(
    st.tuples(
        st.sampled_from(sorted(set(FlashKind) - {FlashKind.WAKE})),
        st.sampled_from([None, 1, 2, 3]),
        st.floats(0, 0.6),
    ),
    max_size=8,
)


def woken(state: State) -> View:
    """Return the view of a board that a press has just woken."""
    return View(state=state, ahead=state, flashes=(Flash(kind=FlashKind.WAKE, side=None, t0=10.0),))


def flashes(requested: list[tuple[FlashKind, int | None, float]]) -> tuple[Flash, ...]:
    """Return signals one after the other, each with the wait before it."""
    found: tuple[Flash, ...] = ()
    t = 10.0
    for kind, side, wait in requested:
        t += wait
        found = flashing(found, Flash(kind=kind, side=side, t0=t))
    return found


@st.composite
def views(draw: st.DrawFn) -> View:
    """Return any possible table, with motion and signals about 10 s."""
    setup = draw(setups())
    game = list(steps(setup, draw(draws(at_most=25))))
    state = game[-1][1].state if game else new_game(setup)
    motion = Motion()
    for n, (before, entry) in enumerate(game[-2:]):
        motion = motion.joined(plan(before, entry, 10.0 + n / 4))
    if draw(st.sampled_from([False] * 7 + [True])):
        return woken(state)
    pending = [(side, draw(st.integers(0, 29))) for side in state.setup.sides]
    return View(
        state=state,
        ahead=state,
        pending=tuple((side, count) for side, count in pending if count),
        warned=draw(st.frozensets(st.integers(1, 3))),
        motion=motion,
        flashes=flashes(draw(signs)),
        mode_since=draw(st.none() | st.just(10.5)),
        sign_up=draw(
            st.sampled_from(
                [
                    None,
                    None,
                    None,
                    SignUpView(),
                    SignUpView(people=((1, 1), (3, 2)), choices=3, chosen=2),
                ]
            )
        ),
        attract=draw(st.sampled_from([False, False, False, True])),
        awaited=draw(st.frozensets(st.integers(1, 3))),
        is_deal_awaited=draw(st.booleans()),
        asleep=draw(st.sampled_from([False, False, False, True])),
        alert=draw(st.booleans()),
    )


boards = st.sampled_from([Points(CROWDED_BOARD, per) for per in Per])
