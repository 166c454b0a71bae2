"""New PDFs of a size in millimetres, with neither date nor chance in them."""

from __future__ import annotations

from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas


def new_document(title: str, page_mm: tuple[float, float]) -> tuple[Canvas, BytesIO]:
    """Return a canvas for pages of this size, and where it is written when it is saved."""
    written = BytesIO()
    size = (page_mm[0] * mm, page_mm[1] * mm)
    canvas = Canvas(written, pagesize=size, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("cribwars kit")
    return canvas, written
