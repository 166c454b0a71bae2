"""Endpoints with which the set-up page brings the board into the home network.

The page loses the board while the board joins a network, because the board has one radio. So the
request to join is answered before the join begins, and the result is in `GET /api/network` later.
"""

from typing import Annotated, TypedDict

import msgspec
from msgspec import Meta

from companion.devices.board_network import BoardNetwork
from companion.errors import BadInputError, StaleError, Text
from companion.network import (
    JoinFailure,
    NetworkStage,
    WifiNetwork,
    is_wifi_name,
    is_wifi_password,
)
from companion.settings.row import WIFI_NAME, WIFI_PASSWORD
from companion.web.board_lights import NoSetupError
from companion.web.http.endpoint import Call, Right, endpoint


class JoinNetwork(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/network`: a network to join; the password of an open one is ""."""

    name: Annotated[str, Meta(max_length=100)]
    password: Annotated[str, Meta(max_length=100)] = ""


class NetworkResponse(TypedDict):
    """The board's network.

    `hotspot` is the name of its hotspot. `asked` is the network that it was last asked to join, and
    `failure` the reason why that failed. `networks` are in reach, the strongest first.
    """

    stage: NetworkStage
    hotspot: str
    asked: str
    failure: JoinFailure | None
    networks: list[WifiNetwork]


class NetworkEndpoints:
    """Endpoints of the board's network; it is None if the table does not follow its network."""

    def __init__(self, network: BoardNetwork | None) -> None:
        self._network = network

    @endpoint("GET", "/api/network", Right.RUN)
    async def _network_of_board(self, _call: Call[None]) -> NetworkResponse | None:
        """Return the board's network; nothing if the table does not follow its network."""
        if self._network is None:
            return None
        networks = await self._network.networks()
        state = self._network.state
        return {
            "stage": state.stage,
            "hotspot": self._network.name,
            "asked": state.asked,
            "failure": state.failure,
            "networks": list(networks),
        }

    @endpoint("POST", "/api/network", Right.RUN, error_statuses=(404, 409))
    async def _join_network(self, call: Call[JoinNetwork]) -> None:
        """Begin to join a network; the hotspot is closed meanwhile."""
        name, password = call.body.name, call.body.password
        if self._network is None:
            raise NoSetupError(Text("this table does not follow its network"))
        if not is_wifi_name(name):
            raise BadInputError("a Wi-Fi network has {takes}", takes=WIFI_NAME.takes)
        if password and not is_wifi_password(password):
            raise BadInputError("a Wi-Fi network has {takes}", takes=WIFI_PASSWORD.takes)
        if self._network.state.stage is NetworkStage.JOINING:
            raise StaleError("the board is joining a network already: wait for the result")
        self._network.join(name, password)
