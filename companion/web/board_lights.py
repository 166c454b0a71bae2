"""Raw light on a running table's strip, instead of the game: tests, calibration, white balance.

Raw light sets each LED's colour itself. The strip is that of the settings file, which may have
changed since the start. The table takes raw light for the replay of a game, so any press ends it.

For the white balance of a strip, a user picks the most neutral of five patches of LEDs each round.
"""

import asyncio
import dataclasses
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

import numpy as np

from companion.devices.assembly import assemble, strip_budget
from companion.devices.light_thread import LightThread, RawFrame
from companion.devices.pattern_tests import PatternTest, StripUnderTest, pattern_test
from companion.errors import BadInputError, StaleError, Text
from companion.lights import Light, View
from companion.lights.colour import ROUNDS, candidates, chosen, patches
from companion.settings.file import SettingsFile
from companion.settings.schema import Settings
from companion.table import Table
from companion.web import settings_responses
from companion.worker import Worker
from hardware.errors import HardwareError
from hardware.output import Output
from hardware.strips import Strip

IDLE_TIMEOUT_S: Final = 900.0
"""Seconds after which raw light ends if nothing has changed it."""

OPEN_TIMEOUT_S: Final = 20.0
"""Longest time that opening a strip may take."""

PUT_OUT: Final = Text(
    "the light had gone out, for example after a press: it is lit again, so look once more"
)

FRAME_S: Final = 1 / 30
NO_FILE: Final = "nothing can be set up here: only `cribwars run` has a settings file"

Lighting: TypeAlias = Callable[[float], tuple[Light, float | None]]
"""Function that returns the light at a time, and the time of its next change or None."""

_WHITE_SETTING = "strip.white_balance"

_OWN_WHITE = "the LEDs of this strip have a white of their own: there is no white to choose"
_UNFINISHED = "there are rounds left: choose a patch in each of them"


class NoSetupError(LookupError):
    """The table has no settings file to change, or no calibration has begun."""


def editable(file: SettingsFile | None) -> SettingsFile:
    """Return the settings file of a table.

    Raises:
        NoSetupError: the table has no settings file.
    """
    if file is None:
        raise NoSetupError(NO_FILE)
    return file


class RawLights:
    """Raw light on the strip of a table until the next press; the game goes on meanwhile."""

    def __init__(self, table: Table, lamps: LightThread) -> None:
        self._table, self._lamps = table, lamps
        self._raw: RawFrame | None = None
        self._view: View | None = None
        self._timer: asyncio.TimerHandle | None = None
        table.changed.subscribe(self._poll)

    def shows(self, strip: Strip) -> bool:
        """Return True while the raw light is on this strip."""
        return self.is_lit and self._raw is not None and self._raw.strip is strip

    @property
    def is_lit(self) -> bool:
        """True while the strip shows the raw light that this object began."""
        return self._raw is not None and self._table.display.replayed is self._view

    async def show_strip(self, strip: Strip, output: Output, light: Lighting) -> None:
        """Show raw light on this strip instead of the game on the strip that the table uses.

        Raises:
            BadInputError: the strip cannot be opened; the board shows the game again.
        """
        self.end()
        loop = asyncio.get_running_loop()
        opened: asyncio.Future[HardwareError | None] = loop.create_future()

        def report(trouble: HardwareError | None) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(_answer, opened, trouble)

        self._view = dataclasses.replace(self._table.display.view)
        self._table.replay(self._view)
        self._show(RawFrame(strip=strip, output=output, light=light, opened=report))
        try:
            trouble = await asyncio.wait_for(opened, OPEN_TIMEOUT_S)
        except TimeoutError:
            trouble = HardwareError("the lights thread does not answer, the log says why")
        if trouble:
            self.end()
            raise BadInputError("this strip cannot be lit: {trouble}", trouble=trouble)

    def change(self, light: Lighting) -> None:
        if self._raw:
            self._show(dataclasses.replace(self._raw, light=light))

    def end(self) -> None:
        if self._timer:
            self._timer.cancel()
        if self._raw:
            lit, self._raw = self.is_lit, None
            self._lamps.show_raw(None)
            if lit:
                self._table.replay(None)

    def _show(self, raw: RawFrame) -> None:
        self._raw = raw
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(IDLE_TIMEOUT_S, self.end)
        self._lamps.show_raw(raw)

    def _poll(self) -> None:
        if self._raw and not self.is_lit:
            self.end()


def pattern_on_strip(settings: Settings, pattern: str) -> tuple[StripUnderTest, PatternTest]:
    """Return the strip that the settings describe, and the light test with this pattern.

    Raises:
        SettingsError: every fault in the settings.
    """
    fitted = assemble(settings).light
    tested = StripUnderTest(fitted.strip, strip_budget(settings))
    return tested, pattern_test(pattern, tested, fitted.wiring)


def playing(test: PatternTest) -> Lighting:
    """Return the light of a pattern that starts at the first call and repeats."""
    frames = max(1, round(test.seconds / FRAME_S))
    begun: list[float] = []

    def light(t: float) -> tuple[Light, float | None]:
        begun[:] = begun or [t]
        k = int((t - begun[0]) / FRAME_S)
        return test.pattern(k % frames, frames), begun[0] + (k + 1) * FRAME_S

    return light


def steady(light: Light) -> Lighting:
    """Return a light that never changes."""
    return lambda t: (light, None)  # noqa: ARG005  # a `Lighting` takes the time


def _answer(future: asyncio.Future[HardwareError | None], trouble: HardwareError | None) -> None:
    if not future.done():  # after a timeout it is cancelled
        future.set_result(trouble)


class WhiteBalanceService:
    """Choice of a strip's white, round by round. Call it in the event loop.

    Without `file`, `begin` and `progress` raise `NoSetupError`. `lock` is held while a strip opens.
    """

    def __init__(
        self, file: SettingsFile | None, lights: RawLights, worker: Worker, lock: asyncio.Lock
    ) -> None:
        self._file, self._lights, self._worker, self._lock = file, lights, worker, lock
        self._strip: Strip | None = None
        self._budget_ma: float | Sequence[float] = 0.0
        self._choices: list[int] = []

    def progress(self) -> settings_responses.WhiteBalance:
        editable(self._file)
        return {
            "begun": self._strip is not None,
            "round": len(self._choices) + 1,
            "rounds": ROUNDS,
            "white": list(chosen(self._choices)),
        }

    async def begin(self) -> settings_responses.WhiteBalance:
        """Light the first five patches.

        Raises:
            SettingsError, BadInputError: the file has faults, or the strip cannot be lit.
        """
        file = editable(self._file)
        async with self._lock:
            settings = (await self._worker.do(file.read)).settings
            strip = (await self._worker.do(lambda: assemble(settings))).light.strip
            if strip.spec.has_white:
                raise BadInputError(_OWN_WHITE)
            self._choices = []
            self._strip, self._budget_ma = strip, strip_budget(settings)
            try:
                await self._show_patches(strip)
            except BadInputError:
                self._strip = None
                raise
        return self.progress()

    async def choose(self, number: int, choice: int) -> settings_responses.WhiteBalance:
        """Take a round's most neutral patch; light the next five or, at last, the chosen white.

        A choice for an earlier round is ignored, so that a second tap changes nothing.

        Args:
            number: the round, counted from 1.
            choice: the patch, counted from 0.

        Raises:
            StaleError: this round has not begun, or its patches were not lit.
        """
        async with self._lock:
            if self._strip is None or number > min(len(self._choices) + 1, ROUNDS):
                raise StaleError("no white balance is going on: begin one")
            if number <= len(self._choices):
                return self.progress()
            if not self._lights.shows(self._strip):
                await self._show_patches(self._strip)
                raise StaleError(PUT_OUT)
            self._choices.append(choice)
            self._lights.change(steady(self._light(self._strip)))
            return self.progress()

    async def end(self, *, save: bool) -> settings_responses.WhiteBalance:
        """Show the game again; with `save`, first write the white into the settings file.

        Raises:
            StaleError: there are rounds left.
            SettingsError, BadInputError: the white cannot be saved; nothing is written.
        """
        async with self._lock:
            if save:
                if len(self._choices) < ROUNDS:
                    raise StaleError(_UNFINISHED)
                white, file = list(chosen(self._choices)), editable(self._file)
                await self._worker.do(lambda: file.change({_WHITE_SETTING: white}))
            self._strip, self._choices = None, []
            self._lights.end()
            return self.progress()

    async def _show_patches(self, strip: Strip) -> None:
        output = Output(strip.spec, budget_ma=self._budget_ma, scale=strip.scale)
        await self._lights.show_strip(strip, output, steady(self._light(strip)))

    def _light(self, strip: Strip) -> Light:
        """Return the patches of this round, or the chosen white, on the first data wire."""
        done = len(self._choices) == ROUNDS
        whites = (chosen(self._choices),) if done else candidates(self._choices)
        first, *others = strip.spec.leds
        return np.concatenate([patches(whites, first), np.zeros((sum(others), 3), np.float32)])
