"""White balance of a strip: each round, a user picks the most neutral of five patches of LEDs."""

import asyncio
from collections.abc import Sequence

import numpy as np

from companion.devices.assembly import assemble, strip_budget
from companion.errors import BadInputError, StaleError
from companion.lights.colour import ROUNDS, candidates, chosen, patches
from companion.lights.compositor import Light
from companion.settings.file import SettingsFile
from companion.web.settings import settings_responses
from companion.web.settings.board_lights import PUT_OUT, BareLights, steady
from companion.web.settings.calibration import editable
from companion.worker import Worker
from hardware.output import Output
from hardware.strips import Strip

SETTING = "strip.white_balance"

_OWN_WHITE = "the LEDs of this strip have a white of their own: there is no white to choose"
_UNFINISHED = "there are rounds left: choose a patch in each of them"


class WhiteBalanceService:
    """Choice of a strip's white, round by round. Call it in the event loop.

    Without `file`, `begin` and `progress` raise `NoSetupError`. `lock` is held while a strip opens.
    """

    def __init__(
        self, file: SettingsFile | None, lights: BareLights, worker: Worker, lock: asyncio.Lock
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
                await self._worker.do(lambda: file.change({SETTING: white}))
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
