"""The board's own way into a network: it follows the state machine of `companion.network`."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from companion.devices.network_manager import NetworkManager
from companion.errors import Text
from companion.network import (
    NetworkAction,
    NetworkStage,
    NetworkState,
    Security,
    WifiNetwork,
    after_join,
    after_poll,
    joining,
)

POLL_S: Final = 2.0  # seconds between two looks at the network


class BoardNetwork:
    """The board's network; `run` follows it.

    Attributes:
        state: the present state.
        name: the name of the hotspot.

    Args:
        password: the password of the hotspot.
        clock: returns monotonic seconds.
        report: prints a line on the table's console.
        sleep: waits for a number of seconds.
    """

    def __init__(
        self,
        manager: NetworkManager,
        *,
        name: str,
        password: str,
        clock: Callable[[], float],
        report: Callable[[Text], None],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._manager, self._password = manager, password
        self._clock, self._report, self._sleep = clock, report, sleep
        self._asked: tuple[str, str] | None = None
        self._networks: tuple[WifiNetwork, ...] = ()
        self.name = name
        self.state = NetworkState(since=clock())

    async def networks(self) -> tuple[WifiNetwork, ...]:
        """Return the networks in reach; while the hotspot is open, those from before."""
        may_scan = NetworkStage.SEARCHING, NetworkStage.JOINED  # without HOTSPOT, JOINING
        if self.state.stage in may_scan:
            self._networks = await self._manager.scan()
        return tuple(each for each in self._networks if each.name != self.name)

    def join(self, name: str, password: str) -> None:
        """Begin to join a network; an empty password is for an open network."""
        self._asked = name, password
        self.state = joining(self.state, name, self._clock())

    async def run(self) -> None:
        """Follow the network until cancelled."""
        while True:
            self.state, action = after_poll(self.state, self._manager.poll(), self._clock())
            if self._asked:
                await self._join(*self._asked)
            elif action is NetworkAction.OPEN_HOTSPOT:
                await self._open_hotspot()
            elif action is NetworkAction.CLOSE_HOTSPOT:
                await self._manager.close_hotspot()
            else:
                await self._sleep(POLL_S)

    async def _open_hotspot(self) -> None:
        await self.networks()
        fault = await self._manager.open_hotspot(self.name, self._password)
        opened = Text("the board is in no network and has opened its own, {name}", name=self.name)
        failed = Text("the board's own network could not be opened: {reason}", reason=fault)
        self._report(failed if fault else opened)

    async def _join(self, name: str, password: str) -> None:
        found = {each.name: each.security for each in self._networks}
        usual = Security.PASSWORD if password else Security.OPEN
        self.state = joining(self.state, name, self._clock())
        failure = await self._manager.join(name, password, found.get(name, usual))
        self._asked = None
        self.state = after_join(self.state, failure, self._clock())
