"""Lights of the program's first minute: steps of its start, then the machine's faults and address.

These lights are for people without a screen. They end with any press, or after a minute.
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
from companion.runtime.service_manager import FailedStarts
from companion.settings.sd_card import card_faults
from companion.table import Table
from companion.web.http.addresses import own_addresses
from hardware.pi import read_machine

SHOWN_S: Final = 60
POLL_S: Final = 2  # seconds between two polls, because a network may come late


class StartLights:
    """Lights of a start; until they end, they replace the lights of the game.

    `poll` returns the faults of the machine, and its address or None. If `is_wanted` is False, only
    the game is shown.
    """

    def __init__(
        self,
        table: Table,
        poll: Callable[[], tuple[frozenset[MachineFault], str | None]],
        *,
        is_wanted: bool,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._table, self._poll, self._sleep = table, poll, sleep
        self._state = table.display.view.state
        self._is_shown = is_wanted
        # The first press at the table or on a page draws a new view.
        self._unsubscribe = table.display.redrawn.subscribe(lambda *_views: self._end())
        self.step(1)

    def step(self, step: int) -> None:
        self._show(StartReport(step=step))

    async def report(self) -> None:
        """Show faults and address for a minute, unless a press has ended the lights."""
        for _ in range(SHOWN_S // POLL_S):
            if not self._is_shown:
                return
            faults, address = await asyncio.to_thread(self._poll)
            if address is None:
                faults |= {MachineFault.NO_NETWORK}
            number = int(address.rpartition(".")[2]) if address else None
            self._show(StartReport(step=START_STEPS, faults=faults, address=number))
            await self._sleep(POLL_S)
        self._end()

    def _end(self) -> None:
        if self._is_shown:
            self._is_shown = False
            self._unsubscribe()
            self._table.show_instead(None)

    def _show(self, report: StartReport) -> None:
        if self._is_shown:
            state = self._state
            self._table.show_instead(View(state=state, ahead=state, start_report=report))


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
    return found, next(iter(own_addresses()), None)


def _is_full(folder: Path | None) -> bool:
    with suppress(OSError):
        return folder is not None and shutil.disk_usage(folder).free < MIN_FREE_BYTES
    return False
