"""Typefaces of the sheet: widths and outlines of letters.

Each typeface has two files: a TrueType font for the PDF files of the kit, and a JSON file made from
the font, which is read without a font library. The JSON `{"units": 1000, "letters": {"A": [436,
[contour, ...]]}}` has each letter's width and closed contours; 1000 units are an em. A contour is a
list of bends `[pull x, pull y, end x, end y]`. The letter `""` replaces letters that are missing.
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import Final, NamedTuple

import msgspec

CAP_EM: Final = 0.7
"""Height of capitals and numerals in the typefaces of text, in ems."""

_FILES = resources.files("companion.board.drawing") / "typefaces"


class Face(StrEnum):
    """A typeface; the value is the name of its files."""

    TEXT = "text"
    BOLD = "bold"
    TITLE = "title"


class Bend(NamedTuple):
    """Quadratic curve to `end` with the control point `pull`, in ems, y up."""

    pull: complex
    end: complex


class Typeface(msgspec.Struct, frozen=True):
    """Letters with their widths and contours; contours are decoded only when they are drawn."""

    units: int
    letters: dict[str, tuple[int, msgspec.Raw]]

    def lacks(self, text: str) -> str:
        """Return the characters of a text for which the typeface has no letter, in order."""
        return "".join(letter for letter in text if letter not in self.letters)

    def width(self, text: str, size: float) -> float:
        """Return the width of a line of text.

        >>> typeface(Face.TEXT).width("11", 10) == 2 * typeface(Face.TEXT).width("1", 10)
        True
        """
        return sum(self._advance(letter) for letter in text) * size

    def places(self, text: str) -> Iterator[tuple[str, float]]:
        """Yield each letter of a line with its place on the line, in ems."""
        advances = (self._advance(letter) for letter in text)
        yield from zip(text, accumulate(advances, initial=0.0), strict=False)

    def outline(self, letter: str) -> list[list[Bend]]:
        """Return the closed contours of a letter; each begins where its last bend ends."""
        contours = msgspec.json.decode(self._letter(letter)[1], type=list[list[list[float]]])
        return [
            [Bend(complex(a, b) / self.units, complex(x, y) / self.units) for a, b, x, y in contour]
            for contour in contours
        ]

    def _advance(self, letter: str) -> float:
        return self._letter(letter)[0] / self.units

    def _letter(self, letter: str) -> tuple[int, msgspec.Raw]:
        return self.letters.get(letter) or self.letters[""]


@cache
def typeface(face: Face) -> Typeface:
    """Return one of the sheet's typefaces."""
    return msgspec.json.decode((_FILES / f"{face}.json").read_bytes(), type=Typeface)


def face_data(face: Face) -> bytes:
    """Return the TrueType file of one of the sheet's typefaces."""
    return (_FILES / f"{face}.ttf").read_bytes()
