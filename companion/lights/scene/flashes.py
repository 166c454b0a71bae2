"""Short signals at start lamps, pegs and the dealer's lamp.

No signal flashes more than three times a second; where several meet on one point, the flash limiter
holds some of them back.
"""

from collections.abc import Iterator

import numpy as np

from companion.board import Hole, ZoneKind
from companion.lights.colour.palette import Colour, Palette
from companion.lights.compositor import Effect
from companion.lights.pixels import Indices, Points
from companion.lights.scene.effects import Blink, Pulse, Rise, Window
from companion.lights.scene.view import FLASH_DURATIONS_S, Flash, FlashKind, View

_HALF_PERIODS_S = {  # without WAKE
    FlashKind.REFUSED: 3 / 16,
    FlashKind.DEAL_HINT: 1 / 4,
    FlashKind.DEAL_HELD: 1 / 4,
    FlashKind.STUCK: 1 / 2,
}
"""Seconds for which each blinking kind is on, and then off."""

ALERT_PERIOD_S = 2.0


def signals(view: View, points: Points, palette: Palette, *, calm: bool) -> Iterator[Effect]:
    """Yield a slow pulse while something is not saved, then the effects of all flashes."""
    if view.alert:
        lamps = _dealers_lamp(view, points)
        yield Pulse(points=lamps, colour=palette.warning, period=ALERT_PERIOD_S)
    for flash in view.flashes:
        seconds = FLASH_DURATIONS_S[flash.kind]
        effect: Effect = Rise(seconds=seconds)
        if flash.kind is not FlashKind.WAKE:
            lamps, colour = _lamps(flash, view, points), _colour(flash, palette)
            half = _HALF_PERIODS_S[flash.kind]
            effect = Blink(points=lamps, colour=colour, half=half, seconds=seconds, calm=calm)
        yield Window(effect=effect, start=flash.t0, end=flash.end)


def _colour(flash: Flash, palette: Palette) -> Colour:
    if flash.kind is FlashKind.STUCK:
        return palette.zone(ZoneKind.RED_SLIDE)
    return palette.plain if flash.lane is None else palette.side(flash.lane)


def _lamps(flash: Flash, view: View, points: Points) -> Indices:
    """Return the dealer's lamp, or a start lamp; for a refused press the side's pegs as well."""
    if flash.lane is None:
        return _dealers_lamp(view, points)
    holes: set[Hole] = {0} if flash.lane in points.lanes else set()
    if flash.kind is FlashKind.REFUSED and flash.lane in view.state.setup.sides:
        pegs = view.state.pegs(flash.lane)
        holes |= {pegs.front, pegs.back}
    return np.unique(points.of(flash.lane, holes))


def _dealers_lamp(view: View, points: Points) -> Indices:
    lamp = f"dealer-{view.state.dealer}"
    return np.array([points.lamps[lamp]] if lamp in points.lamps else [], dtype=np.intp)
