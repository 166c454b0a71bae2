"""What is printed, as light: zones, side paths and marks, dim, and still whatever is played."""

from __future__ import annotations

from companion.board.track import Hole, Track
from companion.lights.colour.palette import Palette
from companion.lights.compositor import Light, dark, over
from companion.lights.pixels import Points

ZONE = 0.05
"""Part of full light of a zone that nobody meets."""

FAR_END = 0.025
"""The same of where a zone leads: side paths, the second box of a slide."""

MARK = 0.03
"""The same of the printed lines."""


def ground(points: Points, palette: Palette, track: Track) -> Light:
    """The light of a board without pegs, as far as the game on it goes; not to be written to."""
    light = dark(points.size)
    for hole, _ in points.board.marks:
        over(light, points.across([hole]), palette.plain * MARK)
    played = [zone for zone in track.zones if zone.box[-1] <= track.finish]
    for zone in played:
        to = tuple(hole for hole in zone.to if hole <= track.finish)
        far: tuple[Hole, ...] = (*to, *zone.path)
        over(light, points.across(far), palette.zone(zone.kind) * FAR_END)
    for zone in played:
        over(light, points.across(zone.box), palette.zone(zone.kind) * ZONE)
    light.flags.writeable = False
    return light
