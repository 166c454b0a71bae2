"""Set-up for the page: settings, doctor, light test and calibration; files are used in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from companion.board import Board, board_names, load_board
from companion.devices.assembly import fit, game_request
from companion.devices.doctor.finding import Finding
from companion.errors import BadInputError, Fault, StaleError
from companion.journal.setup import Continuation, continuation
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
from companion.web.settings import responses
from companion.web.settings.board_lights import (
    BareLights,
    Calibrated,
    pattern_on_strip,
    playing,
    steady,
)
from companion.web.settings.preflight import Preflight
from companion.worker import Worker
from hardware.strips.drivers import driver_names
from hardware.strips.protocol import COLOURS

_STRIP_TOO_SHORT: Final = (
    "This strip can be lit no further than it is set: lights beyond cannot be found."
)
_PUT_OUT: Final = "something at the table put the light out: it is lit again, so look once more"
_DONE: Final = "no calibration is going on: begin one"


class NoSetupError(LookupError):
    """Nothing can be set up at this table, or no calibration has begun."""


class SettingsService:
    """Settings of a table and its strip LED by LED. Call it in the event loop.

    Args:
        file: in which settings are changed; None if nothing can be set up.
        in_force: the settings that the table was started with.
        lights: show patterns and the questions of the calibration.
        data: the folder of the journal, for the doctor.
        restart: ends this run of the program and starts another.
        port: gives the port on which the page is served.
        rejected: the settings that a start before this one failed with.
        faults: gives those that the table plays with, for the doctor.

    Raises:
        NoSetupError: any method but `look_alikes` and `close`: nothing can be set up here.
    """

    def __init__(
        self,
        file: SettingsFile | None,
        in_force: Settings,
        lights: BareLights,
        *,
        data: Path | None,
        restart: Callable[[], None],
        port: Callable[[], int],
        rejected: Rejected | None = None,
        faults: Callable[[], tuple[Fault, ...]] = tuple,
    ) -> None:
        self._file, self._in_force, self._lights = file, in_force, lights
        self._data, self._restart, self._rejected = data, restart, rejected
        self._faults = faults
        self.reverted = rejected is not None
        self.first_run = file is not None and first_run(in_force)
        self._reader, self._doctor = Worker("settings"), Worker("doctor")
        self._preflight = Preflight(in_force, lights, port=port)
        self._lock = asyncio.Lock()
        self._calibrated: Calibrated | None = None
        self._note = ""

    def close(self) -> None:
        """Show the game, and stop reading."""
        self._lights.end()
        self._reader.close()
        self._doctor.close()

    # Settings

    async def settings(self) -> responses.SettingsForm:
        """Return every setting as the file has it.

        Raises:
            SettingsError, BadInputError: the file has faults, or cannot be read.
        """
        file = self._settings_file()
        return await self._reader.do(lambda: self._form(_checked(file.read())))

    async def change(self, changes: Mapping[str, Any], stamp: str) -> responses.SettingsForm:
        """Write settings by key into the file, or take out those that are None.

        Raises:
            StaleError: the file is not the one that `stamp` is of.
            SettingsError: every fault of the settings that would result; nothing is written.
            UnusableSettingsError: every fault found by trying them; nothing is written.
            BadInputError: the file cannot be written; nothing is.
        """
        file = self._settings_file()
        async with self._lock:
            proposal = await self._reader.do(lambda: file.propose(changes, stamp))
            absent = await self._preflight.check(proposal, self._reader)
        reading = await self._reader.do(lambda: file.write(proposal))
        self.first_run = self.first_run and first_run(reading.settings)
        form = await self._reader.do(lambda: self._form(reading))
        form["warnings"] += absent
        return form

    async def preview(self, changes: Mapping[str, Any], stamp: str) -> responses.Preview:
        """Return the effect of changes on the running game; nothing is written.

        Raises:
            StaleError: the file is not the one that `stamp` is of.
            SettingsError: every fault of the settings that would result.
        """
        file = self._settings_file()
        proposal = await self._reader.do(lambda: file.propose(changes, stamp))
        return {"game": await self._reader.do(lambda: self._effect(proposal.after))}

    def _effect(self, settings: Settings) -> Continuation:
        """Return the effect of settings on the game of those in force."""
        old, new = (
            game_request(each, load_board(each.board)).setup for each in (self._in_force, settings)
        )
        return continuation(old, new)

    def look_alikes(self, colours: Mapping[str, str]) -> list[str]:
        """Return a warning for each two colours, with these for the sides, that look alike to some.

        Raises:
            SettingsError: one of them is no colour.
        """
        return colour_warnings(colours)

    async def findings(self) -> list[Finding]:
        """Return the doctor's findings on this machine and the settings in the file."""
        file, data = self._settings_file(), self._data
        if data is None:
            raise NoSetupError(_NOTHING)

        def examine_all() -> list[Finding]:
            from companion.devices.doctor.examine import examine  # noqa: PLC0415  # slow, seldom asked

            return list(examine(lambda: file.read().settings, data=data))

        running = [Finding.of_fault(fault) for fault in self._faults()]
        return running + await self._doctor.do(examine_all)

    def restart(self) -> None:
        """Restart the program with the settings in the file."""
        self._settings_file()
        self._restart()

    def _settings_file(self) -> SettingsFile:
        if self._file is None:
            raise NoSetupError(_NOTHING)
        return self._file

    def _form(self, reading: Reading) -> responses.SettingsForm:
        settings, file = reading.settings, self._settings_file()
        in_force = (self._in_force.tables, self._in_force.rules)
        colours = cast("dict[str, str]", settings.tables["lights.colours"])
        return {
            "file": str(file.file),
            "stamp": reading.stamp,
            "first_run": first_run(settings),
            "pending": (settings.tables, settings.rules) != in_force,
            "game": self._effect(settings),
            "settings": _described(settings),
            "steps": list(STEPS),
            "warnings": colour_warnings(colours),
            "rejected": self._rejected,
        }

    # Light

    async def light_test(self, pattern: str | None) -> responses.LightTest:
        """Show a pattern on the strip of the settings file, or the game again.

        Raises:
            SettingsError, BadInputError: the file has faults, or the strip cannot be lit.
        """
        file = self._settings_file()
        async with self._lock:
            if pattern is None:
                self._lights.end()
                return {"shown": None, "lines": []}
            tested, test = await self._reader.do(
                lambda: pattern_on_strip(file.read().settings, pattern)
            )
            await self._lights.hang(tested.strip, tested.output, playing(test))
        lines = list(test.notes) if pattern == "order" else []
        return {"shown": pattern, "lines": lines}

    async def calibrate(self, *, per: str, channels: int) -> responses.CalibrationProgress:
        """Begin to find out how the strips lie; a calibration before this one is dropped.

        Raises:
            SettingsError, BadInputError: the file has faults, or the strip cannot be lit.
        """
        file = self._settings_file()
        async with self._lock:
            settings = (await self._reader.do(file.read)).settings
            try:
                await self._begin(settings, Per(per), channels, far=True)
            except BadInputError:
                wired = await self._reader.do(lambda: fit(settings).light.wiring.leds)
                if len(wired) != channels:
                    raise
                await self._begin(settings, Per(per), channels, far=False)
                self._note = _STRIP_TOO_SHORT
        return self.calibration()

    async def _begin(self, settings: Settings, per: Per, channels: int, *, far: bool) -> None:
        begun = await self._reader.do(
            lambda: Calibrated(settings, per=per, channels=channels, far=far)
        )
        await self._lights.hang(begun.strip, begun.output, steady(begun.light))
        self._calibrated, self._note = begun, ""

    def calibration(self) -> responses.CalibrationProgress:
        """Return the progress of the calibration."""
        self._settings_file()
        if self._calibrated is None:
            return {**_NOT_BEGUN, "found": [], "missing": []}
        core, board = self._calibrated.core, self._calibrated.board
        return {
            "begun": True,
            "asked": _question(self._calibrated),
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
        return self._running.board

    async def answer(self, place: tuple[float, float] | None) -> responses.CalibrationProgress:
        """Take the place where light is seen, in millimetres; None for nowhere.

        Raises:
            BadInputError: that cannot be; the question stands.
            StaleError: nothing is asked, or the LEDs in question were not lit.
        """
        async with self._lock:
            core = self._running.core
            await self._check_lit()
            core.answer(None if place is None else core.tapped(*place))
            self._light_question()
        return self.calibration()

    async def undo_answer(self) -> responses.CalibrationProgress:
        """Take back the last answer."""
        async with self._lock:
            self._running.core.undo()
            await self._light_again()
            self._light_question()
        return self.calibration()

    async def end_calibration(self, *, save: bool) -> responses.CalibrationProgress:
        """Show the game again, and write the wiring into the file if asked.

        Raises:
            StaleError: there are questions left.
            SettingsError, BadInputError: it cannot be saved; nothing is written.
        """
        async with self._lock:
            if save:
                found = wiring_changes(self._running.core.result())
                await self._reader.do(lambda: self._write(found))
                self.first_run = False
            self._calibrated = None
            self._lights.end()
        return self.calibration()

    def _write(self, changes: Mapping[str, Value | None]) -> None:
        file = self._settings_file()
        file.change(changes, file.read().stamp)

    @property
    def _running(self) -> Calibrated:
        if self._calibrated is None:
            raise NoSetupError(_DONE)
        return self._calibrated

    def _light_question(self) -> None:
        self._lights.change(steady(self._running.light))

    async def _check_lit(self) -> None:
        """Refuse an answer about LEDs that were put out, and light them again."""
        if await self._light_again():
            raise StaleError(_PUT_OUT)

    async def _light_again(self) -> bool:
        begun = self._running
        was_out = not self._lights.shows(begun.strip)
        if was_out:
            await self._lights.hang(begun.strip, begun.output, steady(begun.light))
        return was_out


_NOTHING: Final = "nothing can be set up here: `cribwars run` keeps settings"
_NOT_BEGUN: Final[responses.CalibrationProgress] = {
    "begun": False,
    "asked": None,
    "answers": 0,
    "found": [],
    "missing": [],
    "note": "",
    "width_mm": 0.0,
    "height_mm": 0.0,
}


def _checked(reading: Reading) -> Reading:
    """Return a reading of which a table can be made; raise every fault otherwise."""
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
            msgspec.to_builtins(each) | {"suggested": list(suggested.get(each.key, ()))},
        )
        for each in describe(settings)
    ]


def _question(calibrated: Calibrated) -> responses.Question | None:
    asked = calibrated.core.question
    if asked is None:
        return None
    spots = (calibrated.spots[point] for point in asked.likely)
    return {
        "channel": asked.channel,
        "first": asked.first,
        "last": asked.last,
        "asked": asked.kind.value,
        "likely": [{"x_mm": x, "y_mm": y, "name": name} for x, y, name in spots],
    }
