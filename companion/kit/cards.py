"""Labels for buttons, lanes and the board's network, and the rules card for both of its sides.

The rules card has the sections of the rules page, for all numbers of players at once. Each side of
the card has about half of the text, in whole sections. The letters have the largest of nine sizes
at which both sides fit on A5, such as 3.6 mm in English with the usual rules.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from typing import Final

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from companion.board.drawing.finish import SheetStyle
from companion.board.drawing.lettering import CAP_EM, Face, face_data, wrap
from companion.board.layout import Board
from companion.buttons import BUTTONS
from companion.commentary import Phrases
from companion.commentary.rules_page import RulesPage, RulesSection
from companion.errors import Text
from companion.kit.tiling import PAPERS_MM
from companion.kit.wiring_drawing import WiredButton
from companion.network import HOTSPOT_ADDRESS, wifi_code
from companion.rules.game import HouseRules, Setup
from companion.settings.schema import Settings


def new_document(title: str, page_mm: tuple[float, float]) -> Canvas:
    """Return a canvas for pages of this size; `pdf_of` returns the finished document.

    The canvas can write in the typefaces of the printed board, by the names in `Face`.
    """
    _register_typefaces()
    size = (page_mm[0] * mm, page_mm[1] * mm)
    canvas = Canvas(BytesIO(), pagesize=size, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("cribwars kit")
    return canvas


def pdf_of(canvas: Canvas) -> bytes:
    """Return the document of a canvas; its last page may lack a `showPage`."""
    pdf: bytes = canvas.getpdfdata()
    return pdf


@cache
def _register_typefaces() -> None:
    for face in Face:
        registerFont(TTFont(face, BytesIO(face_data(face))))


_CAP_MM, _CAP_STEP_MM, _CAP_TYPE_MM = 16.0, 22.0, 5.4
_LANE_LABEL_MM, _LANE_TYPE_MM = (70.0, 12.0), 6.5
_CODE_MM, _CODE_STEP_MM, _CODE_TYPE_MM = 34.0, 85.0, 4.0
_EDGE_MM = 15.0
_HTTP_PORT: Final = 80
_CARD_MM: Final = (148.0, 210.0)
_CARD_EDGE_MM = 12.0
_TITLE_MM = 8.0
_SIZES_MM = (5.0, 4.6, 4.2, 3.9, 3.6, 3.3, 3.0, 2.7, 2.4)
_LEADING, _GAP, _HEADING = 1.2, 0.3, 1.9
_ROOM_MM = _CARD_MM[1] - 2 * _CARD_EDGE_MM


# Labels


def labels_pdf(
    board: Board,
    settings: Settings,
    buttons: Sequence[WiredButton],
    *,
    paper: str,
    style: SheetStyle,
    phrases: Phrases,
) -> bytes:
    """Return a PDF of button caps to be cut out, a label for each lane, and codes to be scanned.

    The codes let a phone join the board's own network and open its page there.
    """
    page = PAPERS_MM[paper]
    canvas = new_document(board.title, page)
    sides: dict[int, list[str]] = {}
    for button in buttons:
        does = BUTTONS[settings.panel.actions.get(button.name, button.name)]
        sides.setdefault(does.side, []).append(phrases.message(Text(does.action.label)))
    top = page[1] - _EDGE_MM - _CAP_MM
    for side, captions in sides.items():
        colour = style.colours[side - 1] if side else "#ffffff"
        for place, caption in enumerate(captions):
            _draw_cap(canvas, caption, colour, place, top)
        top -= _CAP_STEP_MM
    names = style.words.sides if style.words else ()
    for name, colour in zip(names, style.colours, strict=True):
        _draw_lane_label(canvas, name, colour, top)
        top -= _LANE_LABEL_MM[1] + 4
    if settings.network.hotspot:
        _draw_network_label(canvas, settings, phrases, top)
    return pdf_of(canvas)


def _draw_network_label(canvas: Canvas, settings: Settings, phrases: Phrases, top: float) -> None:
    name, password = settings.network.name, settings.network.password
    port = "" if settings.web.port == _HTTP_PORT else f":{settings.web.port}"
    page = f"http://{HOTSPOT_ADDRESS}{port}/setup"
    secret = phrases.message(Text("Password: {password}", password=password))
    labels = (
        (wifi_code(name, password), Text("The board's own network"), (name, secret)),
        (page, Text("Its page there"), (page,)),
    )
    canvas.setFillGray(0)
    for place, (code, title, lines) in enumerate(labels):
        left, base = _EDGE_MM + place * _CODE_STEP_MM, top - _CODE_MM
        _draw_code(canvas, code, left, base)
        wrapped = [part for each in lines for part in wrap(each, _CODE_MM * 2, _CODE_TYPE_MM)]
        for face, text in (
            (Face.BOLD, phrases.message(title)),
            *((Face.TEXT, each) for each in wrapped),
        ):
            base -= _LEADING * _CODE_TYPE_MM
            canvas.setFont(face, _CODE_TYPE_MM * mm)
            canvas.drawString(left * mm, base * mm, text)


def _draw_code(canvas: Canvas, text: str, left: float, bottom: float) -> None:
    """Draw a QR code; its quiet zone is the empty paper around it."""
    import segno  # noqa: PLC0415  # 1.7 MB; only a QR code needs it

    rows = segno.make(text, micro=False, error="m").matrix
    size = _CODE_MM / len(rows)
    for y, row in enumerate(reversed(rows)):
        for x, dark in enumerate(row):
            if dark:
                place = ((left + x * size) * mm, (bottom + y * size) * mm)
                canvas.rect(*place, size * mm, size * mm, stroke=0, fill=1)


def _draw_cap(canvas: Canvas, caption: str, colour: str, place: int, bottom: float) -> None:
    middle = (_EDGE_MM + _CAP_MM / 2 + place * _CAP_STEP_MM, bottom + _CAP_MM / 2)
    canvas.setLineWidth(0.1 * mm)
    canvas.setFillColor(HexColor(colour))
    canvas.circle(middle[0] * mm, middle[1] * mm, _CAP_MM / 2 * mm, stroke=1, fill=1)
    _write_centred(canvas, caption, middle, _CAP_TYPE_MM)


def _draw_lane_label(canvas: Canvas, name: str, colour: str, bottom: float) -> None:
    width, height = _LANE_LABEL_MM
    canvas.setFillColor(HexColor(colour))
    canvas.rect(_EDGE_MM * mm, bottom * mm, width * mm, height * mm, stroke=1, fill=1)
    _write_centred(canvas, name, (_EDGE_MM + width / 2, bottom + height / 2), _LANE_TYPE_MM)


def _write_centred(canvas: Canvas, text: str, middle: tuple[float, float], size: float) -> None:
    canvas.setFillGray(0)
    canvas.setFont(Face.BOLD, size * mm)
    canvas.drawCentredString(middle[0] * mm, (middle[1] - CAP_EM * size / 2) * mm, text)


# The rules card


def rules_pdf(board: Board, rules: HouseRules, phrases: Phrases) -> bytes:
    """Return the rules card as a PDF of two pages, in plain words, for any number of players."""
    canvas = new_document(board.title, _CARD_MM)
    sections = list(_sections(board, rules, phrases))
    lengths = [sum(map(len, section.lines)) for section in sections]
    turn = min(range(1, len(sections)), key=lambda n: abs(sum(lengths[:n]) - sum(lengths[n:])))
    sides = (sections[:turn], sections[turn:])
    size = next(
        size for size in _SIZES_MM if all(_height(side, size) <= _ROOM_MM for side in sides)
    )
    title = phrases.say("rules_page.title", board=board.title)
    for side, heading in zip(sides, (title, ""), strict=True):
        _draw_side(canvas, side, heading, size)
    return pdf_of(canvas)


def _sections(board: Board, rules: HouseRules, phrases: Phrases) -> Iterator[RulesSection]:
    """Yield the rules page's sections; if a line differs for 2 to 6 players, yield all forms."""
    track = board.track
    tables = [(2, (1, 2)), (3, (1, 2, 3)), (4, (1, 2)), (6, (1, 2, 3))]
    setups = [
        Setup.make(track, rules, sides=lanes, players=players)
        for players, lanes in tables
        if len(lanes) <= track.lanes
    ]
    pages = [RulesPage(phrases=phrases, setup=setup).sections() for setup in setups]
    for same in zip(*pages, strict=True):
        lines = zip(*(section.lines for section in same), strict=True)
        yield RulesSection(
            title=same[0].title, lines=tuple(line for each in lines for line in dict.fromkeys(each))
        )


def _height(sections: Sequence[RulesSection], size: float) -> float:
    lines = sum(len(_wrap(line, size)) for section in sections for line in section.lines)
    gaps = sum(len(section.lines) for section in sections)
    return size * (_LEADING * lines + _GAP * gaps + _HEADING * len(sections)) + _TITLE_MM


def _wrap(text: str, size: float) -> list[str]:
    return list(wrap(text, _CARD_MM[0] - 2 * _CARD_EDGE_MM, size * CAP_EM))


def _draw_side(canvas: Canvas, sections: Sequence[RulesSection], title: str, size: float) -> None:
    top = _CARD_MM[1] - _CARD_EDGE_MM - 0.75 * _TITLE_MM
    canvas.setFont(Face.TITLE, _TITLE_MM * mm)
    canvas.drawString(_CARD_EDGE_MM * mm, top * mm, title)
    top -= 0.25 * _TITLE_MM if title else -0.75 * _TITLE_MM
    for section in sections:
        top -= _HEADING * size
        canvas.setFont(Face.BOLD, 1.15 * size * mm)
        canvas.drawString(_CARD_EDGE_MM * mm, top * mm, section.title)
        canvas.setFont(Face.TEXT, size * mm)
        for text in section.lines:
            for line in _wrap(text, size):
                top -= _LEADING * size
                canvas.drawString(_CARD_EDGE_MM * mm, top * mm, line)
            top -= _GAP * size
    canvas.showPage()
