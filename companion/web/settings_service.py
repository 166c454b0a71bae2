"""Settings and doctor (checks of this machine) for the set-up page of a running table.

The page writes a settings file of its own; it never changes the file that the user writes by hand.
A change is checked together with all other settings before anything is written. Some settings, such
as a name, act at once. Others, such as the strip's driver, are first tried on this machine (see
`Preflight`), and act from the next start on.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from companion.board import board_names, load_board
from companion.commentary import languages, load_phrases
from companion.devices.assembly import (
    assemble,
    game_request,
    strip_options,
    with_rules_in_force,
    with_strip,
)
from companion.devices.button_sources import find_buttons, report_boards
from companion.devices.doctor.finding import Finding
from companion.devices.light_thread import LightSource
from companion.devices.live import LiveSettings
from companion.errors import (
    AddressError,
    BadInputError,
    CompanionError,
    Fault,
    Text,
    UnusableSettingsError,
    as_text,
)
from companion.journal.setup import Continuation, continuation
from companion.lights import Palette, look_alikes
from companion.rules.game.house_rules import PRESETS, as_settings
from companion.settings.describe import STEPS, describe, first_run
from companion.settings.file import Proposal, Reading, SettingsFile
from companion.settings.probation import TakenBack
from companion.settings.schema import ROWS, Settings
from companion.web import settings_responses
from companion.web.board_lights import (
    NO_FILE,
    NoSetupError,
    RawLights,
    WhiteBalanceService,
    editable,
    steady,
)
from companion.web.calibration import LightTestService
from companion.web.server import check_address
from companion.worker import Worker
from hardware.errors import HardwareError
from hardware.strips.drivers import WITHOUT_HARDWARE, driver_names
from hardware.strips.protocol import COLOURS

_OF_PAGE: Final = ("web.host", "web.port")
_OF_PANEL: Final = ("panel.", "strip.")
_OF_STRIP: Final = ("strip.", "wiring.", "board", "preset")


class Preflight:
    """Trial of changed settings while the program goes on with the `running` settings.

    It binds the page's address, opens the pins or microcontrollers that the buttons use, and opens
    the strip; then it closes them. A part is skipped if its settings equal those in use or in the
    files.
    """

    def __init__(self, running: Settings, lights: RawLights, *, port: Callable[[], int]) -> None:
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


class SettingsService:
    """Settings, doctor and strip tests of a running table. Call it in the event loop.

    All methods but `close` raise `NoSetupError` if nothing can be set up at this table.

    Args:
        file: the settings files; None if the table has none, so that nothing can be set up.
        live: the settings in force.
        lights: the lights of the table's strip.
        data: the folder of the journal, for the doctor.
        clock: returns monotonic seconds, for the doctor.
        calendar: returns seconds since 1970, UTC, for the doctor.
        restart: restarts the program.
        port: returns the port of the page.
        disk: the thread that reads and writes the settings files.
        doctor: the thread in which the doctor examines this machine.
        seen: is called in a thread when a page reads the settings, as proof that the table runs.
        taken_back: the last change, if it was taken back because the table failed to start with it.
        faults: returns the present faults of the running table, for the doctor.
    """

    def __init__(
        self,
        file: SettingsFile | None,
        live: LiveSettings,
        lights: RawLights,
        *,
        data: Path | None,
        clock: Callable[[], float],
        calendar: Callable[[], float],
        restart: Callable[[], None],
        port: Callable[[], int],
        disk: Worker,
        doctor: Worker,
        seen: Callable[[], None] = lambda: None,
        taken_back: TakenBack | None = None,
        faults: Callable[[], tuple[Fault, ...]] = tuple,
    ) -> None:
        self._file, self._live, self._lights = file, live, lights
        self._data, self._restart, self._taken_back = data, restart, taken_back
        self._seen = seen
        self._faults, self._clock, self._calendar = faults, clock, calendar
        self.reverted = taken_back is not None
        self._reader, self._doctor = disk, doctor
        self._preflight = Preflight(live.now.settings, lights, port=port)
        self.light_test = LightTestService(file, lights, self._reader)
        lock = self.light_test.lock
        self.white_balance = WhiteBalanceService(file, lights, self._reader, lock)

    def close(self) -> None:
        self._lights.end()

    # Settings

    async def settings(self) -> settings_responses.SettingsForm:
        """Return every setting as it is in the files; faulty values are left out.

        Raises:
            BadInputError: the settings file that the set-up page writes cannot be read.
        """
        file = editable(self._file)
        await self._reader.do(self._seen)
        return await self._reader.do(lambda: self._form(file.read()))

    async def change(
        self, changes: Mapping[str, Any], stamp: str
    ) -> settings_responses.SettingsForm:
        """Write settings by key into the set-up page's own file; None removes a setting.

        Settings that act at once apply now, and all others from the next start on.

        Raises:
            StaleError: the files have changed since `stamp` was made.
            SettingsError: every fault of the resulting settings; nothing is written.
            UnusableSettingsError: every fault found by trying the settings; nothing is written.
            BadInputError: the file cannot be written; it is unchanged.
        """
        file = editable(self._file)
        async with self.light_test.lock:
            proposal = await self._reader.do(lambda: file.propose(changes, stamp))
            absent = await self._preflight.check(proposal, self._reader)
        reading = await self._reader.do(lambda: file.write(proposal))
        self._live.take_over(await self._reader.do(lambda: self._live.after(reading.settings)))
        form = await self._reader.do(lambda: self._form(reading))
        form["warnings"] += absent
        return form

    async def preview(self, changes: Mapping[str, Any], stamp: str) -> settings_responses.Preview:
        """Return the effect of changes on the running game; nothing is written.

        Raises:
            StaleError: the files have changed since `stamp` was made.
            SettingsError: every fault of the resulting settings.
        """
        file = editable(self._file)
        proposal = await self._reader.do(lambda: file.propose(changes, stamp))
        return {"game": await self._reader.do(lambda: self._effect(proposal.after))}

    def _effect(self, settings: Settings) -> Continuation:
        old, new = (
            game_request(each, load_board(each.board)).setup
            for each in (self._live.now.settings, settings)
        )
        return continuation(old, new)

    async def findings(self) -> list[Finding]:
        """Return the doctor's findings on this machine and the settings in the file."""
        file, data = editable(self._file), self._data
        if data is None:
            raise NoSetupError(NO_FILE)

        def examine_all() -> list[Finding]:
            from companion.devices.doctor.examine import examine  # noqa: PLC0415  # slow, seldom asked

            clock, now = self._clock, self._calendar()
            return list(examine(file.load, data=data, clock=clock, now=now, is_table=True))

        running = [Finding.of_fault(fault) for fault in self._faults()]
        return running + await self._doctor.do(examine_all)

    def restart(self) -> None:
        """Restart the program with the settings in the files."""
        editable(self._file)
        self._restart()

    def _form(self, reading: Reading) -> settings_responses.SettingsForm:
        settings, file = reading.settings, editable(self._file)
        in_force = self._live.now.settings
        return {
            "file": str(file.file),
            "stamp": reading.stamp,
            "first_run": first_run(settings),
            "pending": settings != in_force,
            "game": self._effect(settings),
            "settings": _described(settings, reading.usual, str(file.by_hand)),
            "steps": list(STEPS),
            "presets": {name: as_settings(rules) for name, rules in PRESETS.items()},
            "warnings": look_alikes(Palette.make(settings.lights.colours)),
            "faults": [fault.line for fault in reading.faults],
            "rejected": self._taken_back,
        }


def _described(
    settings: Settings, usual: Settings, by_hand: str
) -> list[settings_responses.Setting]:
    """Describe settings for a page, with the values of the file written by hand as defaults."""
    request = game_request(settings, load_board(settings.board))
    suggested: dict[str, dict[str, Any]] = {
        "board": {"suggested": board_names()},
        "language": {"words": {each: load_phrases(each).say("name") for each in languages()}},
        "strip.driver": {"suggested": driver_names()},
        "strip.type": {"suggested": tuple(sorted(COLOURS))},
    }
    set_by_hand = {
        key: usual.value(key)
        for key, row in ROWS.items()
        if usual.origins.get(key) == by_hand and not row.secret
    }
    return [
        settings_responses.Setting(
            **{"suggested": (), **asdict(each), **suggested.get(each.key, {})}
            | {"default": set_by_hand.get(each.key, each.default)}
        )
        for each in describe(with_rules_in_force(with_strip(settings), request))
    ]
