"""The board's way into a network: a hotspot after a minute, and again after a failure."""

from itertools import product

import pytest

from companion.network import (
    RETRY_S,
    SEARCH_S,
    JoinFailure,
    NetworkAction,
    NetworkStage,
    NetworkState,
    NetworkStatus,
    after_join,
    after_poll,
    joining,
)

NOTHING = NetworkStatus()
HOME = NetworkStatus(is_connected=True)
OPEN, CLOSE = NetworkAction.OPEN_HOTSPOT, NetworkAction.CLOSE_HOTSPOT


def polled(stage: NetworkStage, status: NetworkStatus, age: float) -> tuple[NetworkStage, object]:
    """Return stage and order after a poll of a stage that is `age` seconds old."""
    state, action = after_poll(NetworkState(stage=stage, since=5.0), status, 5.0 + age)
    return state.stage, action


@pytest.mark.parametrize(
    ("stage", "status", "age", "then", "action"),
    [
        (NetworkStage.SEARCHING, NOTHING, SEARCH_S - 1, NetworkStage.SEARCHING, None),
        (NetworkStage.SEARCHING, NOTHING, SEARCH_S, NetworkStage.SEARCHING, OPEN),
        (NetworkStage.JOINED, NOTHING, 9 * SEARCH_S, NetworkStage.SEARCHING, None),
        (NetworkStage.HOTSPOT, NOTHING, 9 * SEARCH_S, NetworkStage.SEARCHING, None),
        *((stage, HOME, 0, NetworkStage.JOINED, None) for stage in NetworkStage),
    ],
)
def test_a_minute_without_a_network_opens_the_hotspot(
    stage: NetworkStage, status: NetworkStatus, age: float, then: NetworkStage, action: object
) -> None:
    """The minute begins when the last network is lost; any network ends the search."""
    assert (then, action) == polled(stage, status, age)


def test_an_attempt_is_made_once_a_minute() -> None:
    """If the hotspot does not open, it is tried again after another minute."""
    state, orders = NetworkState(since=0.0), []
    for now in range(3 * int(SEARCH_S)):
        state, action = after_poll(state, NOTHING, float(now))
        orders += [now] if action else []
    assert [SEARCH_S, 2 * SEARCH_S] == orders


def test_an_unused_hotspot_is_closed_to_search_for_a_known_network() -> None:
    """It stays open while somebody uses it, and where no network is known."""
    for used, known, age in product((False, True), (False, True), (RETRY_S - 1, RETRY_S)):
        status = NetworkStatus(is_hotspot=True, is_used=used, is_known=known)
        closes = known and not used and age == RETRY_S
        expected = (NetworkStage.SEARCHING, CLOSE) if closes else (NetworkStage.HOTSPOT, None)
        assert expected == polled(NetworkStage.HOTSPOT, status, age)


@pytest.mark.parametrize("failure", JoinFailure)
def test_a_failed_join_opens_the_hotspot_again(failure: JoinFailure) -> None:
    """At once if it was open, else after a minute; the reason stays until the next join."""
    for stage, wait in ((NetworkStage.HOTSPOT, 0.0), (NetworkStage.JOINED, SEARCH_S)):
        state = joining(NetworkState(stage=stage, since=0.0), "Home", 7.0)
        assert NetworkStage.JOINING is state.stage
        state = after_join(state, failure, 9.0)
        assert ("Home", failure) == (state.asked, state.failure)
        if wait:
            assert after_poll(state, NOTHING, 8.9 + wait)[1] is None
        state, action = after_poll(state, NOTHING, 9.0 + wait)
        assert OPEN is action
        state, _ = after_poll(state, NetworkStatus(is_hotspot=True), 11.0 + wait)
        assert failure is state.failure
        assert joining(state, "Other", 20.0).failure is None


def test_a_joined_network_is_the_end() -> None:
    """Nothing is ordered while the board is in it."""
    state = joining(NetworkState(stage=NetworkStage.HOTSPOT, since=0.0), "Home", 7.0)
    state = after_join(state, None, 9.0)
    assert (NetworkStage.JOINED, None) == (state.stage, state.failure)
    assert (state, None) == after_poll(state, HOME, 1e6)
