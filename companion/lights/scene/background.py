"""Background: the printed zones, side paths, marks and the finish as dim, still light."""

from companion.board.track import Hole, Track
from companion.lights.colour.palette import Palette
from companion.lights.compositor import Light, dark, over
from companion.lights.pixels import Points

ZONE_LEVEL = 0.05
"""Part of full light of a zone at rest."""

DESTINATION_LEVEL = 0.025
"""Part of full light of side paths and the second box of a slide."""

MARK_LEVEL = 0.03
"""Part of full light of the printed lines and the finish."""


def ground(points: Points, palette: Palette, track: Track) -> Light:
    """Return the read-only light of a board without pegs, dark beyond the finish of the game."""
    light = dark(points.size)
    marks = (mark.hole for mark in points.board.marks if mark.hole < track.finish)
    for hole in (*marks, track.finish):
        over(light, points.across([hole]), palette.plain * MARK_LEVEL)
    played = [zone for zone in track.zones if zone.box[-1] <= track.finish]
    for zone in played:
        to = tuple(hole for hole in zone.to if hole <= track.finish)
        far: tuple[Hole, ...] = (*to, *zone.path)
        over(light, points.across(far), palette.zone(zone.kind) * DESTINATION_LEVEL)
    for zone in played:
        over(light, points.across(zone.box), palette.zone(zone.kind) * ZONE_LEVEL)
    light.flags.writeable = False
    return light
