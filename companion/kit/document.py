"""New PDFs of a size in millimetres, with neither date nor chance in them."""

from functools import cache
from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from companion.board.drawing.typeface import Face, face_data


def new_document(title: str, page_mm: tuple[float, float]) -> tuple[Canvas, BytesIO]:
    """Return a canvas for pages of this size, and where it is written when it is saved.

    Its fonts include the typefaces of the sheet, by their names.
    """
    _register_typefaces()
    written = BytesIO()
    size = (page_mm[0] * mm, page_mm[1] * mm)
    canvas = Canvas(written, pagesize=size, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("cribwars kit")
    return canvas, written


@cache
def _register_typefaces() -> None:
    for face in Face:
        registerFont(TTFont(face, BytesIO(face_data(face))))
