"""The sheet as PDF: one page at its true size, or tiles to print at home and glue together.

The PDF of tiles contains the sheet once, as a form (a shared drawing); each page shows part of it.
A seam is the line between two tiles: page C2, for example, shows tile C2 and 5 mm past each seam.
Ticks mark both ends of a seam. The pages on both sides of a seam have the same circles on it, which
show how to glue them; a circle is moved along the seam if it would cover a hole or a lamp. A ruler
is 100 mm long on paper if the printer does not change the scale, or if the kit corrects the change.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final
from xml.etree.ElementTree import Element

from fontTools.pens.reportLabPen import ReportLabPen
from fontTools.svgLib.path import parse_path
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfdoc import PDFResourceDictionary
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, FILL_NON_ZERO, Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from companion.board.drawing.board_drawing import draw
from companion.board.drawing.finish import SheetStyle
from companion.board.drawing.outlines import outlined_tree
from companion.board.layout import Board
from companion.commentary import Phrases
from companion.errors import Text, joined, plural
from companion.kit.cards import new_document, pdf_of
from companion.kit.tiling import MARGIN_MM, OVERLAP_MM, Point, Tile, Tiling, points

RULER_MM: Final = 100.0
"""Length of the rulers on every page of the tiles."""

BLEED_MM: Final = 3.0
"""Width of the background printed beyond the sheet, for a cut that is a little off."""
SLUG_MM: Final = 10.0
"""Border of the print shop's page, for the crop marks."""

_FORM = "sheet"
_FONT, _BOLD = "Helvetica", "Helvetica-Bold"
_TYPE_MM = 2.6
_HAIRLINE_MM = 0.1
_RULER_FROM_MM, _RULER_BASE_MM = 20.0, 7.0
_TICKS_MM = {10: 3.0, 5: 2.0, 1: 1.2}
_MARK_MM = 2.0
_MARK_CLEARANCE_MM = 5.0
_CAPS: Final = {"butt": 0, "round": 1, "square": 2}
_JOINS: Final = {"miter": 0, "round": 1, "bevel": 2}
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
_NEIGHBOURS: Final[Sequence[tuple[Callable[[str], Text], int, int]]] = (
    (lambda tile: Text("left {tile}", tile=tile), 0, -1),
    (lambda tile: Text("right {tile}", tile=tile), 0, 1),
    (lambda tile: Text("above {tile}", tile=tile), -1, 0),
    (lambda tile: Text("below {tile}", tile=tile), 1, 0),
)
"""Side on which each neighbour lies, with its distance in rows and columns."""
_COVER_TEXT = (
    Text("1. Print this page first, at 100 % (no fitting to the page), and measure both rulers."),
    Text(
        "2. If they are not 100 mm long, make the kit again with --measured X,Y, such as 99.2,99.6."
    ),
    Text(
        "3. Print the other pages. Cut each along its left and its upper seam, from tick to tick."
    ),
    Text("4. Glue each page on the flaps of its left and upper neighbours, circle upon circle."),
)


def sheet_pdf(board: Board, style: SheetStyle) -> bytes:
    """Return the sheet on one page of its own size."""
    canvas = new_document(board.title, (board.width_mm, board.height_mm))
    draw_svg(canvas, draw(board, style), board.height_mm)
    return pdf_of(canvas)


def print_shop_pdf(board: Board, style: SheetStyle) -> bytes:
    """Return the sheet with bleed and crop marks, on a page that is larger by `SLUG_MM` all round.

    The boxes of the PDF page say where to trim it, and how far the background reaches.
    """
    width, height = board.width_mm, board.height_mm
    canvas = new_document(board.title, (width + 2 * SLUG_MM, height + 2 * SLUG_MM))
    for reach, set_box in ((0.0, canvas.setTrimBox), (BLEED_MM, canvas.setBleedBox)):
        near = SLUG_MM - reach
        far = (SLUG_MM + width + reach, SLUG_MM + height + reach)
        set_box((near * mm, near * mm, far[0] * mm, far[1] * mm))
    canvas.translate(SLUG_MM * mm, SLUG_MM * mm)
    draw_svg(canvas, draw(board, replace(style, bleed_mm=BLEED_MM)), height)
    _draw_crop_marks(canvas, width, height)
    return pdf_of(canvas)


def tiles_pdf(board: Board, tiling: Tiling, style: SheetStyle, phrases: Phrases) -> bytes:
    """Return a cover with the whole layout, then a page for each tile."""
    canvas = new_document(board.title, tiling.page_mm)
    _add_form(canvas, board, style)
    _draw_cover(canvas, board, tiling, phrases)
    for tile in tiling.tiles:
        _draw_tile(canvas, board, tiling, tile)
        _draw_label(canvas, tiling, phrases.message(_label(board, tiling, tile)))
        canvas.showPage()
    return pdf_of(canvas)


def _draw_crop_marks(canvas: Canvas, width: float, height: float) -> None:
    """Draw two lines beyond the bleed at each corner of the sheet."""
    canvas.setLineWidth(_HAIRLINE_MM * mm)
    canvas.setStrokeGray(0)
    for x, out in ((0.0, -1), (width, 1)):
        for y, up in ((0.0, -1), (height, 1)):
            near, far = BLEED_MM + 1, SLUG_MM - 1
            _line(canvas, x + out * near, y, x + out * far, y)
            _line(canvas, x, y + up * near, x, y + up * far)


def _add_form(canvas: Canvas, board: Board, style: SheetStyle) -> None:
    """Draw the sheet once, for all pages that show a part of it."""
    # Without the sheet's size here, the form would be clipped to the page. The library lists levels
    # of transparency only for pages: without a list of its own, the form would be opaque.
    canvas.beginForm(_FORM, 0, 0, board.width_mm * mm, board.height_mm * mm)
    draw_svg(canvas, draw(board, style), board.height_mm)
    resources = PDFResourceDictionary()
    resources.basicFonts()
    resources.allProcs()
    resources.ExtGState = canvas._extgstate.getState()  # noqa: SLF001
    canvas.endForm(Resources=resources)


# The cover


def _draw_cover(canvas: Canvas, board: Board, tiling: Tiling, phrases: Phrases) -> None:
    width, height = tiling.page_mm
    left, below = MARGIN_MM + 8, MARGIN_MM + 8
    room = (width - left - MARGIN_MM, height - below - MARGIN_MM - 40)
    shrink = min(room[0] / board.width_mm, room[1] / board.height_mm)
    title = phrases.message(
        plural(len(tiling.tiles), "{board}: {n} page", "{board}: {n} pages", board=board.title)
    )
    _write(canvas, title, left, height - 22, size=6, bold=True)
    for number, line in enumerate(_COVER_TEXT):
        _write(canvas, phrases.message(line), left, height - 30 - 4.5 * number)
    canvas.saveState()
    canvas.translate(left * mm, below * mm)
    canvas.scale(shrink, shrink)
    canvas.doForm(_FORM)
    for tile in tiling.tiles:
        _draw_tile_on_cover(canvas, tile, shrink)
    canvas.restoreState()
    _draw_rulers(canvas, tiling)
    canvas.showPage()


def _draw_tile_on_cover(canvas: Canvas, tile: Tile, shrink: float) -> None:
    canvas.setStrokeColorRGB(1, 1, 1)
    canvas.setLineWidth(0.5 * mm / shrink)
    size = (tile.right - tile.left, tile.top - tile.bottom)
    canvas.rect(tile.left * mm, tile.bottom * mm, size[0] * mm, size[1] * mm)
    canvas.setFillColorRGB(1, 1, 1)
    canvas.setFont(_BOLD, 7 * mm / shrink)
    middle = ((tile.left + tile.right) / 2, (tile.bottom + tile.top) / 2)
    canvas.drawCentredString(middle[0] * mm, middle[1] * mm, tile.label)


# A tile


def _draw_tile(canvas: Canvas, board: Board, tiling: Tiling, tile: Tile) -> None:
    window, corner = tiling.window(tile), tiling.corner(tile)
    canvas.saveState()
    canvas.scale(*tiling.scale)
    canvas.translate(-corner.x * mm, -corner.y * mm)
    clip = canvas.beginPath()
    size = (window.right - window.left, window.top - window.bottom)
    clip.rect(window.left * mm, window.bottom * mm, size[0] * mm, size[1] * mm)
    canvas.saveState()
    canvas.clipPath(clip, stroke=0, fill=0)
    canvas.doForm(_FORM)
    canvas.restoreState()
    _draw_seams(canvas, board, tiling, tile)
    canvas.restoreState()
    _draw_rulers(canvas, tiling)


def _draw_seams(canvas: Canvas, board: Board, tiling: Tiling, tile: Tile) -> None:
    """Draw a tick at both ends of each seam, and the circles that two pages share."""
    window = tiling.window(tile)
    canvas.setLineWidth(_HAIRLINE_MM * mm)
    canvas.setStrokeColorRGB(0, 0, 0)
    across = [x for x in (tile.left, tile.right) if x not in _edges(tiling.columns)]
    along = [y for y in (tile.bottom, tile.top) if y not in _edges(tiling.rows)]
    for x in across:
        _line(canvas, x, window.top + 1, x, window.top + 5)
        _line(canvas, x, window.bottom - 1, x, window.bottom - 5)
    for y in along:
        _line(canvas, window.right + 1, y, window.right + 5, y)
        _line(canvas, window.left - 1, y, window.left - 5, y)
    places = points(board)
    for x, share in product(across, (0.2, 0.8)):
        y = tile.bottom + share * (tile.top - tile.bottom)
        _draw_mark(canvas, _free_place(places, Point(x, y), Point(0, 1)))
    for y, share in product(along, (0.2, 0.8)):
        x = tile.left + share * (tile.right - tile.left)
        _draw_mark(canvas, _free_place(places, Point(x, y), Point(1, 0)))


def _edges(seams: tuple[float, ...]) -> tuple[float, float]:
    return seams[0], seams[-1]


def _free_place(places: list[Point], wanted: Point, along: Point) -> Point:
    """Return the place on a seam that is clear of holes and lamps and nearest to `wanted`.

    If no place within 15 mm is clear, return `wanted`.
    """
    for step in range(31):
        shift = (step + 1) // 2 * (-1) ** step
        at = Point(wanted.x + shift * along.x, wanted.y + shift * along.y)
        if all(max(abs(x - at.x), abs(y - at.y)) > _MARK_CLEARANCE_MM for x, y in places):
            return at
    return wanted


def _draw_mark(canvas: Canvas, at: Point) -> None:
    """Draw a cross in a circle, black on white, because the print may be dark or light."""
    for grey, width in ((1, 0.5), (0, _HAIRLINE_MM)):
        canvas.setStrokeGray(grey)
        canvas.setLineWidth(width * mm)
        canvas.circle(at.x * mm, at.y * mm, _MARK_MM * mm)
        _line(canvas, at.x - 1.5 * _MARK_MM, at.y, at.x + 1.5 * _MARK_MM, at.y)
        _line(canvas, at.x, at.y - 1.5 * _MARK_MM, at.x, at.y + 1.5 * _MARK_MM)


def _draw_rulers(canvas: Canvas, tiling: Tiling) -> None:
    """Draw a ruler to the right and a ruler upwards, in the lower left of the border."""
    x, y = tiling.scale
    room = (RULER_MM + 20, MARGIN_MM - 1)
    start, base = _RULER_FROM_MM, _RULER_BASE_MM
    if not tiling.margin:  # the print lies under the rulers
        canvas.setFillGray(1)
        canvas.rect((start - 2) * mm, 0, room[0] * x * mm, room[1] * mm, stroke=0, fill=1)
        canvas.rect(0, (start - 2) * mm, room[1] * mm, room[0] * y * mm, stroke=0, fill=1)
    canvas.setStrokeGray(0)
    canvas.setLineWidth(_HAIRLINE_MM * mm)
    _line(canvas, start, base, start + RULER_MM * x, base)
    _line(canvas, base, start, base, start + RULER_MM * y)
    for step in range(int(RULER_MM) + 1):
        tick = next(length for every, length in _TICKS_MM.items() if step % every == 0)
        _line(canvas, start + step * x, base, start + step * x, base + tick)
        _line(canvas, base, start + step * y, base + tick, start + step * y)
    _write(canvas, "100 mm", start + RULER_MM * x + 4, base)
    _write(canvas, "100 mm", base + 3, start + RULER_MM * y + 4, turned=True)


def _label(board: Board, tiling: Tiling, tile: Tile) -> Text:
    named = {(other.row, other.column): other.label for other in tiling.tiles}
    neighbours = [
        side(named[place])
        for side, down, right in _NEIGHBOURS
        if (place := (tile.row + down, tile.column + right)) in named
    ]
    name = Text(
        "{board}: {tile} of {pages} pages", board=board.title, tile=tile.label, pages=len(named)
    )
    if not neighbours:
        return name
    flap = Text("overlap {width} mm, seam in its middle", width=f"{OVERLAP_MM:g}")
    return Text(
        "{name}; {neighbours}; {flap}", name=name, neighbours=joined(", ", neighbours), flap=flap
    )


def _draw_label(canvas: Canvas, tiling: Tiling, text: str) -> None:
    height = tiling.page_mm[1]
    if not tiling.margin:
        canvas.setFillGray(1)
        canvas.rect(MARGIN_MM * mm, (height - 8) * mm, 90 * mm, 5 * mm, stroke=0, fill=1)
    _write(canvas, text, MARGIN_MM + 1, height - 7)


def _write(
    canvas: Canvas,
    text: str,
    x: float,
    y: float,
    *,
    size: float = _TYPE_MM,
    bold: bool = False,
    turned: bool = False,
) -> None:
    canvas.saveState()
    canvas.translate(x * mm, y * mm)
    if turned:
        canvas.rotate(90)
    canvas.setFillGray(0)
    canvas.setFont(_BOLD if bold else _FONT, size * mm)
    canvas.drawString(0, 0, text)
    canvas.restoreState()


def _line(canvas: Canvas, x1: float, y1: float, x2: float, y2: float) -> None:
    canvas.line(x1 * mm, y1 * mm, x2 * mm, y2 * mm)


# Drawings


def draw_svg(canvas: Canvas, svg: str, height_mm: float) -> None:
    """Draw an SVG document of millimetres with its lower left corner at the canvas's origin.

    It knows only the elements of the drawings of `companion.board.drawing`: groups, rectangles,
    circles and paths. Letters are drawn as paths too, so that no printer needs the typefaces.
    """
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
