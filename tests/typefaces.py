"""Maker of the other forms of the sheet's typefaces, from their TrueType files.

`python -m tests.typefaces` writes their letters as JSON, and web fonts for the pages. A face has
two web fonts. Browsers load the second one only for a page with letters that the languages of
Western Europe do not use; see the ranges in `style.css`.
"""

from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec
from fontTools import subset
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

from companion.board.drawing.lettering import Face, face_data
from companion.web.server import STATIC

FILES: Final = Path(__file__).parents[1] / "companion/board/drawing/typefaces"
WEB_FONTS: Final = STATIC / "fonts"
WEST: Final = {*range(0x100), 0x152, 0x153, 0x178, *range(0x2000, 0x3000)}
"""Code points of the first web font of each face."""
Point = tuple[float, float]


class _ContourPen(BasePen):  # type: ignore[misc]  # fontTools has no types
    """Pen that keeps the contours of a letter; a line is a curve with its control in its middle."""

    def __init__(self) -> None:
        super().__init__(None)
        self.contours: list[list[list[float]]] = []
        self._start = self._at = (0.0, 0.0)

    def _moveTo(self, pt: Point) -> None:  # noqa: N802  # fontTools' name
        self._start = self._at = pt
        self.contours.append([])

    def _lineTo(self, pt: Point) -> None:  # noqa: N802  # fontTools' name
        middle = ((self._at[0] + pt[0]) / 2, (self._at[1] + pt[1]) / 2)
        self._qCurveToOne(middle, pt)

    def _qCurveToOne(self, pt1: Point, pt2: Point) -> None:  # noqa: N802  # fontTools' name
        self.contours[-1].append([int(each) if each % 1 == 0 else each for each in (*pt1, *pt2)])
        self._at = pt2

    def _closePath(self) -> None:  # noqa: N802  # fontTools' name
        if self._at != self._start:
            self._lineTo(self._start)


def letters_of(data: bytes) -> bytes:
    """Return a font's letters as the JSON that `companion.board.drawing.lettering` reads."""
    font = TTFont(BytesIO(data))
    glyphs, letters = font["glyf"], {}
    for letter, name in {
        "": ".notdef",
        **{chr(c): n for c, n in font.getBestCmap().items()},
    }.items():
        pen = _ContourPen()
        glyphs[name].draw(pen, glyphs)
        letters[letter] = (font["hmtx"][name][0], pen.contours)
    return msgspec.json.encode({"units": font["head"].unitsPerEm, "letters": letters})


def web_fonts(face: Face) -> dict[str, bytes]:
    """Return the contents of a face's two files in WOFF2, by their names."""
    letters = set(TTFont(BytesIO(face_data(face))).getBestCmap())
    return {
        f"{face}.woff2": _subset(face, letters & WEST),
        f"{face}-east.woff2": _subset(face, letters - WEST),
    }


def _subset(face: Face, letters: set[int]) -> bytes:
    font, file = TTFont(BytesIO(face_data(face)), recalcTimestamp=False), BytesIO()
    maker = subset.Subsetter(subset.Options(name_IDs=["*"], notdef_outline=True))
    maker.populate(unicodes=letters)
    maker.subset(font)
    font.flavor = "woff2"
    font.save(file)
    return file.getvalue()


if __name__ == "__main__":
    for face in Face:
        (FILES / f"{face}.json").write_bytes(letters_of(face_data(face)))
        for name, data in web_fonts(face).items():
            (WEB_FONTS / name).write_bytes(data)
