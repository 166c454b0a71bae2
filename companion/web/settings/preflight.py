"""Trial of changed settings on this machine before they are written.

The trial has three parts: it binds the page's address, opens the pins or microcontrollers that the
buttons use, and opens the strip. It closes all of them again. A part is skipped if its settings
equal those in use or those in the files.
"""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

import numpy as np

from companion.devices.assembly import assemble, strip_options
from companion.devices.button_sources import find_buttons, report_boards
from companion.devices.light_thread import LightSource
from companion.errors import (
    AddressError,
    BadInputError,
    CompanionError,
    Fault,
    Text,
    UnusableSettingsError,
    as_text,
)
from companion.settings.file import Proposal
from companion.settings.schema import Settings
from companion.web.server import check_address
from companion.web.settings.board_lights import BareLights, steady
from companion.worker import Worker
from hardware.errors import HardwareError
from hardware.strips.drivers import WITHOUT_HARDWARE

_OF_PAGE: Final = ("web.host", "web.port")
_OF_PANEL: Final = ("panel.", "strip.")
_OF_STRIP: Final = ("strip.", "wiring.", "board", "preset")


class Preflight:
    """Trial of changed settings while the program goes on with the `running` settings."""

    def __init__(self, running: Settings, lights: BareLights, *, port: Callable[[], int]) -> None:
        self._running, self._lights, self._port = running, lights, port

    async def check(self, proposal: Proposal, reader: Worker) -> list[Text]:
        """Try the parts that the change affects, in the threads of `reader` and of the lights.

        Returns:
            A line for each microcontroller that is not connected; a restart would wait for it.

        Raises:
            UnusableSettingsError: every fault of these parts.
        """
        absent: list[Text] = []
        with ExitStack() as opened:
            report_boards(absent.append, opened)
            found = (
                await reader.do(lambda: self._page_fault(proposal)),
                await reader.do(lambda: self._button_fault(proposal)),
                await self._strip_fault(proposal, reader),
            )
        faults = tuple(fault for fault in found if fault)
        if faults:
            raise UnusableSettingsError(*faults)
        return list(dict.fromkeys(absent))

    def _page_fault(self, proposal: Proposal) -> Fault | None:
        if not self._is_new(proposal, _address, _OF_PAGE):
            return None
        try:
            check_address(*_address(proposal.after), own=self._port())
        except AddressError as error:
            return Fault(key=error.key, problem=as_text(error))
        return None

    def _button_fault(self, proposal: Proposal) -> Fault | None:
        if not self._is_new(proposal, _buttons, _OF_PANEL):
            return None
        held = assemble(self._running).pins.values()
        try:
            find_buttons(proposal.after, assemble(proposal.after), simulate=False).check(held)
        except HardwareError as error:
            key = _key(proposal, "panel.buttons", _OF_PANEL)
            return Fault(key=key, problem=error.problem, remedy=error.remedy)
        return None

    async def _strip_fault(self, proposal: Proposal, reader: Worker) -> Fault | None:
        try:
            if await reader.do(lambda: self._is_new(proposal, _strip, _OF_STRIP)):
                await self._light(await reader.do(lambda: assemble(proposal.after).light))
        except (BadInputError, HardwareError) as error:
            key = _key(proposal, "strip.driver", _OF_STRIP)
            return Fault(key=key, problem=as_text(error))
        return None

    async def _light(self, light: LightSource) -> None:
        """Open the strip, show a dark frame, and show the game again."""
        dark = steady(np.zeros((sum(light.wiring.leds), 3), np.float32))
        await self._lights.show_strip(light.strip, light.output, dark)
        self._lights.end()

    def _is_new(
        self, proposal: Proposal, part: Callable[[Settings], object], keys: tuple[str, ...]
    ) -> bool:
        """Return True if changed `keys` (prefixes) make `part` new to program and files."""
        if not any(key.startswith(keys) for key in proposal.changes):
            return False
        wanted = part(proposal.after)
        return wanted is not None and wanted not in (part(self._running), part(proposal.before))


def _address(settings: Settings) -> tuple[str, int]:
    return settings.web.host, settings.web.port


def _buttons(settings: Settings) -> object:
    """Return the values that decide where the buttons are; None if the settings have faults."""
    try:
        assembly = assemble(settings)
    except CompanionError:
        return None
    return assembly.board_port, assembly.board_port and assembly.places, assembly.pins


def _strip(settings: Settings) -> object:
    """Return the values that decide how the strip is opened; None for no strip or for faults."""
    if settings.strip_kind in WITHOUT_HARDWARE:
        return None
    try:
        spec = assemble(settings).light.strip.spec
    except CompanionError:
        return None
    return settings.strip.driver, spec, strip_options(settings)


def _key(proposal: Proposal, usual: str, keys: tuple[str, ...]) -> str:
    """Return the key to name in a fault: `usual` if it was changed, else another changed key."""
    changed = [key for key in proposal.changes if key.startswith(keys)]
    return usual if usual in changed else changed[0]
