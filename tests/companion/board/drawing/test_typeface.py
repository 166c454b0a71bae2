"""Typefaces, beside fontTools, which reads the same files."""

from importlib import resources

import pytest
from fontTools.pens.areaPen import AreaPen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont

from companion.board.drawing.lettering import STYLES, face_of
from companion.board.drawing.typeface import CAP_EM, Bend, Face, typeface

every_face = pytest.mark.parametrize("face", Face)


def font(face: Face) -> TTFont:
    """The file as fontTools reads it."""
    file = resources.files("companion.board.drawing") / "typefaces" / f"{face}.ttf"
    with resources.as_file(file) as path:
        return TTFont(path)


def area(contour: list[Bend]) -> float:
    """The area of a contour, negative if it runs clockwise."""
    total, at = 0.0, contour[-1].end
    for pull, end in contour:
        total += (at.conjugate() * end).imag / 2
        total += ((pull - at).conjugate() * (end - at)).imag / 3
        at = end
    return total


@every_face
def test_widths_and_outlines(face: Face) -> None:
    """Each character has the width and the area that fontTools finds."""
    oracle = font(face)
    glyphs, units = oracle.getGlyphSet(), oracle["head"].unitsPerEm
    for code, name in oracle.getBestCmap().items():
        pen = AreaPen(glyphs)
        glyphs[name].draw(pen)
        assert glyphs[name].width / units == pytest.approx(typeface(face).width(chr(code), 1))
        contours = typeface(face).outline(chr(code))
        assert pen.value / units**2 == pytest.approx(sum(map(area, contours)), abs=1e-6)


@pytest.mark.parametrize("letter", ["H", "8"])
@pytest.mark.parametrize("face", [Face.TEXT, Face.BOLD])
def test_capitals_and_numerals_have_their_height(face: Face, letter: str) -> None:
    """A type's capitals and numerals are as high as sizes are reckoned with."""
    oracle = font(face)
    glyphs = oracle.getGlyphSet()
    pen = BoundsPen(glyphs)
    glyphs[oracle.getBestCmap()[ord(letter)]].draw(pen)
    height = pen.bounds[3] / oracle["head"].unitsPerEm
    assert pytest.approx(height, abs=0.02) == CAP_EM


@every_face
def test_letters_that_are_lacking(face: Face) -> None:
    """French and Polish names can be set, Cyrillic ones cannot."""
    assert "" == typeface(face).lacks("Zoë Łęcka, Anne-Gaëlle & œuvre")
    assert "Ж" == typeface(face).lacks("A Жa")


def test_attributes_name_their_typeface() -> None:
    """A line's family and weight lead back to its typeface."""
    for face, attributes in STYLES.items():
        family, weight = attributes["font_family"], attributes.get("font_weight", "")
        assert face is face_of(str(family), str(weight))
