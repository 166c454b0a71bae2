"""Preview of a pending count, taken from the game's own events; it repeats no rule of play."""

from __future__ import annotations

from dataclasses import dataclass

from companion.board.track import Hole, Track, ZoneKind
from companion.errors import RuleError
from companion.lights.scene.path import way
from companion.rules.game import Event, Kind, Peg, State, decide, first_landing


@dataclass(frozen=True, slots=True, kw_only=True)
class Ghost:
    """Preview of a count that is not entered.

    `way` are the holes it walks, `landing` where it ends, `kind` the zone that acts there, if any.
    `route` are the holes along which the zone would send the peg: a slide's to its second box, a
    side path to the hole where it rejoins, a penalty box's way back.
    """

    way: tuple[Hole, ...]
    landing: Hole
    kind: ZoneKind | None
    route: tuple[Hole, ...]


def ghost(state: State, team: int, points: int) -> Ghost | None:
    """Return the ghost of a pending count, or None if the rules would refuse the count."""
    try:
        count, *rest = decide(state, Peg(team=team, points=points))
    except RuleError:
        return None
    own = [event for event in rest if event.team == team]
    track, side = state.setup.track, state.side(team)
    walked = way(track, count, landed=side.landed)
    return Ghost(
        way=walked,
        landing=walked[-1] if walked else side.front,
        kind=first_landing(rest, team),
        route=tuple(hole for event in own for hole in _route(track, event)),
    )


def _route(track: Track, event: Event) -> tuple[Hole, ...]:
    """Return the holes that a consequence leads through, including the next count's side path."""
    zone = track.zone_at(event.to) if event.to is not None else None
    if zone and event.kind in (Kind.TRAPPED, Kind.ADVANCED):
        return (*zone.path, min(zone.rejoin, track.finish))
    return way(track, event, landed=False)
