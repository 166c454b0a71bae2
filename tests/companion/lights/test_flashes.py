"""No light flashes more than three times a second, whatever happens."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.lights import Flash, FlashKind, Per, Points, Scene, View
from companion.lights.limits import FlashLimiter
from companion.lights.scene.view import FLASH_DURATIONS_S
from companion.rules.game import HouseRules, Peg, Setup
from tests.companion.lights.flicker import most_flashes
from tests.companion.lights.games import CROWDED_BOARD, after, setups
from tests.companion.lights.seen import PALETTE
from tests.companion.lights.sessions import Press, Session, presses
from tests.companion.lights.views import boards, views

REFUSED_S = FLASH_DURATIONS_S[FlashKind.REFUSED]
THREE = Setup.make(CROWDED_BOARD.track, HouseRules(), sides=(1, 2, 3))
DEEP = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
"""Fresh examples in each run; a failing one becomes a test of its own."""

DEEP_TIMEOUT_S = 3600
"""Timeout of a deep search, shrinking included."""


def flashes_of(view: View, points: Points, *, calm: bool) -> int:
    """Return the most flashes within one second of any LED in this view."""
    scene = Scene(CROWDED_BOARD, PALETTE, points=points, calm=calm)
    limiter = FlashLimiter(points.size)
    return most_flashes(lambda t: limiter.limit(scene.compose(view, t)[0], t)[0], 9.5, 6.0)


@settings(max_examples=10, derandomize=True, deadline=None)
@given(views(), boards, st.booleans())
def test_nothing_flashes_more_than_three_times_a_second(
    view: View, points: Points, calm: bool
) -> None:
    """No LED in any view lights up more often (WCAG 2.3.1)."""
    assert 3 >= flashes_of(view, points, calm=calm)


@pytest.mark.deep
@pytest.mark.timeout(DEEP_TIMEOUT_S)
@settings(DEEP, max_examples=1000)
@given(views(), boards, st.booleans())
def test_no_view_of_many_flashes(view: View, points: Points, calm: bool) -> None:
    """The same holds for many views."""
    assert 3 >= flashes_of(view, points, calm=calm)


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
@settings(DEEP, max_examples=600)
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
