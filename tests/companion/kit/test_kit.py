"""The page of the kit, the words of its print, and its folder."""

from pathlib import Path

import pypdfium2
import pytest

from companion.board import load_board
from companion.board.drawing.finish import SheetStyle
from companion.commentary import load_phrases
from companion.errors import BadInputError, Text
from companion.files import write_folder
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


# The folder


FILES = {"a.txt": b"a", "grid/b.stl": b"b"}


@pytest.mark.parametrize("name", ["empty", "new", "new/below"])
def test_a_new_or_an_empty_folder(tmp_path: Path, name: str) -> None:
    """Both take the files, and nothing else is left beside them."""
    (tmp_path / "empty").mkdir()
    write_folder(tmp_path / name, FILES)
    files = {file for file in (tmp_path / name).rglob("*") if file.is_file()}
    assert FILES == {str(file.relative_to(tmp_path / name)): file.read_bytes() for file in files}
    assert files == {file for file in tmp_path.rglob("*") if file.is_file()}


def test_what_is_there_stays(tmp_path: Path) -> None:
    """A folder with anything in it, or a file, is refused."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    for taken in (tmp_path / "full", tmp_path / "full" / "mine"):
        with pytest.raises(BadInputError, match="new or an empty folder"):
            write_folder(taken, FILES)
    assert ["full", "mine"] == sorted(path.name for path in tmp_path.rglob("*"))


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    """A file that cannot be written takes the others with it."""
    with pytest.raises(BadInputError, match="choose another place"):
        write_folder(tmp_path / "kit", {**FILES, "x" * 300: b""})
    assert [] == list(tmp_path.iterdir())
