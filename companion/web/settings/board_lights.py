"""Raw light on a running table's strip, instead of the game: test patterns and calibration.

Raw light sets each LED's colour itself. The strip is that of the settings file, which may have
changed since the start. The table takes raw light for the replay of a game, so any press ends it.
"""

import asyncio
import dataclasses
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias

from companion.devices.assembly import assemble, strip_budget
from companion.devices.light_thread import LightThread, RawFrame
from companion.devices.pattern_tests import PatternTest, StripUnderTest, pattern_test
from companion.errors import BadInputError, Text
from companion.lights import Light, View
from companion.settings.schema import Settings
from companion.table import Table
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

Lighting: TypeAlias = Callable[[float], tuple[Light, float | None]]
"""Function that returns the light at a time, and the time of its next change or None."""


class BareLights:
    """Raw light on the strip of a table until the next press; the game goes on meanwhile."""

    def __init__(self, table: Table, lamps: LightThread) -> None:
        self._table, self._lamps = table, lamps
        self._bare: RawFrame | None = None
        self._view: View | None = None
        self._timer: asyncio.TimerHandle | None = None
        table.changed.subscribe(self._poll)

    def shows(self, strip: Strip) -> bool:
        """Return True while the raw light is on this strip."""
        return self.is_lit and self._bare is not None and self._bare.strip is strip

    @property
    def is_lit(self) -> bool:
        """True while the strip shows the raw light that this object began."""
        return self._bare is not None and self._table.display.replayed is self._view

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
        if self._bare:
            self._show(dataclasses.replace(self._bare, light=light))

    def end(self) -> None:
        if self._timer:
            self._timer.cancel()
        if self._bare:
            lit, self._bare = self.is_lit, None
            self._lamps.show_raw(None)
            if lit:
                self._table.replay(None)

    def _show(self, bare: RawFrame) -> None:
        self._bare = bare
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(IDLE_TIMEOUT_S, self.end)
        self._lamps.show_raw(bare)

    def _poll(self) -> None:
        if self._bare and not self.is_lit:
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
