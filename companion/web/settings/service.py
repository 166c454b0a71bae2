"""The set-up as the page sees it: settings read and written in a thread of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from companion.board import Board, board_names
from companion.devices.assembly import fit
from companion.errors import BadInputError, StaleError
from companion.lights import Per
from companion.settings import (
    STEPS,
    Rejected,
    SettingsFile,
    colour_warnings,
    describe,
    first_run,
    wiring_changes,
)
from companion.settings.file import Reading
from companion.settings.load import Settings, Value
from companion.web.http.worker import Reader
from companion.web.settings import responses
from companion.web.settings.board_lights import BareLights, Calibrated, playing, steady, tried
from companion.web.settings.desk import NoSetupError
from companion.web.settings.preflight import Preflight
from hardware.strips.drivers import driver_names
from hardware.strips.protocol import COLOURS

_SHORTER: Final = "This strip can be lit no further than it is set: lights beyond cannot be found."
_PUT_OUT: Final = "something at the table put the light out: it is lit again, so look once more"
_DONE: Final = "no calibration is going on: begin one"


class TableSetup:
    """Satisfies `companion.web.settings.desk.SetupDesk` once `serves` has told it of the lights.

    Args:
        file: in which settings are changed; None if nothing can be set up.
        in_force: the settings that the table was started with.
        data: the folder of the journal, for the doctor.
        again: has the program started anew.
        rejected: the settings that a start before this one failed with.
    """

    def __init__(
        self,
        file: SettingsFile | None,
        in_force: Settings,
        *,
        data: Path | None,
        again: Callable[[], None],
        rejected: Rejected | None = None,
    ) -> None:
        self._rejected = rejected
        self._file, self._in_force, self._data, self._again = file, in_force, data, again
        self.first_run = file is not None and first_run(in_force)
        self._reader, self._doctor = Reader(), Reader()
        self._lights: BareLights
        self._preflight: Preflight
        self._asking = asyncio.Lock()
        self._calibrated: Calibrated | None = None
        self._note = ""

    def serves(self, lights: BareLights, *, port: Callable[[], int]) -> None:
        """Tell of the lights on which patterns and questions are shown, and of the page's port."""
        self._lights, self._preflight = lights, Preflight(self._in_force, lights, port=port)

    def close(self) -> None:
        """Show the game, and read no more."""
        self._lights.end()
        self._reader.close()
        self._doctor.close()

    # Settings

    async def settings(self) -> responses.SettingsTold:
        """Every setting as the file has it."""
        file = self._kept()
        return await self._reader.do(lambda: self._told(_sound(file.read())))

    async def change(self, changes: Mapping[str, Any], stamp: str) -> responses.SettingsTold:
        """Write settings into the file, once they were tried."""
        file = self._kept()
        async with self._asking:
            proposal = await self._reader.do(lambda: file.propose(changes, stamp))
            await self._preflight.check(proposal, self._reader)
        reading = await self._reader.do(lambda: file.write(proposal))
        self.first_run = self.first_run and first_run(reading.settings)
        return await self._reader.do(lambda: self._told(reading))

    def look_alikes(self, colours: Mapping[str, str]) -> list[str]:
        """A warning for each two colours that some eyes confuse."""
        return colour_warnings(colours)

    async def findings(self) -> list[responses.DoctorFinding]:
        """What the doctor says."""
        file, data = self._kept(), self._data
        if data is None:
            raise NoSetupError(_NOTHING)

        def look() -> object:
            from companion.devices.doctor import examine  # noqa: PLC0415  # slow to import, seldom asked

            return msgspec.to_builtins(list(examine(lambda: file.read().settings, data=data)))

        return cast("list[responses.DoctorFinding]", await self._doctor.do(look))

    def restart(self) -> None:
        """Have the program start anew."""
        self._kept()
        self._again()

    def _kept(self) -> SettingsFile:
        if self._file is None:
            raise NoSetupError(_NOTHING)
        return self._file

    def _told(self, reading: Reading) -> responses.SettingsTold:
        settings, file = reading.settings, self._kept()
        ours = (self._in_force.tables, self._in_force.rules)
        colours = cast("dict[str, str]", settings.tables["lights.colours"])
        return {
            "file": str(file.file),
            "stamp": reading.stamp,
            "first_run": first_run(settings),
            "pending": (settings.tables, settings.rules) != ours,
            "settings": _described(settings),
            "steps": cast("list[responses.WizardStep]", _plain(STEPS)),
            "warnings": colour_warnings(colours),
            "rejected": cast("responses.Rejected | None", _plain(self._rejected)),
        }

    # Light

    async def light_test(self, pattern: str | None) -> responses.LightTest:
        """Show a pattern, or the game again."""
        file = self._kept()
        async with self._asking:
            if pattern is None:
                self._lights.end()
                return {"shown": None, "lines": []}
            bench, trial = await self._reader.do(lambda: tried(file.read().settings, pattern))
            await self._lights.hang(bench.strip, bench.output, playing(trial))
        lines = list(trial.preface) if pattern == "order" else []
        return {"shown": pattern, "lines": lines}

    async def calibrate(self, *, per: str, channels: int) -> responses.CalibrationTold:
        """Begin to find out how the strips lie."""
        file = self._kept()
        async with self._asking:
            settings = (await self._reader.do(file.read)).settings
            try:
                await self._begin(settings, Per(per), channels, far=True)
            except BadInputError:
                wired = await self._reader.do(lambda: fit(settings).light.wiring.leds)
                if len(wired) != channels:
                    raise
                await self._begin(settings, Per(per), channels, far=False)
                self._note = _SHORTER
        return self.calibration()

    async def _begin(self, settings: Settings, per: Per, channels: int, *, far: bool) -> None:
        begun = await self._reader.do(
            lambda: Calibrated(settings, per=per, channels=channels, far=far)
        )
        await self._lights.hang(begun.strip, begun.output, steady(begun.light))
        self._calibrated, self._note = begun, ""

    def calibration(self) -> responses.CalibrationTold:
        """How far it has come."""
        self._kept()
        if self._calibrated is None:
            return {**_NOT_BEGUN, "found": [], "missing": []}
        core, board = self._calibrated.core, self._calibrated.board
        return {
            "begun": True,
            "asked": _asked(self._calibrated),
            "answers": core.answers,
            "found": list(core.found),
            "missing": list(core.missing),
            "note": self._note,
            "width_mm": board.width_mm,
            "height_mm": board.height_mm,
        }

    @property
    def calibrated_board(self) -> Board:
        """The board on which to tap."""
        return self._going_on.board

    async def tapped(self, place: tuple[float, float] | None) -> responses.CalibrationTold:
        """Take where light is seen."""
        async with self._asking:
            core = self._going_on.core
            await self._see_lit()
            core.answer(None if place is None else core.tapped(*place))
            self._ask()
        return self.calibration()

    async def untapped(self) -> responses.CalibrationTold:
        """Take the last answer back."""
        async with self._asking:
            self._going_on.core.undo()
            await self._light_again()
            self._ask()
        return self.calibration()

    async def end_calibration(self, *, save: bool) -> responses.CalibrationTold:
        """Show the game again, and keep what was found."""
        async with self._asking:
            if save:
                found = wiring_changes(self._going_on.core.result())
                await self._reader.do(lambda: self._write(found))
                self.first_run = False
            self._calibrated = None
            self._lights.end()
        return self.calibration()

    def _write(self, changes: Mapping[str, Value | None]) -> None:
        file = self._kept()
        file.change(changes, file.read().stamp)

    @property
    def _going_on(self) -> Calibrated:
        if self._calibrated is None:
            raise NoSetupError(_DONE)
        return self._calibrated

    def _ask(self) -> None:
        self._lights.change(steady(self._going_on.light))

    async def _see_lit(self) -> None:
        """Light what is asked about again if it was put out; what is said of it counts not."""
        if await self._light_again():
            raise StaleError(_PUT_OUT)

    async def _light_again(self) -> bool:
        begun = self._going_on
        was_out = not self._lights.shows(begun.strip)
        if was_out:
            await self._lights.hang(begun.strip, begun.output, steady(begun.light))
        return was_out


_NOTHING: Final = "nothing can be set up here: `cribwars run` keeps settings"
_NOT_BEGUN: Final[responses.CalibrationTold] = {
    "begun": False,
    "asked": None,
    "answers": 0,
    "found": [],
    "missing": [],
    "note": "",
    "width_mm": 0.0,
    "height_mm": 0.0,
}


def _sound(reading: Reading) -> Reading:
    """A reading of which a table can be made; else what is wrong is told."""
    fit(reading.settings)
    return reading


def _described(settings: Settings) -> list[responses.Setting]:
    suggested = {
        "board": board_names(),
        "strip.driver": driver_names(),
        "strip.type": tuple(sorted(COLOURS)),
    }
    return [
        cast(
            "responses.Setting",
            _plain(each) | {"suggested": list(suggested.get(each.key, ()))},
        )
        for each in describe(settings)
    ]


def _asked(calibrated: Calibrated) -> responses.Lit | None:
    asked = calibrated.core.question
    if asked is None:
        return None
    spots = (calibrated.spots[point] for point in asked.likely)
    return {
        "channel": asked.channel,
        "first": asked.first,
        "last": asked.last,
        "asked": asked.asked.value,
        "likely": [{"x_mm": x, "y_mm": y, "name": name} for x, y, name in spots],
    }


def _plain(value: object) -> Any:  # noqa: ANN401  # JSON
    """A value as what its JSON is made of."""
    return msgspec.to_builtins(value, str_keys=True)
