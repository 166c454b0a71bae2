"""PDF of the drawings that `companion.board.drawing` makes as SVG.

The module knows only the elements of these drawings: groups, rectangles, circles and paths of
`M L A C Q Z`. Letters are drawn as paths too, so that no printer needs the typefaces.
"""

import math
import re
from collections.abc import Mapping
from typing import Final
from xml.etree.ElementTree import Element

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, FILL_NON_ZERO, Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from companion.board.drawing.outlines import outlined_tree

_CAPS: Final = {"butt": 0, "round": 1, "square": 2}
_JOINS: Final = {"miter": 0, "round": 1, "bevel": 2}
_STEP = re.compile(r"[MLACQZ]|-?[0-9.]+")
_ARGUMENTS: Final = {"M": 2, "L": 2, "A": 7, "C": 6, "Q": 4, "Z": 0}


def draw_svg(canvas: Canvas, svg: str, height_mm: float) -> None:
    """Draw an SVG document of millimetres with its lower left corner at the canvas's origin."""
    canvas.saveState()
    canvas.translate(0, height_mm * mm)
    canvas.scale(mm, -mm)
    _draw(canvas, outlined_tree(svg), {})
    canvas.restoreState()


def _draw(canvas: Canvas, element: Element, inherited: Mapping[str, str]) -> None:
    style = {**inherited, **element.attrib}
    canvas.saveState()
    stroke, fill = _paint(canvas, style)
    match element.tag.rpartition("}")[2]:
        case "rect":
            x, y, width, height, radius = _numbers(element, "x", "y", "width", "height", "rx")
            radius = min(radius, width / 2, height / 2)
            canvas.roundRect(x, y, width, height, radius, stroke=stroke, fill=fill)
        case "circle":
            canvas.circle(*_numbers(element, "cx", "cy", "r"), stroke=stroke, fill=fill)
        case "path":
            rule = FILL_EVEN_ODD if style.get("fill-rule") == "evenodd" else FILL_NON_ZERO
            path = _path(canvas, element.get("d", ""))
            canvas.drawPath(path, stroke=stroke, fill=fill, fillMode=rule)
        case _:
            pass
    canvas.restoreState()
    for child in element:
        _draw(canvas, child, {key: style[key] for key in _INHERITED & style.keys()})


def _paint(canvas: Canvas, style: Mapping[str, str]) -> tuple[bool, bool]:
    """Set colours and lines; return whether to stroke, and whether to fill."""
    fill, stroke = style.get("fill", "#000000"), style.get("stroke", "none")
    if fill != "none":
        canvas.setFillColor(HexColor(fill), alpha=float(style.get("fill-opacity", 1)))
    if stroke != "none":
        canvas.setStrokeColor(HexColor(stroke), alpha=float(style.get("stroke-opacity", 1)))
        canvas.setLineWidth(float(style.get("stroke-width", 1)))
        canvas.setLineCap(_CAPS[style.get("stroke-linecap", "butt")])
        canvas.setLineJoin(_JOINS[style.get("stroke-linejoin", "miter")])
        canvas.setDash([float(length) for length in style.get("stroke-dasharray", "").split()])
    return stroke != "none", fill != "none"


def _numbers(element: Element, *keys: str) -> list[float]:
    return [float(element.get(key, 0)) for key in keys]


def _path(canvas: Canvas, data: str) -> PDFPathObject:
    path: PDFPathObject = canvas.beginPath()
    steps: list[str] = _STEP.findall(data)
    command, at, place = "", 0j, 0
    while place < len(steps):
        if steps[place] in _ARGUMENTS:
            command, place = steps[place], place + 1
        end = place + _ARGUMENTS[command]
        at = _step(path, command, at, [float(step) for step in steps[place:end]])
        place = end
        command = "L" if command == "M" else command
    return path


def _step(path: PDFPathObject, command: str, at: complex, numbers: list[float]) -> complex:
    if command == "Z":
        path.close()
        return at
    end = complex(*numbers[-2:])
    if command == "M":
        path.moveTo(end.real, end.imag)
    elif command == "L":
        path.lineTo(end.real, end.imag)
    elif command == "C":
        path.curveTo(*numbers)
    else:
        if command == "Q":
            pull = complex(*numbers[:2])
            one, other = at + 2 / 3 * (pull - at), end + 2 / 3 * (pull - end)
        else:
            one, other = _arc_pulls(at, end, numbers[0], clockwise=bool(numbers[4]))
        path.curveTo(one.real, one.imag, other.real, other.imag, end.real, end.imag)
    return end


def _arc_pulls(
    start: complex, end: complex, radius: float, *, clockwise: bool
) -> tuple[complex, complex]:
    """Return the two control points of a circle's arc, which is at most half a turn.

    >>> one, other = _arc_pulls(1 + 0j, 1j, 1.0, clockwise=True)
    >>> [round(one.imag, 3), round(other.real, 3)]
    [0.552, 0.552]
    """
    chord = end - start
    half = math.asin(min(1.0, abs(chord) / 2 / radius))
    pull = 4 / 3 * math.tan(half / 2) * radius
    turn = complex(math.cos(half), math.sin(half) * (-1 if clockwise else 1))
    onward = chord / abs(chord)
    return start + pull * onward * turn, end - pull * onward / turn


_INHERITED: Final = {
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
}
