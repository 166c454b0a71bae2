"""Short signals at start lamps, pegs and the dealer's lamp; one at a time at each of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.board.track import Hole, ZoneKind
from companion.lights.colour.palette import Palette
from companion.lights.compositor import Effect
from companion.lights.pixels import Indices, Points
from companion.lights.scene.effects import Blink, Pulse, Rise
from companion.lights.scene.view import Flash, FlashKind, View

_HALF = {
    FlashKind.REFUSED: 3 / 16,
    FlashKind.DEAL_HINT: 1 / 4,
    FlashKind.DEAL_HELD: 1 / 4,
    FlashKind.STUCK: 1 / 2,
}
"""Seconds on and seconds off."""

ALERT_PERIOD = 2.0
"""Seconds from one swelling of the alert to the next."""


def signals(view: View, points: Points, palette: Palette, *, calm: bool) -> Iterator[Effect]:
    """The effects of an alert and of all flashes, those that would overlap another left out."""
    if view.alert:
        lamps = _dealers_lamp(view, points)
        yield Pulse(points=lamps, colour=palette.warning, period=ALERT_PERIOD)
    busy: dict[int | None, float] = {}
    for flash in sorted(view.flashes, key=lambda flash: flash.t0):
        if flash.t0 < busy.get(flash.at, flash.t0):
            continue
        busy[flash.at] = flash.end
        if flash.kind is FlashKind.WAKE:
            yield Rise(start=flash.t0, end=flash.end)
        else:
            yield _blink(flash, view, points, palette, calm=calm)


def _blink(flash: Flash, view: View, points: Points, palette: Palette, *, calm: bool) -> Blink:
    if flash.kind is FlashKind.STUCK:
        colour = palette.zone(ZoneKind.RED_SLIDE)
    else:
        colour = palette.plain if flash.at is None else palette.team(flash.at)
    return Blink(
        points=_lamps(flash, view, points),
        colour=colour,
        start=flash.t0,
        end=flash.end,
        half=_HALF[flash.kind],
        calm=calm,
    )


def _lamps(flash: Flash, view: View, points: Points) -> Indices:
    """The dealer's lamp, or a team's start lamp, with its pegs where a press was refused."""
    if flash.at is None:
        return _dealers_lamp(view, points)
    holes: set[Hole] = {0} if flash.at in points.lanes else set()
    if flash.kind is FlashKind.REFUSED and flash.at in view.state.setup.lanes:
        side = view.state.side(flash.at)
        holes |= {side.front, side.back}
    return points.of(flash.at, holes)


def _dealers_lamp(view: View, points: Points) -> Indices:
    name = f"dealer-{view.state.dealer}"
    lamps = [points.lamp(name)] if points.has_lamp(name) else []
    return np.array(lamps, dtype=np.intp)
