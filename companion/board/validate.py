"""Checks of a track: zones do not overlap, and a peg can reach the finish from every hole."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from companion.board.layout import MOST_POINTS, Hole, Track, Zone
from companion.board.manufacturing import BoardFault
from companion.errors import Text

_Place: TypeAlias = tuple[Hole, bool]
"""Place of a peg: its hole, and True if its next count enters a side path."""

_COUNTS = tuple(sorted(set(range(1, MOST_POINTS + 1)) - {19, 25, 26, 27}))  # rule S5 has no others


def zone_faults(zones: Iterable[Zone], finish: int) -> Iterator[BoardFault]:
    """Yield faults of each zone, and of zones that share a hole (rules Z1 to Z5)."""
    owner: dict[int, str] = {}
    for zone in zones:
        yield from _box_faults(zone, finish)
        yield from _path_faults(zone, finish)
        for key, holes in ((_key(zone, "first"), zone.box), (_key(zone, "to"), zone.to)):
            taken = [hole for hole in holes if hole in owner]
            if taken:
                problem = Text(
                    "hole {taken} belongs to {owner} too", taken=taken[0], owner=owner[taken[0]]
                )
                yield BoardFault(key, problem, Text("move one of them"))
            owner.update(dict.fromkeys(holes, f"zone[{zone.id}]"))


def track_faults(track: Track) -> Iterator[BoardFault]:
    """Yield a fault for each box in which no count ends, and one if a peg can get stuck."""
    after, reached = _reachable(track)
    for zone in track.zones:
        if reached.isdisjoint(zone.box):
            problem = Text("no count can end on this box")
            yield BoardFault(_key(zone, "first"), problem, Text("move the zones before it"))
    stuck = set(after)
    leading: set[_Place] = {(track.finish, False)}
    while leading:
        leading = {place for place in stuck if not leading.isdisjoint(after[place])}
        stuck -= leading
    if stuck:
        hole, _ = min(stuck, key=lambda place: (track.progress(place[0]), place[1]))
        problem = Text("from hole {hole} no counts lead on to the finish", hole=hole)
        yield BoardFault("zone", problem, Text("leave holes free between the boxes"))


def _box_faults(zone: Zone, finish: int) -> Iterator[BoardFault]:
    remedy = Text("let it end before the finish, {finish}", finish=finish)
    if zone.box[-1] >= finish:
        yield BoardFault(
            _key(zone, "first"), Text("the box reaches hole {box}", box=zone.box[-1]), remedy
        )
    if zone.to and zone.to[-1] >= finish:
        yield BoardFault(
            _key(zone, "to"), Text("the second box reaches hole {to}", to=zone.to[-1]), remedy
        )


def _path_faults(zone: Zone, finish: int) -> Iterator[BoardFault]:
    if not zone.diverts:
        return
    key, first = _key(zone, "rejoin"), zone.box[0]
    if zone.rejoin > finish:
        problem = Text("{rejoin} lies beyond the finish", rejoin=zone.rejoin)
        yield BoardFault(key, problem, Text("give a hole up to {finish}", finish=finish))
    leads = zone.kind.facts.path_leads
    if leads == "back" and zone.rejoin >= first:
        problem = Text("a trap leads back, but hole {rejoin} lies ahead", rejoin=zone.rejoin)
        yield BoardFault(key, problem, Text("give a hole before {first}", first=first))
    along_the_track = zone.box[-1] + len(zone.path) + 1
    if leads == "on" and zone.rejoin <= along_the_track:
        problem = Text("the path to {rejoin} is no short cut", rejoin=zone.rejoin)
        text = "rejoin beyond {last}, or make the path shorter"
        yield BoardFault(key, problem, Text(text, last=along_the_track))


def _key(zone: Zone, key: str) -> str:
    return f"zone[{zone.id}].{key}"


def _reachable(track: Track) -> tuple[dict[_Place, set[_Place]], set[Hole]]:
    """Return the places that a count reaches from each place, and all holes where counts end."""
    after: dict[_Place, set[_Place]] = {}
    reached: set[Hole] = set()
    waiting: list[_Place] = [(0, False)]
    while waiting:
        place = waiting.pop()
        if place in after or place[0] == track.finish:
            continue
        way = track.walk(place[0], MOST_POINTS, landed=place[1])
        ends = {way[min(points, len(way)) - 1] for points in _COUNTS}
        after[place] = {_settled(track, end) for end in ends}
        reached |= ends
        waiting.extend(after[place])
    return after, reached


def _settled(track: Track, end: Hole) -> _Place:
    """Return the place of a peg after a count to `end` in a game of two sides (Z2 to Z6)."""
    zone = track.zone_at(end)
    if zone is None or zone.diverts:
        return end, zone is not None
    return zone.after(int(end), track.finish), False
