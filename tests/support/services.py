"""Tables without hardware: with the services of the page, raw LED patterns, or virtual time."""

import math
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import cast

import numpy as np
from gpiozero.pins.mock import MockFactory

from companion.board import Board, load_board
from companion.buttons import DEFAULT_PINS
from companion.devices.assembly import assemble
from companion.devices.light_thread import LightThread, RawFrame
from companion.devices.live import LiveSettings
from companion.lights import FlashLimiter, Palette, Per, Scene, Wiring
from companion.lights.colour import EYES
from companion.lights.scene.quiet_lights import SLOT_S, SLOTS
from companion.lights.scene.shows import WIN_SHOW_S
from companion.rules.game import HouseRules
from companion.settings.file import SettingsFile
from companion.settings.load import load_settings
from companion.settings.probation import TakenBack
from companion.toml import Value
from companion.web.board_lights import RawLights
from companion.web.record_service import REPLAY_IDLE_TIMEOUT_S, RecordsService
from companion.web.settings_service import SettingsService
from companion.worker import Workers
from hardware.buttons import Buttons, MockPanel
from hardware.errors import HardwareError
from hardware.output import Output
from hardware.strips import StripSpec
from tests.companion.table.bench import Bench
from tests.support.lamp_reader import Frames, LampReader, led_of

_NOTHING: Mapping[str, Value] = MappingProxyType({})


def live_settings(given: Mapping[str, Value] = _NOTHING) -> LiveSettings:
    """Return the live settings of a table that was started with these on the command line."""
    settings = load_settings(None, given)
    return LiveSettings(settings, assemble(settings))


def change(live: LiveSettings, given: Mapping[str, Value]) -> None:
    """Put in force what acts at once of these settings."""
    live.take_over(live.after(load_settings(None, given)))


class Services:
    """Services for the recorded games and the settings in a folder, beside the table of a bench.

    Args:
        folder: of the journal and of `cribwars.toml`; None if nothing is kept.
        board: lies on the table, as far as records are concerned.
        overrides: settings from the command line.
    """

    def __init__(
        self,
        folder: Path | None,
        board: Board,
        *,
        bench: Bench | None = None,
        overrides: Mapping[str, Value] = _NOTHING,
        taken_back: TakenBack | None = None,
        idle_timeout_s: float = REPLAY_IDLE_TIMEOUT_S,
    ) -> None:
        self.bench = bench or Bench()
        self.looked = LookedAt(self.bench)
        self.restarts = 0
        self.seen = 0
        self.file = folder / "cribwars.toml" if folder else None
        settings = load_settings(self.file, overrides, required=False)
        self.live = LiveSettings(settings, replace(assemble(settings), board=board))
        self._workers = Workers()
        self.records = RecordsService(
            folder,
            self.live,
            self.bench.table,
            self._workers.records,
            calendar=time.time,
            settings_file=self.file,
            idle_timeout_s=idle_timeout_s,
        )
        self.settings = SettingsService(
            SettingsFile(self.file, overrides, check=assemble) if self.file else None,
            self.live,
            self.looked.lights,
            data=folder,
            clock=self.bench.table.clock,
            calendar=time.time,
            restart=self._restart,
            port=lambda: 8000,
            disk=self._workers.disk,
            doctor=self._workers.parts,
            seen=self._note_seen,
            taken_back=taken_back,
        )

    def close(self) -> None:
        """End their threads."""
        self.records.close()
        self.settings.close()
        self._workers.close()

    def _restart(self) -> None:
        self.restarts += 1

    def _note_seen(self) -> None:
        self.seen += 1


class LookedAt:
    """Raw patterns on a bench's table: a test reads the lit LEDs, and presses buttons.

    `troubles` has the result of each opening of a strip, in turn; `opened` has the LEDs of each.
    """

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.troubles: list[HardwareError] = []
        self.raw: RawFrame | None = None
        self.opened: list[tuple[int, ...]] = []
        self.lights = RawLights(bench.table, cast("LightThread", self))

    def show_raw(self, raw: RawFrame | None) -> None:
        """Show the pattern at once, as the lights thread does with its next frame."""
        if raw and (self.raw is None or self.raw.strip is not raw.strip):
            self.opened.append(raw.strip.spec.leds)
            raw.opened(self.troubles.pop(0) if self.troubles else None)
        self.raw = raw

    def lit(self, t: float = 0.0) -> list[tuple[int, int]]:
        """Return the channel and number of each lit LED, after the output stage."""
        assert self.raw
        frame = self.raw.output.render(self.raw.light(t)[0])
        return [
            (channel, int(led))
            for channel, pixels in enumerate(frame)
            for led in np.flatnonzero(pixels.any(axis=1))
        ]

    async def press(self, button: str) -> None:
        """Press a button of the table."""
        await self.bench.press(button)


class Evening(Bench):
    """Table whose presses are edges of mock pins, and whose light is seen as bytes.

    Args:
        sides: the number of sides.
        eye: the kind of colour vision that sees the light.
        brightness: the part of full light.
        board: the name of the board.
        per: the density of its LEDs.
        rules: the house rules; by default the ordinary ones.
    """

    def __init__(
        self,
        *,
        sides: int,
        eye: str,
        brightness: float,
        board: str = "crib-wars",
        per: Per = Per.HOLE_AND_LANE,
        rules: HouseRules | None = None,
    ) -> None:
        super().__init__(sides=sides, board=board, rules=rules)
        factory = MockFactory()
        self.buttons = Buttons(
            DEFAULT_PINS, self.table.presses.edge, pin_factory=factory, clock=lambda: self.now
        )
        self._pins = MockPanel(DEFAULT_PINS, factory)
        print_ = load_board(board)
        self._wiring = Wiring.make(print_, {"per": per})
        points = self._wiring.points
        self._scene = Scene(print_, Palette.make(), points=points)
        self._output = Output(StripSpec(leds=self._wiring.leds), budget_ma=100_000)
        self._output.brightness = brightness
        self._limiter = FlashLimiter(sum(self._wiring.leds))
        self._eye = EYES[eye]
        offsets = np.cumsum((0, *self._wiring.leds))

        def led(point: int) -> int:
            where = led_of(self._wiring, point)
            assert where
            return int(offsets[where[0]]) + where[1]

        holes = {
            (lane, hole): led(points.index(lane, hole))
            for row in print_.rows
            for lane in points.lanes
            for hole in row.holes
        }
        holes |= {(lane, 0): led(points.index(lane, 0)) for lane in points.lanes}
        seats = {
            int(name.removeprefix("dealer-")): led(point)
            for name, point in points.lamps.items()
            if name.startswith("dealer-")
        }
        self.reader = LampReader(print_, holes, seats)

    async def move(self, button: str, *, down: bool) -> None:
        """Drive a pin, and wait until its contact has settled."""
        self._held = self._held ^ {button}
        (self._pins.down if down else self._pins.up)(button)
        await self.wait(0.05)

    async def wait(self, seconds: float) -> None:
        """Let time pass; the journal answers at once."""
        await super().wait(seconds)
        while len(self.journal.entries) > self._answered:
            self._answered += 1
            await self.answer()

    _answered = 0

    def look(self) -> Frames:
        """Return what an eye sees during some rhythms, once pegs and shows are at rest."""
        view = self.lamps.view
        assert view
        ends = [flash.end for flash in view.flashes]
        start = max([self.now, view.motion.end + WIN_SHOW_S * view.motion.won, *ends])
        rhythm = SLOTS * SLOT_S
        start = math.ceil(start / rhythm) * rhythm
        frames = range(self.reader.length)
        self.now = start + len(frames) * SLOT_S
        return np.array([self._seen(start + (n + 0.5) * SLOT_S) for n in frames])

    def _seen(self, t: float) -> Frames:
        view = self.lamps.view
        assert view
        light, _ = self._scene.compose(view, t)
        light, _ = self._limiter.limit(self._wiring.spread(light), t)
        frame = np.concatenate(self._output.render(light)).astype(np.float64)
        return np.clip(frame @ self._eye.T, 0, None)
