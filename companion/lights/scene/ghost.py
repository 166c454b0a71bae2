"""What a pending count would do, told by the game itself; nothing here knows a rule of play."""

from __future__ import annotations

from dataclasses import dataclass

from companion.board.track import Hole, Track, ZoneKind
from companion.errors import RuleError
from companion.lights.scene.path import way
from companion.rules.game import Event, Kind, Peg, State, decide

_ZONE_KINDS = {
    Kind.SLID: ZoneKind.RED_SLIDE,
    Kind.TRAPPED: ZoneKind.TIME_TRAP,
    Kind.ADVANCED: ZoneKind.GREEN_ADVANCE,
    Kind.FOLDED: ZoneKind.PENALTY_BOX,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ghost:
    """A count of one team that has not been made.

    `way` are the holes it walks, `landing` where it ends, `kind` the zone that acts there, if any.
    `route` are the holes along which the zone would send the peg: a slide's to its second box, a
    side path to the hole where it rejoins, a penalty box's way back. `final` is where the front
    peg would stand when all is done.
    """

    team: int
    way: tuple[Hole, ...]
    landing: Hole
    kind: ZoneKind | None
    route: tuple[Hole, ...]
    final: Hole


def ghost(state: State, team: int, points: int) -> Ghost | None:
    """The ghost of a pending count; None where the rules would refuse the count."""
    try:
        count, *rest = decide(state, Peg(team=team, points=points))
    except RuleError:
        return None
    own = [event for event in rest if event.team == team]
    track, side = state.setup.track, state.side(team)
    walked = way(track, count, landed=side.landed)
    landing = walked[-1] if walked else side.front
    ends = [event.to for event in own if event.to is not None]
    return Ghost(
        team=team,
        way=walked,
        landing=landing,
        kind=next((_ZONE_KINDS[event.kind] for event in own if event.kind in _ZONE_KINDS), None),
        route=tuple(hole for event in own for hole in _sent(track, event)),
        final=ends[-1] if ends else landing,
    )


def _sent(track: Track, event: Event) -> tuple[Hole, ...]:
    """The holes that one consequence leads through, those of the next count's side path too."""
    zone = track.zone_at(event.to) if event.to is not None else None
    if zone and event.kind in (Kind.TRAPPED, Kind.ADVANCED):
        return (*zone.path, min(zone.rejoin, track.finish))
    return way(track, event, landed=False)
