"""Lights of the program's first minute: steps of its start, then faults, network and address.

These lights are for people without a screen. If the board opens a hotspot, they show that too, and
later they show the result of joining another network.
"""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.devices.doctor.finding import MIN_FREE_BYTES
from companion.lights import View
from companion.lights.scene.view import START_STEPS, MachineFault, StartReport
from companion.network import HOTSPOT_ADDRESS, NetworkStage, NetworkState
from companion.runtime.service_manager import FailedStarts
from companion.settings.sd_card import card_faults
from companion.table import Table
from companion.web.http.addresses import own_addresses
from hardware.pi import read_machine

SHOWN_S: Final = 60
POLL_S: Final = 2  # seconds between two polls, because a network may come late


class StartLights:
    """Lights of a start; until they end, they replace the lights of the game.

    A press ends them, or a minute without news of the network. While a board that follows its
    network is in none, they last until a press. They come back while it joins a network.

    Args:
        poll: returns the faults of the machine, and its address or None.
        network: returns the state of the board's network; None if the board does not follow it.
        is_wanted: False to show only the game.
        sleep: waits for a number of seconds.
    """

    def __init__(
        self,
        table: Table,
        poll: Callable[[], tuple[frozenset[MachineFault], str | None]],
        *,
        network: Callable[[], NetworkState | None] = lambda: None,
        is_wanted: bool,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._table, self._poll, self._sleep = table, poll, sleep
        self._network, self._is_shown = network, False
        if is_wanted:
            self._begin()
        self.step(1)

    def step(self, step: int) -> None:
        self._show(StartReport(step=step))

    async def report(self) -> None:
        """Show faults, network and address until the lights end, and follow the network."""
        stage, left = _stage(self._network()), SHOWN_S
        while True:
            before, stage = stage, _stage(self._network())
            if stage is not before:
                left = SHOWN_S
                if NetworkStage.JOINING in (before, stage) and not self._is_shown:
                    self._begin()
            if left <= 0 and stage not in _LASTING:
                self._end()
            if self._is_shown:
                await self._report()
            elif stage is None:
                return
            left -= POLL_S
            await self._sleep(POLL_S)

    async def _report(self) -> None:
        faults, address = await asyncio.to_thread(self._poll)
        state = self._network()
        if address is None and _stage(state) not in _OWN:
            faults |= {MachineFault.NO_NETWORK}
        number = int(address.rpartition(".")[2]) if address else None
        network = (state.failure or state.stage) if state else None
        self._show(StartReport(step=START_STEPS, faults=faults, network=network, address=number))

    def _begin(self) -> None:
        self._is_shown = True
        self._state = self._table.display.view.state
        # The first press at the table or on a page draws a new view.
        self._unsubscribe = self._table.display.redrawn.subscribe(lambda *_views: self._end())

    def _end(self) -> None:
        if self._is_shown:
            self._is_shown = False
            self._unsubscribe()
            self._table.show_instead(None)

    def _show(self, report: StartReport) -> None:
        if self._is_shown:
            state = self._state
            self._table.show_instead(View(state=state, ahead=state, start_report=report))


_LASTING: Final = NetworkStage.SEARCHING, NetworkStage.HOTSPOT  # without JOINING, JOINED
_OWN: Final = NetworkStage.HOTSPOT, NetworkStage.JOINING  # without SEARCHING, JOINED


def _stage(state: NetworkState | None) -> NetworkStage | None:
    return state.stage if state else None


def look_at_machine(
    data: Path | None, starts: FailedStarts, root: Path = Path("/")
) -> tuple[frozenset[MachineFault], str | None]:
    """Return the faults of the machine below `root`, and its address in the network or None."""
    faults = {  # without NO_NETWORK
        MachineFault.UNDERVOLTAGE: bool(read_machine(root).undervolted),
        MachineFault.DISK_FULL: _is_full(data),
        MachineFault.SAFE_START: starts.calls_for_safety,
        MachineFault.CARD_FILE: bool(card_faults(root)),
    }
    found = frozenset(fault for fault, there in faults.items() if there)
    others = (each for each in own_addresses() if each != HOTSPOT_ADDRESS)
    return found, next(others, None)


def _is_full(folder: Path | None) -> bool:
    with suppress(OSError):
        return folder is not None and shutil.disk_usage(folder).free < MIN_FREE_BYTES
    return False
