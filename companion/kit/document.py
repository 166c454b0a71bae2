"""New PDFs of a size in millimetres, with neither date nor chance in them."""

from functools import cache
from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from companion.board.drawing.typeface import Face, face_data


def new_document(title: str, page_mm: tuple[float, float]) -> Canvas:
    """Return a canvas for pages of this size; `pdf_of` returns the finished document.

    Its fonts include the typefaces of the sheet, by their names.
    """
    _register_typefaces()
    size = (page_mm[0] * mm, page_mm[1] * mm)
    canvas = Canvas(BytesIO(), pagesize=size, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("cribwars kit")
    return canvas


def pdf_of(canvas: Canvas) -> bytes:
    """Return the document of a canvas, with the page that is not finished."""
    pdf: bytes = canvas.getpdfdata()
    return pdf


@cache
def _register_typefaces() -> None:
    for face in Face:
        registerFont(TTFont(face, BytesIO(face_data(face))))
