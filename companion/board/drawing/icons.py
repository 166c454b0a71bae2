"""Icons of the zones, and the marks of the sides: a spade, a diamond and a club."""

from typing import Final

from companion.board.drawing.svg import tag, way
from companion.board.zone_kinds import Shape, ZoneKind

# fmt: off
_SPADE: Final[Shape] = (
    "M", -1j, "C", 0.3 - 0.55j, 0.9 - 0.3j, 0.9 + 0.2j, 0.9 + 0.65j, 0.35 + 0.7j, 0.13 + 0.42j,
    "L", 0.3 + 0.95j, -0.3 + 0.95j, -0.13 + 0.42j,
    "C", -0.35 + 0.7j, -0.9 + 0.65j, -0.9 + 0.2j, -0.9 - 0.3j, -0.3 - 0.55j, -1j, "Z",
)
_DIAMOND: Final[Shape] = ("M", -1j, "L", 0.72 + 0j, 1j, -0.72 + 0j, "Z")
_CLUB: Final[Shape] = (
    "M", -0.13 + 0.25j, "C", -0.3 + 0.6j, -0.95 + 0.5j, -0.95 + 0.05j,
    -0.95 - 0.3j, -0.6 - 0.42j, -0.38 - 0.32j, -0.75 - 1.2j, 0.75 - 1.2j, 0.38 - 0.32j,
    0.6 - 0.42j, 0.95 - 0.3j, 0.95 + 0.05j, 0.95 + 0.5j, 0.3 + 0.6j, 0.13 + 0.25j,
    "L", 0.3 + 0.95j, -0.3 + 0.95j, "Z",
)
# fmt: on

_MARKS: Final = (_SPADE, _DIAMOND, _CLUB)


def icon(kind: ZoneKind, middle: complex, half: float, ink: str) -> str:
    """Draw the icon of a kind of zone, `half` millimetres from its middle to its edge."""
    return _draw(kind.facts.icon, middle, half, class_="icon", fill=ink)


def lane_mark(lane: int, middle: complex, half: float, ink: str) -> str:
    """Draw the suit that marks a lane, so that sides can be told apart without colour."""
    return _draw(_MARKS[lane - 1], middle, half, class_="lane-mark", fill=ink)


def _draw(shape: Shape, middle: complex, half: float, **attributes: str) -> str:
    steps = (step if isinstance(step, str) else middle + half * step for step in shape)
    return tag("path", d=way(*steps), fill_rule="evenodd", stroke="none", **attributes)
