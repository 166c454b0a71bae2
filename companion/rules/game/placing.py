"""Placing pegs by hand, for a game that was begun without lights: no count, no landing."""

from companion.board.track import Hole, Track, ZoneKind
from companion.errors import Message, RuleError, joined
from companion.rules.game.commands import SetPegs
from companion.rules.game.events import Event, Kind
from companion.rules.game.turn import AWARD, MOST_POINTS, Turn


def place(turn: Turn, command: SetPegs) -> None:
    """Put both pegs of a side where the command says.

    A back peg may be ahead of the front peg only where a trap or a box can leave it so.
    """
    team, front, back = command.team, command.front, command.back
    track = turn.state.setup.track
    turn.refuse_boxed(team)
    for hole in (front, back):
        if not track.has(hole):
            paths = joined(
                "",
                (
                    Message(", {first} to {last}", zone.path[0], zone.path[-1])
                    for zone in track.zones
                    if zone.path
                ),
            )
            raise RuleError(
                "no hole {hole} here: there are 0 to {finish}{paths}",
                hole,
                track.finish,
                paths,
                rule="G3",
            )
    if front == track.finish:
        raise RuleError(
            "{team} would stand on the finish, {front}: enter the count that wins",
            front,
            rule="G2",
            team=team,
        )
    if track.progress(back) > track.progress(front) and front not in _ends(track, back):
        raise RuleError(
            "the back peg of {team} on {back} is ahead of its front peg on {front}: swap them",
            back,
            front,
            rule="G1",
            team=team,
        )
    turn.put(Event(kind=Kind.PLACED, team=team, origin=back, to=front, rule="G1"))


def _ends(track: Track, back: Hole) -> set[Hole]:
    """Return the holes on which one count from a hole can leave a peg, all zones included."""
    holes = {*track.walk(back, MOST_POINTS), *track.walk(back, MOST_POINTS, landed=True)}
    for hole in tuple(holes):
        zone = track.zone_at(hole)
        if zone and zone.kind is ZoneKind.PENALTY_BOX:
            holes.add(max(0, int(hole) - AWARD))
        if zone and zone.to:
            holes.add(zone.to[zone.box.index(int(hole))])
    return holes
