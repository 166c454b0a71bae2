"""Lines of print: their typefaces, their width, and texts broken into lines."""

from collections.abc import Iterator
from typing import Final

from companion.board.drawing.svg import number, words
from companion.board.drawing.typeface import CAP_EM, Face, typeface

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

    >>> list(wrap("Fold hand and crib.", 15))
    ['Fold hand', 'and crib.']
    """
    found = ""
    for word in text.split(" "):
        longer = f"{found} {word}" if found else word
        if found and width(longer, cap_mm, face) > width_mm:
            yield found
            longer = word
        found = longer
    if found:
        yield found
