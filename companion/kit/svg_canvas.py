"""PDF of the drawings that `companion.board.drawing` makes as SVG.

The module knows only the elements of these drawings: groups, rectangles, circles and paths. Letters
are drawn as paths too, so that no printer needs the typefaces.
"""

from collections.abc import Mapping
from typing import Final
from xml.etree.ElementTree import Element

from fontTools.pens.reportLabPen import ReportLabPen
from fontTools.svgLib.path import parse_path
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, FILL_NON_ZERO, Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from companion.board.drawing.outlines import outlined_tree

_CAPS: Final = {"butt": 0, "round": 1, "square": 2}
_JOINS: Final = {"miter": 0, "round": 1, "bevel": 2}


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


class _Pen(ReportLabPen):  # type: ignore[misc]  # fontTools has no types
    """Pen for a path of a PDF page. The method that closes an outline of such a path is `close`."""

    def _closePath(self) -> None:  # noqa: N802  # fontTools' name
        self.path.close()


def _path(canvas: Canvas, data: str) -> PDFPathObject:
    path: PDFPathObject = canvas.beginPath()
    parse_path(data, _Pen(None, path))
    return path


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
