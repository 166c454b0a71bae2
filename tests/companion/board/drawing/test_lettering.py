"""Typefaces, compared with fontTools, which reads their TrueType files."""

from importlib import resources

import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

from companion.board.drawing.lettering import (
    CAP_EM,
    STYLES,
    Face,
    face_data,
    face_of,
    typeface,
)
from tests.typefaces import FILES, WEB_FONTS, letters_of, web_fonts

every_face = pytest.mark.parametrize("face", Face)


def font(face: Face) -> TTFont:
    """Return the file as fontTools reads it."""
    file = resources.files("companion.board.drawing") / "typefaces" / f"{face}.ttf"
    with resources.as_file(file) as path:
        return TTFont(path)


@every_face
def test_the_letters_are_those_of_the_file(face: Face) -> None:
    """Widths and outlines are those of the TrueType file."""
    written = (FILES / f"{face}.json").read_bytes()
    assert letters_of(face_data(face)) == written, "old letters: run python -m tests.typefaces"


@every_face
def test_web_fonts_are_current(face: Face) -> None:
    """The two web fonts of a face have all its letters, each once."""
    for name, made in web_fonts(face).items():
        written = letters_of((WEB_FONTS / name).read_bytes())
        assert letters_of(made) == written, "old web fonts: run python -m tests.typefaces"


def test_web_fonts_are_small() -> None:
    """All faces together have at most 60 kB."""
    assert sum(file.stat().st_size for file in WEB_FONTS.iterdir()) <= 60_000


def test_an_outline_is_closed_and_in_ems() -> None:
    """An outline of four lines ends where it begins; a missing character is a box."""
    (contour,) = typeface(Face.TEXT).outline("I")
    ends = [bend.end for bend in contour]
    assert CAP_EM == max(end.imag for end in ends)
    assert typeface(Face.TEXT).outline("Ж") == typeface(Face.TEXT).outline("")


@pytest.mark.parametrize("letter", ["H", "8"])
@pytest.mark.parametrize("face", [Face.TEXT, Face.BOLD])
def test_capitals_and_numerals_have_their_height(face: Face, letter: str) -> None:
    """They are as high as sizes assume."""
    oracle = font(face)
    glyphs = oracle.getGlyphSet()
    pen = BoundsPen(glyphs)
    glyphs[oracle.getBestCmap()[ord(letter)]].draw(pen)
    height = pen.bounds[3] / oracle["head"].unitsPerEm
    assert pytest.approx(height, abs=0.02) == CAP_EM


@every_face
def test_letters_that_are_lacking(face: Face) -> None:
    """French and Polish names can be set, but not Cyrillic ones."""
    assert "" == typeface(face).lacks("Zoë Łęcka, Anne-Gaëlle & œuvre")
    assert "Ж" == typeface(face).lacks("A Жa")


def test_attributes_name_their_typeface() -> None:
    """A line's family and weight identify its typeface."""
    for face, attributes in STYLES.items():
        family, weight = attributes["font_family"], attributes.get("font_weight", "")
        assert face is face_of(str(family), str(weight))
