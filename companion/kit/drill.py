"""Templates for drilling and cutting the plates of a board, as DXF R12 and as SVG.

A layer is an operation: `holes` and `lamps` are drilled, `sheet` is cut. A window is an opening for
the light of a hole or lamp. Windows do not overlap. A plate without windows has only its outline.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from companion.board.drawing.board_drawing import LAMP_RING_MM
from companion.board.drawing.curves import HOLE_MM
from companion.board.drawing.svg import circle, rect, sheet, tag
from companion.board.layout import Board

_LAYERS: Final = {"sheet": (7, "#000000"), "holes": (5, "#0000ff"), "lamps": (1, "#ff0000")}
"""Colour of each layer: its number in DXF, and its code in SVG."""
_HAIRLINE_MM = 0.05
_MILLIMETRES = 4


class DrilledWindow(NamedTuple):
    """Round window: its layer, its centre on the sheet (x to the right, y down) and its radius."""

    layer: str
    x: float
    y: float
    radius: float


def windows(board: Board) -> list[DrilledWindow]:
    """Return the windows of all holes, row by row, and then the windows of all lamps."""
    holes = (
        DrilledWindow("holes", x, y, HOLE_MM) for row in board.rows for _, x, y in row.places()
    )
    lamps = (DrilledWindow("lamps", lamp.x_mm, lamp.y_mm, LAMP_RING_MM) for lamp in board.lamps)
    return [*holes, *lamps]


def plate_svg(board: Board, drilled: Iterable[DrilledWindow]) -> str:
    """Return a plate with these windows as SVG of the sheet's size."""
    width, height = board.width_mm, board.height_mm
    groups = {"sheet": [rect(0, complex(width, height))]}
    for layer, x, y, radius in drilled:
        groups.setdefault(layer, []).append(circle(complex(x, y), radius))
    return sheet(
        width,
        height,
        *(tag("g", *parts, id=name, stroke=_LAYERS[name][1]) for name, parts in groups.items()),
        fill="none",
        stroke_width=_HAIRLINE_MM,
    )


def plate_dxf(board: Board, drilled: Iterable[DrilledWindow]) -> str:
    """Return a plate with these windows as DXF R12, in mm from its lower left corner, y up."""
    width, height = board.width_mm, board.height_mm
    circles = chain.from_iterable(
        _entity("CIRCLE", layer, (10, x), (20, height - y), (30, 0.0), (40, radius))
        for layer, x, y, radius in drilled
    )
    pairs = chain(
        _section("HEADER", _header(width, height)),
        _section("TABLES", _tables()),
        _section("ENTITIES", chain(_outline(width, height), circles)),
        [(0, "EOF")],
    )
    return "".join(f"{code}\n{_text(value)}\n" for code, value in pairs)


_Pair = tuple[int, str | int | float]


def _section(name: str, pairs: Iterable[_Pair]) -> Iterator[_Pair]:
    yield from ((0, "SECTION"), (2, name))
    yield from pairs
    yield (0, "ENDSEC")


def _header(width: float, height: float) -> Iterator[_Pair]:
    yield from ((9, "$ACADVER"), (1, "AC1009"))
    yield from ((9, "$INSUNITS"), (70, _MILLIMETRES))
    yield from ((9, "$EXTMIN"), (10, 0.0), (20, 0.0), (30, 0.0))
    yield from ((9, "$EXTMAX"), (10, width), (20, height), (30, 0.0))


def _tables() -> Iterator[_Pair]:
    yield from ((0, "TABLE"), (2, "LTYPE"), (70, 1), (0, "LTYPE"), (2, "CONTINUOUS"), (70, 0))
    yield from ((3, "Solid line"), (72, 65), (73, 0), (40, 0.0), (0, "ENDTAB"))
    yield from ((0, "TABLE"), (2, "LAYER"), (70, len(_LAYERS) + 1))
    for name, colour in [("0", 7), *((name, both[0]) for name, both in _LAYERS.items())]:
        yield from ((0, "LAYER"), (2, name), (70, 0), (62, colour), (6, "CONTINUOUS"))
    yield (0, "ENDTAB")


def _outline(width: float, height: float) -> Iterator[_Pair]:
    closed, vertices_follow = (70, 1), (66, 1)
    yield from _entity(
        "POLYLINE", "sheet", vertices_follow, (10, 0.0), (20, 0.0), (30, 0.0), closed
    )
    for x, y in ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)):
        yield from _entity("VERTEX", "sheet", (10, x), (20, y), (30, 0.0))
    yield from _entity("SEQEND", "sheet")


def _entity(kind: str, layer: str, *pairs: _Pair) -> Iterator[_Pair]:
    yield from ((0, kind), (8, layer), *pairs)


def _text(value: str | float) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)
