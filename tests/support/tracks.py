"""Tracks for tests: the default board, a small crowded one, and an ordinary one."""

from companion.board import Track, Zone, ZoneKind


def slide(name: str, box: int, to: int, *, size: int = 3) -> Zone:
    """Return a red slide from `size` holes to holes further on (Z2)."""
    return Zone(
        id=name,
        kind=ZoneKind.RED_SLIDE,
        box=tuple(range(box, box + size)),
        to=tuple(range(to, to + size)),
    )


def trap(name: str, box: int, rejoin: int, *, size: int = 3, path: int = 6) -> Zone:
    """Return a time trap with a side path of `path` holes back to `rejoin` (Z3)."""
    return _bridge(ZoneKind.TIME_TRAP, name, range(box, box + size), rejoin, path)


def advance(name: str, box: int, rejoin: int, *, size: int = 3, path: int = 6) -> Zone:
    """Return a green advance with a side path of `path` holes on to `rejoin` (Z4)."""
    return _bridge(ZoneKind.GREEN_ADVANCE, name, range(box, box + size), rejoin, path)


def penalty_box(name: str, box: int, *, size: int = 3) -> Zone:
    """Return a penalty box of `size` holes (Z5)."""
    return Zone(id=name, kind=ZoneKind.PENALTY_BOX, box=tuple(range(box, box + size)))


def _bridge(kind: ZoneKind, name: str, box: range, rejoin: int, path: int) -> Zone:
    holes = tuple(f"{name}:{number}" for number in range(1, path + 1))
    return Zone(id=name, kind=kind, box=tuple(box), path=holes, rejoin=rejoin)


CRIB_WARS = Track(
    finish=363,
    lanes=3,
    zones=(
        penalty_box("box-1", 22),
        slide("red-1", 42, 62),
        trap("trap-1", 130, 112),
        slide("red-2", 150, 170),
        trap("trap-2", 180, 158),
        advance("green-1", 200, 236),
        penalty_box("box-2", 212),
        advance("green-2", 246, 286),
        trap("trap-3", 276, 256),
        slide("red-3", 304, 324),
        trap("trap-4", 333, 297),
        penalty_box("box-3", 346),
    ),
)
"""The zone numbers that the design starts from."""

CROWDED = Track(
    finish=140,
    lanes=3,
    zones=(
        penalty_box("box-1", 5, size=2),
        slide("red-1", 8, 12, size=2),
        trap("trap-1", 12, 3, size=3, path=2),
        penalty_box("box-2", 18, size=5),
        advance("green-1", 24, 33, size=2, path=3),
        penalty_box("box-3", 26, size=1),
        trap("trap-2", 33, 26, size=3, path=4),
        slide("red-2", 37, 45),
        penalty_box("box-4", 45),
        trap("trap-3", 48, 37, size=2, path=1),
        penalty_box("box-5", 65, size=6),
        advance("green-2", 85, 96, path=2),
        slide("red-3", 88, 118),
        trap("trap-4", 105, 88),
        penalty_box("box-6", 116, size=5),
        slide("red-4", 127, 138),
        trap("trap-5", 130, 125, path=1),
        penalty_box("box-7", 135, size=4),
    ),
)
"""Zones so close that slides, traps, awards and boxes run into each other; not a fair board."""

CLASSIC = Track(finish=121, lanes=3)
"""An ordinary cribbage board."""
