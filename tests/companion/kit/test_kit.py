"""The page of the kit and the words of its print, in the language of the settings."""

import pypdfium2

from companion.board import load_board
from companion.board.drawing.style import SheetStyle
from companion.commentary import load_phrases
from companion.errors import Text
from companion.kit.kit import index_page
from companion.kit.sheet_pdf import tiles_pdf
from companion.kit.tiling import divide

FRENCH = load_phrases("fr")


def test_the_page_speaks_the_language() -> None:
    """Its steps are translated, and its head names the language."""
    page = index_page(load_board("classic-61"), {"parts.csv": "<Quoi acheter>"}, FRENCH)
    assert '<html lang="fr">' in page
    assert "Imprimer la grille de lumière" in page
    assert '<a href="parts.csv">parts.csv</a>\u00a0: &lt;Quoi acheter&gt;' in page


def test_cover_and_labels_speak_the_language() -> None:
    """The cover explains gluing; each tile names its neighbours."""
    board = load_board("crib-wars")
    document = pypdfium2.PdfDocument(
        tiles_pdf(board, divide(board, "a3", (100, 100)), SheetStyle(), FRENCH)
    )
    cover, tile = (document[page].get_textpage().get_text_range() for page in (0, 1))
    assert "cercle sur cercle" in cover
    beside = FRENCH.message(Text("right {tile}", tile="A2"))
    assert beside in tile
