"""Placing pegs by hand, for a game that was begun without lights: no count, no landing."""

from companion.errors import RuleError, Text, joined
from companion.rules.game.commands import SetPegs
from companion.rules.game.events import Event, Kind
from companion.rules.game.turn import Turn


def place(turn: Turn, command: SetPegs) -> None:
    """Put both pegs of a side where the command says, the back peg behind the front peg (G1).

    Behind is by the way that the peg goes: from a trap the side path leads to holes of smaller
    numbers. A peg that a penalty box has sent back behind its back peg is placed with both there.
    """
    side, front, back = command.side, command.front, command.back
    track = turn.state.setup.track
    turn.refuse_boxed(side)
    for hole in (front, back):
        if not track.has(hole):
            paths = joined(
                "",
                (
                    Text(", {first} to {last}", first=zone.path[0], last=zone.path[-1])
                    for zone in track.zones
                    if zone.path
                ),
            )
            raise RuleError(
                "no hole {hole} here: there are 0 to {finish}{paths}",
                hole=hole,
                finish=track.finish,
                paths=paths,
                rule="G3",
            )
    if front == track.finish:
        raise RuleError(
            "{team} would stand on the finish, {front}: enter the count that wins",
            front=front,
            rule="G2",
            side=side,
        )
    way = track.walk(back, track.finish, landed=True)
    if track.progress(back) > track.progress(front) and front not in way:
        raise RuleError(
            "the back peg of {team} on {back} is ahead of its front peg on {front}: "
            "swap them, or put both there",
            back=back,
            front=front,
            rule="G1",
            side=side,
        )
    turn.put(Event(kind=Kind.PLACED, side=side, origin=back, to=front, rule="G1"))
