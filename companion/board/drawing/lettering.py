"""Lines of print: typefaces with the outlines of letters, widths, and texts broken into lines.

Each typeface has two files: a TrueType font, for the PDF files of `cribwars kit`, and a JSON file
with the same letters, for reading without a font library. The JSON `{"units": 1000, "letters":
{"A": [436, [contour, ...]]}}` has widths and closed contours. A contour is a list of bends
`[pull x, pull y, end x, end y]`. The letter `""` is drawn for letters that the typeface lacks.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import Final, NamedTuple

import msgspec

from companion.board.drawing.svg import number, words

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
    """Load a typeface; its file is read only once."""
    return msgspec.json.decode((_FILES / f"{face}.json").read_bytes(), type=Typeface)


def face_data(face: Face) -> bytes:
    """Return the content of the TrueType file of a typeface."""
    return (_FILES / f"{face}.ttf").read_bytes()


LEAST_MM: Final = 3.0
"""Least height of a capital. Smaller print cannot be read at arm's length."""

TEXT: Final[dict[str, str | float]] = {
    "font_family": "Barlow Condensed, Roboto Condensed, Arial Narrow, Arial, sans-serif",
    "font_weight": 500,
}
BOLD: Final[dict[str, str | float]] = {**TEXT, "font_weight": 700}
TITLE: Final[dict[str, str | float]] = {
    "font_family": "Limelight, Cormorant Garamond, Garamond, Georgia, serif"
}
STYLES: Final = {Face.TEXT: TEXT, Face.BOLD: BOLD, Face.TITLE: TITLE}
"""SVG attributes of each typeface; `face_of` finds the typeface from them."""


def face_of(family: str, weight: str) -> Face:
    """Return the typeface of a text that has these attributes."""
    if family.endswith(", serif"):
        return Face.TITLE
    return Face.BOLD if weight == str(BOLD["font_weight"]) else Face.TEXT


def font_size(cap_mm: float) -> float:
    """Return the size of type whose capitals have this height."""
    return cap_mm / CAP_EM


def width(text: str, cap_mm: float, face: Face = Face.TEXT) -> float:
    """Return the width of a line whose capitals have this height."""
    return typeface(face).width(text, font_size(cap_mm))


def line(
    text: str,
    at: complex,
    *,
    cap_mm: float = LEAST_MM,
    face: Face = Face.TEXT,
    turn_deg: float = 0.0,
    **attributes: str | float,
) -> str:
    """Write a line of text, turned clockwise about `at`, a point on its baseline.

    `text_anchor` decides whether this point is the start, the middle or the end of the line.
    """
    if turn_deg:
        attributes["transform"] = f"rotate({number(turn_deg)} {number(at.real)} {number(at.imag)})"
    return words(text, at, font_size=font_size(cap_mm), **STYLES[face], **attributes)


def centred(
    text: str,
    middle: complex,
    *,
    cap_mm: float = LEAST_MM,
    turn_deg: float = 0.0,
    **more: str | float,
) -> str:
    """Write a bold line centred on `middle`, level or turned by 90 degrees."""
    down = -cap_mm / 2 if turn_deg else 1j * cap_mm / 2
    return line(
        text,
        middle + down,
        cap_mm=cap_mm,
        face=Face.BOLD,
        turn_deg=turn_deg,
        text_anchor="middle",
        **more,
    )


def wrap(
    text: str, width_mm: float, cap_mm: float = LEAST_MM, face: Face = Face.TEXT
) -> Iterator[str]:
    """Yield the lines of a text, each at most `width_mm` wide unless one word is wider.

    No line begins with punctuation that French sets after a space, such as a colon.

    >>> list(wrap("Fold hand and crib.", 15)), list(wrap("Main et crib : rien.", 19))
    (['Fold hand', 'and crib.'], ['Main et', 'crib : rien.'])
    """
    found = ""
    for word in re.split(r" (?![:;!?»])", text):
        longer = f"{found} {word}" if found else word
        if found and width(longer, cap_mm, face) > width_mm:
            yield found
            longer = word
        found = longer
    if found:
        yield found
