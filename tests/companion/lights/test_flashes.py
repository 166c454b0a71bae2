"""No light flashes more than three times a second, whatever happens at once or after another."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.lights import Per, Points, Scene
from companion.rules.game import HouseRules, Setup
from tests.companion.lights.games import CROWDED_BOARD, setups
from tests.companion.lights.seen import PALETTE
from tests.companion.lights.sessions import Press, Session, presses
from tests.companion.lights.views import boards

THREE = Setup.make(CROWDED_BOARD.track, HouseRules(), lanes=(1, 2, 3))
DEEP = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
"""Fresh examples in each run; a failing one becomes a test of its own."""

DEEP_TIMEOUT_S = 3600
"""Timeout of a deep search, shrinking included."""


@settings(max_examples=10, derandomize=True, deadline=None)
@given(setups(), presses(at_most=40), boards, st.booleans())
def test_no_session_flashes_too_often(
    setup: Setup, pressed: list[Press], points: Points, calm: bool
) -> None:
    """However fast players press, undo and enter, the strip flashes no more often."""
    scene = Scene(CROWDED_BOARD, PALETTE, points=points, calm=calm)
    assert 3 >= Session(setup=setup, calm=calm).play(pressed).most_flashes(scene)


@pytest.mark.deep
@pytest.mark.timeout(DEEP_TIMEOUT_S)
@settings(DEEP, max_examples=600)
@given(setups(), presses(at_most=120), boards, st.booleans())
def test_no_longer_session_flashes_too_often(
    setup: Setup, pressed: list[Press], points: Points, calm: bool
) -> None:
    """The same of many longer sessions."""
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
    """Ten of each within two seconds would be five flashes a second: the strip shows three."""
    session = Session(setup=THREE).play([("enter", 2, 1.0)])
    session.play([(button, 1, 0.1) for _ in range(10) for button in pair])
    scene = Scene(CROWDED_BOARD, PALETTE, points=Points(CROWDED_BOARD, per))
    assert 4 <= session.most_flashes(scene, limited=False)
    assert 3 == session.most_flashes(scene)
