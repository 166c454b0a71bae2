"""Evening at a table in virtual time: mock pins are pressed, the bytes of the strip are read."""

import math

import numpy as np
from gpiozero.pins.mock import MockFactory

from companion.board import load_board
from companion.buttons import DEFAULT_PINS
from companion.lights import FlashLimiter, Palette, Per, Scene, Wiring
from companion.lights.colour.colour import EYES
from companion.lights.scene.quiet_lights import SLOT_S, SLOTS
from companion.lights.scene.shows import WIN_SHOW_S
from companion.rules.game import HouseRules
from hardware.buttons import Buttons, MockPanel
from hardware.output import Output
from hardware.strips import StripSpec
from tests.companion.table.bench import Bench
from tests.support.lamp_reader import Frames, LampReader
from tests.support.wired import led_of


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
