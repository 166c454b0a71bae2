"""Ghost: preview of a pending count, made from the events that the count would cause."""

from dataclasses import dataclass

from companion.board import Hole, Track, ZoneKind
from companion.errors import RuleError
from companion.lights.scene.motion import route_after
from companion.rules.game import Event, Peg, State, decide, first_landing


@dataclass(frozen=True, slots=True, kw_only=True)
class Ghost:
    """Preview of a count that is not entered yet.

    Attributes:
        walked: the holes that the peg walks, up to the finish.
        landing: the hole where the peg lands; its present hole if the rules forfeit the count.
        kind: the kind of the zone that acts on the landing hole, or None.
        route: the holes along which that zone sends the peg.
        beyond: holes 1, 2 and so on, one for each point that is left over at the finish.
    """

    walked: tuple[Hole, ...]
    landing: Hole
    kind: ZoneKind | None
    route: tuple[Hole, ...]
    beyond: tuple[Hole, ...] = ()

    @property
    def trail(self) -> tuple[Hole, ...]:
        return (*self.walked, *self.beyond)


def ghost(state: State, side: int, points: int) -> Ghost | None:
    """Return the ghost of a pending count, or None if the rules would refuse the count."""
    try:
        count, *rest = decide(state, Peg(side=side, points=points))
    except RuleError:
        return None
    own = [event for event in rest if event.side == side]
    track, pegs = state.setup.track, state.pegs(side)
    walked = track.walk(pegs.front, points, landed=pegs.landed)
    return Ghost(
        walked=walked,
        beyond=tuple(range(1, points - len(walked) + 1)),
        landing=pegs.front if count.to is None else count.to,
        kind=first_landing(rest, side),
        route=tuple(hole for event in own for hole in _route(track, event)),
    )


def _route(track: Track, event: Event) -> tuple[Hole, ...]:
    """Return the holes along which an event sends a peg now, or the side path of its next count."""
    zone = track.zone_at(event.to) if event.to is not None else None
    if zone and zone.diverts and event.kind.facts.zone is zone.kind:
        return (*zone.path, min(zone.rejoin, track.finish))
    return route_after(track, event, landed=False)
