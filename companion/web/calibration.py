"""Light test, and calibration of the wiring, on the strip that the settings file describes.

A calibration lights one LED after another and asks where on the printed sheet the light is seen.
From the answers a `Calibration` finds the runs (pieces of strip) under the sheet, and chooses the
next LED. When every run is found, the wiring can be written into the settings file. The strip shows
these lights instead of the game until the calibration ends.
"""

from __future__ import annotations

import asyncio
from typing import Final

import numpy as np

from companion.board import Board, load_board
from companion.devices.assembly import assemble, configured_strip, strip_budget
from companion.errors import NO_TEXT, BadInputError, StaleError, Text
from companion.lights import Light, Per, Points
from companion.lights.calibration import Calibration
from companion.settings.describe import wiring_changes
from companion.settings.file import SettingsFile
from companion.settings.schema import Settings
from companion.web import settings_responses
from companion.web.board_lights import (
    PUT_OUT,
    NoSetupError,
    RawLights,
    editable,
    pattern_on_strip,
    playing,
    steady,
)
from companion.worker import Worker
from hardware.errors import HardwareError
from hardware.output import Output
from hardware.power import POWER

QUESTION_LEVEL: Final = 0.5
"""Brightness (1 is full) of the LEDs that a question is about, visible by day and from the side."""

_STRIP_TOO_SHORT: Final = Text(
    "Only as many LEDs can be lit as the settings say: LEDs beyond them cannot be found."
)
_NOT_BEGUN: Final = "no calibration is going on: begin one"


class LightTestService:
    """Light test and calibration on the strip. Call it in the event loop.

    Each method raises `NoSetupError` if the table has no settings file, or if the method needs a
    calibration and none has begun.

    Attributes:
        lock: is held while the strip is opened.
    """

    def __init__(self, file: SettingsFile | None, lights: RawLights, worker: Worker) -> None:
        self._file, self._lights, self._worker = file, lights, worker
        self.lock = asyncio.Lock()
        self._calibrated: Calibrated | None = None
        self._note = NO_TEXT

    async def show(self, pattern: str | None) -> settings_responses.LightTest:
        """Show a pattern on the strip; None shows the game again.

        Raises:
            SettingsError, BadInputError: the file has faults, or the strip cannot be lit.
        """
        file = editable(self._file)
        async with self.lock:
            if pattern is None:
                self._lights.end()
                return {"shown": None, "lines": []}
            tested, test = await self._worker.do(
                lambda: pattern_on_strip(file.read().settings, pattern)
            )
            await self._lights.show_strip(tested.strip, tested.output, playing(test))
        lines = list(test.notes) if pattern == "order" else []
        return {"shown": pattern, "lines": lines}

    async def calibrate(self, *, per: str, channels: int) -> settings_responses.CalibrationProgress:
        """Begin a calibration; an earlier one is dropped.

        Raises:
            SettingsError, BadInputError: the file has faults, or the strip cannot be lit.
        """
        file = editable(self._file)
        async with self.lock:
            settings = (await self._worker.do(file.read)).settings
            try:
                await self._begin(settings, Per(per), channels, far=True)
            except BadInputError:
                wired = await self._worker.do(lambda: assemble(settings).light.wiring.leds)
                if len(wired) != channels:
                    raise
                await self._begin(settings, Per(per), channels, far=False)
                self._note = _STRIP_TOO_SHORT
        return self.calibration()

    async def _begin(self, settings: Settings, per: Per, channels: int, *, far: bool) -> None:
        begun = await self._worker.do(
            lambda: Calibrated(settings, per=per, channels=channels, far=far)
        )
        await self._lights.show_strip(begun.strip, begun.output, steady(begun.light))
        self._calibrated, self._note = begun, NO_TEXT

    def calibration(self) -> settings_responses.CalibrationProgress:
        editable(self._file)
        if self._calibrated is None:
            return settings_responses.CalibrationProgress(note=NO_TEXT)
        core, board = self._calibrated.core, self._calibrated.board
        return settings_responses.CalibrationProgress(
            begun=True,
            asked=_question(self._calibrated),
            answers=core.answers,
            found=tuple(core.found),
            missing=tuple(core.missing),
            note=self._note,
            width_mm=board.width_mm,
            height_mm=board.height_mm,
        )

    @property
    def calibrated_board(self) -> Board:
        return self._current.board

    async def answer(
        self, number: int, place: tuple[float, float] | None
    ) -> settings_responses.CalibrationProgress:
        """Take the place where light is seen as the answer to a question.

        An answer to an earlier question is ignored, so that a second tap changes nothing.

        Args:
            number: the number of answers before the question.
            place: x and y in millimetres; None if no light is seen.

        Raises:
            BadInputError: the answer is impossible; the question is asked again.
            StaleError: there is no question, or the LEDs that it is about were not lit.
        """
        async with self.lock:
            core = self._current.core
            if number == core.answers:
                if await self._light_again():
                    raise StaleError(PUT_OUT)
                core.answer(None if place is None else core.tapped(*place))
                self._light_question()
        return self.calibration()

    async def undo_answer(self, number: int) -> settings_responses.CalibrationProgress:
        """Take back answer `number` if it is the last, so that a second tap changes nothing."""
        async with self.lock:
            core = self._current.core
            if number == core.answers:
                core.undo()
                await self._light_again()
                self._light_question()
        return self.calibration()

    async def end_calibration(self, *, save: bool) -> settings_responses.CalibrationProgress:
        """Show the game again; with `save`, first write the wiring into the settings file.

        Raises:
            StaleError: there are questions left.
            SettingsError, BadInputError: the wiring cannot be saved; nothing is written.
        """
        async with self.lock:
            if save:
                file, found = editable(self._file), wiring_changes(self._current.core.result())
                await self._worker.do(lambda: file.change(found))
            self._calibrated = None
            self._lights.end()
        return self.calibration()

    @property
    def _current(self) -> Calibrated:
        if self._calibrated is None:
            raise NoSetupError(_NOT_BEGUN)
        return self._calibrated

    def _light_question(self) -> None:
        self._lights.change(steady(self._current.light))

    async def _light_again(self) -> bool:
        """Light the LEDs that the question is about if they were out; return True if they were."""
        begun = self._current
        was_out = not self._lights.shows(begun.strip)
        if was_out:
            await self._lights.show_strip(begun.strip, begun.output, steady(begun.light))
        return was_out


class Calibrated:
    """Calibration, the strip that it lights, and `spots`: place and name of each hole and lamp.

    With `far` the strip has as many LEDs as the calibration may need, but not every driver can
    light so many. Otherwise it has the LEDs of the wiring in the settings.

    Raises:
        SettingsError: every fault in the settings.
        BadInputError: the driver cannot light this strip.
    """

    def __init__(self, settings: Settings, *, per: Per, channels: int, far: bool) -> None:
        self.board: Board = load_board(settings.board)
        self.core = Calibration(self.board, per=per, channels=channels)
        wired = assemble(settings).light.wiring.leds
        self.leds = (self.core.leds,) * channels if far else wired
        try:
            self.strip = configured_strip(settings, self.leds)
            budget = _budget_for(settings, self.strip.spec.type, wired, self.leds)
            self.output = Output(self.strip.spec, budget_ma=budget, scale=self.strip.scale)
        except HardwareError as error:
            raise BadInputError("this strip cannot be lit: {trouble}", trouble=error) from None
        self.spots = _spots(self.core.points)

    @property
    def light(self) -> Light:
        """The light of the question: its LEDs white, and all others dark."""
        light = np.zeros((sum(self.leds), 3), np.float32)
        if question := self.core.question:
            start = sum(self.leds[: question.channel])
            end = start + self.leds[question.channel]
            light[start:end][question.first : question.last + 1] = QUESTION_LEVEL
        return light


def _budget_for(
    settings: Settings, kind: str, wired: tuple[int, ...], leds: tuple[int, ...]
) -> float | tuple[float, ...]:
    """Return the current limit in mA at which a strip of `leds` is as bright as one of `wired`.

    Both count the LEDs of each data wire. `Output` counts current even for dark or absent LEDs.
    """
    idle, budget = POWER[kind].idle, strip_budget(settings)
    if not isinstance(budget, tuple):
        return budget + idle * (sum(leds) - sum(wired))
    rooms = [each - idle * length for each, length in zip(budget, wired, strict=True)]
    if len(rooms) == len(leds):
        return tuple(room + idle * length for room, length in zip(rooms, leds, strict=True))
    return min(rooms) + idle * sum(leds)


def _spots(points: Points) -> dict[int, tuple[float, float, Text]]:
    spots: dict[int, tuple[float, float, Text]] = {}
    for row in points.rows:
        lane = NO_TEXT if points.per is Per.HOLE else Text("lane {lane}, ", lane=row.lane)
        for hole, x, y in row.places():
            spots[points.index(row.lane, hole)] = (
                x,
                y,
                Text("{lane}hole {hole}", lane=lane, hole=hole),
            )
    for lamp in points.board.lamps:
        name = Text("lamp {name}", name=lamp.id.replace("-", " "))
        spots[points.lamps[lamp.id]] = (lamp.x_mm, lamp.y_mm, name)
    return spots


def _question(calibrated: Calibrated) -> settings_responses.Question | None:
    question = calibrated.core.question
    if question is None:
        return None
    spots = (calibrated.spots[point] for point in question.likely)
    return {
        "channel": question.channel,
        "first": question.first,
        "last": question.last,
        "asked": question.kind.value,
        "likely": [{"x_mm": x, "y_mm": y, "name": name} for x, y, name in spots],
    }
