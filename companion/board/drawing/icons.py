"""Icons of the zones and marks of the sides: steps of a path in a square of two units, y down."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from companion.board.drawing.svg import tag, way
from companion.board.track import ZoneKind

_Shape: TypeAlias = tuple[str | complex, ...]

# fmt: off
_TWO_ARROWS: Final[_Shape] = (
    "M", -0.9 - 0.8j, "L", -0.45 - 0.8j, 0.1 + 0j, -0.45 + 0.8j, -0.9 + 0.8j, -0.35 + 0j, "Z",
    "M", -0.05 - 0.8j, "L", 0.4 - 0.8j, 0.95 + 0j, 0.4 + 0.8j, -0.05 + 0.8j, 0.5 + 0j, "Z",
)
_HOURGLASS: Final[_Shape] = (
    "M", -0.75 - 1j, "L", 0.75 - 1j, 0.75 - 0.75j, 0.6 - 0.75j,
    "C", 0.6 - 0.3j, 0.2 - 0.15j, 0.14 + 0j, 0.2 + 0.15j, 0.6 + 0.3j, 0.6 + 0.75j,
    "L", 0.75 + 0.75j, 0.75 + 1j, -0.75 + 1j, -0.75 + 0.75j, -0.6 + 0.75j,
    "C", -0.6 + 0.3j, -0.2 + 0.15j, -0.14 + 0j, -0.2 - 0.15j, -0.6 - 0.3j, -0.6 - 0.75j,
    "L", -0.75 - 0.75j, "Z",
    "M", -0.4 - 0.75j, "C", -0.4 - 0.55j, -0.3 - 0.45j, -0.22 - 0.38j,
    "L", 0.22 - 0.38j, "C", 0.3 - 0.45j, 0.4 - 0.55j, 0.4 - 0.75j, "Z",
)
_ROCKET: Final[_Shape] = (
    "M", -1j, "C", 0.45 - 0.7j, 0.5 - 0.1j, 0.42 + 0.3j,
    "L", 0.8 + 0.65j, 0.8 + 0.95j, 0.3 + 0.7j, 0.95j, -0.3 + 0.7j, -0.8 + 0.95j, -0.8 + 0.65j,
    -0.42 + 0.3j, "C", -0.5 - 0.1j, -0.45 - 0.7j, -1j, "Z",
    "M", -0.4j, "L", 0.17 - 0.2j, 0j, -0.17 - 0.2j, "Z",
)
_PADLOCK: Final[_Shape] = (
    "M", -0.8 - 0.1j, "L", -0.55 - 0.1j, -0.55 - 0.4j,
    "C", -0.55 - 1.2j, 0.55 - 1.2j, 0.55 - 0.4j, "L", 0.55 - 0.1j, 0.8 - 0.1j, 0.8 + 1j, -0.8 + 1j,
    "Z", "M", -0.28 - 0.1j, "L", 0.28 - 0.1j, 0.28 - 0.4j,
    "C", 0.28 - 0.83j, -0.28 - 0.83j, -0.28 - 0.4j, "Z",
    "M", -0.13 + 0.3j, "L", 0.13 + 0.3j, 0.13 + 0.65j, -0.13 + 0.65j, "Z",
)
_SPADE: Final[_Shape] = (
    "M", -1j, "C", 0.3 - 0.55j, 0.9 - 0.3j, 0.9 + 0.2j, 0.9 + 0.65j, 0.35 + 0.7j, 0.13 + 0.42j,
    "L", 0.3 + 0.95j, -0.3 + 0.95j, -0.13 + 0.42j,
    "C", -0.35 + 0.7j, -0.9 + 0.65j, -0.9 + 0.2j, -0.9 - 0.3j, -0.3 - 0.55j, -1j, "Z",
)
_DIAMOND: Final[_Shape] = ("M", -1j, "L", 0.72 + 0j, 1j, -0.72 + 0j, "Z")
_CLUB: Final[_Shape] = (
    "M", -0.13 + 0.25j, "C", -0.3 + 0.6j, -0.95 + 0.5j, -0.95 + 0.05j,
    -0.95 - 0.3j, -0.6 - 0.42j, -0.38 - 0.32j, -0.75 - 1.2j, 0.75 - 1.2j, 0.38 - 0.32j,
    0.6 - 0.42j, 0.95 - 0.3j, 0.95 + 0.05j, 0.95 + 0.5j, 0.3 + 0.6j, 0.13 + 0.25j,
    "L", 0.3 + 0.95j, -0.3 + 0.95j, "Z",
)
# fmt: on

_ICONS: Final[Mapping[ZoneKind, _Shape]] = {
    ZoneKind.RED_SLIDE: _TWO_ARROWS,
    ZoneKind.TIME_TRAP: _HOURGLASS,
    ZoneKind.GREEN_ADVANCE: _ROCKET,
    ZoneKind.PENALTY_BOX: _PADLOCK,
}
_MARKS: Final = (_SPADE, _DIAMOND, _CLUB)


def icon(kind: ZoneKind, middle: complex, half: float, ink: str) -> str:
    """Draw the icon of a kind of zone, `half` millimetres from its middle to its edge."""
    return _draw(_ICONS[kind], middle, half, class_="icon", fill=ink)


def lane_mark(lane: int, middle: complex, half: float, ink: str) -> str:
    """Draw the mark of a lane's side, told apart without its colour."""
    return _draw(_MARKS[lane - 1], middle, half, class_="lane-mark", fill=ink)


def _draw(shape: _Shape, middle: complex, half: float, **attributes: str) -> str:
    steps = (step if isinstance(step, str) else middle + half * step for step in shape)
    return tag("path", d=way(*steps), fill_rule="evenodd", stroke="none", **attributes)
