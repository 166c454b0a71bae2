"""Typefaces of the sheet: widths and outlines of letters, read from TrueType files.

The files are our own: letters have outlines, not parts, and the first character map is of format 4.
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib import resources
from itertools import accumulate
from struct import unpack_from
from typing import Final, NamedTuple

CAP_EM: Final = 0.7
"""Height of a capital of the typefaces of text; of a numeral too."""

_FILES = resources.files("companion.board.drawing") / "typefaces"
_ON_CURVE, _X_SHORT, _Y_SHORT, _REPEAT, _X_SAME, _Y_SAME = 1, 2, 4, 8, 16, 32


class Face(StrEnum):
    """A typeface by its file."""

    TEXT = "text"
    BOLD = "bold"
    TITLE = "title"


class Bend(NamedTuple):
    """A quadratic curve to `end`, in ems, y up; the `pull` of a straight line lies on it."""

    pull: complex
    end: complex


class _Vertex(NamedTuple):
    at: complex
    on_curve: bool


class Typeface:
    """A TrueType file's letters; sizes are those of an em."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        count = unpack_from(">H", data, 4)[0]
        records = (unpack_from(">4s4xL4x", data, 12 + 16 * n) for n in range(count))
        self._table = {name.decode(): start for name, start in records}
        self._units = unpack_from(">H", data, self._table["head"] + 18)[0]
        self._long = unpack_from(">h", data, self._table["head"] + 50)[0]
        self._advances = unpack_from(">H", data, self._table["hhea"] + 34)[0]
        self._glyphs = dict(self._characters())

    def lacks(self, text: str) -> str:
        """Return the characters of a text that the typeface has no letter for, in their order."""
        return "".join(letter for letter in text if ord(letter) not in self._glyphs)

    def width(self, text: str, size: float) -> float:
        """Return the width of a line of text.

        >>> typeface(Face.TEXT).width("11", 10) == 2 * typeface(Face.TEXT).width("1", 10)
        True
        """
        return sum(self._advance(letter) for letter in text) * size

    def letters(self, text: str) -> Iterator[tuple[str, float]]:
        """Yield each letter of a line with its place on it, in ems."""
        advances = (self._advance(letter) for letter in text)
        yield from zip(text, accumulate(advances, initial=0.0), strict=False)

    def outline(self, letter: str) -> list[list[Bend]]:
        """Return the closed contours of a letter; each begins where its last bend ends."""
        return [_bends(contour) for contour in self._contours(self._glyphs.get(ord(letter), 0))]

    def _characters(self) -> Iterator[tuple[int, int]]:
        data, cmap = self._data, self._table["cmap"]
        start = cmap + unpack_from(">L", data, cmap + 8)[0]
        size = unpack_from(">H", data, start + 6)[0]
        columns = (start + 14, start + 16 + size, start + 16 + 2 * size, start + 16 + 3 * size)
        for at in range(0, size, 2):
            last, first, delta, offset = (unpack_from(">H", data, c + at)[0] for c in columns)
            for code in range(first, min(last, 0xFFFE) + 1):
                place = columns[3] + at + offset + 2 * (code - first)
                glyph = unpack_from(">H", data, place)[0] if offset else code
                yield code, (glyph + delta) % 0x10000

    def _advance(self, letter: str) -> float:
        glyph = min(self._glyphs.get(ord(letter), 0), self._advances - 1)
        advance: int = unpack_from(">H", self._data, self._table["hmtx"] + 4 * glyph)[0]
        units: int = self._units
        return advance / units

    def _contours(self, glyph: int) -> list[list[_Vertex]]:
        size, factor = ("L", 1) if self._long else ("H", 2)
        place = self._table["loca"] + glyph * (4 if self._long else 2)
        start, end = (factor * n for n in unpack_from(f">2{size}", self._data, place))
        if start == end:
            return []
        data, at = self._data, self._table["glyf"] + start
        count: int = unpack_from(">h", data, at)[0]
        ends = unpack_from(f">{count}H", data, at + 10)
        at += 10 + 2 * count
        at += 2 + unpack_from(">H", data, at)[0]
        flags: list[int] = []
        while len(flags) <= ends[-1]:
            flags.append(data[at])
            at += 1
            if flags[-1] & _REPEAT:
                flags += [flags[-1]] * data[at]
                at += 1
        xs, at = self._coordinates(at, flags, _X_SHORT, _X_SAME)
        ys, _ = self._coordinates(at, flags, _Y_SHORT, _Y_SAME)
        vertices = [
            _Vertex(complex(x, y) / self._units, bool(flag & _ON_CURVE))
            for x, y, flag in zip(xs, ys, flags, strict=True)
        ]
        starts = (0, *(end + 1 for end in ends[:-1]))
        return [vertices[start : end + 1] for start, end in zip(starts, ends, strict=True)]

    def _coordinates(
        self, at: int, flags: list[int], short: int, same: int
    ) -> tuple[list[int], int]:
        """Return x or y of all points, and where they end in the file."""
        values, value = [], 0
        for flag in flags:
            if flag & short:
                value += self._data[at] if flag & same else -self._data[at]
                at += 1
            elif not flag & same:
                value += unpack_from(">h", self._data, at)[0]
                at += 2
            values.append(value)
        return values, at


@cache
def typeface(face: Face) -> Typeface:
    """Return one of the sheet's typefaces."""
    return Typeface(face_data(face))


def face_data(face: Face) -> bytes:
    """Return the file of one of the sheet's typefaces."""
    return (_FILES / f"{face}.ttf").read_bytes()


def _bends(contour: list[_Vertex]) -> list[Bend]:
    """Return the curves of a contour: midway between two successive pulls it has a point."""
    first = next((n for n, vertex in enumerate(contour) if vertex.on_curve), None)
    if first is None:
        contour, first = [_Vertex((contour[-1].at + contour[0].at) / 2, on_curve=True), *contour], 0
    turned = contour[first:] + contour[:first]
    bends, at, pull = [], turned[0].at, None
    for vertex in (*turned[1:], turned[0]):
        if vertex.on_curve:
            bends.append(Bend((at + vertex.at) / 2 if pull is None else pull, vertex.at))
            at, pull = vertex.at, None
        else:
            if pull is not None:
                at = (pull + vertex.at) / 2
                bends.append(Bend(pull, at))
            pull = vertex.at
    return bends
