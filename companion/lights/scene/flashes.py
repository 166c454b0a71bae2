"""Short signals at start lamps, pegs and the dealer's lamp; one at a time at each light point.

Rhythms that meet on one point add up to more flashes than either has. So everything else stands
still where a signal blinks, from a second before it to a second after it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.board.track import Hole, ZoneKind
from companion.lights.colour.palette import Palette
from companion.lights.compositor import Effect, Light
from companion.lights.pixels import Indices, Points
from companion.lights.scene.effects import Between, Blink, Fixed, Pulse, Rise
from companion.lights.scene.motion import Motion
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


QUIET = 1.0
"""Seconds before and after a signal in which nothing else changes where it blinks."""


def alert(view: View, points: Points, palette: Palette) -> Iterator[Effect]:
    """The slow swelling at the dealer's lamp while something is not saved."""
    if view.alert:
        lamps = _dealers_lamp(view, points)
        yield Pulse(points=lamps, colour=palette.warning, period=ALERT_PERIOD)


def signals(
    view: View, still: Light | None, points: Points, palette: Palette, *, calm: bool
) -> Iterator[Effect]:
    """The effects of all flashes, those that would overlap another left out.

    `still` is the light of the view without any effect; None if there is no effect beneath.
    """
    shown = list(_one_at_a_time(view, points))
    for flash, places in shown:
        if still is not None:
            fixed = Fixed(points=places, colours=still[places])
            yield Between(effect=fixed, start=flash.t0 - QUIET, end=flash.end + QUIET)
    for flash, places in shown:
        if flash.kind is FlashKind.WAKE:
            yield Rise(start=flash.t0, end=flash.end)
        else:
            yield _blink(flash, places, palette, calm=calm)


def _one_at_a_time(view: View, points: Points) -> Iterator[tuple[Flash, Indices]]:
    """Each flash with the points that no earlier one holds and no peg passes meanwhile."""
    busy: dict[int, float] = {}
    for flash in sorted(view.flashes, key=lambda flash: flash.t0):
        passed = _passed(view.motion, points, flash.t0 - QUIET, flash.end + QUIET)
        places = [
            point
            for point in _lamps(flash, view, points).tolist()
            if flash.t0 >= busy.get(point, flash.t0) and point not in passed
        ]
        busy |= dict.fromkeys(places, flash.end)
        yield flash, np.array(places, dtype=np.intp)


def _passed(motion: Motion, points: Points, start: float, end: float) -> set[int]:
    """The holes that pegs pass in this time; start lamps are no holes."""
    return {
        points.index(segment.team, hole)
        for segment in motion.segments
        if segment.start < end and start < segment.end
        for hole in segment.way
        if hole != 0
    }


def _blink(flash: Flash, places: Indices, palette: Palette, *, calm: bool) -> Blink:
    if flash.kind is FlashKind.STUCK:
        colour = palette.zone(ZoneKind.RED_SLIDE)
    else:
        colour = palette.plain if flash.at is None else palette.team(flash.at)
    return Blink(
        points=places,
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
    return np.unique(points.of(flash.at, holes))


def _dealers_lamp(view: View, points: Points) -> Indices:
    name = f"dealer-{view.state.dealer}"
    lamps = [points.lamp(name)] if points.has_lamp(name) else []
    return np.array(lamps, dtype=np.intp)
