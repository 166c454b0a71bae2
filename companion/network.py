"""The board's place in a network, as a state machine without a clock and without commands.

If the board is in no network for a minute, it opens a hotspot, a Wi-Fi network of its own. There an
owner chooses the home network on the page. The board has one radio, so its hotspot is closed while
it joins; if it fails to join, the hotspot is opened again. A board that knows a network, such as
one whose router started later than the board, closes the hotspot every five minutes to search
again, unless somebody uses it.

For example, on a first evening the board knows no network, and the owner mistypes the password:

>>> state = NetworkState(since=0.0)
>>> state, action = after_poll(state, NetworkStatus(), now=60.0)
>>> action
<NetworkAction.OPEN_HOTSPOT: 'open hotspot'>
>>> state, _ = after_poll(state, NetworkStatus(is_hotspot=True), now=62.0)
>>> state.stage
<NetworkStage.HOTSPOT: 'hotspot'>
>>> state = after_join(joining(state, "Home", now=90.0), JoinFailure.WRONG_PASSWORD, now=99.0)
>>> after_poll(state, NetworkStatus(), now=99.0)[1]
<NetworkAction.OPEN_HOTSPOT: 'open hotspot'>
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

SEARCH_S: Final = 60.0
"""Seconds without a network after which the board opens its hotspot."""
RETRY_S: Final = 300.0
"""Seconds after which an unused hotspot is closed, to search for a known network again."""
HOTSPOT_ADDRESS: Final = "10.42.0.1"
"""The board's address in its hotspot: the usual one of networks that NetworkManager shares."""


_NAME_BYTES: Final = 32
_PASSWORD: Final = range(8, 64)  # numbers of characters


def is_wifi_name(text: str) -> bool:
    """Return True if a Wi-Fi network can have this name.

    >>> is_wifi_name("Café"), is_wifi_name(""), is_wifi_name("é" * 17)
    (True, False, False)
    """
    return text.isprintable() and 0 < len(text.encode()) <= _NAME_BYTES


def is_wifi_password(text: str) -> bool:
    """Return True if a Wi-Fi network can have this password: 8 to 63 ASCII characters.

    >>> is_wifi_password("fifteen two"), is_wifi_password("short"), is_wifi_password("motdépasse")
    (True, False, False)
    """
    return text.isascii() and text.isprintable() and len(text) in _PASSWORD


def wifi_code(name: str, password: str) -> str:
    r"""Return the text of a code with which phones that scan it join a network with a password.

    >>> wifi_code("Ann; Bob", "fifteen-two")
    'WIFI:T:WPA;S:Ann\\; Bob;P:fifteen-two;;'
    """
    name, password = (re.sub(r'([\\;,":])', r"\\\1", text) for text in (name, password))
    return f"WIFI:T:WPA;S:{name};P:{password};;"


class NetworkStage(StrEnum):
    """Stages of the board on its way into a network."""

    SEARCHING = "searching"
    HOTSPOT = "hotspot"
    JOINING = "joining"
    JOINED = "joined"


class JoinFailure(StrEnum):
    """Reasons why the board has not joined a network."""

    WRONG_PASSWORD = "wrong-password"  # noqa: S105  # a reason
    NOT_FOUND = "not-found"
    NO_ADDRESS = "no-address"
    TIMED_OUT = "timed-out"
    OTHER = "other"


class NetworkAction(StrEnum):
    """Orders to the network manager."""

    OPEN_HOTSPOT = "open hotspot"
    CLOSE_HOTSPOT = "close hotspot"


class Security(StrEnum):
    """Ways in which a Wi-Fi network lets devices in, as far as the board can join it."""

    OPEN = "open"
    PASSWORD = "password"  # noqa: S105  # a kind of security
    WPA3 = "wpa3"


@dataclass(frozen=True, slots=True, kw_only=True)
class WifiNetwork:
    """A Wi-Fi network in reach; `signal` is its strength in percent.

    `is_joined` is True if the board is in it.
    """

    name: str
    signal: int
    security: Security
    is_joined: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkStatus:
    """Present state of the machine's network.

    Attributes:
        is_connected: True if the board is in a network other than its hotspot.
        is_hotspot: True if the hotspot is open.
        is_used: True if somebody uses the hotspot.
        is_known: True if there is a Wi-Fi network that the board can join by itself.
    """

    is_connected: bool = False
    is_hotspot: bool = False
    is_used: bool = False
    is_known: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkState:
    """State of the board's network.

    Attributes:
        since: time in seconds at which the stage began, or at which the hotspot was last tried.
        asked: the name of the network that the board was last asked to join, or "".
        failure: the reason why that failed; None if it did not.
        reopens: True if the hotspot is opened at once if the join fails.
    """

    stage: NetworkStage = NetworkStage.SEARCHING
    since: float
    asked: str = ""
    failure: JoinFailure | None = None
    reopens: bool = False


def after_poll(
    state: NetworkState, status: NetworkStatus, now: float
) -> tuple[NetworkState, NetworkAction | None]:
    """Return the state with the present status, and an order to the network manager or None."""
    if status.is_connected:
        return _at(state, NetworkStage.JOINED, now), None
    if status.is_hotspot:
        state = _at(state, NetworkStage.HOTSPOT, now)
        is_over = now - state.since >= RETRY_S and status.is_known and not status.is_used
        if not is_over:
            return state, None
        return _at(state, NetworkStage.SEARCHING, now), NetworkAction.CLOSE_HOTSPOT
    state = _at(state, NetworkStage.SEARCHING, now)
    if now - state.since < SEARCH_S:
        return state, None
    return replace(state, since=now), NetworkAction.OPEN_HOTSPOT


def joining(state: NetworkState, name: str, now: float) -> NetworkState:
    """Return the state in which the board joins the network with this name."""
    is_hotspot = state.stage is NetworkStage.HOTSPOT
    return NetworkState(stage=NetworkStage.JOINING, since=now, asked=name, reopens=is_hotspot)


def after_join(state: NetworkState, failure: JoinFailure | None, now: float) -> NetworkState:
    """Return the state after the end of a join, which failed if there is a `failure`."""
    if failure is None:
        return _at(state, NetworkStage.JOINED, now)
    since = now - SEARCH_S if state.reopens else now
    return NetworkState(since=since, asked=state.asked, failure=failure)


def _at(state: NetworkState, stage: NetworkStage, now: float) -> NetworkState:
    return state if stage is state.stage else replace(state, stage=stage, since=now)
